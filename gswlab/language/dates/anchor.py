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
    clause_back,
    in_quotes,
    looks_back,
    of_month,
    planned,
    resolve,
    tense,
    with_year,
)

_STORY = 4  # sentence ends within which a story that came to Saturday means it
HEAD = 4  # words of a heading that is a date
ADJACENT = 1  # sentence ends between a date and "that night" that counts from it
_LEAD = compiled(r"\b(?:from|until|till|by|for|before)\s+(?:the\s+)?$")
_SINCE = compiled(r"\bsince\s+(?:the\s+)?$")
_TRAIL = re.compile("から|まで|に?予定")
_DATELINE = re.compile(r"\.?[ \t]*\n\s*\n")  # ends the first line of a letter
_ENTRY = re.compile(r"\s*(?:[.:—–,;]|\n|$)")


@dataclass(frozen=True, slots=True)
class Frame:
    """The days that dates of a text count from, as far as it has been read.

    `basis` is the day narrated before the text, `said` the day it was written on;
    `told` the last day of the text that the narration came to, `last` the last one
    it spoke of, each with the place where it stands ("" is a day nobody can tell).
    `year` is the last date that was told with its year, `month` the last month.
    A narrator (`narrated`) has no day of writing that "last year" could count from,
    but for the days that head the entries of a log or diary (`entries`, the last one).
    `first` is the day that the text began with.
    """

    basis: str | None = None
    said: str | None = None
    told: tuple[str, int] | None = None
    last: tuple[str, int] | None = None
    narrated: bool = False
    year: tuple[Calendar, int] | None = None
    month: tuple[Calendar, int] | None = None
    entries: str | None = None
    first: str | None = None

    def resolve(self, text: str, found: FoundDate) -> Resolved | None:
        """The value of a find; None where it is no date after all."""
        reading = found.reading
        if isinstance(reading, Calendar):
            return self._point(text, found, reading)
        if reading.told:
            if reading.named is not None and reading.count is None:
                return self._the_weekday(text, found, reading)
            day = self._told(text, found, reading)
            if reading.lone:
                return of_month(reading, day, None) if self._near(text, found) else None
            return resolve(reading, day)
        written = self.said or self.basis
        if headed := self._headed(text, found, reading):
            return headed
        if reading.lone:
            return self._lone(text, found, reading, written)
        vague = reading.unit != "day" and reading.of_month is None
        if self.narrated and self.said is None and vague and not self.entries:
            return resolve(reading, None)
        return resolve(reading, written)

    def _headed(self, text: str, found: FoundDate, reading: Shift) -> Resolved | None:
        """The day that heads an entry of a log, or a letter: "Villa Rossa, Sunday"."""
        if self.said is not None:
            day = parse_iso(self.said).date
            ends = "\n" not in text[: found.start] and _DATELINE.match(text, found.end)
            if reading.lone and ends and day and day.weekday() == reading.named:
                return Resolved(day.isoformat(), "day")
            return None
        told = self.entries or self.first
        if not reading.heading or not told:
            return None
        # the next entry of a log: Sunday after Saturday the 1st, then the 5th
        if reading.of_month is not None:
            return of_month(reading, told, None)
        start = parse_iso(told).date
        same = start is not None and start.weekday() == reading.named
        return resolve(reading if same else replace(reading, count=1), told)

    def _point(self, text: str, found: FoundDate, point: Calendar) -> Resolved:
        """A point of the calendar, with the year or century that the frame gives it."""
        written = self.said or self._year_told(text, found) or self.basis
        here = parse_iso(written).year if written else None
        if here is None and self.year:
            here = self.year[0].year
        if point.short is not None:
            if here is None:
                return Resolved(None, point.granularity)
            year = here - (here - point.short) % 100  # the last '48 there was
            point = replace(point, year=year, short=None)
        if point.year is not None or written is None:
            return resolve(point, None)
        return self._filled(text, found, point, written)

    def _told(self, text: str, found: FoundDate, reading: Shift) -> str | None:
        """The day told before a find: with a day of writing, only one just told."""
        back = reading.count is not None and reading.count < 0
        further = back and self._near(text, found)
        spoken = self.last if self.said or reading.count == 0 or further else self.told
        if self.year and self._of_year(text, found, reading, (spoken or ("", 0))[1]):
            return self.year[0].iso
        since = breaks(text, spoken[1] if spoken else 0, found.start)
        if since and not back and looks_back(text, found.start):
            return None
        if self.said is None:
            return spoken[0] or None if spoken else self.basis
        return spoken[0] if spoken and self._near(text, found) else None

    def _of_year(
        self, text: str, found: FoundDate, reading: Shift, spoken: int
    ) -> bool:
        """In 1950 she moved. Five years later: years count from the year just told."""
        told = self.year[1] if self.year else 0
        if reading.season and reading.count and told > spoken:
            return True
        since = breaks(text, told, found.start)
        far = since > 2 * ADJACENT or (since and looks_back(text, found.start))
        month = reading.unit == "month" and reading.named is not None
        return told >= spoken and (reading.unit == "year" or month) and not far

    def flashback(self, text: str, found: FoundDate, value: str | None) -> bool:
        """Whether a narrator only looks back: "he had come on 3 May" is no new day."""
        here = self.basis or ""
        if not (self.narrated and self.said is None and value and here[:1].isdigit()):
            return False
        reading = found.reading
        filled = isinstance(reading, Shift) or reading.year is None
        earlier = value[0].isdigit() and value < here
        back = filled and self.entries is not None
        return earlier and (back or looks_back(text, found.start))

    def _the_weekday(
        self, text: str, found: FoundDate, reading: Shift
    ) -> Resolved | None:
        """The Friday: after the day told last as the story goes on, else before it."""
        told = self.last[0] if self.last else self.basis
        start = parse_iso(told).date if told else None
        if start is None or in_quotes(text, found.start):
            return resolve(reading, None)
        if start.weekday() == reading.named:
            return Resolved(start.isoformat(), "day", told)
        back = self.said is not None and tense(text, found.start, found.end) == "past"
        back = back or _is_since(text, found) or looks_back(text, found.start)
        return resolve(replace(reading, count=-1 if back else 1), told)

    def _year_told(self, text: str, found: FoundDate) -> str | None:
        """In 1936 ... on 3 May: a year just told is the year of what follows.

        Where a day has been told as well, only a year or month that heads a paragraph.
        """
        if self.said is not None or self.year is None:
            return None
        year, end = self.year
        if end <= (self.told or ("", 0))[1] or looks_back(text, found.start):
            return None
        start = max(text.rfind("\n", 0, end), 0)
        headed = len(text[start:end].split()) <= HEAD
        if self.basis and self.basis[0].isdigit() and not headed:
            return None
        return year.iso if breaks(text, end, found.start) <= 2 * ADJACENT else None

    def _near(self, text: str, found: FoundDate, within: int = ADJACENT) -> bool:
        if self.last is None or not self.last[0]:
            return False
        return breaks(text, self.last[1], found.start) <= within

    def _filled(
        self, text: str, found: FoundDate, point: Calendar, written: str
    ) -> Resolved:
        ahead = tense(text, found.start, found.end) == "future"
        if self.said and self.year and not point.season and not ahead:
            told, end = self.year
            since = breaks(text, end, found.start)
            here = parse_iso(written).year or told.year or 0
            away = abs((told.year or 0) - here) > 1
            if away and since <= 2 * ADJACENT:  # the talk is of another time
                near = since <= ADJACENT
                later = (told.month or 12) < (point.month or 0)
                known = replace(point, year=told.year if near and later else None)
                return resolve(known, None)
        when = tense(text, found.start, found.end) if self.said else None
        led = _LEAD.search(text[: found.start][-12:])
        if when == "past" and (led or _TRAIL.match(text, found.end)):
            when = None  # "they agreed to pay from 1 April"
        if self.said is None and (point.season or in_quotes(text, found.start)):
            return resolve(point, None)
        filled = with_year(point, parse_iso(written), when, self.said is not None)
        if filled is None:
            return resolve(point, None)
        return Resolved(filled.iso, filled.granularity, written)

    def _in_month(self, text: str, found: FoundDate, reading: Shift) -> Resolved | None:
        """He came in June and left on the 12th: of the month of its sentence."""
        if self.month is None or (self.last and self.last[1] > self.month[1]):
            return None
        month, end = self.month
        day = replace(month, day=reading.of_month)
        apart = breaks(text, end, found.start)
        return Resolved(day.iso, "day") if day.valid and not apart else None

    def _lone(
        self, text: str, found: FoundDate, reading: Shift, written: str | None
    ) -> Resolved:
        start = parse_iso(written).date if written else None
        when = tense(text, found.start, found.end)
        if self.said is None and self.last and self._near(text, found, _STORY):
            just = parse_iso(self.last[0]).date
            if when == "past" and just and just.weekday() == reading.named:
                return Resolved(self.last[0], "day")  # on the 8th; ... on Saturday
        if when == "past" and not clause_back(text, found.start, found.end):
            when = None
        if reading.named is not None and reading.unit == "day" and not when:
            # since Sunday lies behind; meets on Monday, shut until Friday lie ahead
            when = "future" if planned(text, found.start, found.end) else None
            when = "past" if _is_since(text, found) else when
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
            this = self.said is not None and when == "future"
            return resolve(replace(reading, count=0), written if this else None)
        if when is None or start is None or start.weekday() == reading.named:
            return resolve(reading, None)
        return resolve(replace(reading, count=-1 if when == "past" else 1), written)


def _is_since(text: str, found: FoundDate) -> bool:
    """Whether a date says since when."""
    return bool(_SINCE.search(text[: found.start][-12:]))


def heads(text: str, start: int, end: int) -> bool:
    """Whether a date stands at the head of a paragraph, closed by a mark."""
    before = text[:start].rstrip()
    opens = not before or "\n\n" in text[len(before) : start]
    return opens and bool(_ENTRY.match(text, end))
