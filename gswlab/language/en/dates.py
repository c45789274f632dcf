"""How English prose writes dates: tables of patterns, the words and shapes in them."""

from __future__ import annotations

import re

from gswlab.language.dates.calendar import NAMES, Calendar, any_of, compiled
from gswlab.language.dates.table import (
    Finder,
    Words,
    feasts_of,
    meanings,
    numbers_of,
    steps_of,
    written,
)
from gswlab.language.language import grouped, rows
from gswlab.language.numbers import ORDINALS, WORDS, to_number

MONTHS = [month[-1].lower() for month in NAMES.MONTHS]
WEEKDAYS = [day[-1].lower() for day in NAMES.WEEKDAYS]
_ALSO_NAMES = {"April", "May", "June", "August", "March"}
_SHORT = [short for *names, whole in NAMES.MONTHS for short in names if short != whole]
_TWO_DIGITS = [w for w, n in WORDS.items() if n >= 10]
TENS, ONES = (
    any_of(w for w, n in WORDS.items() if n in of) for of in (range(20, 91), range(10))
)


ANY_MONTH = any_of(MONTHS)
# "May" is a month, "may" is none
SURE_MONTH = any_of({*map(str.capitalize, MONTHS)} - _ALSO_NAMES)
CAPITAL_MONTH, CAPITAL_WEEKDAY = (
    any_of(map(str.capitalize, names)) for names in (MONTHS, WEEKDAYS)
)
_ORDINAL = [w for w, n in ORDINALS.items() if n < 20 or n in (20, 30)]
_TIMES = rf"(?:{TENS})[- ](?:{ONES})|{any_of(_TWO_DIGITS)}"
YEAR = (
    r"(?P<year>[12]\d{3}(?!\d|[.:]\d|,\d{3})"
    rf"|(?:(?:{any_of(_TWO_DIGITS[1:])})\s"
    rf"(?:{_TIMES}|hundred|oh[- ](?:{ONES}))"
    rf"|two\sthousand(?:\sand)?\s(?:{_TIMES}|{ONES}))\b)"
)
MONTH = (
    rf"\b(?P<month>(?:{ANY_MONTH})\b"
    rf"|(?-i:{any_of(_SHORT)}|{any_of(_SHORT).upper()})\b(?=(?P<dot>\.?)))(?(dot)\.?)"
)
DAY_WORD = (
    r"(?P<day>0?[1-9]|[12]\d|3[01])(?P<nth>st|nd|rd|th|(?<=[23])d)?"
    r"(?P<to>\s?[-–/]\s?\d{1,2}(?:st|nd|rd|th)?)?(?!\w|[.:]\d|,\d{3}|%)"
)
WORDED = rf"(?P<ordinal>(?:(?:twenty|thirty)[- ])?(?:{any_of(_ORDINAL)}))\b"
_UNITS = "day|night|week|fortnight|month|year|decade"
PART = r"morning|forenoon|afternoon|evening|night"
WEEKDAY = (
    r"(?:\b(?P<weekday>(?-i:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*))"
    rf"(?:\s+(?:{PART}))?\.?,?\s+)?"
)
OF_YEAR = (
    r"(?:(?:\s*,\s*|\s+|-)"
    r"(?:(?:of|in)\s+)?(?:the\s+year\s+(?:of\s+our\s+Lord\s+)?)?"
    rf"{YEAR})?"
)
_THINGS = (
    "years? days? weeks? months? hours? minutes? seconds? people men women children "
    "soldiers pieces copies words dollars pounds euros yen miles? metres? meters? feet "
    "steps km kg parts pages volumes cases cities countries villages houses rooms "
    "times percent"
).replace(" ", "|")
NO_THINGS = rf"(?!\s+(?:\w+\s+)?(?:{_THINGS})\b|\s*%|[-’']|s\b)"
FUNCTION = (
    r"(?=\s*(?:$|[.,;:!?)\]—–\"”]|(?:and|or|but|the|to|he|she|it|they|we|i|when|was|"
    r"were|had|has|on|in|at|with|as|until|that|this|there)\b))"
)
AFTER_MONTH = (  # June as a month and no woman: no verb follows
    r"(?=\s*(?:$|[.;:!?)—–]|,(?!\s+(?:the|a|my|his|her|our|their)\b)|(?:and|or|but|the|to|"
    r"he|she|it|they|we|i|when|before|again|on|in|at|with|as|of)\b))"
)
# Counted from the day told last are these; all else from the day it is said on.
_TOLD = (
    "that same following previous preceding later earlier before after afterward "
    "afterwards prior on"
)
_ROWS = rows("en/dates.tsv")
WAYS, _COUNTED = numbers_of(_ROWS, "way"), numbers_of(_ROWS, "counted")
_ROUND = {"a": 1, "an": 1, "hundred": 100, "thousand": 1000}
_FEASTS = {name.replace("'", ""): day for name, day in feasts_of(_ROWS).items()}
_WORDS = grouped("en/words.tsv")
# What comes round, or came once: a year or month before it says when.
_EVENTS = any_of(_WORDS["dated_event"])
# Words of which a text has one if it has such a date.
A_MONTH = any_of([*MONTHS, *map(str.lower, _SHORT)])
A_YEAR = any_of(["1", "2", "two", *_TWO_DIGITS[1:]])
A_WEEKDAY = any_of(WEEKDAYS)
A_DAY = any_of(["st", "nd", "rd", "th", *_ORDINAL])
A_UNIT = "|".join(f"{unit}|{unit}s" for unit in _UNITS.split("|"))
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
_UNIT = rf"(?P<unit>{_UNITS})"
_NTH = rf"(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)|{WORDED})"
_SHORT_DAYS = r"(?:Mon|Tues?|Wed|Thu(?:rs?)?|Fri|Sat|Sun)\b\.?"
_DAY_NAME = rf"(?-i:(?P<weekday>{CAPITAL_WEEKDAY}))"
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


def _names(kind: str) -> str:
    """Names of days, however apostrophes and spaces are written."""
    spelled = any_of(meanings(_ROWS, kind)).replace("'", "[’']?")
    return rf"(?P<feast>{spelled})".replace(" ", r"\s+")


def _feast(name: str) -> Calendar:
    return _FEASTS[re.sub(r"\s+", " ", re.sub("[’']", "", name.lower()))]


FEAST, MOVING = rf"(?-i:(?=[A-Z])){_names('feast')}\b", _names("moving")
SAINT = rf"(?-i:(?:St|Saint|SAINT|ST)\b\.?)\s+{_names('saint')}"


def _year(text: str) -> int | None:
    """2024, twenty twenty-six, nineteen hundred, nineteen oh five, two thousand six."""
    if text.isdecimal():
        return int(text)
    first, _, rest = re.sub(r"\s+", " ", text.lower()).partition(" ")
    if rest.startswith("thousand"):
        return 2000 + (to_number(re.sub("thousand(?: and)? ", "", rest)) or 0)
    rest = re.sub("^oh[- ]", "", rest)
    return 100 * WORDS[first] + (0 if rest == "hundred" else to_number(rest) or 0)


def _count(text: str) -> int | None:
    """Of what: a fortnight ago, a hundred years; a few days are unknown."""
    last = text.lower().split()[-1]
    return _ROUND.get(last) or to_number(text)


EN_WORDS = Words(
    month=NAMES.month,
    weekday=lambda word: NAMES.weekday(word[:3]),
    year=_year,
    count=_count,
    way=(WAYS | _COUNTED).get,
    unit=steps_of(_ROWS).__getitem__,
    told=frozenset(_TOLD.split()).__contains__,
    feast=_feast,
)


def _day(match: re.Match[str]) -> Calendar | None:
    """A day; she may march is none."""
    groups = match.groupdict()
    sure = groups["year"] or groups.get("nth")
    named = groups["month"] in ("may", "march") and not sure
    return None if named else EN_WORDS.point(match)


_PATTERNS = tuple(
    pattern
    for table in ("points", "feasts", "years", "steps")
    for pattern in written(rows(f"en/{table}.tsv"), EN_WORDS, globals())
)
_TIME = (
    r"(?:(?P<hour>\d{1,2}|noon|midnight)(?:[:.](?P<minute>\d\d))?(?::\d\d)?"
    r"(?:\s*(?P<half>[ap])\.?\s?m\b\.?|(?<=:\d\d)(?!\d)|(?<=noon)|(?<=night)))"
)
_AFTER = compiled(rf"(?:,\s*|\s+)(?:at\s+)?{_TIME}")
_BEFORE = compiled(rf"(?:\bat\s+)?(?<![\d:.]){_TIME}(?:,\s*|\s+)(?:on\s+)?$")


def in_english(point: Calendar) -> str:
    """A point of the calendar as English prose writes it: May 07, 2024."""
    month = NAMES.MONTHS[point.month - 1][-1] if point.month else ""
    day = f"{point.day:02d}" if point.day else ""
    year = "" if point.year is None else str(point.year)
    date = f"{month} {day}".strip()
    joined = (", " if day else " ").join(part for part in (date, year) if part)
    return f"{joined}, {point.clock}" if point.clock else joined


english_dates = Finder(_PATTERNS, after=_AFTER, before=_BEFORE)
