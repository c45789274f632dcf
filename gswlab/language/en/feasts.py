"""Feasts, saints' days and seasons of English prose; their days are rows of a table.

A feast that moves is counted from Easter. A bare "Christmas" is a day only where it
bounds something ("until Christmas"), else its month; "Easter" and a season tell no more
than the year. Winter lies in two, so it tells none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date, timedelta
from pathlib import Path

from dateutil.easter import easter

from gswlab.language.dates.calendar import (
    Calendar,
    DateReading,
    Shift,
    any_of,
    compiled,
)
from gswlab.language.dates.table import days_of, numbers_of, written
from gswlab.language.en import words
from gswlab.language.en.words import EN_WORDS, FUNCTION, TOLD, WAYS, year_of
from gswlab.language.language import rows

_ROWS = rows(Path(__file__).with_name("dates.tsv"))
_FIXED = days_of(_ROWS, "feast")
_PLAIN = {name.replace("'", ""): day for name, day in _FIXED.items()}
_MOVING = numbers_of(_ROWS, "moving")
_SAINTS = days_of(_ROWS, "saint")
_ON = ("on ", "by ", "until ", "till ", "before ", "after ", "since ", "last ")
_SEASONS = {"spring": 4, "summer": 7, "autumn": 10, "fall": 10, "easter": 4}


def _names(words: Iterable[str]) -> str:
    """Names of feasts, however apostrophes, "St" and spaces are written."""
    spelled = any_of(words).replace("'", "[’']?").replace("st ", r"st\.? ")
    return spelled.replace(" ", r"\s+")


def _plain(match: re.Match[str]) -> str:
    return re.sub(r"\s+", " ", re.sub("[’']", "", match["feast"].lower()))


def _fixed(match: re.Match[str]) -> Calendar | None:
    name, before = _plain(match), match.string[: match.start()].lower()
    if name == "twelfth night" and not before.endswith(_ON):
        return None  # the play
    return Calendar(year_of(match["year"]), *_PLAIN[name])


def _of_all(match: re.Match[str]) -> Calendar:
    """All Saints', All Souls', their days left out."""
    day = 2 if match["who"].lower() == "souls" else 1
    return Calendar(year_of(match["year"]), 11, day)


def _of_year(match: re.Match[str]) -> Shift:
    """Michaelmas of next year, Christmas Day last year."""
    (month, day), way = _PLAIN[_plain(match)], match["way"].lower()
    way = way.removeprefix("the ")
    return Shift("year", WAYS[way], month, of_month=day, told=way in TOLD)


def _from_easter(days: int, year: int | None) -> DateReading:
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
    way, season = match["way"].lower(), match["feast"].lower()
    if WAYS[way] == 0:
        if season == "fall" or not compiled(FUNCTION).match(match.string, match.end()):
            return None  # that spring water, that fall from the roof
        return Shift("year", 0, told=True, season=True)
    bound = _SEASONS[season] - WAYS[way]  # its last month, or its first
    return Shift("month", WAYS[way], bound, told=way in TOLD, season=True)


def _saint(match: re.Match[str]) -> Calendar:
    """The saint's day, or the evening before it."""
    (month, day), year = _SAINTS[match["saint"].lower()], year_of(match["year"])
    eve = match["what"].lower() == "eve"
    # no saint of these has the first of March the day after a leap day
    there = date(year or 2001, month, day or 1) - timedelta(days=int(eve))
    return Calendar(year, there.month, there.day)


_FEAST = rf"(?-i:(?=[A-Z]))(?P<feast>{_names(_FIXED)})\b"
_SAINT = rf"(?-i:(?:St|Saint|SAINT|ST)\b\.?)\s+(?P<saint>{any_of(_SAINTS)})"
_MOVING_NAMES = _names(_MOVING)
_IN_NAMES = (  # Candlemas Road, Michaelmas daisies
    r"(?!\s+(?:(?-i:Church|Road|Street|Lane|House|Hall|School|College|Chapel|Island|"
    r"Terrace|Court)|dais(?:y|ies)|goose)\b)"
)


def _moving(match: re.Match[str]) -> DateReading:
    return _from_easter(_MOVING[_plain(match)], year_of(match["year"]))


_HERE = {**vars(words), **globals()}
FEASTS = written(Path(__file__).with_name("feasts.tsv"), EN_WORDS, _HERE)
