"""What English and Japanese are: one engine, and a folder of tables a language."""
