"""Days told by another beside them: the day after Christmas, a week before 3 May."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gswlab.text.dates.calendar import Calendar, Shift, parse_iso
from gswlab.text.dates.english_words import PART, WEEKDAYS, any_capital, compiled
from gswlab.text.dates.pattern import Found
from gswlab.text.dates.resolve import resolve
from gswlab.text.numbers import to_number

REACH = 40  # characters that lead to the date it counts from
_SIZES = {"day": 1, "week": 7, "fortnight": 14}
_LEAD = compiled(
    rf"(?:\bthe\s+(?:(?P<part>{PART})|(?P<weekday>(?-i:"
    rf"{any_capital(WEEKDAYS)}))|(?P<one>day))"
    r"|\b(?P<count>an?|\w+)\s+(?P<unit>day|week|fortnight)s?)"
    r"\s+(?P<way>before|after)\s+$"
)


def anchored(text: str, points: Iterable[Found]) -> list[Found]:
    """The points with the words that count from them, where some do."""
    return [_led(text, point) for point in points]


def _led(text: str, found: Found) -> Found:
    point = found.reading
    if not isinstance(point, Calendar) or not point.day:
        return found
    begin = max(0, found.start - REACH)
    match = _LEAD.search(text[begin : found.start])
    if match is None:
        return found
    way = 1 if match["way"].lower() == "after" else -1
    if match["weekday"]:
        named = WEEKDAYS.index(match["weekday"].lower())
        shift = Shift("day", way, named)
    else:
        days = _days(match["count"], match["unit"])
        if days is None:
            return found
        shift = Shift("day", way * days)
    value = resolve(shift, replace(point, clock=None).iso).value
    # No Sunday without a year: a day that nothing settles.
    day = parse_iso(value) if value else Shift("day", None, told=True)
    return Found(begin + match.start(), found.end, day)


def _days(count: str | None, unit: str | None) -> int | None:
    if count is None or unit is None:
        return 1
    number = 1 if count.lower() in ("a", "an") else to_number(count)
    return number and number * _SIZES[unit.lower()]
