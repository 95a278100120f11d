"""The page in the browser: what the web adapter is made of."""
