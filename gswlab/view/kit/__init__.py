"""What every page is made of."""
