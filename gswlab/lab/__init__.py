"""An experiment under your hands: its settings, the lab, a chat, its futures."""
