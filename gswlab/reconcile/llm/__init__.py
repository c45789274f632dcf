"""Reconcilers that ask a model, and believe what the chunk and the workspace have."""
