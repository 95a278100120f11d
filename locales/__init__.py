"""The catalogs of all languages, read by bot.texts."""
