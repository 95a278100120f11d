"""The bot: adapters, one game service, words, delivery."""
