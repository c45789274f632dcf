"""The reconciler that asks a model."""
