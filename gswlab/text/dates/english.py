"""How English prose writes points of the calendar: one table of patterns.

Words that are months only by chance ("may", "march", a woman called April) count where
a day, a year or a fitting preposition stands with them.
"""

from __future__ import annotations

import re
from calendar import monthrange

from gswlab.text.dates.calendar import Calendar
from gswlab.text.dates.english_words import (
    ALSO_NAMES,
    DAY,
    FUNCTION,
    MONTH,
    MONTHS,
    NO_THINGS,
    OF_YEAR,
    WEEKDAY,
    WEEKDAYS,
    WORDED,
    YEAR,
    any_capital,
    any_of,
    compiled,
    month_of,
    no_name,
    weekday_of,
    words,
    year_of,
)
from gswlab.text.dates.pattern import Found, Pattern
from gswlab.text.numbers import to_number

# A figure after these is as likely a number as a year.
_COUNTS = words(
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


def _month_year(match: re.Match[str]) -> Calendar:
    return Calendar(year_of(match["year"]), month_of(match["month"], sure=True))


def _only_year(match: re.Match[str]) -> Calendar:
    return Calendar(year_of(match["year"]))


def _of_year(match: re.Match[str]) -> Calendar | None:
    """The strike of 1947, but no total of 1947."""
    return None if match["what"].lower() in _COUNTS else _only_year(match)


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


_PATTERNS = (
    Pattern(
        compiled(
            rf"{WEEKDAY}(?:\bthe\s+)?(?<![\w.:/$£€#-]){DAY}"
            rf"(?:\s+(?:(?:day\s+)?of\s+)?|-){MONTH}{OF_YEAR}"
        ),
        _day,
    ),
    Pattern(
        compiled(
            rf"{WEEKDAY}(?:\bthe\s+)?\b{WORDED}\s+(?:day\s+)?of\s+{MONTH}{OF_YEAR}"
        ),
        _day,
    ),
    Pattern(
        compiled(rf"{WEEKDAY}{MONTH}\s+(?:the\s+)?(?:{DAY}|{WORDED}){OF_YEAR}"),
        _day,
    ),
    Pattern(compiled(rf"\b{YEAR},?\s+{MONTH}\s+{DAY}"), _day),
    # the 12 of "from 12 to 15 March", whose month comes with the other
    Pattern(
        compiled(
            rf"\b(?:from|between)\s+(?:the\s+)?(?P<date>{DAY})(?=\s+(?:to|until|till|and)"
            rf"\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTH}{OF_YEAR})"
        ),
        _day,
    ),
    Pattern(
        compiled(rf"\b(?:the\s+)?last\s+day\s+of\s+{MONTH}{OF_YEAR}"),
        _last_day,
    ),
    # the March of "from the end of November to March"
    Pattern(
        compiled(
            rf"\b(?:from|between)\s+(?:[\w-]+\s+){{0,4}}(?:{any_of(MONTHS)})\s+(?:to|until|"
            rf"till|and)\s+(?P<date>{MONTH})(?!\s*\d)"
        ),
        _later_month,
    ),
    Pattern(compiled(rf"{MONTH}(?:\s*,\s*|\s+(?:of\s+)?){YEAR}"), _month_year),
    Pattern(
        compiled(
            r"\b(?P<lead>in|during|since|early|late|mid|throughout|until|till|by|before|"
            r"after|from|(?:end|start|beginning|middle|half|week|weekend|days?|part)\s+of)"
            rf"[\s-]+(?P<date>{MONTH})(?!\s*\d)"
            rf"(?!{_OF_SOME_YEAR.pattern})"
        ),
        _month,
    ),
    Pattern(
        compiled(
            r"\b(?:(?:in|since|until|till|during|throughout|early|late|mid)"
            r"(?:\s+the\s+year|\s+early|\s+late)?|year|"
            r"(?:spring|summer|autumn|fall|winter|end|start|beginning|middle)\s+of)"
            rf"[\s-]+(?P<date>{YEAR}){NO_THINGS}"
        ),
        _only_year,
    ),
    Pattern(
        compiled(
            r"\b(?:by|before|after|from|around|about|circa|ca?\.|from\s+[12]\d{3}\s+(?:to|until)|"
            rf"between\s+[12]\d{{3}}\s+and)\s+(?P<date>{YEAR}){NO_THINGS}{FUNCTION}"
        ),
        _only_year,
    ),
    Pattern(
        compiled(
            rf"\bthe\s+(?:\w+\s+)?(?P<what>\w+)\s+of\s+(?P<date>{YEAR})"
            rf"{NO_THINGS}{FUNCTION}"
        ),
        _of_year,
    ),
    Pattern(
        compiled(
            rf"(?P<date>\b(?P<nth>first|second|third|fourth|last)\s+"
            rf"(?P<weekday>(?-i:{any_capital(WEEKDAYS)}))"
            rf"\s+(?:in|of)\s+{MONTH}{OF_YEAR})"
        ),
        _nth_weekday,
    ),
    Pattern(
        compiled(rf"\b(?:spring|summer|autumn|fall)\s+(?P<date>{YEAR}){NO_THINGS}"),
        _only_year,
    ),
    # "from 1897 to 1919", "(1931-2019)"
    Pattern(
        compiled(
            r"\b[12]\d{3}\s*(?:\bto\b|\buntil\b|[-–])\s*"
            rf"(?P<date>{YEAR}){NO_THINGS}{FUNCTION}"
        ),
        _only_year,
    ),
    Pattern(
        compiled(rf"\bbetween\s+(?P<date>{YEAR})(?=\s+and\s+[12]\d{{3}}\b(?!\s*%))"),
        _only_year,
    ),
    Pattern(compiled(rf"\((?P<date>{YEAR})\s*[-–]\s*[12]\d{{3}}\)"), _only_year),
)


def find(text: str) -> list[Found]:
    """Every point of the calendar the text names, overlaps included."""
    return [item for pattern in _PATTERNS for item in pattern.find(text)]
