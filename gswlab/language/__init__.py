"""Kinds of event: an inventory of labels, and how well a chapter's words fit each."""
