"""A reading and its basis make a value.

- a step resolves to the finest truncation that is certainly true: three days later is
  a day, two months later a month, next week a month unless it spans two;
- what no basis can settle has no value.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta

from dateutil.relativedelta import relativedelta

from gswlab.core.nouns import Granularity
from gswlab.text.dates.calendar import Calendar, Reading, Shift, Unit, parse_iso


@dataclass(frozen=True, slots=True)
class Resolved:
    """A reading settled as far as the basis allows."""

    value: str | None
    granularity: Granularity
    basis: str | None = None


def resolve(reading: Reading, basis: str | None) -> Resolved:
    """Settle a reading against an ISO basis.

    >>> resolve(Shift("day", 3), "2024-02-27")
    Resolved(value='2024-03-01', granularity='day', basis='2024-02-27')
    """
    if isinstance(reading, Calendar):
        if reading.season and reading.year is None:
            return Resolved(None, reading.granularity)
        return Resolved(reading.iso, reading.granularity, reading.note)
    granularity: Granularity = "part_of_day" if reading.part else _grain(reading)
    point = _shifted(reading, parse_iso(basis)) if basis else None
    if point is None:
        return Resolved(None, granularity)
    stated = point.granularity
    return Resolved(point.iso, granularity if reading.part else stated, basis)


def _grain(shift: Shift) -> Granularity:
    if shift.unit == "week":
        return "unknown" if shift.span else "day"
    return shift.unit if shift.of_month is None and shift.feast is None else "day"


def _shifted(shift: Shift, basis: Calendar) -> Calendar | None:
    if shift.count is None:
        return None
    try:
        if shift.unit in ("day", "week"):
            return _by_days(shift, basis.date) or _without_year(shift, basis)
        return _by_months(shift, basis)
    except (OverflowError, ValueError):  # before year 1 or after 9999
        return None


def _by_days(shift: Shift, start: date | None) -> Calendar | None:
    if start is None or shift.count is None:
        return None
    if shift.named is not None:
        return _point(_weekday(shift.unit, shift.count, shift.named, start))
    moved = start + timedelta(days=shift.count * (7 if shift.unit == "week" else 1))
    if not shift.span:
        return _point(moved)
    monday = moved - timedelta(days=moved.weekday())
    return _common(monday, monday + timedelta(days=6))


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


def _weekday(unit: Unit, count: int, weekday: int, start: date) -> date:
    ahead = weekday - start.weekday()
    if unit == "week":
        return start + timedelta(days=7 * count + ahead)
    if count > 0:
        return start + timedelta(days=(ahead - 1) % 7 + 1 + 7 * (count - 1))
    return start - timedelta(days=(-ahead - 1) % 7 + 1 - 7 * (count + 1))


def _common(first: date, last: date) -> Calendar | None:
    """What holds of every day from first to last: the month, else the year."""
    if first.year != last.year:
        return None
    return Calendar(first.year, first.month if first.month == last.month else None)


def _by_months(shift: Shift, basis: Calendar) -> Calendar | None:
    if basis.year is None or shift.count is None:
        return None
    if shift.unit == "year":
        moved = Calendar(basis.year + shift.count, shift.named, shift.of_month)
        return _known(moved) if moved.valid else None
    if basis.month is None and shift.named and not shift.season:
        return _known(Calendar(basis.year + shift.count, shift.named))
    if basis.month is None:
        whole = Calendar(basis.year + shift.count) if shift.season else None
        return whole and _known(whole)
    if shift.named is not None:
        named = _named_month(basis.year, basis.month, shift.named, shift.count)
        return _known(replace(named, season=shift.season))
    start = date(basis.year, basis.month, 1) + relativedelta(months=shift.count)
    point = Calendar(start.year, start.month, shift.of_month)
    return point if point.valid else None


def _named_month(year: int, now: int, month: int, count: int) -> Calendar:
    passed = count > 0 and now >= month
    ahead = count < 0 and now <= month
    return Calendar(year + passed - ahead, month)


def _known(point: Calendar) -> Calendar | None:
    return point if 0 < (point.year or 0) < 10_000 else None


def _point(day: date) -> Calendar:
    return Calendar(day.year, day.month, day.day)
