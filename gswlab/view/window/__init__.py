"""What fills the window of an agent."""
