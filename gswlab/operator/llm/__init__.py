"""The operator that asks a model, chunk by chunk, and believes what the chunk shows."""
