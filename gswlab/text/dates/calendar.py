"""What a date expression means: a point of the calendar, or a step from a basis.

Values are ISO 8601, truncated to what is known: `2024`, `2024-05`, `2024-05-07`,
`2024-05-07T21:00`; without a year `--05`, `--05-07`.
"""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass, replace
from datetime import date
from typing import Literal, TypeAlias

from dateutil.relativedelta import relativedelta
from dateutil.relativedelta import weekday as relativeday

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Granularity

DAY = len("2024-05-07")  # of an ISO value; what follows is an hour
Unit: TypeAlias = Literal["day", "week", "month", "year"]
_ISO = re.compile(r"(\d{4}|-)(?:-(\d\d))?(?:-(\d\d))?(?:T(\d\d(?::\d\d)?).*)?")


@dataclass(frozen=True, slots=True)
class Calendar:
    """A point of the calendar as far as a text states it; `clock` is `HH` or `HH:MM`.

    `note` says which reading was taken where the text allows several. With `season`
    the month only stands for a time of the year ("in the summer"): it tells the year.
    `weekday` (0 is Monday) is the one written with the day, or, with `nth`, the first,
    second, ... or last (-1) such day of the month. `short` are the two figures of '48.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    clock: str | None = None
    note: str | None = None
    season: bool = False
    weekday: int | None = None
    nth: int | None = None
    short: int | None = None

    @property
    def valid(self) -> bool:
        """Whether the calendar has such a point: no 31 April, no lone day."""
        if self.month is None and self.short is not None:
            return True
        if self.month is None:
            return self.day is None and self.year is not None and self.year > 0
        if not 1 <= self.month <= 12 or self.year == 0:
            return False
        longest = monthrange(self.year or 2000, self.month)[1]  # 2000 is a leap year
        return self.day is None or 1 <= self.day <= longest

    @property
    def granularity(self) -> Granularity:
        """The finest unit that is known; a season tells the year alone."""
        if self.day is None:
            return "year" if self.month is None or self.season else "month"
        return "day" if self.clock is None else "hour"

    @property
    def iso(self) -> str:
        """The ISO value: `-` for an unknown year, of a season the year alone."""
        year = "-" if self.year is None else f"{self.year:04d}"
        if self.season:
            return year
        parts = [f"{part:02d}" for part in (self.month, self.day) if part is not None]
        return "-".join([year, *parts]) + (f"T{self.clock}" if self.clock else "")

    @property
    def settled(self) -> Calendar:
        """The day itself of the second Tuesday in March, once its year is known."""
        if self.nth is None or self.weekday is None or not (self.year and self.month):
            return self
        start = date(self.year, self.month, 1)
        if self.nth < 0:
            start += relativedelta(day=31)
        day = start + relativedelta(weekday=relativeday(self.weekday, self.nth))
        fits = day.month == self.month  # few months have a fifth Friday
        return replace(self, day=day.day if fits else None, nth=None)

    def of_century(self, here: int) -> Calendar:
        """The year that '48 means in a text of the year `here`: the last such one."""
        if self.short is None:
            return self
        year = here - (here - self.short) % 100
        return replace(self, year=year, short=None)

    @property
    def date(self) -> date | None:
        """The day, None unless it is whole; check `valid` first (no 31 April)."""
        if self.year is None or self.month is None or self.day is None:
            return None
        return date(self.year, self.month, self.day)


@dataclass(frozen=True, slots=True)
class Shift:
    """`count` units from the basis; None when the text does not say how many.

    `named` is a weekday (0 is Monday) or, with unit month, a month (1 is January): the
    nearest one after (count 1) or before (count -1) the basis, of weekdays also the
    one after that (2); with unit week or year, that day or month of the one moved to.
    `span` makes a week mean any day of it; `part` says that only a part of the day is
    meant; `of_month` is a day of the month moved to, `weekday` the one written with it,
    `feast` the days from Easter, `season` as in `Calendar`. `told` counts from the day
    told last ("that night", 翌日), not from the day of writing ("yesterday", 昨日).
    A `heading` opens an entry of a log or diary.
    """

    unit: Unit
    count: int | None
    named: int | None = None
    span: bool = False
    part: bool = False
    of_month: int | None = None
    feast: int | None = None
    told: bool = False
    season: bool = False
    weekday: int | None = None
    heading: bool = False

    @property
    def forward(self) -> bool:
        """Whether it moves to the basis or later; one of unknown count does not."""
        return self.count is not None and self.count >= 0

    @property
    def lone(self) -> bool:
        """A weekday, a day of the month, the end of the month, a feast alone.

        Which one, the sentence must say.
        """
        if self.count is not None:
            return False
        weekday = self.unit == "day" and self.named is not None
        stretch = self.span and not self.told
        alone = self.of_month is not None or self.feast is not None
        return weekday or stretch or alone


Reading: TypeAlias = Calendar | Shift


def parse_iso(value: str) -> Calendar:
    """The calendar point an ISO value (possibly truncated) writes.

    >>> parse_iso("--05-07")
    Calendar(year=None, month=5, day=7, clock=None, note=None)
    """
    match = _ISO.fullmatch(value)
    if match:
        year, month, day = (
            int(part) if part and part != "-" else None for part in match.group(1, 2, 3)
        )
        point = Calendar(year, month, day, match[4] if day else None)
        if point.valid:
            return point
    problem, rule = f"{value!r} is no date", "ISO 8601, such as 2024-05-07 or 2024-05"
    raise GswlabError(problem, rule, "dataset.time=2024-05-07")
