"""What a book can be asked: 36 kinds of question, answered by filtering its events.

- every cue of date, place, person and kind of event, with each thing it leaves open,
  and a person's latest and chronological days (36 kinds, as in EpBench);
- a person's roles and states, where a book tells any;
- questions that no chapter answers are true cues with one to four values changed.

Kinds, cues and bins follow Huet et al., EpBench, so that its scorer applies.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import combinations
from typing import Any, Literal

from gswlab.bench.generated.universe import EVENT_FIELDS, BookEvent, data_rows

RETRIEVAL_TYPES = dict(
    zip(EVENT_FIELDS, ("Times", "Spaces", "Entities", "Event contents"), strict=True)
)
_TOLD = {"role": "Roles", "state": "States"}


@dataclass(frozen=True, slots=True)
class QuestionKind:
    """What a question is given (`cue`, fields), asks for, and in what order."""

    number: int
    cue: tuple[str, ...]
    asked: str
    get: str = "all"

    @property
    def field(self) -> str | None:
        """The field of an event that answers, None for whole chapters and company."""
        asked = {what: name for name, what in {**RETRIEVAL_TYPES, **_TOLD}.items()}
        return asked.get(self.asked)

    def key(self, event: BookEvent) -> tuple[str, ...]:
        """The values of `event` that this kind of question is given."""
        return tuple(getattr(event, name) for name in self.cue)

    def about(self, events: Iterable[BookEvent]) -> list[BookEvent]:
        """The events that can answer: for roles and states, those that tell one."""
        field = self.field if self.asked in _TOLD.values() else None
        return [e for e in events if field is None or getattr(e, field)]


@dataclass(frozen=True, slots=True)
class Posed:
    """A question yet without words: its kind, its cue, and how that was altered."""

    kind: QuestionKind
    cue: BookEvent
    matches: tuple[BookEvent, ...]
    changed: tuple[str, ...] = ()
    existing: bool | None = None

    @property
    def gold(self) -> dict[int, list[str]]:
        """The answers by chapter, in the order asked for."""
        matches, field = list(self.matches), self.kind.field
        if self.kind.get != "all":
            matches.sort(key=lambda e: e.day)
        if self.kind.get == "latest":
            matches = matches[-1:]
        if self.kind.asked == "Other entities":
            return {e.chapter: list(e.post_entities) for e in matches}
        if field is None:
            return {e.chapter: [f"Full chapter {e.chapter}"] for e in matches}
        return {e.chapter: [getattr(e, field)] for e in matches}


def _kinds() -> Iterator[QuestionKind]:
    cues = (cue for size in (1, 2, 3) for cue in combinations(EVENT_FIELDS, size))
    opens = [(cue, name) for cue in cues for name in EVENT_FIELDS if name not in cue]
    for number, (cue, name) in enumerate(opens):
        yield QuestionKind(number, cue, RETRIEVAL_TYPES[name])
    yield QuestionKind(28, EVENT_FIELDS, "Other entities")
    yield QuestionKind(29, EVENT_FIELDS, "Full event details")
    for number, get in ((30, "latest"), (33, "chronological")):
        for step, name in enumerate(("date", "location", "content")):
            yield QuestionKind(number + step, ("entity",), RETRIEVAL_TYPES[name], get)
    for number, asked in ((36, "Roles"), (39, "States")):
        yield QuestionKind(number, ("date", "entity"), asked)
        yield QuestionKind(number + 1, ("entity",), asked, "latest")
        yield QuestionKind(number + 2, ("entity",), asked, "chronological")


QUESTION_KINDS = tuple(_kinds())
OFFICIAL = 36  # kinds that EpBench has; the others are this workbench's own


def unanswered(
    events: Sequence[BookEvent],
    unused: Mapping[str, Sequence[str]],
    rng: random.Random,
    rounds: int = 4,
) -> list[Posed]:
    """Questions that no chapter answers: true cues with one to four values changed.

    A changed value is of the book or, half of the time where there is one, `unused`.
    """
    known = {n: sorted({getattr(e, n) for e in events}) for n in EVENT_FIELDS}
    told = [(kind, about) for kind in QUESTION_KINDS if (about := kind.about(events))]
    taken = {kind.number: {kind.key(e) for e in about} for kind, about in told}
    found: dict[tuple[int, tuple[str, ...]], Posed] = {}
    for event in [*events] * rounds:
        drawn = rng.sample(EVENT_FIELDS, rng.randint(1, 4))
        names = tuple(sorted(drawn, key=EVENT_FIELDS.index))
        existing = rng.random() < 0.5
        pool = {n: known[n] if existing or not unused[n] else unused[n] for n in names}
        cue = replace(event, **{n: rng.choice(pool[n]) for n in names})
        for kind, _ in told:
            key = kind.key(cue)
            if key not in taken[kind.number]:
                asking = Posed(kind, cue, (), names, existing)
                found.setdefault((kind.number, key), asking)
    return list(found.values())


def binned(count: int) -> str:
    """The published bin of a number of matching chapters."""
    if count < 3:
        return str(count)
    return "{3,4,5}" if count < 6 else "6+"


# Questions in words, in EpBench's columns: `wordings.tsv` has several a kind.

_LETTERS = dict(zip(EVENT_FIELDS, ("t", "s", "ent", "c"), strict=True))
Register = Literal["plain", "ornate", "mixed"]


@cache
def load_wordings(wording: Register) -> dict[int, tuple[str, ...]]:
    """The wordings of each kind of question in a register; `mixed` has them all."""
    rows = [row for row in data_rows("wordings.tsv") if wording in (row[1], "mixed")]
    numbers = [kind.number for kind in QUESTION_KINDS]
    return {n: tuple(text for own, _, text in rows if int(own) == n) for n in numbers}


def book_questions(
    events: Sequence[BookEvent],
    unused: Mapping[str, Sequence[str]],
    seed: int = 1,
    wording: Register = "mixed",
    cap: int = 3,
) -> list[dict[str, Any]]:
    """The questions about a book's events; the same seed asks the same ones.

    At most `cap` for each kind of question and number of matching chapters.
    """
    rng, texts = random.Random(seed), load_wordings(wording)
    askings: list[Posed] = []  # every question that some chapter answers, and others
    for kind in QUESTION_KINDS:
        groups: defaultdict[tuple[str, ...], list[BookEvent]] = defaultdict(list)
        for event in kind.about(events):
            groups[kind.key(event)].append(event)
        askings += [Posed(kind, group[0], tuple(group)) for group in groups.values()]
    askings += unanswered(events, unused, rng)
    rng.shuffle(askings)
    kept, seen = list[Posed](), Counter[tuple[int, str]]()
    for asking in sorted(askings, key=lambda a: a.kind.number):
        group = (asking.kind.number, binned(len(asking.matches)))
        seen[group] += 1
        if seen[group] <= cap:
            kept.append(asking)
    turn = rng.randrange(1000)
    rows = []
    for n, asking in enumerate(kept):
        # Taking turns, not drawing, lets every wording of a kind appear.
        ways = texts[asking.kind.number]
        rows.append(_row(n, asking, ways[(turn + n) % len(ways)]))
    return rows


def _row(number: int, asking: Posed, text: str) -> dict[str, Any]:
    """A question in EpBench's fifteen columns."""
    kind, cue, answers = asking.kind, asdict(asking.cue), asking.gold
    items = list(dict.fromkeys(item for group in answers.values() for item in group))

    filled = text.format(  # `{d}` and `{k}` are informal
        t=cue["date"], d=f"{asking.cue.day.day} {asking.cue.day:%B %Y}",
        s=cue["location"], e=cue["entity"], c=cue["content"],
        k=cue["content"].lower(),
    )  # fmt: skip

    def pattern(values: dict[str, str]) -> str:
        told = (values[n] if n in kind.cue else "*" for n in EVENT_FIELDS)
        return f"({', '.join(told)})"

    return {
        "q_idx": kind.number,
        "bins_items_correct_answer": binned(len(asking.matches)),
        "debug_level_2": number,
        "question": filled[0].upper() + filled[1:],
        "cue": pattern(_LETTERS),
        "cue_completed": pattern({n: f"{{{cue[n]}}}" for n in EVENT_FIELDS}),
        "retrieval_type": kind.asked,
        "get": kind.get,
        "correct_answer": items,
        "correct_answer_chapters": list(answers),
        "correct_answer_detailed": {
            str(chapter): group if kind.field is None else group[0]
            for chapter, group in answers.items()
        },
        "n_items_correct_answer": len(items),
        "n_chapters_correct_answer": len(asking.matches),
        "debug_changed": list(asking.changed),
        "debug_existing_change": asking.existing,
    }
