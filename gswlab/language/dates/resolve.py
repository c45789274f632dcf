"""Whether a sentence looks back or ahead, as far as its words show without a parse."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
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
            if reading.unit in ("day", "week"):
                point = _by_days(reading, here.date) or _without_year(reading, here)
            else:
                point = _by_months(reading, here)
    if reading.part:
        return Resolved(
            point.iso if point else None, "part_of_day", basis if point else None
        )
    if point is not None:
        return Resolved(point.iso, point.granularity, basis)
    if reading.unit == "week":
        return Resolved(None, "unknown" if reading.span else "day")
    return Resolved(None, reading.unit if reading.of_month is None else "day")


def _by_days(shift: Shift, start: date | None) -> Calendar | None:
    if start is None or shift.count is None:
        return None
    count, named = shift.count, shift.named
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
    if monday.year != sunday.year:
        return None
    return Calendar(monday.year, monday.month if monday.month == sunday.month else None)


def _without_year(shift: Shift, basis: Calendar) -> Calendar | None:
    """The day after 2 November is 3 November in any year; after 28 February, which?"""
    whole = shift.named is None and not shift.span
    if not whole or basis.year or not (basis.month and basis.day):
        return None
    moved = [
        _by_days(shift, date(year, basis.month, basis.day))
        for year in (2000, 2003)  # one leap year, one that is none nor beside one
        if replace(basis, year=year).valid
    ]
    days = {(day.month, day.day) for day in moved if day}
    return Calendar(None, *days.pop()) if len(moved) == 2 and len(days) == 1 else None


def _by_months(shift: Shift, basis: Calendar) -> Calendar | None:
    if basis.year is None or shift.count is None:
        return None
    if shift.unit == "year":
        moved = Calendar(basis.year + shift.count, shift.named, shift.of_month)
        return _known(moved) if moved.valid else None
    if basis.month is None:
        named = None if shift.season else shift.named
        told = shift.season or shift.named
        return _known(Calendar(basis.year + shift.count, named)) if told else None
    if shift.named is not None:
        passed = shift.count > 0 and basis.month >= shift.named
        ahead = shift.count < 0 and basis.month <= shift.named
        year = basis.year + passed - ahead
        return _known(Calendar(year, shift.named, season=shift.season))
    start = date(basis.year, basis.month, 1) + relativedelta(months=shift.count)
    point = Calendar(start.year, start.month, shift.of_month)
    return point if point.valid else None


def _known(point: Calendar) -> Calendar | None:
    return point if 0 < (point.year or 0) < 10_000 else None


_END = re.compile(r"[.!?][\"”’)\]]*\s+(?=[\"“‘(\[]?[A-Z])|[。！？」]|\n\s*\n")
OPENING = 2  # words
_CLAUSE = compiled(r"[,;:—–]|\b(?:where|which|who|when|while|but)\b")


@lru_cache(maxsize=8)
def _ends(text: str) -> list[int]:
    """Where its sentences end; a text is asked about once a date."""
    return [found.end() for found in _END.finditer(text)]


def sentence(text: str, start: int, end: int) -> str:
    """The sentence that characters stand in."""
    ends = _ends(text)
    last = bisect_left(ends, end)
    return text[_first(text, start) : ends[last] if last < len(ends) else None]


def _first(text: str, at: int) -> int:
    """Where the sentence of a place begins."""
    ends = _ends(text)
    before = bisect_right(ends, at)
    return ends[before - 1] if before else 0


def breaks(text: str, start: int, end: int) -> int:
    """How many sentences end between two places of a text."""
    return sum(1 for _ in _END.finditer(text, start, end))


def looks_back(text: str, at: int) -> bool:
    """Whether "had" stands before a place in its sentence: another day may be meant."""
    around = sentence(text, at, at)
    return bool(_teller(around).verbs.had.search(around[: at - _first(text, at)]))


def clause_back(text: str, start: int, end: int) -> bool:
    """Whether the clause of a date looks back too: "the UN, which meets on ..."."""
    head = _before(text, start)
    opens = len(head.split()) < OPENING  # with the date
    back = _teller(sentence(text, start, end)).verbs.back
    return opens or bool(back.search(head + _after(text, end)))


def _before(text: str, start: int) -> str:
    """The clause of a place, as far as it stands before it."""
    return _CLAUSE.split(text[_first(text, start) : start])[-1]


def _after(text: str, end: int) -> str:
    """The clause of a place, as far as it stands after it."""
    return _CLAUSE.split(sentence(text[end:], 0, 0))[0]


def planned(text: str, start: int, end: int) -> bool:
    """Whether the clause before a day has a verb that does not look back: "meets on".

    >>> planned("She meets us on Monday.", 16, 22), planned("Rain on Monday.", 8, 14)
    (True, False)
    """
    verbs = _teller(sentence(text, start, end)).verbs
    head = verbs.stands.sub("is", _before(text, start))
    if len(head.split()) < OPENING:  # the clause opens with the day
        head = _after(text, end)
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
    around = sentence(text, start, end)
    language = _teller(around)
    if language.tense:
        return language.tense(around)
    head, verbs = _before(text, start), language.verbs
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
_WRONG: dict[Tense | None, int] = {"past": 1, "future": -1, None: 0}  # way of a step
_LEAP = 2000


def of_month(
    reading: Shift, basis: str | None, when: Tense | None, limit: date | None = None
) -> Resolved:
    """The 18th of the month that the tense, else nearness, says.

    With a `limit`, the day of writing, the tense says on which side of that it lies;
    of two days as near to the one just told, the later: a story goes on.
    """
    start = parse_iso(basis) if basis else None
    if start is None or start.month is None or start.day is None:
        return resolve(replace(reading, count=0), basis)
    here = date(start.year or _LEAP, start.month, start.day)
    days = []
    for months in (-1, 0, 1):
        moved = here.replace(day=1) + relativedelta(months=months)
        point = Calendar(moved.year, moved.month, reading.of_month)
        if point.valid and point.date is not None:
            days.append(point.date)
    if start.year and (fit := [d for d in days if d.weekday() == reading.weekday]):
        days = fit  # Wednesday the 11th
    if limit is None:
        day = _nearest(days, here, when)
    else:
        fit = [d for d in days if (d - limit).days * _WRONG[when] <= 0]
        day = min(fit, key=lambda d: (abs(d - here), here - d), default=None)
    if day is None:
        return Resolved(None, "day")
    best = Calendar(day.year if start.year else None, day.month, reading.of_month)
    return Resolved(best.iso, "day", basis)


def _nearest(days: Iterable[date], here: date, when: Tense | None) -> date | None:
    """The day nearest to here that the tense allows; of two as near, none."""
    fit = [day for day in days if (day - here).days * _WRONG[when] <= 0]
    ranked = sorted(fit, key=lambda d: abs(d - here))
    tied = ranked[1:] and here - ranked[0] == ranked[1] - here
    return ranked[0] if ranked and not tied else None


def with_year(
    point: Calendar, basis: Calendar, when: Tense | None, written: bool
) -> Calendar | None:
    """The date with its year; None where none is sure."""
    if basis.year is None:
        return None
    for away in (0, -1, 1, -2, 2):  # the nearest year in which it is on its weekday
        filled = point.of_year(basis.year + away)
        day = filled.date if filled.valid else None
        if day is not None and day.weekday() == point.weekday:
            return filled
    same = point.of_year(basis.year)
    if basis.month is None:
        return same if same.valid else None
    # days from the basis in each year, whole months taken at their middle
    here = date(basis.year, basis.month, basis.day or _MIDDLE)
    gap: dict[int, int] = {}
    for year in (basis.year - 1, basis.year, basis.year + 1):
        then = point.of_year(year)
        if then.valid:
            gap[year] = (date(year, then.month or 1, then.day or _MIDDLE) - here).days
    if not gap:
        return None
    nearest = min(gap, key=lambda year: abs(gap[year]))
    if not written:
        far = abs(gap[nearest]) > OTHER_YEAR
        year = basis.year if far and same.valid else nearest
        return None if far and not same.valid else point.of_year(year)
    if point.season and when is None:
        return None
    if when is None:
        sure = abs(gap[nearest]) <= _NEAR
        return point.of_year(nearest) if sure else None
    slack = _MIDDLE if point.day is None or basis.day is None else 0
    back = [y for y in gap if gap[y] <= slack]
    ahead = [y for y in gap if gap[y] >= -slack]
    if when == "past":  # a past tense may still speak of a day soon to come
        sure = bool(back) and (nearest == back[-1] or gap[nearest] > OTHER_YEAR)
        return point.of_year(back[-1]) if sure else None
    sure = bool(ahead) and (nearest == ahead[0] or gap[nearest] < -OTHER_YEAR)
    return point.of_year(ahead[0]) if sure else None
