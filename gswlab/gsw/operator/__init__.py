"""The operator: what one chunk says, as a local map, by rules."""
