"""Plots and questions about them, measured."""
