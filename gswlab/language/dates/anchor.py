"""Which day a date counts from: the day of writing, or the day told last.

- "yesterday" counts from the day of writing, "that evening" from the day told last;
- a date without its year, month or week is of the nearest one that its sentence,
  telling what was or what will be, allows; where nothing decides, it stays without;
- without a day of writing, a narrator's day stands for both.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from gswlab.language.dates.calendar import (
    Calendar,
    FoundDate,
    Shift,
    compiled,
    parse_iso,
)
from gswlab.language.dates.resolve import (
    Resolved,
    breaks,
    in_quotes,
    looks_back,
    of_month,
    planned,
    resolve,
    tense,
    with_year,
)

_STORY = 4  # sentence ends within which a story that came to Saturday means it
_ADJACENT = 1  # sentence ends between a date and "that night" that counts from it
_LEAD = compiled(r"\b(?:from|until|till|by|for|before)\s+(?:the\s+)?$")
_SINCE = compiled(r"\bsince\s+(?:the\s+)?$")
_TRAIL = re.compile("から|まで|に?予定")
_ENTRY = re.compile(r"\s*(?:[.:—–,;]|\n|$)")


@dataclass(frozen=True, slots=True)
class Frame:
    """The days that dates of a text count from, as far as it has been read.

    `basis` is the day narrated before the text, `said` the day it was written on;
    `told` the last day of the text that the narration came to, `last` the last one
    it spoke of, each with the place where it stands ("" is a day nobody can tell).
    `year` is the last date that was told with its year.
    A narrator (`narrated`) has no day of writing that "last year" could count from,
    but for the days that head the entries of a log or diary (`entries`, the last one).
    """

    basis: str | None = None
    said: str | None = None
    told: tuple[str, int] | None = None
    last: tuple[str, int] | None = None
    narrated: bool = False
    year: tuple[Calendar, int] | None = None
    entries: str | None = None

    def resolve(self, text: str, found: FoundDate) -> Resolved | None:
        """The value of a find; None where it is no date after all."""
        reading = found.reading
        if isinstance(reading, Calendar):
            return self._point(text, found, reading)
        headed = self.entries or self.basis
        if reading.heading and headed and not self.said:  # the next entry of a log
            if reading.of_month is not None:
                return of_month(reading, headed, None)
            return _on_weekday(reading, headed, 1)
        if reading.told:
            return self._of_story(text, found, reading)
        written = self.said or self.basis
        if reading.lone:
            return self._lone(text, found, reading, written)
        vague = reading.unit != "day" and reading.of_month is None
        unsure = self.narrated and not self.said and vague and not self.entries
        return resolve(reading, None if unsure else written)

    def _point(self, text: str, found: FoundDate, point: Calendar) -> Resolved:
        """A point of the calendar, with the year or century that the frame gives it."""
        written = self.said or self._year_told(text, found) or self.basis
        here = parse_iso(written).year if written else None
        here = here or (self.year[0].year if self.year else None)
        if point.short is not None and here:  # the last '48 there was
            return resolve(Calendar(here - (here - point.short) % 100), None)
        if point.year is not None or point.short is not None or written is None:
            return resolve(point, None)
        return self._filled(text, found, point, written)

    def _of_story(self, text: str, found: FoundDate, reading: Shift) -> Resolved | None:
        """The Friday, that night, two days later: of the day told last."""
        if reading.named is not None and reading.count is None:
            back = self.said and tense(text, found.start, found.end) == "past"
            back = back or _is_since(text, found) or looks_back(text, found.start)
            told = self.last[0] if self.last else self.basis
            return _on_weekday(reading, told, -1 if back else 1)
        day = self._told(text, found, reading)
        if not reading.lone:
            return resolve(reading, day)
        return of_month(reading, day, None) if self._near(text, found) else None

    def _told(self, text: str, found: FoundDate, reading: Shift) -> str | None:
        """The day told before a find: with a day of writing, only one just told."""
        back, near = (reading.count or 0) < 0, self._near(text, found)
        last = self.said or reading.count == 0 or (back and near)
        day, end = (self.last if last else self.told) or (self.basis or "", 0)
        if self.year and self.year[1] > end and reading.unit in ("month", "year"):
            return self.year[0].iso  # in 1950 she moved; five years later
        since = breaks(text, end, found.start)
        if (since and not back and looks_back(text, found.start)) or not day:
            return None
        return day if near or self.said is None else None

    def _year_told(self, text: str, found: FoundDate) -> str | None:
        """In 1936 ... on 3 May: a year just told is the year of what follows.

        No more where a day of a year has been told as well.
        """
        if self.said is not None or self.year is None:
            return None
        year, end = self.year
        if end <= (self.told or ("", 0))[1] or looks_back(text, found.start):
            return None
        if self.basis and self.basis[0].isdigit():
            return None
        return year.iso if breaks(text, end, found.start) <= 2 * _ADJACENT else None

    def _elsewhen(self, text: str, found: FoundDate) -> str | None:
        """A year just told where it is long ago: the talk is of another time."""
        if self.said is None or self.year is None:
            return None
        year, end = self.year
        away = abs((year.year or 0) - int(self.said[:4])) > 1
        ahead = tense(text, found.start, found.end) == "future"
        near = breaks(text, end, found.start) <= 2 * _ADJACENT
        return year.iso if away and near and not ahead else None

    def _near(self, text: str, found: FoundDate, within: int = _ADJACENT) -> bool:
        if self.last is None or not self.last[0]:
            return False
        return breaks(text, self.last[1], found.start) <= within

    def _filled(
        self, text: str, found: FoundDate, point: Calendar, written: str
    ) -> Resolved:
        when = tense(text, found.start, found.end) if self.said else None
        led = _LEAD.search(text[: found.start][-12:])
        if when == "past" and (led or _TRAIL.match(text, found.end)):
            when = None  # "they agreed to pay from 1 April"
        if self.said is None and (point.season or in_quotes(text, found.start)):
            return resolve(point, None)
        if other := self._elsewhen(text, found):
            written, when = other, "future"
        filled = with_year(point, parse_iso(written), when, self.said is not None)
        if filled is None:
            return resolve(point, None)
        return Resolved(filled.iso, filled.granularity, written)

    def _lone(
        self, text: str, found: FoundDate, reading: Shift, written: str | None
    ) -> Resolved:
        start = parse_iso(written).date if written else None
        when = tense(text, found.start, found.end)
        if self.said is None and self.last and self._near(text, found, _STORY):
            just = parse_iso(self.last[0]).date
            if when == "past" and just and just.weekday() == reading.named:
                return Resolved(self.last[0], "day")  # on the 8th; ... on Saturday
        if reading.named is not None and reading.unit == "day" and not when:
            # since Sunday lies behind; meets on Monday, shut until Friday lie ahead
            when = "future" if planned(text, found.start, found.end) else None
            when = "past" if _is_since(text, found) else when
        if self.said is None and (when == "past" or reading.of_month is not None):
            when = None  # a narrator's days go on: on Friday they met, which Friday?
        if reading.of_month is not None:
            if self.last and self._near(text, found):
                return of_month(reading, self.last[0], None)
            return of_month(reading, written, when)
        if reading.span:  # the end of the month: will be this one's; was whose?
            this = self.said is not None and when == "future"
            return resolve(replace(reading, count=0), written if this else None)
        if when is None or start is None or start.weekday() == reading.named:
            return resolve(reading, None)
        return resolve(replace(reading, count=-1 if when == "past" else 1), written)


def _on_weekday(reading: Shift, told: str | None, way: int) -> Resolved:
    """The Friday: the day told itself, else the next or the last one."""
    start = parse_iso(told).date if told else None
    if told and start and start.weekday() == reading.named:
        return Resolved(start.isoformat(), "day", told)
    return resolve(replace(reading, count=way), told if start else None)


def _is_since(text: str, found: FoundDate) -> bool:
    """Whether a date says since when."""
    return bool(_SINCE.search(text[: found.start][-12:]))


def heads(text: str, start: int, end: int) -> bool:
    """Whether a date stands at the head of a paragraph, closed by a mark."""
    before = text[:start].rstrip()
    opens = not before or "\n\n" in text[len(before) : start]
    return opens and bool(_ENTRY.match(text, end))
