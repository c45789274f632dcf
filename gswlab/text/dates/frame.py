"""Which day a date counts from: the day of writing, or the day told last.

- "yesterday" counts from the day of writing, "that evening" from the day told last;
- a date without its year, month or week is of the nearest one that its sentence,
  telling what was or what will be, allows; where nothing decides, it stays without;
- without a day of writing, a narrator's day stands for both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from gswlab.text.dates.calendar import Calendar, Shift, parse_iso
from gswlab.text.dates.english_words import compiled
from gswlab.text.dates.nearest import feast_near, of_month, with_year
from gswlab.text.dates.pattern import Found
from gswlab.text.dates.resolve import Resolved, resolve
from gswlab.text.dates.tense import (
    breaks,
    clause_back,
    looks_back,
    quoted,
    tense,
)

ADJACENT = 1  # sentence ends between a date and "that night" that counts from it
_LEAD = compiled(r"\b(?:from|until|till|by|for|before)\s+(?:the\s+)?$")
_TRAIL = re.compile("から|まで|に?予定")


@dataclass(frozen=True, slots=True)
class Frame:
    """The days that dates of a text count from, as far as it has been read.

    `basis` is the day narrated before the text, `said` the day it was written on;
    `told` the last day of the text that the narration came to, `last` the last one
    it spoke of, each with the place where it stands ("" is a day nobody can tell).
    `year` is the last date that was told with its year, `month` the last month.
    A narrator (`narrated`) has no day of writing that "last year" could count from.
    """

    basis: str | None = None
    said: str | None = None
    told: tuple[str, int] | None = None
    last: tuple[str, int] | None = None
    narrated: bool = False
    year: tuple[Calendar, int] | None = None
    month: tuple[Calendar, int] | None = None

    def resolve(self, text: str, found: Found) -> Resolved | None:
        """The value of a find; None where it is no date after all."""
        reading = found.reading
        if isinstance(reading, Calendar):
            return self._point(text, found, reading)
        if reading.told:
            day = self._told(text, found, reading)
            if reading.lone:
                return of_month(reading, day, None) if self._near(text, found) else None
            return resolve(reading, day)
        written = self.said or self.basis
        if reading.lone:
            return self._lone(text, found, reading, written)
        vague = reading.unit != "day" and reading.of_month is None
        if self.narrated and self.said is None and vague:
            return resolve(reading, None)
        return resolve(reading, written)

    def _point(self, text: str, found: Found, point: Calendar) -> Resolved:
        """A point of the calendar, with the year or century that the frame gives it."""
        written = self.said or self.basis
        here = parse_iso(written).year if written else None
        if here is None and self.year:
            here = self.year[0].year
        if point.short is not None:
            if here is None:
                return Resolved(None, point.granularity)
            point = point.of_century(here)
        if point.year is not None or written is None:
            return resolve(point, None)
        return self._filled(text, found, point, written)

    def _told(self, text: str, found: Found, reading: Shift) -> str | None:
        """The day told before a find: with a day of writing, only one just told."""
        spoken = self.last if self.said or reading.count == 0 else self.told
        if self.year and self._of_year(text, found, reading, (spoken or ("", 0))[1]):
            return self.year[0].iso
        since = breaks(text, spoken[1] if spoken else 0, found.start)
        if since and looks_back(text, found.start):
            return None
        if self.said is None:
            return spoken[0] or None if spoken else self.basis
        return spoken[0] if spoken and self._near(text, found) else None

    def _of_year(self, text: str, found: Found, reading: Shift, spoken: int) -> bool:
        """In 1950 she moved. Five years later: years count from the year just told."""
        told = self.year[1] if self.year else 0
        if reading.season and reading.count and told > spoken:
            return True
        since = breaks(text, told, found.start)
        far = since > 2 * ADJACENT or (since and looks_back(text, found.start))
        return told >= spoken and reading.unit == "year" and not far

    def _near(self, text: str, found: Found) -> bool:
        if self.last is None or not self.last[0]:
            return False
        return breaks(text, self.last[1], found.start) <= ADJACENT

    def _filled(
        self, text: str, found: Found, point: Calendar, written: str
    ) -> Resolved:
        ahead = tense(text, found.start, found.end) == "future"
        if self.said and self.year and not point.season and not ahead:
            told, end = self.year
            since = breaks(text, end, found.start)
            away = abs((told.year or 0) - int(written[:4])) > 1
            if away and since <= 2 * ADJACENT:  # the talk is of another time
                near = since <= ADJACENT
                later = (told.month or 12) < (point.month or 0)
                known = replace(point, year=told.year if near and later else None)
                return resolve(known, None)
        when = tense(text, found.start, found.end) if self.said else None
        if when == "past" and _bounds(text, found):
            when = None  # "they agreed to pay from 1 April"
        if self.said is None and (point.season or quoted(text, found.start)):
            return resolve(point, None)
        filled = with_year(point, parse_iso(written), when, self.said is not None)
        if filled is None:
            return resolve(point, None)
        filled = filled.settled
        return Resolved(filled.iso, filled.granularity, written)

    def _in_month(self, text: str, found: Found, reading: Shift) -> Resolved | None:
        """He came in June and left on the 12th: of the month of its sentence."""
        if self.month is None or (self.last and self.last[1] > self.month[1]):
            return None
        month, end = self.month
        day = replace(month, day=reading.of_month)
        apart = breaks(text, end, found.start)
        return Resolved(day.iso, "day") if day.valid and not apart else None

    def _lone(
        self, text: str, found: Found, reading: Shift, written: str | None
    ) -> Resolved:
        start = parse_iso(written).date if written else None
        when = tense(text, found.start, found.end)
        if self.said is None and self.last and self._near(text, found):
            just = parse_iso(self.last[0]).date
            if when == "past" and just and just.weekday() == reading.named:
                return Resolved(self.last[0], "day")  # on the 8th; ... on Saturday
        if when == "past" and not clause_back(text, found.start, found.end):
            when = None
        if self.said is None and (when == "past" or reading.of_month is not None):
            when = None  # a narrator's days go on: on Friday they met, which Friday?
        if reading.of_month is not None:
            if inside := self._in_month(text, found, reading):
                return inside
            if self.last and self._near(text, found):
                limit = start if self.said else None
                return of_month(reading, self.last[0], when if limit else None, limit)
            return of_month(reading, written, when)
        if reading.span:  # the end of the month: will be this one's; was whose?
            ahead = self.said is not None and when == "future"
            return resolve(replace(reading, count=0), written if ahead else None)
        if reading.feast is not None and start is not None and self.said and when:
            return Resolved(feast_near(start, reading.feast, when), "day", written)
        if when is None or start is None or start.weekday() == reading.named:
            return resolve(reading, None)
        return resolve(replace(reading, count=-1 if when == "past" else 1), written)


def _bounds(text: str, found: Found) -> bool:
    """Whether a date says from or until when: it may lie ahead of what is told."""
    before, after = text[: found.start], text[found.end :]
    return bool(_LEAD.search(before[-12:]) or _TRAIL.match(after))
