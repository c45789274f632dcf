"""What a book can be about: days, places, people and kinds of event, all invented here.

The lists in `data/` were written for this workbench; none is taken from a benchmark. A
universe is a seeded draw of 100 of each; the names of side characters come from lists
of their own, so that nobody is a protagonist in one chapter and a bystander in another.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from itertools import cycle
from pathlib import Path

from gswlab.bench.generate.sampling import SIZE

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
