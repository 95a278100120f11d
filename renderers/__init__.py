"""Board pictures, replays and text boards: scenes in, bytes and text out. Makes no words of its own."""
