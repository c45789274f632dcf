"""A chat as a run: its messages come one by one, and the journal is where they are."""

from __future__ import annotations

from dataclasses import dataclass

from gswlab.core.document import Document
from gswlab.core.nouns import Chunk
from gswlab.text.document import document_of


@dataclass(frozen=True)
class Talk:
    """A chat that nobody has begun yet; `name` tells chats of equal settings apart."""

    name: str = "chat"

    def document(self) -> Document:
        """What a run reads before its first message: the chat's name."""
        return document_of(f"This is {self.name}.", self.name)

    def chunks(self) -> tuple[Chunk, ...]:
        """None: every message is added when it is said."""
        return ()
