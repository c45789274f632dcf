"""Chats of several sessions, made here: facts, preferences that change, small talk.

Two people tell each other of themselves in sessions a fortnight apart; each attribute
of each is told, and may be told anew later with another value. Everything is drawn from
a seed; the tables are `told.tsv` and `talk.txt`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from importlib.resources import files
from random import Random
from typing import NamedTuple

from gswlab.bench.chats.nouns import Line
from gswlab.language.dates.format import format_date

NAMES = (
    *("Mara", "Tomas", "Elif", "Jonas", "Priya", "Otto", "Leila", "Bruno", "Hana"),
    *("Viktor", "Amara", "Felix", "Greta", "Idris", "Kaja", "Luca", "Mei", "Nils"),
)
_FIRST = datetime(2023, 1, 9, 18, 30)  # of all chats; a session a fortnight
_APART = timedelta(days=14)


class Attribute(NamedTuple):
    """Something people tell of themselves: see `told.tsv`."""

    name: str
    kind: str
    told: str
    changed: str
    question: str
    again: str
    values: tuple[str, ...]


class Saying(NamedTuple):
    """A value somebody told, in which session, and in which words."""

    session: int
    value: str
    words: str


@dataclass(frozen=True, slots=True)
class History:
    """What one person said of one attribute, oldest first."""

    person: str
    attribute: Attribute
    sayings: tuple[Saying, ...]


Turn = tuple[Line, Saying | None, History | None]


@cache
def attributes() -> tuple[Attribute, ...]:
    """The rows of `told.tsv`."""
    return tuple(_attribute(*line.split("\t")) for line in _lines("told.tsv"))


def _attribute(*row: str) -> Attribute:
    name, kind, told, changed, question, again, values = row
    given = name, kind, told, changed, question, again
    return Attribute(*given, tuple(values.split("|")))


@cache
def _talk() -> tuple[str, ...]:
    return tuple(_lines("talk.txt"))


def _lines(name: str) -> list[str]:
    text = files(__package__).joinpath(name).read_text("utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def time_of(session: int) -> str:
    """When a session begins, ISO.

    >>> time_of(1)
    '2023-01-23T18:30'
    """
    return (_FIRST + session * _APART).isoformat(timespec="minutes")


def histories(
    rng: Random, people: Sequence[str], sessions: int, changes: int, repeats: int = 0
) -> Iterator[History]:
    """What each person tells: a value, `changes` other ones, `repeats` of the last."""
    for person in people:
        for attribute in attributes():
            many = changes if attribute.changed else 0
            values = rng.sample(
                attribute.values, 1 + min(many, len(attribute.values) - 1)
            )
            words = [attribute.told, *[attribute.changed] * (len(values) - 1)]
            told = [w.format(v) for w, v in zip(words, values, strict=True)]
            again = [attribute.told.format(values[-1])] * repeats
            at = sorted(rng.sample(range(sessions), len(told) + len(again)))
            said = zip(
                at, [*values, *[values[-1]] * repeats], [*told, *again], strict=True
            )
            yield History(person, attribute, tuple(Saying(*one) for one in said))


def chat(
    rng: Random,
    people: Sequence[str],
    told: Sequence[History],
    sessions: int,
    talk: int,
) -> Iterator[Turn]:
    """The turns, in order, with what is told in them; `talk` turns a session tell
    nothing."""
    for session in range(sessions):
        here = [(h, s) for h in told for s in h.sayings if s.session == session]
        turns: list[tuple[str, str, Saying | None, History | None]] = [
            (history.person, saying.words, saying, history) for history, saying in here
        ]
        small = [
            (rng.choice(people), rng.choice(_talk()), None, None) for _ in range(talk)
        ]
        turns = [*turns, *small]
        rng.shuffle(turns)
        time = time_of(session)
        for who, words, saying, history in turns:
            title = f"{who}, {format_date(time[:10])}"
            yield Line(words, title, who, time), saying, history
