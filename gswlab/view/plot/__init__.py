"""The graph of a plot: what a question lights, and ties through time."""
