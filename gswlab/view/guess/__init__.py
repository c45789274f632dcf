"""Guess the merge: you decide first, then the reconciler says."""
