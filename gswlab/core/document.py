"""A document: its text, its chapters, its turns, and the code of its language."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass

from gswlab.core.nouns import Span


@dataclass(frozen=True, slots=True)
class Chapter:
    """A chapter's body; its heading line is `title` and lies outside `span`."""

    number: int | None
    title: str | None
    span: Span


@dataclass(frozen=True, slots=True)
class Turn:
    """What one speaker says at a time, and when (ISO) where that is known.

    `named` are the characters before it that tell who, `addressee` is whom it answers
    and `answers` what told that one's name.
    """

    span: Span
    speaker: str | None
    time: str | None
    named: Span | None = None
    addressee: str | None = None
    answers: Span | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """An untouched text, its chapters, its own date (`time`, ISO) and its language.

    `pages` are the offsets at which its pages begin, `turns` what is said in it, where
    the file had pages or is a conversation.
    """

    id: str
    text: str
    chapters: tuple[Chapter, ...]
    time: str | None = None
    language: str = "en"
    pages: tuple[int, ...] = ()
    turns: tuple[Turn, ...] = ()

    def page(self, span: Span) -> int | None:
        """The page, from 1, on which a span begins; None in a file without pages."""
        return bisect(self.pages, span.start) if self.pages else None
