"""Answers to plain questions: the filler of the slot asked for, and why it is one.

When, where and who want a day, a place, a name: where none is told the reader says what
is and abstains. Why and how, and "what happened to ...?", are answered by sentences.
"""

from __future__ import annotations

from gswlab.core.nouns import Answer, Evidence, Item
from gswlab.language.dates.format import shown
from gswlab.question.parse import asked_in
from gswlab.question.plain import Fit, fits, plain

_SENTENCES = frozenset({"story", "purpose", "manner"})
_MISSING = {"agent": "who", "patient": "what", "time": "when", "place": "where"}


def told_answer(question: str, evidence: Evidence) -> Answer | None:
    """The answer of the occurrences in the evidence; None when none is asked about."""
    asked = plain(question)
    items = {item.told: item for item in evidence.items if item.told is not None}
    found = fits(asked, items) if asked is not None else ()
    if not found:
        return None
    told = [(fit, items[fit.occurrence]) for fit in found]
    bounds = [bound for fit in found for bound in fit.fillers]
    if not bounds:
        return _sentences(told)
    language = asked_in(question)
    texts = tuple(dict.fromkeys(shown(bound.value, language) for bound in bounds))
    spans = [span for bound in bounds for span in bound.spans]
    spans += [span for fit in found for span in fit.occurrence.spans]
    notes = [f"{bound.reason}." for bound in bounds if bound.reason]
    reason = " ".join(dict.fromkeys([*(_said(item) for _, item in told), *notes]))
    return Answer(texts, False, _chapters(told), tuple(dict.fromkeys(spans)), reason)


def _sentences(told: list[tuple[Fit, Item]]) -> Answer:
    """What is told, where a sentence answers; else why there is no answer."""
    fit, item = told[0]
    spans = tuple(dict.fromkeys(span for _, item in told for span in item.spans))
    if not _SENTENCES.isdisjoint(fit.slots[:1]):
        texts = tuple(dict.fromkeys(item.text for _, item in told))
        reason = "what is told of it."
        return Answer(texts, False, _chapters(told), spans, reason)
    missing = _MISSING.get(fit.slots[0], f"the {fit.slots[0]}")
    reason = f"{_said(item)} The text does not say {missing}."
    return Answer((), True, _chapters(told), spans, reason)


def _said(item: Item) -> str:
    where = "" if item.chapter is None else f"chapter {item.chapter}: "
    return f"{where}{item.text}"


def _chapters(told: list[tuple[Fit, Item]]) -> tuple[int, ...]:
    found = (item.chapter for _, item in told)
    return tuple(dict.fromkeys(number for number in found if number is not None))
