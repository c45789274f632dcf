"""geDIG: a gauge that prices a change of a graph by its cost and by what it tells."""
