"""The gauge before a workspace: a gate for any reconciler and any recall."""
