"""What is kept: the store's protocol and values, and their one implementation on Redis or Valkey."""
