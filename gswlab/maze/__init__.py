"""Partially observed mazes: grids, what an explorer sees of them, and explorers."""
