"""The words and shapes English dates are made of, as fragments of patterns."""

from __future__ import annotations

import re
from pathlib import Path

from gswlab.language.dates.calendar import NAMES, Calendar, any_of
from gswlab.language.dates.table import Words, feasts_of, meanings, numbers_of, steps_of
from gswlab.language.language import rows
from gswlab.language.numbers import ORDINALS, WORDS, to_number

MONTHS = str.split(
    "january february march april may june july august september october november "
    "december"
)

WEEKDAYS = str.split("monday tuesday wednesday thursday friday saturday sunday")
_ALSO_NAMES = ("april", "may", "june", "august", "march")

_SHORT = str.split("Jan Feb Mar Apr Jun Jul Aug Sept Sep Oct Nov Dec")
_TWO_DIGITS = [w for w, n in WORDS.items() if n >= 10]
_TENS = [w for w, n in WORDS.items() if n >= 20]
_ONES = [w for w, n in WORDS.items() if n < 10]


def any_capital(words: list[str]) -> str:
    """An alternation of words with a capital: "May" is a month, "may" is none."""
    return any_of([word.capitalize() for word in words])


TENS, ONES = any_of(_TENS), any_of(_ONES)
ANY_MONTH = any_of(MONTHS)
SURE_MONTH = any_capital([month for month in MONTHS if month not in _ALSO_NAMES])
CAPITAL_MONTH, CAPITAL_WEEKDAY = any_capital(MONTHS), any_capital(WEEKDAYS)
_ORDINAL = [w for w, n in ORDINALS.items() if n < 20 or n in (20, 30)]
_TIMES = rf"(?:{TENS})[- ](?:{ONES})|{any_of(_TWO_DIGITS)}"
YEAR = (
    r"(?P<year>[12]\d{3}(?!\d|[.:]\d|,\d{3})"
    rf"|(?:(?:{any_of(_TWO_DIGITS[1:])})\s"
    rf"(?:{_TIMES}|hundred|oh[- ](?:{ONES}))"
    rf"|two\sthousand(?:\sand)?\s(?:{_TIMES}|{ONES}))\b)"
)
MONTH = (
    rf"\b(?P<month>(?:{any_of(MONTHS)})\b"
    rf"|(?-i:{any_of(_SHORT)}|{any_of(_SHORT).upper()})\b(?=(?P<dot>\.?)))(?(dot)\.?)"
)
DAY_WORD = (
    r"(?P<day>0?[1-9]|[12]\d|3[01])(?P<nth>st|nd|rd|th|(?<=[23])d)?"
    r"(?P<to>\s?[-–/]\s?\d{1,2}(?:st|nd|rd|th)?)?(?!\w|[.:]\d|,\d{3}|%)"
)
WORDED = rf"(?P<ordinal>(?:(?:twenty|thirty)[- ])?(?:{any_of(_ORDINAL)}))\b"
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
_ROWS = rows(Path(__file__).with_name("dates.tsv"))
WAYS, _COUNTED = numbers_of(_ROWS, "way"), numbers_of(_ROWS, "counted")
_ROUND = {"a": 1, "an": 1, "hundred": 100, "thousand": 1000}
_FEASTS = {name.replace("'", ""): day for name, day in feasts_of(_ROWS).items()}


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
