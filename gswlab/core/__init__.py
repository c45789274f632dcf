"""What is true of any memory: nouns, spans, steps, the journal, the workspace fold."""
