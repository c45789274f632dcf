"""Days that head an entry of a log or diary: "5th.", "Sunday.", "Tuesday, 9 June"."""

from __future__ import annotations

import re

from gswlab.text.dates.calendar import Shift
from gswlab.text.dates.english_words import LONGEST, WEEKDAYS, any_capital
from gswlab.text.dates.pattern import Found, Pattern

_OPENS = r"(?:^|(?<=\n))[ \t]*"  # a line of its own, or the first of a chunk
_CLOSES = r"(?=\s*(?:[.:—–]|\n))"
_DAY = re.compile(
    rf"{_OPENS}(?P<date>(?:[Tt]he\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)){_CLOSES}"
)
_NAMES = any_capital(WEEKDAYS)
_WEEKDAY = re.compile(rf"{_OPENS}(?P<date>(?P<weekday>{_NAMES})){_CLOSES}")
_ENTRY = re.compile(r"\s*(?:[.:—–,;]|\n|$)")


def _day(match: re.Match[str]) -> Shift | None:
    day = int(match["day"])
    if not 0 < day <= LONGEST:
        return None
    return Shift("month", None, of_month=day, heading=True)


def _weekday(match: re.Match[str]) -> Shift:
    named = WEEKDAYS.index(match["weekday"].lower())
    return Shift("day", None, named, heading=True)


def heads(text: str, start: int, end: int) -> bool:
    """Whether a date stands at the head of a paragraph, closed by a mark."""
    opens = (
        not text[:start].strip() or "\n\n" in text[len(text[:start].rstrip()) : start]
    )
    return opens and bool(_ENTRY.match(text, end))


def dateline(text: str, start: int, end: int) -> bool:
    """Whether a date ends the first line of a letter: "Villa Rossa, Nervi, Sunday"."""
    return "\n" not in text[:start] and bool(re.match(r"\.?[ \t]*\n\s*\n", text[end:]))


_PATTERNS = (Pattern(_DAY, _day), Pattern(_WEEKDAY, _weekday))


def find(text: str) -> list[Found]:
    """Every day that heads an entry."""
    return [item for pattern in _PATTERNS for item in pattern.find(text)]
