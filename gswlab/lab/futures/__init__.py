"""What might have been: forks, edits by hand, other orders of reading."""
