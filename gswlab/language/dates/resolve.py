"""What a reading comes to, and whether its sentence looks back or ahead."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache

from dateutil.relativedelta import relativedelta
from dateutil.relativedelta import weekday as relativeday

from gswlab.core.nouns import Granularity
from gswlab.language.dates.calendar import (
    Calendar,
    DateReading,
    Shift,
    compiled,
    on,
    parse_iso,
)
from gswlab.language.language import DEFAULT, Language, Tense, languages, of


@dataclass(frozen=True, slots=True)
class Resolved:
    """A reading settled as far as the basis allows."""

    value: str | None
    granularity: Granularity
    basis: str | None = None


def resolve(reading: DateReading, basis: str | None) -> Resolved:
    """Settle a reading against an ISO basis.

    >>> resolve(Shift("day", 3), "2024-02-27")
    Resolved(value='2024-03-01', granularity='day', basis='2024-02-27')
    """
    if isinstance(reading, Calendar):
        return Resolved(reading.iso, reading.granularity, reading.note)
    point, here = None, parse_iso(basis) if basis else None
    if here is not None and reading.count is not None:
        with suppress(OverflowError, ValueError):  # before year 1 or after 9999
            moved = _by_days if reading.unit in ("day", "week") else _by_months
            point = moved(reading, reading.count, here)
    known = point is not None and point.valid
    value, counted = (point.iso, basis) if point and known else (None, None)
    if reading.part:
        return Resolved(value, "part_of_day", counted)
    if point and known:
        return Resolved(value, point.granularity, counted)
    if reading.unit == "week":
        return Resolved(None, "unknown" if reading.span else "day")
    return Resolved(None, reading.unit if reading.of_month is None else "day")


def _by_days(shift: Shift, count: int, basis: Calendar) -> Calendar | None:
    """The day after 2 November is 3 November in any year; after 28 February, which?"""
    if not (basis.month and basis.day):
        return None
    years = [basis.year] if basis.year else [_LEAP, _LEAP + 3]
    days = [date(year, basis.month, basis.day) for year in years]
    moved = [_from(day, shift, count) for day in days]
    if not basis.year:
        moved = [replace(point, year=None) for point in moved]
    return moved[0] if moved[0] == moved[-1] else None


def _from(start: date, shift: Shift, count: int) -> Calendar:
    named = shift.named
    if named is not None and shift.unit == "day":  # the nth one, not counting today
        nth = relativeday(named, count)
        return on(start + relativedelta(days=1 if count > 0 else -1, weekday=nth))
    moved = start + timedelta(days=count * (7 if shift.unit == "week" else 1))
    monday = moved - timedelta(days=moved.weekday())
    if named is not None:
        return on(monday + timedelta(named))
    if not shift.span:
        return on(moved)
    # what holds of every day of the week: its month, else its year
    sunday = monday + timedelta(days=6)
    year = monday.year if monday.year == sunday.year else None
    return Calendar(year, monday.month if monday.month == sunday.month else None)


def _by_months(shift: Shift, count: int, basis: Calendar) -> Calendar | None:
    year, month, named = basis.year, basis.month, shift.named
    if year is None:
        return None
    if shift.unit == "year":
        return Calendar(year + count, named, shift.of_month)
    if named is not None:
        passed = count > 0 and (month is None or month >= named)
        ahead = count < 0 and (month is None or month <= named)
        return Calendar(year + passed - ahead, named, season=shift.season)
    if month is None:
        return None
    start = date(year, month, 1) + relativedelta(months=count)
    return Calendar(start.year, start.month, shift.of_month)


_END = re.compile(r"[.!?][\"”’)\]]*\s+(?=[\"“‘(\[]?[A-Z])|[。！？」]|\n\s*\n")
OPENING = 2  # words
_CLAUSE = compiled(r"[,;:—–]|\b(?:where|which|who|when|while|but)\b")


@lru_cache(maxsize=8)
def _ends(text: str) -> list[int]:
    """Where its sentences begin and end; a text is asked about once a date."""
    return [0, *(found.end() for found in _END.finditer(text)), len(text)]


def _bounds(text: str, start: int, end: int) -> tuple[int, int]:
    """Where the sentence begins and ends that characters stand in."""
    ends = _ends(text)
    last = bisect_left(ends, end, 1)
    return ends[max(bisect_right(ends, start) - 1, 0)], ends[last]


def breaks(text: str, start: int, end: int) -> int:
    """How many sentences end between two places of a text."""
    ends = _ends(text)
    return max(bisect_left(ends, end) - bisect_right(ends, start), 0)


def looks_back(text: str, at: int) -> bool:
    """Whether "had" stands before a place in its sentence: another day may be meant."""
    first, last = _bounds(text, at, at)
    return bool(_teller(text[first:last]).verbs.had.search(text[first:at]))


def planned(text: str, start: int, end: int) -> bool:
    """Whether the clause before a day has a verb that does not look back: "meets on".

    >>> planned("She meets us on Monday.", 16, 22), planned("Rain on Monday.", 8, 14)
    (True, False)
    """
    first, last = _bounds(text, start, end)
    verbs, head = _teller(text[first:last]).verbs, _CLAUSE.split(text[first:start])[-1]
    if len(head.split()) < OPENING:  # the clause opens with the day
        head = _CLAUSE.split(text[end:last])[0]
    elif not verbs.leads.search(head):
        return False
    told = verbs.back.search(head) or verbs.either.search(head)
    return bool(verbs.now.search(head)) and not told


def in_quotes(text: str, at: int) -> bool:
    """Whether a place is in quotation marks, as far as its paragraph shows."""
    before = text[text.rfind("\n\n", 0, at) + 1 : at]
    open_ = any(before.rfind(a) > before.rfind(b) for a, b in ("“”", "「」", "『』"))
    return open_ or before.count('"') % 2 == 1


def tense(text: str, start: int, end: int) -> Tense | None:
    """Whether the sentence around a date tells what has been or what is to come.

    >>> text = "It closed on Monday. It will open on Friday."
    >>> tense(text, 13, 19), tense(text, 37, 43), tense("Monday!", 0, 6)
    ('past', 'future', None)
    """
    first, last = _bounds(text, start, end)
    around, head = text[first:last], _CLAUSE.split(text[first:start])[-1]
    language = _teller(around)
    if language.tense:
        return language.tense(around)
    verbs = language.verbs
    if verbs.back.search(head) and not verbs.ahead.search(head):
        return "past"  # drivers who were stranded on Tuesday will need no reminding
    if verbs.ahead.search(around):
        return "future"
    return "past" if verbs.back.search(around) else None


def _teller(around: str) -> Language:
    """The language whose words tell the tense of a sentence."""
    known = languages().values()
    return next((one for one in known if one.telling.search(around)), of(DEFAULT))


_NEAR = 150  # days within which the nearest one is meant, whatever the tense
OTHER_YEAR = 92  # days: a narrator's 13 December, on 17 January, is the last one
_MIDDLE = 15  # of a month
_WAY: dict[Tense | None, int] = {"past": -1, "future": 1, None: 0}
_LEAP = 2000


def of_month(reading: Shift, basis: str | None, when: Tense | None) -> Resolved:
    """The 18th of the month nearest to a day, as far as the tense allows.

    Of two days as near, the later: a story goes on.
    """
    start = parse_iso(basis) if basis else None
    if start is None or start.month is None or start.day is None:
        return resolve(replace(reading, count=0), basis)
    here = date(start.year or _LEAP, start.month, start.day)
    months = (here.replace(day=1) + relativedelta(months=n) for n in (-1, 0, 1))
    points = [Calendar(one.year, one.month, reading.of_month) for one in months]
    days = [point.date for point in points if point.valid and point.date]
    fit = [day for day in days if day.weekday() == reading.weekday and start.year]
    days = fit or days  # Wednesday the 11th
    days = [day for day in days if (day - here).days * _WAY[when] >= 0]
    day = min(days, key=lambda day: (abs(day - here), here - day), default=None)
    if day is None:
        return Resolved(None, "day")
    return Resolved(replace(on(day), year=start.year and day.year).iso, "day", basis)


def with_year(
    point: Calendar, basis: Calendar, when: Tense | None, written: bool
) -> Calendar | None:
    """The date with its year; None where none is sure."""
    if basis.year is None:
        return None
    near = [point.of_year(basis.year + away) for away in (0, -1, 1, -2, 2)]
    near = [each for each in near if each.valid]
    for each in near:  # the nearest year in which it is on its weekday
        if each.date and each.date.weekday() == point.weekday:
            return each
    same = next((each for each in near if each.year == basis.year), None)
    if basis.month is None:
        return same
    here = date(basis.year, basis.month, basis.day or _MIDDLE)

    def gap(one: Calendar) -> int:
        """Days from the basis, whole months taken at their middle."""
        there = date(one.year or _LEAP, one.month or 1, one.day or _MIDDLE)
        return (there - here).days

    nearest = min(near, key=lambda each: abs(gap(each)), default=None)
    if nearest is None:
        return None
    if not written:
        return same if abs(gap(nearest)) > OTHER_YEAR else nearest
    if when is None:
        return nearest if abs(gap(nearest)) <= _NEAR and not point.season else None
    # a past tense may still speak of a day soon to come
    slack = _MIDDLE if point.day is None or basis.day is None else 0
    fit = [each for each in near if gap(each) * _WAY[when] >= -slack]
    best = min(fit, key=lambda each: abs(gap(each)), default=None)
    return best if best == nearest or -gap(nearest) * _WAY[when] > OTHER_YEAR else None
