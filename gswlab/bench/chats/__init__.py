"""What is read, then asked, each world by a memory of its own: chats, keys, documents."""
