"""Memories over passages: what papers are held against, and stand on."""
