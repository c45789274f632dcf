"""Recall: which episodes answer a question, and in which form."""
