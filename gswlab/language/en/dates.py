"""How English prose writes dates: tables of patterns, with the names that they use."""

from __future__ import annotations

import re
from pathlib import Path

from gswlab.language.dates.calendar import Calendar, any_of, compiled
from gswlab.language.dates.table import Finder, written
from gswlab.language.en import words
from gswlab.language.en.words import (
    ANY_MONTH,
    EN_WORDS,
    MONTHS,
    PART,
    TENS,
    WAYS,
    WEEKDAYS,
    WORDED,
    any_capital,
)
from gswlab.language.language import grouped
from gswlab.language.numbers import WORDS

_FOLDER = Path(__file__).parent
_WORDS = grouped(_FOLDER / "words.tsv")
# What comes round, or came once: a year or month before it says when.
_EVENTS = any_of(_WORDS["dated_event"])
# A figure after these is as likely a number as a year.
_COUNTS = any_of(_WORDS["no_year_of"])
_OF_A_YEAR = r"\s+(?:of\s+)?(?:the\s+)?(?:last|this|next|that|same|following)\s+year\b"
_OPENS = r"(?:^|(?<=\n))[ \t]*"  # a line of its own, or the first of a chunk
_CLOSES = r"(?=\s*(?:[.:—–]|\n))"
_FEW = r"several|(?:a\s+)?few|some|many|a\s+couple\s+of|countless"
_COUNT = (
    rf"(?<![\d.,-])(?P<count>\d{{1,4}}|(?:a|one)\s+(?:hundred|thousand)|an?|{_FEW}"
    rf"|(?:(?:{TENS})[- ])?(?:{any_of(WORDS)}))"
)
_UNIT = r"(?P<unit>day|night|week|fortnight|month|year|decade)"
_NTH = rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)|{WORDED})"
_SHORT_DAYS = r"(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\b\.?"
_DAY_NAME = rf"(?-i:(?P<weekday>{any_capital(WEEKDAYS)}))"
_WHICH = (
    rf"(?!\s+(?:of|before\s+last|after\s+next|in\s+(?:Lent|Advent|{ANY_MONTH}))\b)"
    rf"(?:\s+(?P<part>{PART})\b)?"
)
_THE_END = r"\bthe\s+(?:end|middle|beginning|start)\s+of\s+the\s+"
# "one Tuesday in March", "the second Sunday in Advent", "Trinity Sunday": which is it?
_SOME_DAY = (
    r"(?P<no>\b(?:one|each|every|any|some|other|first|second|third|fourth|fifth|"
    r"alternate|week|(?-i:Easter|Holy|Trinity|Palm|Low|Passion|Advent|Whit|Rogation|"
    r"Remembrance|Holiday|Mothering|Black|Bloody|Cyber|Plough|Spy))\s+)?"
)
_GOES_ON = (  # what no noun of the eighth could begin with
    r"(?=\s+(?:an?|my|his|her|our|their|its|some|two|three|for|from|by|because|while|"
    r"after|before|which|who|our|no|all|both|another|every)\b)"
)
_WRITTEN = (  # what is known by its date: your letter of the 3rd
    r"letters?|notes?|favour|telegrams?|wire|cable|(?:post)?card|message|minutes|meeting|"
    r"report|orders?|issue|events|resolution"
)
_WAY = rf"(?P<way>{any_of(WAYS)})"
# "the day before", but not "the day before the trial": that hangs on the trial.
_ALONE = r"(?=\s*(?:$|[.,;:!?)\]—–\"”’]|(?:and|but|or|when|he|she|they|we|i|it)\b))"
_THAT = rf"(?:\s+that(?={_ALONE}|\s+the\b))?"  # two days after that
# two days after the trial: who knows when
_HANGS = (
    r"(?P<vague>(?:(?<=before)|(?<=after)|(?<=prior))"
    rf"(?!{_ALONE})(?!\s+that(?:{_ALONE}|\s+the\b)))?"
)
_IN_NAMES = (  # Candlemas Road, Michaelmas daisies
    r"(?!\s+(?:(?-i:Church|Road|Street|Lane|House|Hall|School|College|Chapel|Island|"
    r"Terrace|Court)|dais(?:y|ies)|goose)\b)"
)


def _day(match: re.Match[str]) -> Calendar | None:
    """A day; she may march is none."""
    groups = match.groupdict()
    sure = groups["year"] or groups.get("nth")
    named = groups["month"] in ("may", "march") and not sure
    return None if named else EN_WORDS.point(match)


_HERE = {**vars(words), **globals()}
_PATTERNS = [
    pattern
    for table in ("points", "feasts", "years", "steps")
    for pattern in written(_FOLDER / f"{table}.tsv", EN_WORDS, _HERE)
]
_TIME = (
    r"(?:(?P<hour>\d{1,2}|noon|midnight)(?:[:.](?P<minute>\d\d))?(?::\d\d)?"
    r"(?:\s*(?P<half>[ap])\.?\s?m\b\.?|(?<=:\d\d)(?!\d)|(?<=noon)|(?<=night)))"
)
_AFTER = compiled(rf"(?:,\s*|\s+)(?:at\s+)?{_TIME}")
_BEFORE = compiled(rf"(?:\bat\s+)?(?<![\d:.]){_TIME}(?:,\s*|\s+)(?:on\s+)?$")


def in_english(point: Calendar) -> str:
    """A point of the calendar as English prose writes it: May 07, 2024."""
    month = MONTHS[point.month - 1].capitalize() if point.month else ""
    day = f"{point.day:02d}" if point.day else ""
    year = "" if point.year is None else str(point.year)
    date = f"{month} {day}".strip()
    joined = (", " if day else " ").join(part for part in (date, year) if part)
    return f"{joined}, {point.clock}" if point.clock else joined


english_dates = Finder(_PATTERNS, after=_AFTER, before=_BEFORE)
