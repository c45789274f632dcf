"""What a book can be about: days, places, people and kinds of event, all invented here.

The lists in `data/` were written for this workbench; none is taken from a benchmark. A
universe is a seeded draw of 100 of each; the names of side characters come from lists
of their own, so that nobody is a protagonist in one chapter and a bystander in another.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, fields
from datetime import date, datetime, timedelta
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from gswlab.core.errors import GswlabError, checked

# Which events a book has: EpBench's own sampling, over indexes of a universe.

SIZE = 100  # values of each field in a universe
P = 0.1
DATE, LOCATION, ENTITY, CONTENT = range(4)
Rows = NDArray[np.int16]


def sampled(events: int, rng: np.random.Generator) -> Rows:
    """Indexes of date, place, person and kind: `events` rows of four.

    >>> sampled(20, np.random.default_rng(1)).shape
    (20, 4)

    Raises:
        GswlabError: the universe has fewer such events.
    """
    count = events * _candidates(events)
    rows = np.stack([_geometric(count, rng) for _ in range(4)], axis=1)
    for pair in ((DATE, ENTITY), (DATE, LOCATION)):
        rows = _first_of_each(rows, pair)
    if len(rows) < events:
        raise GswlabError(
            f"there are {len(rows)} different events, not {events}",
            f"a universe has {SIZE} dates, places, persons and kinds of event",
            f"python -m gswlab run experiment=generated dataset.chapters={len(rows)}",
        )
    return rows[:events]


def _candidates(events: int) -> int:
    return 3 if events <= 200 else 5 if events <= 800 else 3000


def _geometric(count: int, rng: np.random.Generator) -> Rows:
    """Indexes from 0, the first the most frequent (one in ten)."""
    drawn: Rows = rng.geometric(P, count).astype(np.int16) - np.int16(1)
    while (over := np.flatnonzero(drawn >= SIZE)).size:
        drawn[over] = rng.geometric(P, over.size) - 1
    return drawn


def _first_of_each(rows: Rows, pair: tuple[int, int]) -> Rows:
    keys = rows[:, pair[0]].astype(np.int32) * SIZE + rows[:, pair[1]]
    first: NDArray[np.intp] = np.unique(keys, return_index=True)[1]
    kept: Rows = rows[np.sort(first)]
    return kept


DATA = Path(__file__).with_name("data")
FIRST_DAY, LAST_DAY = date(2041, 1, 1), date(2044, 12, 30)


@dataclass(frozen=True, slots=True)
class Person:
    """A name in its parts, with a short form of the first; gender is `f` or `m`."""

    first: str
    last: str
    gender: str
    short: str = ""

    @property
    def name(self) -> str:
        """First and last name, with a space between."""
        return f"{self.first} {self.last}"

    @property
    def alias(self) -> str:
        """What friends call this person."""
        return f"{self.short} {self.last}"


@dataclass(frozen=True, slots=True)
class EventKind:
    """A kind of event: its label, the same in other words, and what shows it."""

    label: str
    words: str
    things: tuple[str, ...]
    people: tuple[str, ...]
    acts: tuple[str, ...]
    talk: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Universe:
    """The values a book draws from; the first of each are the most frequent."""

    dates: tuple[str, ...]
    places: tuple[str, ...]
    people: tuple[Person, ...]
    kinds: tuple[EventKind, ...]

    @classmethod
    def of(cls, seed: int, shared: float = 0.0) -> Universe:
        """A seeded draw; `shared` is the share of those who can share names and do."""
        rng = random.Random(f"universe {seed}")
        days = rng.sample(range((LAST_DAY - FIRST_DAY).days + 1), SIZE)
        return cls(
            tuple(f"{FIRST_DAY + timedelta(day):%B %d, %Y}" for day in days),
            tuple(rng.sample(lines("places.txt"), SIZE)),
            _sharing(_people(rng), shared),
            tuple(rng.sample(kinds(), SIZE)),
        )

    def unused(self, used: dict[str, set[str]]) -> dict[str, list[str]]:
        """The values of each field that a book has not used."""
        values = {
            "date": self.dates,
            "location": self.places,
            "entity": tuple(person.name for person in self.people),
            "content": tuple(kind.label for kind in self.kinds),
        }
        return {n: [v for v in all_ if v not in used[n]] for n, all_ in values.items()}


def _people(rng: random.Random) -> tuple[Person, ...]:
    firsts, lasts = rng.sample(rows("first.tsv"), SIZE), lines("last.txt")
    pairs = zip(firsts, rng.sample(lasts, SIZE), strict=True)
    return tuple(Person(f[0], last, f[1], f[2]) for f, last in pairs)


def _sharing(people: tuple[Person, ...], share: float) -> tuple[Person, ...]:
    """Two in three can share: the names of every third person, newly combined."""
    found, heads = list(people), people[::3]
    rest = [i for i in range(len(people)) if i % 3]
    for k, i in enumerate(rest[: round(share * len(rest))]):
        turn, head = divmod(k, len(heads))
        first, last = heads[head], heads[(head + 1 + turn) % len(heads)]
        found[i] = Person(first.first, last.last, first.gender, first.short)
    return tuple(found)


def side_characters(seed: int) -> Iterator[Person]:
    """People nobody asks about, each new until all names are used up."""
    firsts, lasts = rows("others_first.tsv"), lines("others_last.txt")
    pairs = [(f, last) for f in firsts for last in lasts]
    random.Random(f"others {seed}").shuffle(pairs)
    return (Person(f[0], last, f[1]) for f, last in cycle(pairs))


@cache
def kinds() -> tuple[EventKind, ...]:
    """The kinds of event of `data/kinds.tsv`."""
    return tuple(
        EventKind(label, words, *(tuple(cell.split(";")) for cell in rest))
        for label, words, *rest in rows("kinds.tsv")
    )


@cache
def lines(name: str) -> tuple[str, ...]:
    """The lines of a file of `data/`."""
    return tuple((DATA / name).read_text(encoding="utf-8").splitlines())


@cache
def rows(name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a table of `data/`, without its header."""
    return tuple(tuple(line.split("\t")) for line in lines(name)[1:])


# What makes a book harder, one dial each: the share of chapters it touches, 0 to 1.

Share = Annotated[float, Field(ge=0, le=1)]


@dataclass(frozen=True)
class Dials:
    """Strengths, all 0 by default: the book is then as plain as EpBench's.

    roles       the protagonist's role changes, and returns, from day to day
    conflicts   a state is told, and somebody else reports its opposite
    flashbacks  a scene of another time and place, or of an order nobody remembers
    homonyms    people share first and last names with one another
    aliases     a person is named in full once in the book, then by a nickname
    pronouns    the protagonist's name stands once; all else is he or she
    dates       one to three other dates stand in the chapter

    A chapter touched at one strength is touched at every higher one.
    """

    roles: float = 0.0
    conflicts: float = 0.0
    flashbacks: float = 0.0
    homonyms: float = 0.0
    aliases: float = 0.0
    pronouns: float = 0.0
    dates: float = 0.0

    def __post_init__(self) -> None:
        for name in self.names():
            checked(getattr(self, name), Share, f"dataset.dials.{name}")

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The dials, in order."""
        return tuple(field.name for field in fields(cls))

    def touches(self, name: str, seed: int, chapter: int) -> bool:
        """Whether the dial `name` changes a chapter."""
        strength: float = getattr(self, name)
        return random.Random(f"{name} {seed} {chapter}").random() < strength


# What happens in a chapter, and a book's worth of it: the gold of a generated book.

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
