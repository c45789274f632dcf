"""Feasts and seasons of English prose: Christmas Eve, Good Friday, in the summer.

A feast that moves is counted from Easter. A bare "Christmas" is a day only where it
bounds something ("until Christmas"), else its month; "Easter" and a season tell no more
than the year. Winter lies in two, so it tells none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from dateutil.easter import easter

from gswlab.language.dates.calendar import (
    Calendar,
    Found,
    Pattern,
    Reading,
    Shift,
    compiled,
    with_clock,
)
from gswlab.language.en.dates import (
    ENGLISH_PATTERNS,
    FUNCTION,
    HEADINGS_PATTERNS,
    OF_YEAR,
    RELATIVE_PATTERNS,
    WEEKS_PATTERNS,
    YEARS_PATTERNS,
    any_of,
    counted_from,
    year_of,
)
from gswlab.language.numbers import ORDINALS, to_number

# feasts known by one word: Candlemas Day is no other day, Martinmas Eve is the eve
_MASSES = {
    "epiphany": (1, 6),
    "candlemas": (2, 2),
    "lammas": (8, 1),
    "michaelmas": (9, 29),
    "hallowmas": (11, 1),
    "martinmas": (11, 11),
}
_FIXED: dict[str, tuple[int, int | None]] = {
    "new year's day": (1, 1),
    "new year's morning": (1, 1),
    "twelfth night": (1, None),  # the fifth for some, the sixth for others
    "burns night": (1, 25),
    "groundhog day": (2, 2),
    "valentine's day": (2, 14),
    "lady day": (3, 25),
    "april fools' day": (4, 1),
    "april fool's day": (4, 1),
    "all fools' day": (4, 1),
    "anzac day": (4, 25),
    "may day": (5, 1),
    "ve day": (5, 8),
    "empire day": (5, 24),
    "oak apple day": (5, 29),
    "midsummer eve": (6, 23),
    "midsummer's eve": (6, 23),
    "midsummer night": (6, 23),
    "midsummer day": (6, 24),
    "midsummer's day": (6, 24),
    "independence day": (7, 4),
    "bastille day": (7, 14),
    "vj day": (8, 15),
    "trafalgar day": (10, 21),
    "all hallows' eve": (10, 31),
    "halloween": (10, 31),
    "hallowe'en": (10, 31),
    "all hallows": (11, 1),
    "all saints' day": (11, 1),
    "all souls' day": (11, 2),
    "all souls' night": (11, 2),
    "bonfire night": (11, 5),
    "guy fawkes night": (11, 5),
    "armistice day": (11, 11),
    "christmas eve": (12, 24),
    "christmas day": (12, 25),
    "christmas morning": (12, 25),
    "christmas night": (12, 25),
    "boxing day": (12, 26),
    "holy innocents' day": (12, 28),
    "new year's eve": (12, 31),
    "hogmanay": (12, 31),
}
_FIXED |= _MASSES
_FIXED |= {f"{name} day": day for name, day in _MASSES.items()}
_FIXED |= {
    f"{name} eve": (eve.month, eve.day)
    for name, day in _MASSES.items()
    for eve in [date(2001, *day) - timedelta(1)]
}
_PLAIN = {name.replace("'", ""): day for name, day in _FIXED.items()}
_ON = ("on ", "by ", "until ", "till ", "before ", "after ", "since ", "last ")
_IN_NAMES = (  # Candlemas Road, Michaelmas daisies
    r"(?!\s+(?:(?-i:Church|Road|Street|Lane|House|Hall|School|College|Chapel|Island|"
    r"Terrace|Court)|dais(?:y|ies)|goose)\b)"
)
_MOVING = {
    "shrove tuesday": -47,
    "pancake day": -47,
    "ash wednesday": -46,
    "palm sunday": -7,
    "maundy thursday": -3,
    "good friday": -2,
    "holy saturday": -1,
    "easter eve": -1,
    "easter sunday": 0,
    "easter day": 0,
    "easter monday": 1,
    "easter tuesday": 2,
    "mothering sunday": -21,
    "low sunday": 7,
    "ascension day": 39,
    "whit sunday": 49,
    "pentecost": 49,
    "whit monday": 50,
    "whit tuesday": 51,
    "trinity sunday": 56,
    "corpus christi day": 60,
}
# days from Easter to the Sunday before the first one that is counted so
_SUNDAYS = {"in lent": -49, "of lent": -49, "after easter": 0, "after trinity": 56}
_WAYS = {"last": -1, "the previous": -1, "this": 0, "that": 0, "the same": 0}
_WAYS |= {"next": 1, "the following": 1}
_TOLD = ("the previous", "that", "the same", "the following")
_SEASONS = {"spring": 4, "summer": 7, "autumn": 10, "fall": 10}
_SEASONS |= {"easter": 4, "whitsun": 5, "whitsuntide": 5}


def _names(words: list[str]) -> str:
    spelled = any_of(words).replace("'", "[’']?").replace("st ", r"st\.? ")
    return spelled.replace(" ", r"\s+")


def _plain(match: re.Match[str]) -> str:
    said = re.sub("[’']", "", match["feast"].lower())
    return re.sub(r"\s+", " ", said)


def _fixed(match: re.Match[str]) -> Calendar | None:
    name, before = _plain(match), match.string[: match.start()].lower()
    if name == "twelfth night" and not before.endswith(_ON):
        return None  # the play
    return Calendar(year_of(match["year"]), *_PLAIN[name])


def _of_all(match: re.Match[str]) -> Calendar:
    """All Saints', All Souls', their days left out."""
    day = 2 if match["who"].lower() == "souls" else 1
    return Calendar(year_of(match["year"]), 11, day)


def _of_year(match: re.Match[str]) -> Shift | None:
    """Michaelmas of next year, Christmas Day last year."""
    (month, day), way = _PLAIN[_plain(match)], match["way"].lower()
    return Shift("year", _WAYS[way], month, of_month=day, told=way in _TOLD)


def _nth_sunday(match: re.Match[str]) -> Reading:
    """The first Sunday in Lent, the third after Easter, the tenth after Trinity."""
    nth = to_number(match["nth"]) or 1
    days = _SUNDAYS[match["base"].lower()] + 7 * nth
    year = year_of(match["year"])
    if year is None:
        return Shift("year", None, feast=days)
    day = easter(year) + timedelta(days)
    return Calendar(day.year, day.month, day.day)


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


def _season_off(match: re.Match[str]) -> Shift | None:
    """Last autumn, the previous spring: the nearest one that is over, or to come."""
    way = match["way"].lower()
    if way in ("that", "same"):
        end, fall = match.end(), match["feast"].lower() == "fall"
        if fall or not compiled(FUNCTION).match(match.string, end):
            return None  # that spring water, that fall from the roof
        return Shift("year", 0, told=True, season=True)
    told = way in ("previous", "following")
    count = 1 if way in ("next", "following") else -1
    bound = _SEASONS[match["feast"].lower()] - count  # its last month, or its first
    return Shift("month", count, bound, told=told, season=True)


_PATTERNS = (
    Pattern(
        compiled(
            rf"(?-i:(?=[A-Z]))(?P<feast>{_names(list(_FIXED))})\b,?\s+(?:of\s+)?"
            rf"(?P<way>{any_of(list(_WAYS))})\s+year\b"
        ),
        _of_year,
    ),
    Pattern(
        compiled(
            rf"\b(?:the\s+)?(?P<nth>{any_of(list(ORDINALS))})\s+(?-i:Sunday)\s+"
            rf"(?P<base>{any_of(list(_SUNDAYS))})\b{OF_YEAR}"
        ),
        _nth_sunday,
    ),
    Pattern(
        compiled(
            rf"(?-i:(?=[A-Z]))(?P<feast>{_names(list(_FIXED))})\b{_IN_NAMES}{OF_YEAR}"
            r"(?!,?\s+(?:of\s+)?(?:the\s+)?\w+\s+year\b)"
        ),
        _fixed,
    ),
    # with its apostrophe: without it, All Saints is a church
    Pattern(
        compiled(
            r"\b(?:on|by|until|till|before|since|after|at)\s+(?P<date>(?-i:All)\s+"
            rf"(?P<who>(?-i:Saints|Souls|Hallows))[’'](?!\s+(?-i:[A-Z])){OF_YEAR})"
        ),
        _of_all,
    ),
    Pattern(
        compiled(rf"(?-i:(?=[A-Z]))(?P<feast>{_names(list(_MOVING))})\b{OF_YEAR}"),
        _moving,
    ),
    Pattern(
        compiled(
            r"\b(?P<lead>at|over|this|last|by|for|until|till|before|after|since)\s+"
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
            r"\b(?:the\s+)?(?P<way>last|previous|next|following|that|same)\s+"
            r"(?P<feast>spring|summer|autumn|fall)\b(?!\s+(?:of|term|\d)|[-’'])"
        ),
        _season_off,
    ),
    Pattern(
        compiled(
            r"\b(?:at|over|by|until|till|before|(?<!Sunday\s)after|since|this|last|next)\s+"
            rf"(?P<date>(?P<feast>(?-i:Easter|Whitsun(?:tide)?))){FUNCTION}"
        ),
        _season,
    ),
)


# Days of saints: St Swithin's Day, the eve of St Agnes, the feast of St Stephen.

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


_SAINTS_PATTERNS = (
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

FEASTS = (*_PATTERNS, *_SAINTS_PATTERNS)

_OTHERS = (*YEARS_PATTERNS, *HEADINGS_PATTERNS, *RELATIVE_PATTERNS, *WEEKS_PATTERNS)


def english_dates(text: str, found: Sequence[Found]) -> list[Found]:
    """Every date the text writes in English beside those found, overlaps included."""
    points = [hit for pattern in ENGLISH_PATTERNS for hit in pattern.find(text)]
    points = [with_clock(text, hit) for hit in (*found, *points)]
    points += [hit for pattern in FEASTS for hit in pattern.find(text)]
    others = (hit for pattern in _OTHERS for hit in pattern.find(text))
    return [*(counted_from(text, point) for point in points), *others]
