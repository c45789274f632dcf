"""Two generated sets: several sessions, and knowledge that is updated.

========= ============ ==========================================================
set       setting      what is asked
========= ============ ==========================================================
sessions  facts        what was told once
          preferences  what is liked now, of what has changed
          consistency  a fact told in several sessions, in other words
update    latest       the value that holds now
          former       the value that held on a day before
          dated        when a value was told that holds no longer
========= ============ ==========================================================
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cache, cached_property
from itertools import pairwise
from random import Random
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from gswlab.bench.folder import digest_of_data
from gswlab.bench.task import TaskQuestion, TextLine, World, Worlds, laid
from gswlab.bench.texts import bench_lines
from gswlab.core.document import Document
from gswlab.core.errors import checked
from gswlab.language.dates.format import format_date

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
class ToldHistory:
    """What one person said of one attribute, oldest first."""

    person: str
    attribute: Attribute
    sayings: tuple[Saying, ...]


_Turn = tuple[TextLine, Saying | None, ToldHistory | None]  # and what is told in it


@cache
def attributes() -> tuple[Attribute, ...]:
    """The rows of `told.tsv`."""
    rows = (line.split("\t") for line in bench_lines("told.tsv"))
    return tuple(Attribute._make((*t, tuple(v.split("|")))) for *t, v in rows)


def time_of(session: int) -> str:
    """When a session begins, ISO."""
    return (_FIRST + session * _APART).isoformat(timespec="minutes")


def _histories(
    rng: Random, people: Sequence[str], sessions: int, changes: int, repeats: int = 0
) -> Iterator[ToldHistory]:
    """What each person tells: a value, `changes` other ones, `repeats` of the last."""
    for person in people:
        for attribute in attributes():
            many = changes if attribute.changed else 0
            known = attribute.values
            values = rng.sample(known, 1 + min(many, len(known) - 1))
            words = [attribute.told, *[attribute.changed] * (len(values) - 1)]
            values, words = values + values[-1:] * repeats, words + words[:1] * repeats
            at = sorted(rng.sample(range(sessions), len(values)))
            said = (
                Saying(session, value, form.format(value))
                for session, value, form in zip(at, values, words, strict=True)
            )
            yield ToldHistory(person, attribute, tuple(said))


def _line(session: int, who: str, words: str) -> TextLine:
    time = time_of(session)
    return TextLine(words, f"{who}, {format_date(time[:10])}", who, time)


_Count = Annotated[int, Field(ge=1)]
_Told = dict[tuple[str, str, int], str]  # person, attribute, session: the chunk


@dataclass
class Sessions(Worlds):
    """`chats` of `sessions` sessions, each with so many turns of small `talk`.

    `about` chooses the set; in `update` every fact changes `changes` times.
    """

    about: Literal["sessions", "update"] = "sessions"
    chats: int = 10
    sessions: int = 12
    talk: int = 20
    changes: int = 2
    seed: int = 0

    def __post_init__(self) -> None:
        checked(self.about, Literal["sessions", "update"], "dataset.about")
        for name in ("chats", "talk", "changes"):
            checked(getattr(self, name), _Count, f"dataset.{name}")
        least = Annotated[int, Field(ge=self.changes + 3)]
        checked(self.sessions, least, "dataset.sessions")

    @cached_property
    def laid(self) -> tuple[Document, tuple[World, ...]]:
        """A world a chat; equal settings draw the same chats on any machine."""
        drawn = [self._drawn(number) for number in range(self.chats)]
        lines = [[line for line, _, _ in turns] for _, turns in drawn]
        document, chunks = laid(self.about, lines)
        worlds = []
        for number, ((told, turns), read) in enumerate(zip(drawn, chunks, strict=True)):
            where = {
                (h.person, h.attribute.name, s.session): chunk.id
                for chunk, (_, s, h) in zip(read, turns, strict=True)
                if s and h
            }
            ask = _asked if self.about == "sessions" else _updated
            asked = tuple(ask(f"chat {number}", told, where))
            worlds.append(World(f"chat {number}", tuple(read), asked))
        return document, tuple(worlds)

    def _drawn(self, number: int) -> tuple[list[ToldHistory], list[_Turn]]:
        rng = Random(f"{self.about}/{self.seed}/{number}")
        people = rng.sample(bench_lines("names.txt"), 2)
        if self.about == "update":
            told = list(_histories(rng, people, self.sessions, self.changes))
        else:
            told = []
            for h in _histories(rng, people, self.sessions, self.changes, 2):
                if h.attribute.kind != "preference":
                    # A fact keeps its last value, told in as many sessions.
                    last = h.sayings[-1].value
                    words = h.attribute.told.format(last)
                    said = tuple(Saying(s.session, last, words) for s in h.sayings)
                    h = replace(h, sayings=said)
                told.append(h)
        turns: list[_Turn] = []
        for session in range(self.sessions):
            chat: list[_Turn] = [
                (_line(session, h.person, s.words), s, h)
                for h in told
                for s in h.sayings
                if s.session == session
            ]
            for _ in range(self.talk):  # turns that tell nothing
                who, words = rng.choice(people), rng.choice(bench_lines("talk.txt"))
                chat.append((_line(session, who, words), None, None))
            rng.shuffle(chat)
            turns += chat
        return told, turns

    def hashes(self) -> dict[str, str]:
        """The SHA-256 of all questions and their accepted answers."""
        gold = [(q.question, q.answers) for w in self.worlds for q in w.questions]
        return {"questions": digest_of_data(gold)}


def _asked(
    chat: str, told: Sequence[ToldHistory], where: _Told
) -> Iterator[TaskQuestion]:
    for history in told:
        about, person = history.attribute, history.person
        id_, last = f"{chat}/{person}/{about.name}", history.sayings[-1]
        own = [s for s in history.sayings if s.value == last.value]
        gold = frozenset(where[person, about.name, s.session] for s in own[:1])
        first, again = (q.format(name=person) for q in (about.question, about.again))
        if about.kind == "preference":
            yield TaskQuestion(id_, first, (last.value,), "preferences", gold)
            continue
        yield TaskQuestion(id_, first, (last.value,), "facts", gold)
        yield TaskQuestion(f"{id_}/again", again, (last.value,), "consistency", gold)


def _updated(
    chat: str, told: Sequence[ToldHistory], where: _Told
) -> Iterator[TaskQuestion]:
    for history in told:
        about, person = history.attribute, history.person
        id_, said = f"{chat}/{person}/{about.name}", history.sayings
        gold = [frozenset([where[person, about.name, s.session]]) for s in said]
        ask = about.question.format(name=person).rstrip("?")
        last = said[-1].value
        yield TaskQuestion(f"{id_}/latest", f"{ask} now?", (last,), "latest", gold[-1])
        for n, (old, new) in enumerate(pairwise(said)):
            days = [datetime.fromisoformat(time_of(s.session)) for s in (old, new)]
            between = days[0] + timedelta(days=(days[1] - days[0]).days // 2)
            text = f"{ask} on {format_date(between.date().isoformat())}?"
            given = (old.value,), "former", gold[n]
            yield TaskQuestion(f"{id_}/former/{n}", text, *given)
            text = f"When did {person} say: {old.words}"
            date = format_date(time_of(old.session)[:10])
            dates = tuple(dict.fromkeys((date, date.replace(" 0", " "))))
            yield TaskQuestion(f"{id_}/dated/{n}", text, dates, "dated", gold[n])
