"""What happens in a chapter, and a book's worth of it: the gold of a generated book."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

FIELDS = ("date", "location", "entity", "content")


@dataclass(frozen=True, slots=True)
class Event:
    """What one chapter is about, or would be about: a cue is an event, in part.

    `role` and `state` are the protagonist's, as the chapter tells them, where it does.
    """

    date: str
    location: str
    entity: str
    content: str
    chapter: int = 0
    post_entities: tuple[str, ...] = ()
    role: str = ""
    state: str = ""

    @property
    def day(self) -> datetime:
        """The calendar day of `date`."""
        return datetime.strptime(self.date, "%B %d, %Y")


def tuples(events: tuple[Event, ...]) -> dict[str, dict[str, list[str]]]:
    """The gold tuple of every chapter, as the tuple scorer reads it."""
    return {
        str(event.chapter): {name: [getattr(event, name)] for name in FIELDS}
        for event in events
    }
