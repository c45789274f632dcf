"""The operator that asks a model."""
