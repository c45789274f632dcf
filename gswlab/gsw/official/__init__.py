"""The published code's JSON, read and written."""
