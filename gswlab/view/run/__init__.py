"""A run as one page: its text, its graph, its decisions, step by step."""
