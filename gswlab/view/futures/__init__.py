"""What would have been: two futures side by side, and what survives other orders."""
