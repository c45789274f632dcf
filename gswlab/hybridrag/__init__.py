"""What the memories of plots share: how a graph is told, and what ties add up to."""
