"""A question in words to what it asks: cues, names, order; on a floor all can use."""
