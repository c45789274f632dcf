"""The figures and tables of the paper, drawn from committed run tables."""
