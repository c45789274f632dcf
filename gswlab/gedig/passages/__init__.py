"""The gauge before passages: what a question may read, and when to stop."""
