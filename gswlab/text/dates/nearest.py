"""The nearest day, month or feast that the tense allows, if one is sure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import date, timedelta

from dateutil.easter import easter
from dateutil.relativedelta import relativedelta

from gswlab.text.dates.calendar import Calendar, Shift, parse_iso
from gswlab.text.dates.resolve import Resolved, resolve
from gswlab.text.dates.tense import Tense

NEAR = 150  # days within which the nearest one is meant, whatever the tense
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
    if (year := _on_weekday(point, basis.year)) is not None:
        return replace(point, year=year)
    same = replace(point, year=basis.year)
    if basis.month is None:
        return same if same.valid else None
    gap = {
        year: _gap(filled, basis)
        for year in (basis.year - 1, basis.year, basis.year + 1)
        if (filled := replace(point, year=year)).valid
    }
    if not gap:
        return None
    nearest = min(gap, key=lambda year: abs(gap[year]))
    if not written:
        far = abs(gap[nearest]) > OTHER_YEAR
        year = basis.year if far and same.valid else nearest
        return None if far and not same.valid else replace(point, year=year)
    if point.season and when is None:
        return None
    if when is None:
        sure = abs(gap[nearest]) <= NEAR
        return replace(point, year=nearest) if sure else None
    slack = _MIDDLE if point.day is None or basis.day is None else 0
    back = [y for y in gap if gap[y] <= slack]
    ahead = [y for y in gap if gap[y] >= -slack]
    if when == "past":  # a past tense may still speak of a day soon to come
        sure = bool(back) and (nearest == back[-1] or gap[nearest] > OTHER_YEAR)
        return replace(point, year=back[-1]) if sure else None
    sure = bool(ahead) and (nearest == ahead[0] or gap[nearest] < -OTHER_YEAR)
    return replace(point, year=ahead[0]) if sure else None


def _on_weekday(point: Calendar, near: int) -> int | None:
    """The nearest year in which a day is on the weekday written with it."""
    for year in (near, near - 1, near + 1, near - 2, near + 2):
        filled = replace(point, year=year)
        day = filled.date if filled.valid else None
        if day is not None and day.weekday() == point.weekday:
            return year
    return None


def feast_near(here: date, days: int, when: Tense) -> str | None:
    """The feast `days` from Easter that is nearest and that the tense allows."""
    years = (here.year - 1, here.year, here.year + 1)
    feast = _nearest((easter(y) + timedelta(days) for y in years), here, when)
    return feast.isoformat() if feast else None


def _gap(point: Calendar, basis: Calendar) -> int:
    """Days from the basis to a date, whole months taken at their middle."""
    one, two = (
        date(p.year or _LEAP, p.month or 1, p.day or _MIDDLE) for p in (point, basis)
    )
    return (one - two).days
