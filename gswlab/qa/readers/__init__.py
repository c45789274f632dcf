"""Readers: evidence to an answer, or abstention."""
