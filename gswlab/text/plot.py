"""A plot: characters, and events in order with who appears and what ties hold then.

The shape is that of Kondo & Oda's novel plots (serial Hybrid-RAG); `plot_xml` reads it.
"""

from __future__ import annotations

from dataclasses import dataclass

from gswlab.core.document import Document
from gswlab.core.nouns import Span


@dataclass(frozen=True, slots=True)
class Character:
    """Who a plot is about. `span` is its element in the file."""

    id: str
    role: str
    name: str
    description: str
    span: Span


@dataclass(frozen=True, slots=True, order=True)
class Tie:
    """What `source` is to `target` at one event ("friend"): character ids, one way."""

    source: str
    target: str
    relation: str


@dataclass(frozen=True, slots=True)
class Event:
    """What happens; `appears` are character ids, of its ties and those listed."""

    id: str
    description: str
    ties: tuple[Tie, ...]
    appears: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot as its file tells it: events in the order in which they happen.

    `document` is the file itself, to which spans point: its text is the whole XML.
    """

    document: Document
    characters: tuple[Character, ...]
    events: tuple[Event, ...]
