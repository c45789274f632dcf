"""What a date expression means: a point of the calendar, or a step from a basis.

Values are ISO 8601, truncated to what is known: `2024`, `2024-05`, `2024-05-07`,
`2024-05-07T21:00`; without a year `--05`, `--05-07`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from calendar import monthrange
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache, lru_cache
from typing import Literal, NamedTuple, TypeAlias

from dateutil.easter import easter
from dateutil.parser import parserinfo
from dateutil.relativedelta import relativedelta, weekday

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Granularity

DAY = len("2024-05-07")  # of an ISO value; what follows is an hour
Unit: TypeAlias = Literal["day", "week", "month", "year"]
_CUE = re.compile(r"[a-z]+|[^a-z\s]")
_WHOLE = re.compile(r"(?:\d{4}|-)-\d\d-\d\d")
_ISO = re.compile(r"(?:(\d{4})|-)(?:-(\d\d))?(?:-(\d\d))?(?:T(\d\d(?::\d\d)?).*)?")


@dataclass(frozen=True, slots=True)
class Calendar:
    """A point of the calendar as far as a text states it; `clock` is `HH` or `HH:MM`.

    `note` says which reading was taken where the text allows several. With `season`
    the month only stands for a time of the year ("in the summer"): it tells the year.
    `weekday` (0 is Monday) is the one written with the day; with `nth` the first of a
    month, or its last (-1), without a weekday its last day. `easter` are the days from
    Easter, `short` the two figures of '48, `then` what leads on from the point: to the
    Monday after Christmas.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    clock: str | None = None
    note: str | None = None
    season: bool = False
    weekday: int | None = None
    easter: int | None = None
    short: int | None = None
    nth: int = 0
    then: relativedelta | None = None

    @property
    def valid(self) -> bool:
        """Whether the calendar has such a point: no 31 April, no lone day."""
        year = 2000 if self.year is None else self.year  # 2000 is a leap year
        if not 0 < year < 10_000:
            return False
        if self.month is None:
            named = self.easter is not None or self.short is not None
            return named or (self.day is None and self.year is not None)
        longest = monthrange(year, self.month)[1] if 0 < self.month < 13 else 0
        return 1 <= (self.day or 1) <= longest

    @property
    def granularity(self) -> Granularity:
        """The finest unit that is known; a season tells the year alone."""
        if self.season or (self.day is None and self.easter is None):
            return "year" if self.month is None or self.season else "month"
        return "day" if self.clock is None else "hour"

    @property
    def iso(self) -> str | None:
        """The ISO value: `-` for an unknown year, of a season the year alone.

        None of a season, Easter or '48 whose year is unknown.
        """
        lost = self.season or self.month is None or self.then is not None
        if self.year is None and lost:
            return None
        year = "-" if self.year is None else f"{self.year:04d}"
        if self.season:
            return year
        parts = [f"{part:02d}" for part in (self.month, self.day) if part is not None]
        return "-".join([year, *parts]) + (f"T{self.clock}" if self.clock else "")

    def of_year(self, year: int) -> Calendar:
        """The point in a year; Easter and a last Friday are another day in each."""
        point, then = replace(self, year=year), self.then
        if not point.valid or (self.season and not then):
            return point
        if self.easter is not None:
            point = on(easter(year) + timedelta(self.easter))
        elif self.nth:
            day = None if self.weekday is None else weekday(self.weekday, self.nth)
            first = relativedelta(day=31 if self.nth < 0 else 1, weekday=day)
            point = on(date(year, self.month or 1, 1) + first)
        if not then or point.date is None:
            return point
        try:
            return on(point.date + then)
        except (OverflowError, ValueError):  # before year 1 or after 9999: no day
            return Calendar(0)

    @property
    def date(self) -> date | None:
        """The day, None unless it is whole; check `valid` first (no 31 April)."""
        if self.year is None or self.month is None or self.day is None:
            return None
        return date(self.year, self.month, self.day)


def on(day: date) -> Calendar:
    """The point that a day is."""
    return Calendar(day.year, day.month, day.day)


@dataclass(frozen=True, slots=True)
class Shift:
    """`count` units from the basis; None when the text does not say how many.

    `named` is a weekday (0 is Monday) or, with unit month, a month (1 is January): the
    nearest one after (count 1) or before (count -1) the basis, of weekdays also the
    one after that (2); with unit week or year, that day or month of the one moved to.
    `span` makes a week mean any day of it; `part` says that only a part of the day is
    meant; `of_month` is a day of the month moved to, `weekday` the one written with it,
    `season` as in `Calendar`. `told` counts from the day told last ("that night"), not
    from the day of writing ("yesterday").
    """

    unit: Unit
    count: int | None
    named: int | None = None
    span: bool = False
    part: bool = False
    of_month: int | None = None
    told: bool = False
    season: bool = False
    weekday: int | None = None

    @property
    def then(self) -> relativedelta:
        """What leads `count` days or weeks on; by days, to the weekday named."""
        count = self.count or 0
        if self.named is None or self.unit == "week":
            return relativedelta(days=count * (7 if self.unit == "week" else 1))
        day = weekday(self.named, count)  # not counting today
        return relativedelta(days=1 if count > 0 else -1, weekday=day)


DateReading: TypeAlias = Calendar | Shift


def day_of(value: str | None) -> str | None:
    """The day of an ISO value, whatever the hour; None of a month or a year."""
    found = _WHOLE.match(value or "")
    return found[0] if found else None


def same_day(one: str | None, other: str | None) -> bool:
    """Whether two ISO values are of one day, as far as the years are known."""
    days = day_of(one), day_of(other)
    short, long = sorted((day or "" for day in days), key=len)
    return bool(short) and long.endswith(short.lstrip("-"))


def parse_iso(value: str) -> Calendar:
    """The calendar point an ISO value (possibly truncated) writes."""
    match = _ISO.fullmatch(value)
    if match:
        year, month, day = (int(p) if p else None for p in match.group(1, 2, 3))
        point = Calendar(year, month, day, match[4] if day else None)
        if point.valid:
            return point
    problem, rule = f"{value!r} is no date", "ISO 8601, such as 2024-05-07 or 2024-05"
    raise GswlabError(problem, rule, "dataset.time=2024-05-07")


class FoundDate(NamedTuple):
    """Where a text writes a date, and how to read it."""

    start: int
    end: int
    reading: DateReading


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """A pattern for which capitals do not matter."""
    return re.compile(pattern, re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Pattern:
    """`read` gives the reading of a match, or None: then it is no date after all.

    A group named `date` narrows the span to itself (the `2024` of "in 2024"). It is
    compiled when it is first looked for: the patterns of most languages never are.
    Of the words of its `cue`, if it has one, a text with such a date has some.
    """

    regex: str
    read: Callable[[re.Match[str]], DateReading | None]
    cue: frozenset[str] = frozenset()

    def find(self, text: str) -> Iterator[FoundDate]:
        """Every match that reads as a date the calendar has."""
        regex = compiled(self.regex)
        group = "date" if "date" in regex.groupindex else 0
        for match in regex.finditer(text):
            reading = self.read(match)
            if isinstance(reading, Calendar) and not reading.valid:
                continue
            if reading is not None:
                yield FoundDate(match.start(group), match.end(group), reading)


@lru_cache(maxsize=1024)  # a chunk's text is asked about five times
def hits(patterns: tuple[Pattern, ...], text: str) -> tuple[FoundDate, ...]:
    """What patterns find in a text; one whose cue is missing is not looked for."""
    words = {*_CUE.findall(text.casefold())}
    live = [one for one in patterns if not one.cue or not one.cue.isdisjoint(words)]
    return tuple(hit for one in live for hit in one.find(text))


def any_of(words: Iterable[str]) -> str:
    """An alternation of words, the longest first."""
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


def disjoint(found: Iterable[FoundDate]) -> list[FoundDate]:
    """Of overlapping finds the point of the calendar, the leftmost, the longest."""
    kept: list[FoundDate] = []
    best = sorted(found, key=lambda f: (isinstance(f.reading, Shift), f.start, -f.end))
    for item in best:
        at = bisect_left(kept, item.start, key=lambda f: f.start)
        clear = at == 0 or kept[at - 1].end <= item.start
        if clear and (at == len(kept) or kept[at].start >= item.end):
            kept.insert(at, item)
    return kept


NAMES = parserinfo()  # of months and weekdays


def year_last(match: re.Match[str]) -> Calendar | None:
    """A day in figures; its weekday, or the text's other days, say which one leads."""
    one, two, year = (int(match[part]) for part in ("one", "two", "year"))
    pairs = dict.fromkeys(((one, two), (two, one)))
    days = [Calendar(year if year > 99 else 2000 + year, *pair) for pair in pairs]
    days = [day for day in days if day.valid]
    weekday = NAMES.weekday((match.groupdict().get("weekday") or "")[:3])
    if weekday is not None:
        days = [d for d in days if d.date and d.date.weekday() == weekday]
    order = "day" if match["mark"] == "." else _order(match.re, match.string)
    if len(days) == 2 and not order:
        return replace(days[0], note="read as month/day/year")
    return days[-1 if order == "day" else 0] if days else None


@lru_cache(maxsize=1)
def _order(figures: re.Pattern[str], text: str) -> str | None:
    """Which figure comes first in the dates of a text that allow one reading only."""
    found = [m for m in figures.finditer(text) if m["mark"] != "."]
    day, month = (any(int(m[at]) > 12 for m in found) for at in ("one", "two"))
    return None if day == month else "day" if day else "month"
