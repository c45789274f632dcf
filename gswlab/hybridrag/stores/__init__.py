"""Property graphs behind one protocol: in memory (default), or any Bolt server."""
