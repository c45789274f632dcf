"""From an answer to the characters it rests on, and back."""
