"""Dates in figures alone, in any language: 2024-05-07, 2024/5/7, 07/05/2024, 7.5.2024.

Which of two figures is the month: the one that cannot be a day elsewhere in the same
text decides; else the month comes first (with dots the day does), and the mention says
so in its basis.
"""

from __future__ import annotations

import re
from functools import lru_cache

from gswlab.text.dates.calendar import Calendar
from gswlab.text.dates.pattern import Pattern

_YEAR_FIRST = re.compile(
    r"(?<![\dA-Za-z/.\-])(\d{4})([-/.／．－])(\d{1,2})\2(\d{1,2})"
    r"(?:[T ](\d\d:\d\d)(?::\d\d)?Z?)?(?![\dA-Za-z]|[-/.:]\d)"
)
_YEAR_LAST = re.compile(
    r"(?<![\dA-Za-z/.:\-])(\d{1,2})([-/.])(\d{1,2})\2([12]\d{3})(?![\dA-Za-z]|[-/.]\d)"
)
_VERSION = re.compile(
    r"(?:version|release|patch|build|section|chapter|after|v)\.?\s*$", re.IGNORECASE
)


def _year_first(match: re.Match[str]) -> Calendar:
    year, month, day = (int(match[i]) for i in (1, 3, 4))
    return Calendar(year, month, day, match[5])


def _year_last(match: re.Match[str]) -> Calendar | None:
    first, second, year = (int(match[i]) for i in (1, 3, 4))
    before = match.string[max(0, match.start() - 12) : match.start()]
    if match[2] == "." and _VERSION.search(before):
        return None
    if first > 12 or (second <= 12 and match[2] == "."):
        return Calendar(year, second, first)
    if second > 12:
        return Calendar(year, first, second)
    if (order := _order(match.string)) == "day":
        return Calendar(year, second, first)
    note = None if order or first == second else "read as month/day/year"
    return Calendar(year, first, second, note=note)


@lru_cache(maxsize=1)
def _order(text: str) -> str | None:
    """Which figure comes first in the dates of a text that allow one reading only."""
    pairs = [(int(m[1]), int(m[3])) for m in _YEAR_LAST.finditer(text) if m[2] != "."]
    day = any(first > 12 for first, _ in pairs)
    month = any(second > 12 for _, second in pairs)
    return None if day == month else "day" if day else "month"


PATTERNS = (Pattern(_YEAR_FIRST, _year_first), Pattern(_YEAR_LAST, _year_last))
