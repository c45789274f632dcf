"""Texts as they are: documents, chapters, sentences and chunks, as spans."""
