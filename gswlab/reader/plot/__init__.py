"""Questions about a plot, answered from what evidence tells of its cast and events."""
