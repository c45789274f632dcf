"""Dates in words and figures: found, read, and resolved to a day."""
