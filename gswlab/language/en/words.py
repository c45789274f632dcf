"""The words and shapes English dates are made of, as fragments of patterns."""

from __future__ import annotations

import re

from gswlab.language.dates.calendar import any_of
from gswlab.language.dates.table import Words
from gswlab.language.numbers import ORDINALS, WORDS, to_number

MONTHS = str.split(
    "january february march april may june july august september october november "
    "december"
)

WEEKDAYS = str.split("monday tuesday wednesday thursday friday saturday sunday")
_ALSO_WORDS = frozenset({"may", "march"})
ALSO_NAMES = frozenset({"april", "may", "june", "august", "march"})

_SHORT = str.split("Jan Feb Mar Apr Jun Jul Aug Sept Sep Oct Nov Dec")
_TWO_DIGITS = [w for w, n in WORDS.items() if n >= 10]
_TENS = [w for w, n in WORDS.items() if n >= 20]
_ONES = [w for w, n in WORDS.items() if n < 10]


def any_capital(words: list[str]) -> str:
    """An alternation of words with a capital: "May" is a month, "may" is none."""
    return any_of([word.capitalize() for word in words])


TENS, ONES = any_of(_TENS), any_of(_ONES)
ANY_MONTH = any_of(MONTHS)
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
    r"(?P<day>0?[1-9]|[12]\d|3[01])(?P<nth>st|nd|rd|th)?"
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
# Counted from the day told last are these; all else from the day it is said on.
TOLD = frozenset(
    {"that", "same", "following", "previous", "preceding", "later", "earlier"}
)
WAYS = {
    **dict.fromkeys(("next", "following"), 1),
    **dict.fromkeys(("last", "previous", "preceding"), -1),
    **dict.fromkeys(("this", "that", "same"), 0),
}

_AFTER_MONTH = re.compile(
    r"\s*(?:$|[.;:!?)—–]|,(?!\s+(?:the|a|my|his|her|our|their)\b)|(?:and|or|but|the|to|he"
    r"|she|it|they|we|i|when|before|again|on|in|at|with|as|of)\b)",
    re.IGNORECASE,
)


def no_name(word: str, text: str, end: int) -> bool:
    """Whether a month that is also a woman's name stands as a month does: no verb."""
    return word.lower() not in ALSO_NAMES or bool(_AFTER_MONTH.match(text, end))


def month_of(word: str, sure: bool) -> int | None:
    """The month a word names; a lower-case "may" only where the rest is sure."""
    low = word.lower()
    if word.islower() and low in _ALSO_WORDS and not sure:
        return None
    return next(n for n, name in enumerate(MONTHS, 1) if name.startswith(low[:3]))


def weekday_of(word: str | None) -> int | None:
    """The weekday of a word or its first three letters; 0 is Monday."""
    short = word[:3].lower() if word else None
    return next((n for n, day in enumerate(WEEKDAYS) if day[:3] == short), None)


def certain_month(word: str) -> int | None:
    """The month where the rest is sure."""
    return month_of(word, sure=True)


def year_of(text: str | None) -> int | None:
    """2024, twenty twenty-six, nineteen hundred, nineteen oh five, two thousand six."""
    if text is None or text.isdecimal():
        return int(text) if text else None
    first, _, rest = re.sub(r"\s+", " ", text.lower()).partition(" ")
    if rest.startswith("thousand"):
        return 2000 + (to_number(re.sub("thousand(?: and)? ", "", rest)) or 0)
    rest = re.sub("^oh[- ]", "", rest)
    return 100 * WORDS[first] + (0 if rest == "hundred" else to_number(rest) or 0)


EN_WORDS = Words(certain_month, weekday_of, year_of, WAYS.get, TOLD.__contains__)
