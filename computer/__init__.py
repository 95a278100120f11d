"""The computer player, which knows games only through rules; it comes with a later version."""
