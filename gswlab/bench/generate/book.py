"""A generated book: its text, the events it tells, and what it could have told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from gswlab.bench.generate.chapter import written
from gswlab.bench.generate.dials import Dials
from gswlab.bench.generate.events import FIELDS, Event
from gswlab.bench.generate.scenes import Scene, scenes
from gswlab.bench.generate.universe import Universe


@dataclass(frozen=True)
class Book:
    """A book and its gold; `aliases` are nicknames that are right answers too."""

    chapters: tuple[str, ...]
    events: tuple[Event, ...]
    unused: Mapping[str, list[str]]
    aliases: Mapping[str, tuple[str, ...]]

    @property
    def text(self) -> str:
        """All chapters under their headings, in EpBench's layout."""
        parts = (f"Chapter {n}\n\n{text}" for n, text in enumerate(self.chapters, 1))
        return "\n\n\n".join(parts)


@lru_cache(maxsize=2)
def generated(chapters: int, seed: int = 1, dials: Dials | None = None) -> Book:
    """A book of any size; the same settings make the same book, to the byte.

    >>> book = generated(20)
    >>> len(book.events), book.text.startswith("Chapter 1")
    (20, True)
    """
    dials = dials or Dials()
    universe = Universe.of(seed, dials.homonyms)
    told = scenes(universe, chapters, seed, dials)
    events = tuple(scene.event for scene in told)
    used = {name: {getattr(e, name) for e in events} for name in FIELDS}
    texts = tuple(written(scene, seed) for scene in told)
    return Book(texts, events, universe.unused(used), _aliases(told))


def _aliases(told: list[Scene]) -> dict[str, tuple[str, ...]]:
    people = (scene.person for scene in told if scene.alias)
    return {person.name: (person.alias,) for person in people}
