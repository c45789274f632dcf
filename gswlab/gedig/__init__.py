"""geDIG: a gauge that prices a change of a graph by its cost and by what it tells."""

PRICED = "priced"  # the kind of event that tells what the gauge said of an edit
