"""Dates found in a text, as spans with values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR
from functools import cache

from gswlab.core.nouns import Granularity
from gswlab.language.dates import calendar as numeric
from gswlab.language.dates.anchor import Frame, heads
from gswlab.language.dates.calendar import (
    DAY,
    Calendar,
    Found,
    Reading,
    Shift,
    disjoint,
    parse_iso,
)
from gswlab.language.dates.resolve import Resolved, looks_back, quoted, tense
from gswlab.language.dates.table import by_rows
from gswlab.language.language import Language, languages, of

_DAYS = ("day", "hour", "part_of_day")


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date as a text writes it (`text`, from `start` to `end`) and as we read it.

    `value` is ISO 8601 truncated to what is known (without a year `--05-07`), None when
    a relative date has nothing to rest on. `basis` is the ISO date it was resolved
    against or filled from; for figures that allow two readings, the reading taken.
    """

    start: int
    end: int
    text: str
    value: str | None
    granularity: Granularity
    basis: str | None = None
    relative: bool = False

    @property
    def day(self) -> str | None:
        """The value without its time of day."""
        return self.value.partition("T")[0] if self.value else None


def find_dates(
    text: str,
    basis: str | None = None,
    language: str | None = None,
    narrated: bool = False,
    said: str | None = None,
) -> tuple[DateMention, ...]:
    """Every date of a text, in order, none inside another.

    >>> text = "They met on May 7th. Three days later it rained."
    >>> [mention.value for mention in find_dates(text, basis="2024-05-07")]
    ['2024-05-07', '2024-05-10']

    Args:
        text: prose.
        basis: ISO date that relative dates and missing years are resolved against.
        language: which writing habits to look for; all of them when None.
        narrated: let each day the text comes to become the basis of what follows, as a
            narrator does; steps back ("two days ago") leave the basis where it is.
        said: ISO date the text was written on, where that is known apart from the day
            told last, `basis`: "yesterday" counts from `said`; "that evening" from a
            day told just before, else from `basis`.
    """
    mentions = []
    basis, said = _within_reach(basis), _within_reach(said)
    last = (basis, 0) if said and basis else None
    frame = Frame(basis, said, last=last, narrated=narrated, first=basis)
    for found in disjoint(_found(text, language)):
        resolved = frame.resolve(text, found)
        if resolved is None:
            continue
        mentions.append(_mention(text, found, resolved))
        reached = resolved.value is None or _within_reach(resolved.value)
        if reached and not quoted(text, found.start):  # what is said moves no story on
            frame = _read(text, frame, found, resolved)
    return tuple(mentions)


def _within_reach(value: str | None) -> str | None:
    """A date to count from: the first and the last year of the calendar end it."""
    rim = (f"{MINYEAR:04d}", f"{MAXYEAR:04d}")
    return None if value is None or value.startswith(rim) else value


def _read(text: str, frame: Frame, found: Found, resolved: Resolved) -> Frame:
    """The frame after one more date."""
    if frame.flashback(text, found, resolved.value):
        return _spoken(frame, found, resolved)
    named = isinstance(found.reading, Calendar) or found.reading.heading
    if named and heads(text, found.start, found.end):
        head = resolved.granularity in _DAYS and resolved.value
        frame = replace(frame, entries=head[:DAY] if head else frame.entries)
    if isinstance(found.reading, Calendar) and found.reading.year:
        frame = replace(frame, year=(found.reading, found.end))
    elif resolved.value and _a_year(found.reading):
        frame = replace(frame, year=(parse_iso(resolved.value), found.end))
    if resolved.granularity == "month" and resolved.value:
        frame = replace(frame, month=(parse_iso(resolved.value), found.end))
    if resolved.granularity not in _DAYS:
        return frame
    if resolved.value is None:
        if text[: found.start].endswith((" a ", "（")):  # on 3 May, a Sunday
            return frame
        if frame.said is None and looks_back(text, found.start):
            return frame  # he had gone on Sunday: the story is where it was
        return replace(frame, last=("", found.end), told=("", found.end))
    day = resolved.value.partition("T")[0]
    frame = replace(frame, last=(day, found.end))
    if not _moves(found.reading):
        return frame
    dated = not day.startswith("-")
    only = frame.basis is None or frame.basis.startswith("-")  # no year is known
    beyond = frame.said is not None and dated and day > frame.said
    if beyond and tense(text, found.start, found.end) == "past":
        frame = replace(frame, said=day)  # written on, day by day
    return replace(
        frame,
        told=(day, found.end),
        basis=day if frame.narrated and (dated or only) else frame.basis,
    )


def _spoken(frame: Frame, found: Found, resolved: Resolved) -> Frame:
    """The frame after a day that the story only looks back to."""
    if isinstance(found.reading, Shift) and found.reading.told:
        return frame
    day = (resolved.value or "").partition("T")[0]
    known = day and resolved.granularity in _DAYS
    return replace(frame, last=(day, found.end)) if known else frame


def _found(text: str, language: str | None) -> list[Found]:
    found = [item for pattern in numeric.PATTERNS for item in pattern.find(text)]
    for one in [of(language)] if language else languages().values():
        found = _finder(one)(text, found)
    return found


@cache
def _finder(language: Language) -> Callable[[str, Sequence[Found]], list[Found]]:
    return language.dates or by_rows(language.table("dates"))


def _mention(text: str, found: Found, resolved: Resolved) -> DateMention:
    return DateMention(
        found.start,
        found.end,
        text[found.start : found.end],
        resolved.value,
        resolved.granularity,
        resolved.basis,
        isinstance(found.reading, Shift),
    )


def _a_year(reading: Reading) -> bool:
    """Five years later, '48: a year that later ones may count from."""
    if isinstance(reading, Calendar):
        return reading.short is not None
    return reading.told and reading.unit == "year"


def _moves(reading: Reading) -> bool:
    return not isinstance(reading, Shift) or reading.forward or reading.heading
