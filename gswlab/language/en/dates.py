"""How English prose writes dates: tables of patterns, with the names that they use."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from gswlab.language.dates.calendar import (
    Calendar,
    FoundDate,
    Shift,
    any_of,
    compiled,
    parse_iso,
)
from gswlab.language.dates.resolve import resolve
from gswlab.language.dates.table import timed, written
from gswlab.language.en import words
from gswlab.language.en.steps import STEPS
from gswlab.language.en.words import EN_WORDS, MONTHS
from gswlab.language.language import grouped

_FOLDER = Path(__file__).parent
_WORDS = grouped(_FOLDER / "words.tsv")
# What comes round, or came once: a year or month before it says when.
_EVENTS = any_of(_WORDS["dated_event"])
# A figure after these is as likely a number as a year.
_COUNTS = any_of(_WORDS["no_year_of"])
_OF_A_YEAR = r"\s+(?:of\s+)?(?:the\s+)?(?:last|this|next|that|same|following)\s+year\b"
_IN_NAMES = (  # Candlemas Road, Michaelmas daisies
    r"(?!\s+(?:(?-i:Church|Road|Street|Lane|House|Hall|School|College|Chapel|Island|"
    r"Terrace|Court)|dais(?:y|ies)|goose)\b)"
)


def _day(match: re.Match[str]) -> Calendar | None:
    """A day; of several, what holds of all of them. She may march is none."""
    groups = match.groupdict()
    sure = groups["year"] or groups.get("nth")
    point = EN_WORDS.point(match)
    if point is None or (groups["month"] in ("may", "march") and not sure):
        return None
    return replace(point, day=None, weekday=None) if groups.get("to") else point


_HERE = {**vars(words), **globals()}
_PATTERNS = [
    pattern
    for table in ("points", "feasts", "years")
    for pattern in written(_FOLDER / f"{table}.tsv", EN_WORDS, _HERE)
]
_TIME = (
    r"(?:(?P<hour>\d{1,2}|noon|midnight)(?:[:.](?P<minute>\d\d))?(?::\d\d)?"
    r"(?:\s*(?P<half>[ap])\.?\s?m\b\.?|(?<=:\d\d)(?!\d)|(?<=noon)|(?<=night)))"
)
_AFTER = compiled(rf"(?:,\s*|\s+)(?:at\s+)?{_TIME}")
_BEFORE = compiled(rf"(?:\bat\s+)?(?<![\d:.]){_TIME}(?:,\s*|\s+)(?:on\s+)?$")
_REACH = 30  # characters of a time of day before its day


def in_english(point: Calendar) -> str:
    """A point of the calendar as English prose writes it: May 07, 2024."""
    month = MONTHS[point.month - 1].capitalize() if point.month else ""
    day = f"{point.day:02d}" if point.day else ""
    year = "" if point.year is None else str(point.year)
    date = f"{month} {day}".strip()
    joined = (", " if day else " ").join(part for part in (date, year) if part)
    return f"{joined}, {point.clock}" if point.clock else joined


def english_dates(text: str, found: Sequence[FoundDate]) -> list[FoundDate]:
    """Every date the text writes in English beside those found, overlaps included."""
    points = [*found, *(hit for pattern in _PATTERNS for hit in pattern.find(text))]
    steps = [hit for pattern in STEPS for hit in pattern.find(text)]
    counted = [hit for step in steps for hit in _counted(text, step, points)]
    return [*(_timed(text, point) for point in points), *steps, *counted]


def _counted(
    text: str, step: FoundDate, points: Sequence[FoundDate]
) -> Iterator[FoundDate]:
    """Two days after 3 May 2021: a step and the day that it counts from."""
    said = text[step.start : step.end]
    if not said.lower().endswith((" before", " after")):
        return
    alone = [hit.reading for pattern in STEPS for hit in pattern.find(said)]
    for point in points if alone else ():
        beside = text[step.end : point.start].isspace()
        if beside and isinstance(point.reading, Calendar) and point.reading.day:
            value = resolve(alone[0], point.reading.iso).value
            day = parse_iso(value) if value else Shift("day", None, told=True)
            yield FoundDate(step.start, point.end, day)


def _timed(text: str, point: FoundDate) -> FoundDate:
    before = _BEFORE.search(text, max(0, point.start - _REACH), point.start)
    return timed(point, _AFTER.match(text, point.end) or before)
