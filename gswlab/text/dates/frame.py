"""Which day a date counts from: the day of writing, or the day told last.

- "yesterday" counts from the day of writing, "that evening" from the day told last;
- a date without its year, month or week is of the nearest one that its sentence,
  telling what was or what will be, allows; where nothing decides, it stays without;
- without a day of writing, a narrator's day stands for both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date

from dateutil.relativedelta import relativedelta

from gswlab.text.dates.calendar import Calendar, Shift, parse_iso
from gswlab.text.dates.english_words import compiled
from gswlab.text.dates.pattern import Found
from gswlab.text.dates.resolve import Resolved, resolve
from gswlab.text.dates.tense import Tense, breaks, tense

NEAR = 150  # days within which the nearest one is meant, whatever the tense
OTHER_YEAR = 92  # days: a narrator's 13 December, on 17 January, is the last one
ADJACENT = 1  # sentence ends between a date and "that night" that counts from it
_MIDDLE = 15  # of a month
_LEAP = 2000
_LEAD = compiled(r"\b(?:from|until|till|by|for|before)\s+(?:the\s+)?$")
_TRAIL = re.compile("から|まで|に?予定")


@dataclass(frozen=True, slots=True)
class Frame:
    """The days that dates of a text count from, as far as it has been read.

    `basis` is the day narrated before the text, `said` the day it was written on;
    `told` the last day of the text that the narration came to, `last` the last one
    it spoke of, each with the place where it stands.
    """

    basis: str | None = None
    said: str | None = None
    told: tuple[str, int] | None = None
    last: tuple[str, int] | None = None

    def resolve(self, text: str, found: Found) -> Resolved | None:
        """The value of a find; None where it is no date after all."""
        reading = found.reading
        if isinstance(reading, Shift) and reading.told:
            day = self._told(text, found, reading)
            if reading.lone:
                return (
                    _of_month(reading, day, None) if self._near(text, found) else None
                )
            return resolve(reading, day)
        written = self.said or self.basis
        if isinstance(reading, Calendar):
            if reading.year is not None or written is None:
                return resolve(reading, None)
            return self._filled(text, found, reading, written)
        if reading.lone and written is not None:
            return self._lone(text, found, reading, written)
        return resolve(reading, written)

    def _told(self, text: str, found: Found, reading: Shift) -> str | None:
        """The day told before a find: with a day of writing, only one just told."""
        if self.said is None:
            spoken = self.last if reading.count == 0 else self.told
            return spoken[0] if spoken else self.basis
        return self.last[0] if self.last and self._near(text, found) else None

    def _near(self, text: str, found: Found) -> bool:
        last = self.last
        return last is not None and breaks(text, last[1], found.start) <= ADJACENT

    def _filled(
        self, text: str, found: Found, point: Calendar, written: str
    ) -> Resolved:
        when = tense(text, found.start, found.end) if self.said else None
        if when == "past" and _bounds(text, found):
            when = None  # "they agreed to pay from 1 April"
        filled = _with_year(point, parse_iso(written), when, self.said is not None)
        if filled is None:
            return resolve(point, None)
        return Resolved(filled.iso, filled.granularity, written)

    def _lone(self, text: str, found: Found, reading: Shift, written: str) -> Resolved:
        when = tense(text, found.start, found.end)
        if self.said is None and (when == "past" or reading.of_month is not None):
            when = None  # a narrator's days go on: on Friday they met, which Friday?
        if reading.of_month is not None:
            if self.last and self._near(text, found):
                return _of_month(reading, self.last[0], None)
            return _of_month(reading, written, when)
        start = parse_iso(written).date
        if when is None or start is None or start.weekday() == reading.named:
            return resolve(reading, None)
        return resolve(replace(reading, count=-1 if when == "past" else 1), written)


def _bounds(text: str, found: Found) -> bool:
    """Whether a date says from or until when: it may lie ahead of what is told."""
    before, after = text[: found.start], text[found.end :]
    return bool(_LEAD.search(before[-12:]) or _TRAIL.match(after))


def _of_month(reading: Shift, basis: str | None, when: Tense | None) -> Resolved:
    """The 18th of the month that the tense, else nearness, says."""
    start = parse_iso(basis) if basis else None
    if start is None or start.month is None or start.day is None:
        return resolve(reading, basis)
    here = date(start.year or _LEAP, start.month, start.day)
    days = []
    for months in (-1, 0, 1):
        moved = here.replace(day=1) + relativedelta(months=months)
        point = Calendar(moved.year, moved.month, reading.of_month)
        if point.valid and point.date is not None and _fits(point.date, here, when):
            days.append(point.date)
    ranked = sorted(days, key=lambda d: abs(d - here))
    if not ranked or (ranked[1:] and here - ranked[0] == ranked[1] - here):
        return replace(resolve(reading, None), granularity="day")
    best = Calendar(
        ranked[0].year if start.year else None, ranked[0].month, reading.of_month
    )
    return Resolved(best.iso, "day", basis)


def _fits(day: date, here: date, when: Tense | None) -> bool:
    return day <= here if when == "past" else when is None or day >= here


def _with_year(
    point: Calendar, basis: Calendar, when: Tense | None, written: bool
) -> Calendar | None:
    """The date with its year; None where none is sure."""
    if basis.year is None:
        return None
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
    if when is None:
        sure = abs(gap[nearest]) <= NEAR
        return replace(point, year=nearest) if sure else None
    slack = _MIDDLE if point.day is None or basis.day is None else 0
    back = [y for y in gap if gap[y] <= slack]
    ahead = [y for y in gap if gap[y] >= -slack]
    if when == "past":  # a past tense may still speak of a day to come
        return replace(point, year=nearest) if nearest in back[-1:] else None
    return replace(point, year=ahead[0]) if ahead else None


def _gap(point: Calendar, basis: Calendar) -> int:
    """Days from the basis to a date, whole months taken at their middle."""
    one, two = (
        date(p.year or _LEAP, p.month or 1, p.day or _MIDDLE) for p in (point, basis)
    )
    return (one - two).days
