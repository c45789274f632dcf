"""Weekdays that English counts in weeks: Thursday week, the Friday before last."""

from __future__ import annotations

import re

from gswlab.text.dates.calendar import Shift
from gswlab.text.dates.english_words import WEEKDAYS, any_capital, any_of, compiled
from gswlab.text.dates.pattern import Found, Pattern

_WEEKDAY = rf"(?-i:(?P<weekday>{any_capital(WEEKDAYS)}))"
_SPAN = r"(?P<span>week|fortnight)"
_WEEKS = {"week": 1, "fortnight": 2}
_DAYS = {"today": 0, "this day": 0, "tomorrow": 1, "yesterday": -1}
_OF_WEEK = {"last": -1, "this": 0, "that": 0, "same": 0, "next": 1}
_OF_WEEK |= {"following": 1, "previous": -1, "preceding": -1}
_TOLD = ("that", "same", "following", "previous", "preceding")


def _named(match: re.Match[str]) -> int:
    return WEEKDAYS.index(match["weekday"].lower())


def _counted(match: re.Match[str]) -> Shift:
    """Thursday week, a fortnight on Thursday; a week last Thursday lies behind."""
    count = 1 + _WEEKS[match["span"].lower()]
    back = (match.groupdict().get("way") or "").lower() == "last"
    return Shift("day", -count if back else count, _named(match))


def _two_away(match: re.Match[str]) -> Shift:
    back = match["way"].lower().startswith("before")
    return Shift("day", -2 if back else 2, _named(match))


def _coming(match: re.Match[str]) -> Shift:
    return Shift("day", 1, _named(match))


def _of_week(match: re.Match[str]) -> Shift:
    way = match["way"].lower()
    return Shift("week", _OF_WEEK[way], _named(match), told=way in _TOLD)


def _day_week(match: re.Match[str]) -> Shift:
    """Tomorrow week, this day fortnight; yesterday week lies behind."""
    word = re.sub(r"\s+", " ", match["word"].lower())
    days = 7 * _WEEKS[match["span"].lower()]
    return Shift("day", _DAYS[word] + (-days if word == "yesterday" else days))


_PATTERNS = (
    Pattern(
        compiled(rf"\b{_WEEKDAY}\s+{_SPAN}\b(?!\s+(?:of|before|after)\b|[-’'])"),
        _counted,
    ),
    Pattern(
        compiled(rf"\ba\s+{_SPAN}\s+(?P<way>on|from|last|next|this)\s+{_WEEKDAY}\b"),
        _counted,
    ),
    Pattern(
        compiled(
            rf"\bthe\s+{_WEEKDAY}\s+(?P<way>before\s+last|after\s+next)\b"
            r"(?!\s+(?:week|month|year)\b)"
        ),
        _two_away,
    ),
    Pattern(compiled(rf"\b(?:this|the)\s+coming\s+{_WEEKDAY}\b"), _coming),
    Pattern(
        compiled(
            rf"\b(?:the\s+)?{_WEEKDAY}\s+of\s+(?:the\s+)?"
            rf"(?P<way>{any_of(list(_OF_WEEK))})\s+week\b"
        ),
        _of_week,
    ),
    Pattern(
        compiled(
            r"\b(?P<word>today|this\s+day|tomorrow|yesterday)\s+"
            rf"{_SPAN}\b(?![-’'])"
        ),
        _day_week,
    ),
)


def find(text: str) -> list[Found]:
    """Every weekday counted in weeks, overlaps included."""
    return [item for pattern in _PATTERNS for item in pattern.find(text)]
