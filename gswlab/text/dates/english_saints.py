"""Days of saints: St Swithin's Day, the eve of St Agnes, the feast of St Stephen.

Only saints whose day all English-speaking churches share; others have more than one.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from gswlab.text.dates.calendar import Calendar
from gswlab.text.dates.english_words import OF_YEAR, any_of, compiled, year_of
from gswlab.text.dates.pattern import Found, Pattern

_SAINTS = {
    "agnes": (1, 21),
    "brigid": (2, 1),
    "bridget": (2, 1),
    "bride": (2, 1),
    "valentine": (2, 14),
    "david": (3, 1),
    "patrick": (3, 17),
    "george": (4, 23),
    "mark": (4, 25),
    "barnabas": (6, 11),
    "john": (6, 24),
    "peter": (6, 29),
    "swithin": (7, 15),
    "swithun": (7, 15),
    "james": (7, 25),
    "lawrence": (8, 10),
    "bartholomew": (8, 24),
    "matthew": (9, 21),
    "luke": (10, 18),
    "crispin": (10, 25),
    "martin": (11, 11),
    "cecilia": (11, 22),
    "clement": (11, 23),
    "catherine": (11, 25),
    "andrew": (11, 30),
    "nicholas": (12, 6),
    "lucy": (12, 13),
    "stephen": (12, 26),
}
_SAINT = rf"(?-i:(?:St|Saint|SAINT|ST)\b\.?)\s+(?P<saint>{any_of(list(_SAINTS))})"


def _day(match: re.Match[str]) -> Calendar:
    """The saint's day, or the evening before it."""
    month, day = _SAINTS[match["saint"].lower()]
    year = year_of(match["year"])
    eve = match["what"].lower() == "eve"
    # no saint of these has the first of March the day after a leap day
    there = date(year or 2001, month, day) - timedelta(days=int(eve))
    return Calendar(year, there.month, there.day)


_PATTERNS = (
    Pattern(
        compiled(
            rf"\b{_SAINT}(?:[’']?s?[’']?)\s+(?P<what>(?-i:Day|Eve|Night|day|eve|night))\b"
            r"(?!\s+(?:school|nursery|cent(?:re|er)|club|care|hospital|trip)\b)"
            rf"{OF_YEAR}"
        ),
        _day,
    ),
    Pattern(
        compiled(
            rf"\b(?:the\s+)?(?P<what>feast(?:\s+day)?|eve)\s+of\s+{_SAINT}\b(?![’']s)"
            rf"{OF_YEAR}"
        ),
        _day,
    ),
)


def find(text: str) -> list[Found]:
    """Every saint's day the text names, overlaps included."""
    return [item for pattern in _PATTERNS for item in pattern.find(text)]
