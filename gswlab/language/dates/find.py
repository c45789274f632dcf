"""Dates found in a text, as spans with values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from gswlab.core.nouns import Granularity
from gswlab.language.dates.calendar import Calendar, FoundDate, disjoint, hits
from gswlab.language.dates.resolve import DatesTold
from gswlab.language.dates.table import FIGURES, by_rows
from gswlab.language.language import NEVER, languages, of

_BESIDE, _ENDS = 10, frozenset(".;:!?\n")  # characters; what parts two dates


@dataclass(frozen=True, slots=True)
class DateMention:
    """A date as a text writes it (`text`, from `start` to `end`) and as we read it.

    `value` is ISO 8601 truncated to what is known (without a year `--05-07`), None when
    a relative date has nothing to rest on. `basis` is the ISO date it was resolved
    against or filled from; for figures that allow two readings, the reading taken.
    """

    start: int
    end: int
    text: str
    value: str | None
    granularity: Granularity
    basis: str | None = None
    relative: bool = False

    @property
    def day(self) -> str | None:
        """The value without its time of day."""
        return self.value.partition("T")[0] if self.value else None


def find_dates(
    text: str,
    basis: str | None = None,
    language: str | None = None,
    narrated: bool = False,
    said: str | None = None,
) -> tuple[DateMention, ...]:
    """Every date of a text, in order, none inside another.

    Args:
        basis: ISO date that relative dates and missing years are resolved against.
        language: which writing habits to look for; all of them when None.
        narrated: let each day the text comes to become the basis of what follows, as a
            narrator does; steps back ("two days ago") leave the basis where it is.
        said: ISO date the text was written on, where that is known apart from the day
            told last, `basis`: "yesterday" counts from `said`; "that evening" from a
            day told just before, else from `basis`.
    """
    told = DatesTold(text, basis, said, narrated)
    dates: Sequence[FoundDate] = hits(FIGURES, text)
    for one in [of(language)] if language else languages().values():
        if language or one.letters is NEVER or one.letters.search(text):
            find = one.dates or by_rows(one.table("dates"))
            dates = find(text, dates)
    mentions = []
    for found in _of_one_year(text, disjoint(dates)):
        if resolved := told.read(found):
            written = found.start, found.end, text[found.start : found.end]
            relative = not isinstance(found.reading, Calendar)
            mentions.append(DateMention(*written, *resolved, relative))
    return tuple(mentions)


def _of_one_year(text: str, dates: list[FoundDate]) -> list[FoundDate]:
    """Dates with the year that stands once for two: "from 3 May to 7 June 2021"."""
    found = dates[-1:]
    for date, after in reversed([*pairwise(dates)]):
        gap, point, then = text[date.end : after.start], date.reading, found[-1].reading
        beside = len(gap) < _BESIDE and _ENDS.isdisjoint(gap)
        if beside and isinstance(point, Calendar) and isinstance(then, Calendar):
            here, there = ((one.month or 0, one.day or 0) for one in (point, then))
            if point.year is None and point.month and then.year and here <= there:
                whole = point.of_year(then.year)  # no 29 February 1990
                date = date._replace(reading=whole if whole.valid else point)
        found.append(date)
    return found[::-1]
