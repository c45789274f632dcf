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
_DATE, _LOCATION, _ENTITY = range(3)


def sampled(events: int, rng: np.random.Generator) -> NDArray[np.int16]:
    """`events` rows of date, place, person and kind; `GswlabError` for too many."""
    usual = 3 if events <= 200 else 5 if events <= 800 else 3000
    for candidates in (usual, 3000):  # as EpBench draws, and where that is too few
        found = _distinct(events * candidates, rng)
        if len(found) >= events:
            return found[:events]
    problem = f"there are {len(found)} different events, not {events}"
    rule = f"a universe has {SIZE} dates, places, persons and kinds of event"
    fewer = len(found) * 9 // 10  # for a smaller book fewer are drawn from
    command = f"python -m gswlab run experiment=generated dataset.chapters={fewer}"
    raise GswlabError(problem, rule, command)


def _distinct(count: int, rng: np.random.Generator) -> NDArray[np.int16]:
    """Of so many rows the first of each date and person, and of each date and place."""
    drawn = [_geometric(count, rng) for _ in range(4)]
    found: NDArray[np.int16] = np.stack(drawn, axis=1)
    for one, two in ((_DATE, _ENTITY), (_DATE, _LOCATION)):
        keys = found[:, one].astype(np.int32) * SIZE + found[:, two]
        first: NDArray[np.intp] = np.unique(keys, return_index=True)[1]
        found = found[np.sort(first)]
    return found


def _geometric(count: int, rng: np.random.Generator) -> NDArray[np.int16]:
    """Indexes from 0, the first the most frequent (one in ten)."""
    drawn: NDArray[np.int16] = rng.geometric(P, count).astype(np.int16) - np.int16(1)
    while (over := np.flatnonzero(drawn >= SIZE)).size:
        drawn[over] = rng.geometric(P, over.size) - 1
    return drawn


_DATA = Path(__file__).with_name("data")
FIRST_DAY, LAST_DAY = date(2041, 1, 1), date(2044, 12, 30)


@dataclass(frozen=True, slots=True)
class BookPerson:
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
    people: tuple[BookPerson, ...]
    kinds: tuple[EventKind, ...]

    @classmethod
    def of(cls, seed: int, shared: float = 0.0) -> Universe:
        """A seeded draw; `shared` is the share of those who can share names and do."""
        rng = random.Random(f"universe {seed}")
        days = rng.sample(range((LAST_DAY - FIRST_DAY).days + 1), SIZE)
        places = tuple(rng.sample(data_lines("places.txt"), SIZE))
        firsts, lasts = rng.sample(data_rows("first.tsv"), SIZE), data_lines("last.txt")
        pairs = zip(firsts, rng.sample(lasts, SIZE), strict=True)
        people = [BookPerson(f[0], last, f[1], f[2]) for f, last in pairs]
        # Two in three can share: the names of every third person, newly combined.
        heads, rest = people[::3], [i for i in range(SIZE) if i % 3]
        for k, i in enumerate(rest[: round(shared * len(rest))]):
            turn, head = divmod(k, len(heads))
            one, last = heads[head], heads[(head + 1 + turn) % len(heads)].last
            people[i] = BookPerson(one.first, last, one.gender, one.short)
        dates = tuple(f"{FIRST_DAY + timedelta(day):%B %d, %Y}" for day in days)
        return cls(dates, places, tuple(people), tuple(rng.sample(kinds(), SIZE)))

    def unused(self, used: dict[str, set[str]]) -> dict[str, list[str]]:
        """The values of each field that a book has not used."""
        names, kinds = ([p.name for p in self.people], [k.label for k in self.kinds])
        values = zip(EVENT_FIELDS, (self.dates, self.places, names, kinds), strict=True)
        return {n: [v for v in all_ if v not in used[n]] for n, all_ in values}


def side_characters(seed: int) -> Iterator[BookPerson]:
    """People nobody asks about, each new until all names are used up."""
    firsts, lasts = data_rows("others_first.tsv"), data_lines("others_last.txt")
    pairs = [(f, last) for f in firsts for last in lasts]
    random.Random(f"others {seed}").shuffle(pairs)
    return (BookPerson(f[0], last, f[1]) for f, last in cycle(pairs))


@cache
def kinds() -> tuple[EventKind, ...]:
    """The kinds of event of `data/kinds.tsv`."""
    return tuple(
        EventKind(label, words, *(tuple(cell.split(";")) for cell in rest))
        for label, words, *rest in data_rows("kinds.tsv")
    )


@cache
def data_lines(name: str) -> tuple[str, ...]:
    """The lines of a file of `data/`."""
    return tuple((_DATA / name).read_text(encoding="utf-8").splitlines())


@cache
def data_rows(name: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a table of `data/`, without its header."""
    return tuple(tuple(line.split("\t")) for line in data_lines(name)[1:])


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


EVENT_FIELDS = ("date", "location", "entity", "content")


@dataclass(frozen=True, slots=True)
class BookEvent:
    """What one chapter is about; `role` and `state` of its person, where told."""

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


def tuples(events: tuple[BookEvent, ...]) -> dict[str, dict[str, list[str]]]:
    """The gold tuple of every chapter, as the tuple scorer reads it."""
    return {
        str(event.chapter): {name: [getattr(event, name)] for name in EVENT_FIELDS}
        for event in events
    }
