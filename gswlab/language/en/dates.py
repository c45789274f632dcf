"""How English prose writes points of the calendar: one table of patterns."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gswlab.language.dates.calendar import (
    Calendar,
    FoundDate,
    Shift,
    any_of,
    compiled,
    parse_iso,
    with_clock,
)
from gswlab.language.dates.resolve import resolve
from gswlab.language.dates.table import written
from gswlab.language.en import words
from gswlab.language.en.feasts import FEASTS
from gswlab.language.en.steps import STEPS
from gswlab.language.en.words import (
    ALSO_NAMES,
    EN_WORDS,
    MONTHS,
    PART,
    WEEKDAYS,
    any_capital,
    month_of,
    no_name,
    weekday_of,
    year_of,
)
from gswlab.language.language import grouped
from gswlab.language.numbers import to_number

# A figure after these is as likely a number as a year.
_COUNTS = grouped(Path(__file__).with_name("words.tsv"))["no_year_of"]
_OF_A_YEAR = r"\s+(?:of\s+)?(?:the\s+)?(?:last|this|next|that|same|following)\s+year\b"
_OF_SOME_YEAR = compiled(_OF_A_YEAR)


def _day(match: re.Match[str]) -> Calendar | None:
    groups = match.groupdict()
    figures, worded = groups.get("day"), groups.get("ordinal")
    year, nth = year_of(groups["year"]), groups.get("nth")
    month = month_of(groups["month"], sure=bool(year or nth))
    before = match.string[max(0, match.start() - 3) : match.start()].lower()
    bare = figures and not year and not nth
    if _OF_SOME_YEAR.match(match.string, match.end()) and not year:
        return None  # "3 May last year" counts from another date
    if month is None or (bare and before in ("at ", "in ")):  # "at 7 May woke up"
        return None
    if groups.get("to"):  # a range of days: what holds of all of them
        return Calendar(year, month)
    weekday = weekday_of(groups.get("weekday"))
    return Calendar(year, month, to_number(figures or worded or ""), weekday=weekday)


def _month(match: re.Match[str]) -> Calendar | None:
    word, lead = match["month"], match["lead"].lower()
    in_time = lead in ("in", "during", "since", "early", "late", "mid", "throughout")
    name = word.lower()
    bound = lead in ("until", "till") and no_name(word, match.string, match.end())
    in_time = in_time or lead.endswith(" of") or bound
    if name not in MONTHS or (name in ALSO_NAMES and not in_time):
        return None
    month = month_of(word, sure=False)
    return Calendar(month=month) if month else None


def _last_day(match: re.Match[str]) -> Calendar:
    """The last day of a month; of a February without a year, the month."""
    year, month = year_of(match["year"]), month_of(match["month"], sure=True)
    if month is None or (year is None and month == 2):
        return Calendar(year, month)
    return Calendar(year, month, monthrange(year or 2001, month)[1])


def _counted_year(m: re.Match[str]) -> Calendar | None:
    return None if m["what"].lower() in _COUNTS else EN_WORDS.point(m)


_HERE = {**vars(words), **globals()}
POINTS = written(Path(__file__).with_name("points.tsv"), EN_WORDS, _HERE)


# Days told by another beside them: the day after Christmas, a week before 3 May.

REACH = 40  # characters that lead to the date it counts from
_SIZES = {"day": 1, "week": 7, "fortnight": 14}
_LEAD = compiled(
    rf"(?:\bthe\s+(?:(?P<part>{PART})|(?P<weekday>(?-i:"
    rf"{any_capital(WEEKDAYS)}))|(?P<one>day))"
    r"|\b(?P<count>an?|\w+)\s+(?P<unit>day|week|fortnight)s?)"
    r"\s+(?P<way>before|after)\s+$"
)


def counted_from(text: str, found: FoundDate) -> FoundDate:
    """The point with the words that count from it, where some do."""
    point = found.reading
    if not isinstance(point, Calendar) or not point.day:
        return found
    begin = max(0, found.start - REACH)
    match = _LEAD.search(text[begin : found.start])
    if match is None:
        return found
    way = 1 if match["way"].lower() == "after" else -1
    if match["weekday"]:
        named = WEEKDAYS.index(match["weekday"].lower())
        shift = Shift("day", way, named)
    else:
        days: int | None = 1
        if count := match["count"]:
            number = 1 if count.lower() in ("a", "an") else to_number(count)
            days = number and number * _SIZES[match["unit"].lower()]
        if days is None:
            return found
        shift = Shift("day", way * days)
    value = resolve(shift, replace(point, clock=None).iso).value
    # No Sunday without a year: a day that nothing settles.
    day = parse_iso(value) if value else Shift("day", None, told=True)
    return FoundDate(begin + match.start(), found.end, day)


# Years and months written in passing: '48, the March elections, born 1901.

_MONTH = rf"(?P<month>(?-i:{any_capital(MONTHS)}))"
_SHORT = rf"[’'‘](?P<short>\d\d)\b{words.FUNCTION}"
# What comes round, or came once: a year or month before it says when.
_EVENTS = any_of(grouped(Path(__file__).with_name("words.tsv"))["dated_event"])


def _this_month(m: re.Match[str]) -> Calendar | None:
    return EN_WORDS.point(m) if no_name(m["month"], m.string, m.end()) else None


_HERE = {**vars(words), **globals()}
YEARS = written(Path(__file__).with_name("years.tsv"), EN_WORDS, _HERE)


def in_english(point: Calendar) -> str:
    """A point of the calendar as English prose writes it: May 07, 2024."""
    month = MONTHS[point.month - 1].capitalize() if point.month else ""
    day = f"{point.day:02d}" if point.day else ""
    year = "" if point.year is None else str(point.year)
    date = f"{month} {day}".strip()
    joined = (", " if day else " ").join(part for part in (date, year) if part)
    return f"{joined}, {point.clock}" if point.clock else joined


def english_dates(text: str, found: Sequence[FoundDate]) -> list[FoundDate]:
    """Every date the text writes in English beside those found, overlaps included."""
    points = [hit for pattern in POINTS for hit in pattern.find(text)]
    points = [with_clock(text, hit) for hit in (*found, *points)]
    points += [hit for pattern in FEASTS for hit in pattern.find(text)]
    others = [hit for pattern in (*YEARS, *STEPS) for hit in pattern.find(text)]
    return [*(counted_from(text, point) for point in points), *others]
