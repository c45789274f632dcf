"""The reader of what was said: the sentence that says most of what is asked, and when.

No model is asked. Of sentences that say about as much of it the latest holds; where a
day is asked for, the last one said by then. An answer has the day it was said; asked
when, it is a day: the one that the sentence's own words come to, else that.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import log
from typing import NamedTuple

from gswlab.core.nouns import Answer, Evidence, Item, Span
from gswlab.language.dates.find import find_dates
from gswlab.language.dates.format import format_date
from gswlab.language.stems import terms
from gswlab.qa.readers.cue import resting_on
from gswlab.qa.readers.typed import blotted
from gswlab.text.sentences import sentences

_WHEN = re.compile(r"when\b|(?:what|which) (?:date|day|month|year)\b", re.I)
_DAY = re.compile(r"\([^():]*: ([A-Z][a-z]+ \d{2}, \d{4}|[A-Z][a-z]+ \d{4}|\d{4})\)")


class _Said(NamedTuple):
    """A sentence, who said it, on which day, and its stems."""

    text: str
    speaker: str
    day: str
    stems: frozenset[str]
    spans: tuple[Span, ...]


@dataclass
class SayingReader:
    """Answers with one sentence; `near` is the share of the best that is about as good.

    Where others said at least `others` times as much of what is asked as the one person
    that is asked about, there is no answer: it was somebody else. Both were chosen on
    conversations 1 and 2 of LoCoMo.
    """

    near: float = 0.85
    others: float = 1.5

    def answer(self, question: str, evidence: Evidence) -> Answer:
        """The sentence and its day, or why there is none."""
        said = [one for item in evidence.items for one in _said(item)]
        asked = frozenset(terms(blotted(question)))
        held = {t: sum(t in one.stems for one in said) for t in asked}
        worth = {t: log(1 + len(said) / n) for t, n in held.items() if n}
        pairs = [(one, sum(worth.get(t, 0.0) for t in one.stems)) for one in said]
        own = {one.speaker for one in said if one.speaker and one.speaker in question}
        theirs = [(one, s) for one, s in pairs if one.speaker in own] or pairs
        best = max((score for _, score in theirs), default=0.0)
        if best <= 0 or self.others * best <= max(score for _, score in pairs):
            return resting_on((), (), "No sentence of the evidence speaks of this.")
        good = [one for one, score in theirs if score >= self.near * best]
        days = _days(question)
        then = [one for one in good if not days or one.day <= days[0]]
        found = max(then or good, key=lambda one: one.day)
        told = f"{_date(found.day)}: {found.text}" if found.day else found.text
        if _WHEN.match(question):  # the day it is about, where its words come to one
            named, day = _DAY.search(found.text), found.day
            day = [*_days(found.text, day or None), day][0]
            told = named[1] if named else _date(day) if day else found.text
        return Answer((told,), False, (), found.spans, "the latest that says it")


def _days(text: str, said: str | None = None) -> list[str]:
    """The days that a text names, in ISO."""
    found = (date.day for date in find_dates(text, said=said))
    return [day for day in found if day and day[0].isdigit()]


def _date(day: str) -> str:
    return format_date(day).replace(" 0", " ")


def _said(item: Item) -> Iterator[_Said]:
    """The sentences of an item, under the day and speaker that its first line names."""
    head, line, body = item.text.partition("\n")
    day = next(iter(_days(head)), "")
    titled = head.partition(",")[0] if line and "," in head else ""
    for spoken in (body if line else item.text).split("\n"):
        who, colon, words = spoken.partition(": ")
        named = bool(colon) and " " not in who.removeprefix("[").strip()
        speaker, text = (who, words) if named else (titled, spoken)
        for start, end in sentences(text):
            part = text[start:end]
            yield _Said(part, speaker, day, frozenset(terms(part)), item.spans)
