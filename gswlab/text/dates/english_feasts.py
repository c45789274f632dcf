"""Feasts and seasons of English prose: Christmas Eve, Good Friday, in the summer.

A feast that moves is counted from Easter. A bare "Christmas" is a day only where it
bounds something ("until Christmas"), else its month; "Easter" and a season tell no more
than the year. Winter lies in two, so it tells none.
"""

from __future__ import annotations

import re
from datetime import timedelta

from dateutil.easter import easter

from gswlab.text.dates.calendar import Calendar, Reading, Shift
from gswlab.text.dates.english_words import (
    FUNCTION,
    OF_YEAR,
    any_of,
    compiled,
    year_of,
)
from gswlab.text.dates.pattern import Found, Pattern

_FIXED = {
    "new year's day": (1, 1),
    "epiphany": (1, 6),
    "candlemas": (2, 2),
    "valentine's day": (2, 14),
    "st david's day": (3, 1),
    "st patrick's day": (3, 17),
    "lady day": (3, 25),
    "st george's day": (4, 23),
    "may day": (5, 1),
    "midsummer eve": (6, 23),
    "midsummer day": (6, 24),
    "midsummer's day": (6, 24),
    "independence day": (7, 4),
    "bastille day": (7, 14),
    "lammas": (8, 1),
    "michaelmas": (9, 29),
    "halloween": (10, 31),
    "hallowe'en": (10, 31),
    "all saints' day": (11, 1),
    "all souls' day": (11, 2),
    "bonfire night": (11, 5),
    "guy fawkes night": (11, 5),
    "armistice day": (11, 11),
    "martinmas": (11, 11),
    "st andrew's day": (11, 30),
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "christmas morning": (12, 25),
    "boxing day": (12, 26),
    "st stephen's day": (12, 26),
    "new year's eve": (12, 31),
}
_MOVING = {
    "shrove tuesday": -47,
    "ash wednesday": -46,
    "palm sunday": -7,
    "maundy thursday": -3,
    "good friday": -2,
    "easter sunday": 0,
    "easter day": 0,
    "easter monday": 1,
    "ascension day": 39,
    "whit sunday": 49,
    "whit monday": 50,
}
_SEASONS = {"spring": 4, "summer": 7, "autumn": 10, "fall": 10}
_SEASONS |= {"easter": 4, "whitsun": 5, "whitsuntide": 5}


def _names(words: list[str]) -> str:
    spelled = any_of(words).replace("'", "[’']?").replace("st ", r"st\.? ")
    return spelled.replace(" ", r"\s+")


def _plain(match: re.Match[str]) -> str:
    said = match["feast"].lower().replace("’", "'").replace("st.", "st")
    return re.sub(r"\s+", " ", said)


def _fixed(match: re.Match[str]) -> Calendar | None:
    named = _FIXED.get(_plain(match))
    return Calendar(year_of(match["year"]), *named) if named else None


def _moving(match: re.Match[str]) -> Reading:
    days, year = _MOVING[_plain(match)], year_of(match["year"])
    if year is None:
        return Shift("year", None, feast=days)
    day = easter(year) + timedelta(days)
    return Calendar(day.year, day.month, day.day)


def _christmas(match: re.Match[str]) -> Calendar:
    bounds = match["lead"].lower() not in ("at", "over", "this", "last")
    return Calendar(year_of(match["year"]), 12, 25 if bounds else None)


def _season(match: re.Match[str]) -> Calendar:
    return Calendar(month=_SEASONS[match["feast"].lower()], season=True)


def _season_off(match: re.Match[str]) -> Shift:
    """Last autumn, the previous spring: the nearest one that is over, or to come."""
    way = match["way"].lower()
    told = way in ("previous", "following")
    count = 1 if way in ("next", "following") else -1
    bound = _SEASONS[match["feast"].lower()] - count  # its last month, or its first
    return Shift("month", count, bound, told=told, season=True)


_PATTERNS = (
    Pattern(
        compiled(rf"(?-i:(?=[A-Z]))(?P<feast>{_names(list(_FIXED))})\b{OF_YEAR}"),
        _fixed,
    ),
    Pattern(
        compiled(rf"(?-i:(?=[A-Z]))(?P<feast>{_names(list(_MOVING))})\b{OF_YEAR}"),
        _moving,
    ),
    Pattern(
        compiled(
            r"\b(?P<lead>at|over|this|last|by|until|till|before|after|since)\s+"
            rf"(?P<date>(?-i:Christmas)\b{OF_YEAR}){FUNCTION}"
        ),
        _christmas,
    ),
    Pattern(
        compiled(
            r"\b(?:(?:in|during|over|since|until|till|by|before|after)\s+the\s+"
            r"(?:early\s+|late\s+)?|this\s+)"
            rf"(?P<date>(?P<feast>spring|summer|autumn|fall)){FUNCTION}"
        ),
        _season,
    ),
    Pattern(
        compiled(
            r"\b(?:the\s+)?(?P<way>last|previous|next|following)\s+"
            r"(?P<feast>spring|summer|autumn|fall)\b(?!\s+(?:of|term|\d))"
        ),
        _season_off,
    ),
    Pattern(
        compiled(
            r"\b(?:at|over|by|until|till|before|after|since)\s+"
            rf"(?P<date>(?P<feast>(?-i:Easter|Whitsun(?:tide)?))){FUNCTION}"
        ),
        _season,
    ),
)


def find(text: str) -> list[Found]:
    """Every feast and season the text names, overlaps included."""
    return [item for pattern in _PATTERNS for item in pattern.find(text)]
