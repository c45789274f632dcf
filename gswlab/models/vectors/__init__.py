"""Sentence vectors and the search among them: embedders, and an index."""
