"""What is on screen as files for print."""
