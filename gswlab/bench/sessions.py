"""Generated sets: several sessions, knowledge that is updated, and what is kept.

========= ============ ==========================================================
set       setting      what is asked
========= ============ ==========================================================
sessions  facts        what was told once
          preferences  what is liked now, of what has changed
          consistency  a fact told in several sessions, in other words
update    latest       the value that holds now
          former       the value that held on a day before
          dated        when a value was told that holds no longer
keeping   kept         told once, long ago: it had to be written down
          overwritten  the value that holds now, of what changed long ago
========= ============ ==========================================================

In `keeping` all is told in the first half, and only the window is handed over: what a
memory holds outside of it is out of reach. `stale` is 1 where an answer has a value
that held before, and not the one that holds now.
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

from gswlab.baselines.passages import ClosedBook, LongContext
from gswlab.bench.folder import digest_of_data
from gswlab.bench.measures import contained
from gswlab.bench.task import TaskQuestion, TextLine, World, Worlds, laid
from gswlab.bench.texts import bench_lines
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError, checked
from gswlab.core.nouns import Answer
from gswlab.core.protocols import Memory
from gswlab.language.dates.format import format_date
from gswlab.memgpt.memory import FixedContext

_WINDOWS = (FixedContext, LongContext, ClosedBook)  # nothing is held outside of it

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


_About = Literal["sessions", "update", "keeping"]
_Count = Annotated[int, Field(ge=1)]
_Told = dict[tuple[str, str, int], str]  # person, attribute, session: the chunk


@dataclass
class Sessions(Worlds):
    """`chats` of `sessions` sessions, each with so many turns of small `talk`.

    `about` chooses the set; all but in `sessions` every fact changes `changes` times.
    """

    about: _About = "sessions"
    chats: int = 10
    sessions: int = 12
    talk: int = 20
    changes: int = 2
    seed: int = 0

    def __post_init__(self) -> None:
        checked(self.about, _About, "dataset.about")
        for name in ("chats", "talk", "changes"):
            checked(getattr(self, name), _Count, f"dataset.{name}")
        told = self.changes + 1  # sessions that tell of one fact
        fewest = 2 * told if self.about == "keeping" else told + 2
        least = Annotated[int, Field(ge=fewest)]
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
            ask = _ASKED[self.about]
            asked = tuple(ask(f"chat {number}", told, where))
            worlds.append(World(f"chat {number}", tuple(read), asked))
        return document, tuple(worlds)

    def _drawn(self, number: int) -> tuple[list[ToldHistory], list[_Turn]]:
        rng = Random(f"{self.about}/{self.seed}/{number}")
        people = rng.sample(bench_lines("names.txt"), 2)
        if self.about != "sessions":
            held = self.sessions // 2 if self.about == "keeping" else self.sessions
            told = list(_histories(rng, people, held, self.changes))
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

    def wanted(self, memory: Memory, budget: int) -> int:
        """The budget; of what is kept, a memory that has its window alone is asked."""
        if self.about == "keeping" and not isinstance(memory, _WINDOWS):
            problem = f"{type(memory).__name__} searches what is outside the window"
            rule = "here a memory has its window alone"
            command = "python -m gswlab run experiment=keeping memory=fixed_context"
            raise GswlabError(problem, rule, command)
        return budget

    def worth(self, question: TaskQuestion, answer: Answer) -> dict[str, float]:
        """Of what is kept also whether the answer is one that held before."""
        found = super().worth(question, answer)
        if question.setting != "overwritten":
            return found
        said = contained(", ".join(answer.items), self._former[question.id])
        return {**found, "stale": said * (1 - found["accuracy"])}

    @cached_property
    def _former(self) -> dict[str, tuple[str, ...]]:
        """The values that held before, by question."""
        drawn = (self._drawn(number)[0] for number in range(self.chats))
        return {
            _id(f"chat {number}", h): tuple(s.value for s in h.sayings[:-1])
            for number, told in enumerate(drawn)
            for h in told
        }

    def hashes(self) -> dict[str, str]:
        """The SHA-256 of all questions and their accepted answers."""
        gold = [(q.question, q.answers) for w in self.worlds for q in w.questions]
        return {"questions": digest_of_data(gold)}


def _id(chat: str, history: ToldHistory) -> str:
    return f"{chat}/{history.person}/{history.attribute.name}"


def _kept(
    chat: str, told: Sequence[ToldHistory], where: _Told
) -> Iterator[TaskQuestion]:
    for history in told:
        ask = history.attribute.question.format(name=history.person)
        last = history.sayings[-1]
        gold = where[history.person, history.attribute.name, last.session]
        setting = "overwritten" if len(history.sayings) > 1 else "kept"
        given = (last.value,), setting, frozenset([gold])
        yield TaskQuestion(_id(chat, history), ask, *given)


def _asked(
    chat: str, told: Sequence[ToldHistory], where: _Told
) -> Iterator[TaskQuestion]:
    for history in told:
        about, person = history.attribute, history.person
        id_, last = _id(chat, history), history.sayings[-1]
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
        id_, said = _id(chat, history), history.sayings
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


_ASKED = {"sessions": _asked, "update": _updated, "keeping": _kept}
