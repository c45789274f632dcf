"""What might have been: forks, edits by hand, other orders of reading.

A journal is the one truth of a run, so nothing here changes a step: a fork copies the
steps before it, an edit is a fork that decides one actor anew.
"""
