"""Worlds that a memory reads and is asked of: chats, keys and values, documents."""
