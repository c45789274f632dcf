"""Layouts of files, each read into a `Source`."""
