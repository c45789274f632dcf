"""English: its tables, and the readings that no table can say."""
