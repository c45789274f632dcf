"""One text, several memories: what each kept of the same characters."""
