"""The reader of what was said: the sentence that says most of what is asked, and when.

No model is asked. Of sentences that say about as much of it the latest holds; where a
day is asked for, the last one said by then. An answer has the day it was said.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log
from typing import NamedTuple

from gswlab.memory.memgpt.said import terms
from gswlab.text import find_dates, format_date, sentences
from gswlab.workspace.nouns import Answer, Evidence, Span


class Said(NamedTuple):
    """A sentence, who said it, on which day, and its stems."""

    text: str
    speaker: str
    day: str
    stems: frozenset[str]
    spans: tuple[Span, ...]


@dataclass
class SayingReader:
    """Answers with one sentence; `near` is the share of the best that is about as good.

    >>> SayingReader().answer("Who left?", Evidence((), 0)).abstained
    True
    """

    near: float = 0.85

    def answer(self, question: str, evidence: Evidence) -> Answer:
        """The sentence and its day, or why there is none."""
        said = [one for n in range(len(evidence.items)) for one in _said(evidence, n)]
        dates = find_dates(question)
        asked = frozenset(terms(_without(question, [date.text for date in dates])))
        many = len(said)
        held = {t: sum(t in one.stems for one in said) for t in asked}
        worth = {t: log(1 + many / n) for t, n in held.items() if n}
        scores = [self._score(one, question, worth) for one in said]
        best = max(scores, default=0.0)
        if best <= 0:
            reason = "No sentence of the evidence speaks of this."
            return Answer((), True, (), (), reason)
        days = [d.day for d in dates if d.day and d.day[0].isdigit()]
        good = [
            one for one, s in zip(said, scores, strict=True) if s >= self.near * best
        ]
        then = [one for one in good if not days or one.day <= days[0]]
        found = max(then or good, key=lambda one: one.day)
        text = f"{format_date(found.day)}: {found.text}" if found.day else found.text
        return Answer((text,), False, (), found.spans, "the latest that says it")

    def _score(self, one: Said, question: str, worth: dict[str, float]) -> float:
        """The worth of what it shares, halved for what nobody asked about said."""
        shared = sum(worth.get(stem, 0.0) for stem in one.stems)
        asked = bool(one.speaker) and one.speaker in question
        return shared if asked else shared / 2


def _without(text: str, parts: list[str]) -> str:
    for part in parts:
        text = text.replace(part, " ")
    return text


def _said(evidence: Evidence, number: int) -> Iterator[Said]:
    """The sentences of an item, under the day and speaker that its first line names."""
    item = evidence.items[number]
    head, line, body = item.text.partition("\n")
    days = [d.day for d in find_dates(head) if d.day and d.day[0].isdigit()]
    day = days[0] if days else ""
    titled = head.partition(",")[0] if line and "," in head else ""
    for spoken in (body if line else item.text).split("\n"):
        who, colon, words = spoken.partition(": ")
        named = bool(colon) and " " not in who.removeprefix("[").strip()
        speaker, text = (who, words) if named else (titled, spoken)
        for start, end in sentences(text):
            part = text[start:end]
            yield Said(part, speaker, day, frozenset(terms(part)), item.spans)
