"""A reading as a value: steps counted from a basis, what comes round found near it."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from typing import NamedTuple

from dateutil.relativedelta import relativedelta
from dateutil.relativedelta import weekday as relativeday

from gswlab.core.nouns import Granularity
from gswlab.language.dates.calendar import (
    Calendar,
    DateReading,
    Shift,
    on,
    parse_iso,
)
from gswlab.language.language import Tense

_NEAR = 150  # days within which the nearest one is meant, whatever the tense
_OTHER_YEAR = 92  # days: a narrator's 13 December, on 17 January, is the last one
_MIDDLE = 15  # of a month
_WRONG: dict[Tense | None, int] = {"past": 1, "future": -1, None: 0}  # way of a step


class Resolved(NamedTuple):
    """A reading settled as far as the basis allows."""

    value: str | None
    granularity: Granularity
    basis: str | None = None


def resolve(reading: DateReading, basis: str | None) -> Resolved:
    """Settle a reading against an ISO basis."""
    if isinstance(reading, Calendar):
        return Resolved(reading.iso, reading.granularity, reading.note)
    point = _moved(reading, parse_iso(basis)) if basis else None
    iso, counted = (point.iso, basis) if point and point.valid else (None, None)
    if reading.part:
        return Resolved(iso, "part_of_day", counted)
    if point and iso:
        return Resolved(iso, point.granularity, counted)
    if reading.unit == "week":
        return Resolved(None, "unknown" if reading.span else "day")
    return Resolved(None, reading.unit if reading.of_month is None else "day")


def _moved(shift: Shift, basis: Calendar) -> Calendar | None:
    if shift.count is None:
        return None
    if shift.unit in ("month", "year"):
        return _by_months(shift, basis, shift.count)
    try:
        if basis.date or shift.named is not None or shift.span or not basis.day:
            return _by_days(shift, basis.date, shift.count)
        # the day after 2 November is one in any year; after 28 February, which?
        days = [basis.of_year(year) for year in (2000, 2003)]  # one has a leap day
        moved = [_by_days(shift, day.date, shift.count) for day in days if day.valid]
    except OverflowError:  # before year 1 or after 9999
        return None
    told = {replace(day, year=None) for day in moved if day}
    return told.pop() if len(told) == 1 else None


def _by_days(shift: Shift, start: date | None, count: int) -> Calendar | None:
    if start is None:
        return None
    if shift.named is not None and shift.unit == "day":  # not counting today
        nth = relativeday(shift.named, count)
        return on(start + relativedelta(days=1 if count > 0 else -1, weekday=nth))
    moved = start + timedelta(days=count * (7 if shift.unit == "week" else 1))
    monday = moved - timedelta(days=moved.weekday())
    if shift.named is not None:
        return on(monday + timedelta(shift.named))
    if not shift.span:
        return on(moved)
    # what holds of every day of the week: its month, else its year
    sunday = monday + timedelta(days=6)
    if monday.year != sunday.year:
        return None
    return Calendar(monday.year, monday.month if monday.month == sunday.month else None)


def _by_months(shift: Shift, basis: Calendar, count: int) -> Calendar | None:
    year, month, named = basis.year, basis.month, shift.named
    if year is None:
        return None
    if shift.unit == "year":
        return Calendar(year + count, named, shift.of_month)
    if month is None:
        point = Calendar(year + count, named, season=shift.season)
        return point if named or shift.season else None
    if named is None:
        years, months = divmod(month - 1 + count, 12)
        return Calendar(year + years, months + 1, shift.of_month)
    turns = (count > 0 and month >= named) - (count < 0 and month <= named)
    return Calendar(year + turns, named, season=shift.season)


def of_month(
    reading: Shift, basis: str | None, when: Tense | None, limit: date | None = None
) -> Resolved:
    """The 18th of the month that the tense, else nearness, says.

    The tense says on which side of a `limit`, such as the day of writing, it lies; of
    two days as near the later: a story goes on.
    """
    start = parse_iso(basis) if basis else None
    if start is None or start.day is None:
        return resolve(replace(reading, count=0), basis)
    here = date(start.year or 2000, start.month or 1, start.day)
    months = (_by_months(reading, on(here), count) for count in (-1, 0, 1))
    days = [month.date for month in months if month and month.valid and month.date]
    if start.year and (fit := [d for d in days if d.weekday() == reading.weekday]):
        days = fit  # Wednesday the 11th
    fit = [d for d in days if (d - (limit or here)).days * _WRONG[when] <= 0]
    day = min(fit, key=lambda d: (abs(d - here), here - d), default=None)
    if day is None:
        return Resolved(None, "day")
    best = on(day) if start.year else replace(on(day), year=None)
    return Resolved(best.iso, "day", basis)


def with_year(
    point: Calendar, basis: Calendar, when: Tense | None, written: bool
) -> Calendar | None:
    """The date with its year; None where none is sure."""
    if basis.year is None:
        return None
    tried = [(away, point.of_year(basis.year + away)) for away in (0, -1, 1, -2, 2)]
    fits = {away: one for away, one in tried if one.valid}
    for one in fits.values():  # the nearest year in which it is on its weekday
        if one.date and one.date.weekday() == point.weekday:
            return one
    if point.season and when is None:
        return None
    if basis.month is None:
        return fits.get(0)
    here = _middle(basis)
    gaps = {away: (_middle(one) - here).days for away, one in fits.items()}
    ranked = sorted(gaps.keys() & {-1, 0, 1}, key=lambda away: abs(gaps[away]))
    if not ranked:
        return None
    far = abs(gaps[ranked[0]])
    if not written:
        return fits[ranked[0]] if far <= _OTHER_YEAR else fits.get(0)
    if when is None:
        return fits[ranked[0]] if far <= _NEAR else None
    slack = _MIDDLE if point.day is None or basis.day is None else 0
    told = [away for away in ranked if gaps[away] * _WRONG[when] <= slack]
    # a past tense may still speak of a day soon to come
    sure = told[:1] == ranked[:1] or far > _OTHER_YEAR
    return fits[told[0]] if told and sure else None


def _middle(point: Calendar) -> date:
    """A day, or the middle of a month."""
    return date(point.year or 1, point.month or 1, point.day or _MIDDLE)
