"""How English prose writes points of the calendar: one table of patterns."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import replace

from gswlab.language.dates.calendar import (
    Calendar,
    FoundDate,
    Shift,
    any_of,
    compiled,
    parse_iso,
    patterns,
    with_clock,
)
from gswlab.language.dates.resolve import resolve
from gswlab.language.en.feasts import FEASTS
from gswlab.language.en.steps import STEPS
from gswlab.language.en.words import (
    ALSO_NAMES,
    DAY_WORD,
    FUNCTION,
    MONTH,
    MONTHS,
    NO_THINGS,
    OF_YEAR,
    PART,
    WEEKDAY,
    WEEKDAYS,
    WORDED,
    YEAR,
    any_capital,
    month_of,
    no_name,
    weekday_of,
    year_of,
)
from gswlab.language.numbers import to_number

# A figure after these is as likely a number as a year.
_COUNTS = str.split(
    "total sum number rent price cost population average maximum minimum height "
    "distance crowd audience score speed depth weight length volume fee fine budget "
    "debt salary figure strength balance"
)
_NTH = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": -1}
_OF_SOME_YEAR = compiled(
    r"\s+(?:of\s+)?(?:the\s+)?(?:last|this|next|that|same|following)\s+year\b"
)


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


def _later_month(match: re.Match[str]) -> Calendar | None:
    word = match["month"]
    return Calendar(month=month_of(word, sure=True)) if word[0].isupper() else None


def _dated_month(match: re.Match[str]) -> Calendar:
    year = year_of(match.groupdict().get("year"))
    return Calendar(year, month_of(match["month"], sure=True))


def _only_year(match: re.Match[str]) -> Calendar:
    return Calendar(year_of(match["year"]))


def _last_day(match: re.Match[str]) -> Calendar:
    """The last day of a month; of a February without a year, the month."""
    year, month = year_of(match["year"]), month_of(match["month"], sure=True)
    if month is None or (year is None and month == 2):
        return Calendar(year, month)
    return Calendar(year, month, monthrange(year or 2001, month)[1])


def _nth_weekday(match: re.Match[str]) -> Calendar | None:
    year, month = year_of(match["year"]), month_of(match["month"], sure=True)
    weekday = WEEKDAYS.index(match["weekday"].lower())
    nth = _NTH[match["nth"].lower()]
    return Calendar(year, month, weekday=weekday, nth=nth).settled


POINTS = patterns(
    (
        rf"{WEEKDAY}(?:\bthe\s+)?(?<![\w.:/$£€#-]){DAY_WORD}"
        rf"(?:\s+(?:(?:day\s+)?of\s+)?|-){MONTH}{OF_YEAR}",
        _day,
    ),
    (rf"{WEEKDAY}(?:\bthe\s+)?\b{WORDED}\s+(?:day\s+)?of\s+{MONTH}{OF_YEAR}", _day),
    (rf"{WEEKDAY}{MONTH}\s+(?:the\s+)?(?:{DAY_WORD}|{WORDED}){OF_YEAR}", _day),
    (rf"\b{YEAR},?\s+{MONTH}\s+{DAY_WORD}", _day),
    # the 12 of "from 12 to 15 March", whose month comes with the other
    (
        rf"\b(?:from|between)\s+(?:the\s+)?(?P<date>{DAY_WORD})(?=\s+(?:to|until|till|and)"
        rf"\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}{OF_YEAR})",
        _day,
    ),
    (rf"\b(?:the\s+)?last\s+day\s+of\s+{MONTH}{OF_YEAR}", _last_day),
    # the March of "from the end of November to March"
    (
        rf"\b(?:from|between)\s+(?:[\w-]+\s+){{0,4}}(?:{any_of(MONTHS)})\s+(?:to|until|"
        rf"till|and)\s+(?P<date>{MONTH})(?!\s*\d)",
        _later_month,
    ),
    (rf"{MONTH}(?:\s*,\s*|\s+(?:of\s+)?){YEAR}", _dated_month),
    (
        r"\b(?P<lead>in|during|since|early|late|mid|throughout|until|till|by|before|"
        r"after|from|(?:end|start|beginning|middle|half|week|weekend|days?|part)\s+of)"
        rf"[\s-]+(?P<date>{MONTH})(?!\s*\d)"
        rf"(?!{_OF_SOME_YEAR.pattern})",
        _month,
    ),
    (
        r"\b(?:(?:in|since|until|till|during|throughout|early|late|mid)"
        r"(?:\s+the\s+year|\s+early|\s+late)?|year|"
        r"(?:spring|summer|autumn|fall|winter|end|start|beginning|middle)\s+of)"
        rf"[\s-]+(?P<date>{YEAR}){NO_THINGS}",
        _only_year,
    ),
    (
        r"\b(?:by|before|after|from|around|about|circa|ca?\.|from\s+[12]\d{3}\s+(?:to|until)|"
        rf"between\s+[12]\d{{3}}\s+and)\s+(?P<date>{YEAR}){NO_THINGS}{FUNCTION}",
        _only_year,
    ),
    (
        rf"\bthe\s+(?:\w+\s+)?(?P<what>\w+)\s+of\s+(?P<date>{YEAR})"
        rf"{NO_THINGS}{FUNCTION}",
        # the strike of 1947, but no total of 1947
        lambda m: None if m["what"].lower() in _COUNTS else _only_year(m),
    ),
    (
        rf"(?P<date>\b(?P<nth>first|second|third|fourth|last)\s+"
        rf"(?P<weekday>(?-i:{any_capital(WEEKDAYS)}))"
        rf"\s+(?:in|of)\s+{MONTH}{OF_YEAR})",
        _nth_weekday,
    ),
    (rf"\b(?:spring|summer|autumn|fall)\s+(?P<date>{YEAR}){NO_THINGS}", _only_year),
    # "from 1897 to 1919", "(1931-2019)"
    (
        r"\b[12]\d{3}\s*(?:\bto\b|\buntil\b|[-–])\s*"
        rf"(?P<date>{YEAR}){NO_THINGS}{FUNCTION}",
        _only_year,
    ),
    (rf"\bbetween\s+(?P<date>{YEAR})(?=\s+and\s+[12]\d{{3}}\b(?!\s*%))", _only_year),
    (rf"\((?P<date>{YEAR})\s*[-–]\s*[12]\d{{3}}\)", _only_year),
)


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


# Years and months written in passing: the March elections, born 1901.

_MONTH = rf"(?P<month>(?-i:{any_capital(MONTHS)}))"
# What comes round, or came once: a year or month before it says when.
_EVENTS = any_of(
    str.split(
        "flood floods fire drought earthquake storm gale epidemic outbreak famine war "
        "strike election elections census rising rebellion revolution uprising riots "
        "treaty expedition survey season harvest vintage edition exhibition festival "
        "games tour championship final meeting fair market sale sales session sessions "
        "assizes intake examination examinations recess holiday holidays"
    )
)


YEARS = patterns(
    # "the August fair of 1919", and "the March elections"
    (rf"\bthe\s+(?P<date>{_MONTH}\s+[a-z]+\s+of\s+{YEAR}){NO_THINGS}", _dated_month),
    (rf"\b(?:the|this|last|next)\s+(?P<date>{_MONTH})\s+(?:{_EVENTS})\b", _dated_month),
    (
        r"\b(?:it\s+(?:was|is)|it[’']s)\s+(?:(?:now|already|still|only|not|late|"
        rf"early|nearly|almost)\s+)*(?P<date>{_MONTH})(?!\s*\d){FUNCTION}",
        # no "it was June, the cook, who"
        lambda m: _dated_month(m) if no_name(m["month"], m.string, m.end()) else None,
    ),
    (
        r"\b(?:born|died|b\.|d\.|dated|founded|established|est\.|built|erected|"
        rf"published|anno\s+domini|A\.?D\.?|of\s+(?:grace|our\s+Lord))\s+"
        rf"(?P<date>{YEAR}){NO_THINGS}{FUNCTION}",
        _only_year,
    ),
)


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
