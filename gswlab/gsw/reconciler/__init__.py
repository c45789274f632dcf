"""The reconciler: a local map becomes a step, by rules."""
