"""The gauge over a run: prices, the plane, the strip beside the steps, walks filmed."""
