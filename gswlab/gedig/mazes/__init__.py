"""Partially observed mazes, and who explores them."""
