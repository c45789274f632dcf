"""Whether the characters an output cites support the place or date it prints.

- a *date* is supported when a cited span holds it, written in any way, or a relative
  one ("the next day") that leads to it from a day the text names; a year left out must
  stand elsewhere in the text;
- a *place* is supported when a cited span holds its name, a part of it, or is a mention
  of the actor so named, and the name stands in the text.

Nothing here asks the workspace when or where anything was: only which names are places
and which characters mention whom.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from gswlab.core.document import Document
from gswlab.core.nouns import Answer, Evidence, Span
from gswlab.core.workspace import Workspace
from gswlab.gsw.recall.verbalise import describe, sentences_of
from gswlab.language.dates.calendar import DAY
from gswlab.language.dates.find import find_dates
from gswlab.language.keys import key_words, name_key

_Key = tuple[str, ...]


@dataclass
class Checker:
    """What a text says, ready to be asked whether a span supports a place or date."""

    documents: Sequence[Document]
    workspace: Workspace
    _given: dict[tuple[str, str], bool] = field(default_factory=dict, repr=False)

    @cached_property
    def texts(self) -> dict[str, str]:
        """The text of each document by its id."""
        return {document.id: document.text for document in self.documents}

    @cached_property
    def folded(self) -> str:
        """All words of the text, folded, each between spaces."""
        found = (word.text for text in self.texts.values() for word in key_words(text))
        return f" {' '.join(found)} "

    @cached_property
    def days(self) -> tuple[str, ...]:
        """The days the text names, or comes to step by step from those it names."""
        dates = (d for t in self.texts.values() for d in find_dates(t, narrated=True))
        days = {d.day or "" for d in dates}
        return tuple(sorted(d for d in days if len(d) == DAY and d[0] != "-"))

    @cached_property
    def places(self) -> dict[_Key, str]:
        """Names of places by their folded words; no common noun is one."""
        named = [p.name for p in self.workspace.places if p.name and not p.actor]
        for actor in self.workspace.actors:
            forms = {mention.form for mention in actor.mentions}
            if actor.kind == "place" and forms & {"name", "short"}:
                named.append(actor.name)
        return {key: name for name in named if (key := name_key(name))}

    @cached_property
    def mentions(self) -> dict[Span, _Key]:
        """Whom the characters of a place's mentions mean."""
        places = [actor for actor in self.workspace.actors if actor.kind == "place"]
        return {m.span: name_key(one.name) for one in places for m in one.mentions}

    def cited(self, spans: Iterable[Span]) -> list[str]:
        """The characters of spans; of no other document than those read."""
        known = (s for s in spans if s.document in self.texts)
        return [self.texts[s.document][s.start : s.end] for s in known]

    def has_date(self, value: str, spans: Sequence[Span]) -> bool:
        """Whether a span's text gives `value` (ISO, compared by the day)."""
        day = value[:DAY]
        for text in self.cited(spans):
            if (text, day) not in self._given:
                self._given[text, day] = self._leads(text, day)
            if self._given[text, day]:
                return True
        return False

    def _leads(self, text: str, day: str) -> bool:
        """Whether a text names a day, in full or without its year, or steps to it."""
        dates = find_dates(text)
        values = {date.value[:DAY] for date in dates if date.value}
        yearless = f"-{day[4:]}" in values
        if day in values or (yearless and any(d[:4] == day[:4] for d in self.days)):
            return True
        relative = len(dates) == 1 and dates[0].relative and dates[0].text == text
        if not relative or len(day) < DAY or day[0] == "-":
            return False

        def far(basis: str) -> int:
            """Roughly how many days lie between: what is near is tried first."""
            a, b = ([*map(int, one.split("-")), 1, 1][:3] for one in (basis, day))
            return abs((a[0] - b[0]) * 372 + (a[1] - b[1]) * 31 + a[2] - b[2])

        nearest = sorted(self.days, key=lambda basis: (far(basis), basis))
        return any(find_dates(text, basis)[0].day == day for basis in nearest)

    def has_place(self, name: str, spans: Sequence[Span]) -> bool:
        """Whether the text has the name, and a span supports it."""
        key = name_key(name)
        if f" {' '.join(key)} " not in self.folded:
            return False
        if any(self.mentions.get(span) == key for span in spans):
            return True
        return any(_overlap(key, name_key(text)) for text in self.cited(spans))

    def named(self, text: str) -> Iterator[str]:
        """The places named in a text, longest first, none inside another."""
        tokens = key_words(text)
        taken: set[int] = set()
        longest = max(map(len, self.places), default=0)
        for size in range(min(longest, len(tokens)), 0, -1):
            for start in range(len(tokens) - size + 1):
                run = range(start, start + size)
                name = self.places.get(tuple(tokens[i].text for i in run))
                if name is None or text[tokens[start].start].islower():
                    continue  # "the old mill" is no name, "the Old Mill" is
                if taken.isdisjoint(run):
                    taken.update(run)
                    yield name


def _overlap(name: _Key, cited: _Key) -> bool:
    """Whether one run of words holds the other: "Old Mill" and "the Old Mill, Leeds".

    >>> _overlap(("old", "mill"), ("old", "mill", "leeds")), _overlap(("a",), ())
    (True, False)
    """
    one, two = f" {' '.join(name)} ", f" {' '.join(cited)} "
    return bool(name and cited) and (one in two or two in one)


# Places and dates in summaries and answers that the text lacks: there must be none.

_SHOWN = 10  # examples kept of what is invented


@dataclass(frozen=True, slots=True)
class Printed:
    """An answer, the evidence it was read off, and whether its items are places."""

    answer: Answer
    evidence: Evidence
    places: bool = False


# Date or place, its value, the text that prints it, and what the text cites.
_Claim = tuple[Literal["date", "place"], str, str, tuple[Span, ...]]


def invented(checker: Checker, printed: Iterable[Printed] = ()) -> dict[str, Any]:
    """How many dates and places are printed, and how many of them the text lacks."""
    counts = {"date": 0, "place": 0}
    wrong: dict[tuple[str, str, str], None] = {}
    for kind, value, text, spans in _claims(checker, printed):
        counts[kind] += 1
        has = checker.has_date if kind == "date" else checker.has_place
        if not has(value, spans):
            wrong.setdefault((kind, value, text))
    names = ("kind", "value", "in")
    examples = [dict(zip(names, one, strict=True)) for one in sorted(wrong)[:_SHOWN]]
    checked = {"dates": counts["date"], "places": counts["place"]}
    return {**checked, "invented": len(wrong), "examples": examples}


def _claims(checker: Checker, printed: Iterable[Printed]) -> Iterator[_Claim]:
    told = [(one.text, one.spans) for one in map(describe, checker.workspace.episodes)]
    told += [(one.text, one.spans) for one in sentences_of(checker.workspace)]
    for one in printed:
        told += [(item.text, item.spans) for item in one.evidence.items]
        for text in one.answer.items:
            if one.places:
                yield "place", text, text, one.answer.spans
            else:
                told.append((text, one.answer.spans))
    for text, spans in told:
        if any(c.isdigit() for c in text):
            for date in find_dates(text):
                if date.value and not date.relative:
                    yield "date", date.value, text, spans
        for name in checker.named(text):
            yield "place", name, text, spans
