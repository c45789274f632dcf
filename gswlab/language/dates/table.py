"""Rows of a language's `dates.tsv`: days with a name, steps, eras, and patterns.

A row is a kind, words parted by `|`, and what they mean. A language that says no more
than rows can is read by `by_rows`:

- `month` a number from 1; `feast` a month and day, `12-25` or `12`;
- `step` a unit and how many of it, and `told` where it counts from the day told last;
- `point` a pattern whose groups `day`, `month` and `year` are a date; `MONTH` in it
  stands for the names of months.

A language that says more has tables of patterns, each with what its match is: `point`,
a step (`month -1 told`) or the name of a function. Groups are read by one `Words`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, cast

from gswlab.language.dates.calendar import (
    LONGEST,
    Calendar,
    DateReading,
    FoundDate,
    Pattern,
    Shift,
    Unit,
    any_of,
    parse_iso,
)
from gswlab.language.language import Rows, rows
from gswlab.language.numbers import to_number

Number: TypeAlias = Callable[[str], int | None]
_FIELDS = {name: name for name in ("year", "month", "day", "weekday", "short")}
_FIELDS |= {"ordinal": "day"}
_FIXED = ("feast", "saint", "bare")  # kinds of row, by the pattern that finds them
_AFTERNOON, _HALF_PAST = ("p", "午後"), {"半": 30}
_HOURS = {"noon": 12, "midnight": 0}


@dataclass(frozen=True)
class Words:
    """How a language names what the groups of its patterns hold.

    `way` says how many units a word moves on ("next", 翌), `told` whether it counts
    from the day told last; `feast` is the day or season that a name stands for.
    """

    month: Number = to_number
    weekday: Number = to_number
    year: Number = to_number
    way: Number = to_number
    told: Callable[[str], bool] = frozenset[str]().__contains__
    feast: Callable[[str], Calendar] = dict[str, Calendar]().__getitem__

    def point(self, match: re.Match[str]) -> Calendar | None:
        """The point of the calendar; with a group `eve`, the day before the feast.

        None where a number is written that is none.
        """
        groups = {name: word for name, word in match.groupdict().items() if word}
        fields = [name for name in _FIELDS if name in groups]
        given: dict[str, Any] = {
            _FIELDS[name]: getattr(self, name, to_number)(groups[name])
            for name in fields
        }
        if None in given.values():
            return None
        year = given.pop("year", None)
        point = self.feast(groups["feast"]) if "feast" in groups else Calendar()
        if "eve" in groups and point.month:
            before = date(2001, point.month, point.day or 1) - timedelta(days=1)
            point = replace(point, month=before.month, day=before.day)
        point = replace(point, **given)
        return point if year is None else point.of_year(year)

    def step(self, step: Shift, match: re.Match[str]) -> Shift | None:
        """A step with its day or month; a `way` says how far, a `count` how often."""
        point, groups = self.point(match), match.groupdict()
        often = to_number(groups.get("count") or "1")
        if point is None or often is None:
            return None
        day, named = point.day, point.month
        if day is not None and not 1 <= day <= LONGEST:
            return None
        way = (groups.get("way") or "").lower()
        count = self.way(way) if way else step.count and step.count * often
        if step.season and named:
            named -= count or 0  # its last month, or its first: it is over, or to come
        told = step.told or bool(groups.get("told")) or bool(way and self.told(way))
        return replace(
            step,
            count=count,
            named=named or (None if day else point.weekday),
            of_month=day,
            weekday=point.weekday if day else None,
            part=step.part or bool(groups.get("part")),
            told=told,
        )


def timed(found: FoundDate, beside: re.Match[str] | None) -> FoundDate:
    """A day with the time of day that stands beside it, where one does."""
    point = found.reading
    if not beside or not isinstance(point, Calendar) or not point.day or point.clock:
        return found
    half, minutes = (beside["half"] or "").lower(), beside["minute"] or "0"
    told = beside["hour"].lower()
    hour = _HOURS.get(told) or to_number(told) or 0
    minute = _HALF_PAST.get(minutes, to_number(minutes) or 0)
    hour = hour % 12 + 12 * (half in _AFTERNOON) if half else hour
    clock = f"{hour:02d}:{minute:02d}" if hour < 24 and minute < 60 else None
    start, end = min(found.start, beside.start()), max(found.end, beside.end())
    return FoundDate(start, end, replace(point, clock=clock))


def meanings(rows: Rows, kind: str) -> dict[str, str]:
    """What each word of a kind means: the first cell after the words."""
    kept = [row for row in rows if row[0] == kind]
    return {word: row[2] for row in kept for word in row[1].split("|")}


def numbers_of(rows: Rows, kind: str) -> dict[str, int]:
    """The same where that is a number."""
    return {word: int(number) for word, number in meanings(rows, kind).items()}


def feasts_of(rows: Rows) -> dict[str, Calendar]:
    """The days and seasons that have a name; those that move, by days from Easter."""
    found: dict[str, Calendar] = {}
    for name, day in (row for kind in _FIXED for row in meanings(rows, kind).items()):
        found[name] = parse_iso(f"--{day}")
    found |= {w: Calendar(easter=n) for w, n in numbers_of(rows, "moving").items()}
    seasons = numbers_of(rows, "season").items()
    return found | {w: Calendar(month=n, season=True) for w, n in seasons}


def steps_of(rows: Rows) -> dict[str, Shift]:
    """The words that are a step from another day: yesterday, 翌週."""
    found: dict[str, Shift] = {}
    for _, words, *step in (row for row in rows if row[0] == "step"):
        found |= dict.fromkeys(words.split("|"), _step(" ".join(step)))
    return found


def _step(row: str) -> Shift:
    unit, count, *flags = row.split()
    number = None if count == "-" else int(count)
    return Shift(cast(Unit, unit), number, **dict.fromkeys(flags, True))


def written(path: Path, words: Words, names: Mapping[str, Any]) -> tuple[Pattern, ...]:
    """The patterns of a table, in order: what a match is, and the pattern.

    A row without a reader goes on with the pattern above; `<MONTH>` stands for the
    text of that name in `names`, with or without its underscore, as `day` for `_day`.
    """
    known = {name.lstrip("_"): value for name, value in names.items()}
    known["point"] = words.point
    found: list[tuple[str, list[str]]] = []
    for reader, part in rows(path):
        found += [(reader, [])] if reader else []
        found[-1][1].append(part)

    def filled(parts: Sequence[str]) -> str:
        return re.sub("<([A-Z_]+)>", lambda m: str(known[m[1]]), "".join(parts))

    def read(row: str) -> Callable[[re.Match[str]], DateReading | None]:
        return partial(words.step, _step(row)) if " " in row else known[row]

    return tuple(Pattern(filled(parts), read(row)) for row, parts in found)


def by_rows(rows: Rows) -> Callable[[str, Sequence[FoundDate]], list[FoundDate]]:
    """The finder of a language whose dates are rows and nothing else.

    >>> find = by_rows((("month", "mai", "5"), ("point", r"(?P<day>\\d+)\\. MONTH")))
    >>> [found.reading.iso for found in find("am 7. Mai", ())]
    ['--05-07']
    """
    months = numbers_of(rows, "month")
    named: dict[str, DateReading] = {**feasts_of(rows), **steps_of(rows)}
    words = Words(month=lambda word: months.get(word.lower()))
    month = rf"(?P<month>{any_of(months)})"
    points = [row[1].replace("MONTH", month) for row in rows if row[0] == "point"]
    found = [Pattern(regex, words.point) for regex in points]
    if named:
        names = rf"\b(?:{any_of(named)})\b"
        found.append(Pattern(names, lambda match: named[match.group().lower()]))
    return lambda text, known: [*known, *(f for p in found for f in p.find(text))]
