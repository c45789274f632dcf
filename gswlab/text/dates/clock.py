"""A time of day counts only where it stands beside a date: "at 9 p.m. on May 7"."""

from __future__ import annotations

import re
from dataclasses import replace

from gswlab.text.dates.calendar import Calendar
from gswlab.text.dates.english_words import compiled
from gswlab.text.dates.pattern import Found

_TIME = (
    r"(\d{1,2})(?:[:.](\d\d))?\s*([ap])\.?\s?m\b\.?"
    r"|(\d{1,2}):(\d\d)(?::\d\d)?\b|(noon|midnight)"
)
_CLOCK_AFTER = compiled(rf"(?:,\s*|\s+)(?:at\s+)?(?:{_TIME})")
_CLOCK_BEFORE = compiled(rf"(?:\bat\s+)?(?<![\d:.])(?:{_TIME})(?:,\s*|\s+)(?:on\s+)?$")


def with_clock(text: str, found: Found) -> Found:
    """The find with the time of day that stands beside it, if one does."""
    point = found.reading
    if not isinstance(point, Calendar) or point.day is None or point.clock:
        return found
    if after := _CLOCK_AFTER.match(text, found.end):
        clock = _clock(after)
        return Found(found.start, after.end(), replace(point, clock=clock))
    window = max(0, found.start - 30)
    if before := _CLOCK_BEFORE.search(text[window : found.start]):
        start = window + before.start()
        return Found(start, found.end, replace(point, clock=_clock(before)))
    return found


def _clock(match: re.Match[str]) -> str | None:
    hour12, minute12, half, hour, minute, word = match.groups()
    if word:
        return "12:00" if word.lower() == "noon" else "00:00"
    if half:
        hours = int(hour12) % 12 + (12 if half.lower() == "p" else 0)
        return f"{hours:02d}:{int(minute12 or 0):02d}" if int(hour12) <= 12 else None
    return f"{int(hour):02d}:{minute}" if int(hour) < 24 and int(minute) < 60 else None
