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
)
from gswlab.language.language import Rows, rows
from gswlab.language.numbers import to_number

Number: TypeAlias = Callable[[str], int | None]
_FIELDS = ("year", "month", "day", "ordinal", "weekday", "short", "count")


@dataclass(frozen=True)
class Words:
    """How a language names what the groups of its patterns hold.

    `way` says how many units a word moves on ("next", 翌), `told` whether it counts
    from the day told last.
    """

    month: Number = to_number
    weekday: Number = to_number
    year: Number = to_number
    way: Number = to_number
    told: Callable[[str], bool] = frozenset[str]().__contains__

    def point(self, match: re.Match[str]) -> Calendar:
        """The point of the calendar; an `nth` that is no number is the last."""
        given, nth = self._numbers(match), None
        if "nth" in match.groupdict():
            nth = to_number(match["nth"] or "") or -1
        day, weekday, short = (given.get(key) for key in ("day", "weekday", "short"))
        point = Calendar(given.get("year"), given.get("month"), day)
        return replace(point, weekday=weekday, nth=nth, short=short).settled

    def step(self, step: Shift, match: re.Match[str]) -> Shift | None:
        """A step with its day or month; a `way` says how far, a `count` how often."""
        given, groups = self._numbers(match), match.groupdict()
        day, weekday = given.get("day", given.get("ordinal")), given.get("weekday")
        if day is not None and not 1 <= day <= LONGEST:
            return None
        way = (groups.get("way") or "").lower()
        count = step.count and step.count * given.get("count", 1)
        told = step.told or bool(groups.get("told")) or bool(way and self.told(way))
        return replace(
            step,
            count=self.way(way) if way else count,
            named=given.get("month", None if day else weekday),
            of_month=day,
            weekday=weekday if day else None,
            part=step.part or bool(groups.get("part")),
            told=told,
        )

    def _numbers(self, match: re.Match[str]) -> dict[str, int]:
        found: dict[str, int] = {}
        for name, word in match.groupdict().items():
            if word and name in _FIELDS:
                number = getattr(self, name, to_number)(word)
                found |= {} if number is None else {name: number}
        return found


def meanings(rows: Rows, kind: str) -> dict[str, str]:
    """What each word of a kind means: the first cell after the words."""
    kept = [row for row in rows if row[0] == kind]
    return {word: row[2] for row in kept for word in row[1].split("|")}


def numbers_of(rows: Rows, kind: str) -> dict[str, int]:
    """The same where that is a number."""
    return {word: int(number) for word, number in meanings(rows, kind).items()}


def days_of(rows: Rows, kind: str) -> dict[str, tuple[int, int | None]]:
    """The same where that is a month and, where one is sure, a day."""
    parted = {word: day.split("-") for word, day in meanings(rows, kind).items()}
    return {w: (int(d[0]), int(d[1]) if d[1:] else None) for w, d in parted.items()}


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
    words = Words(month=lambda word: months.get(word.lower()))
    named: dict[str, DateReading] = {**steps_of(rows)}
    named |= {day: Calendar(None, *at) for day, at in days_of(rows, "feast").items()}
    month = rf"(?P<month>{any_of(months)})"
    points = [row[1].replace("MONTH", month) for row in rows if row[0] == "point"]
    found = [Pattern(regex, words.point) for regex in points]
    if named:
        names = rf"\b(?:{any_of(named)})\b"
        found.append(Pattern(names, lambda match: named[match.group().lower()]))
    return lambda text, known: [*known, *(f for p in found for f in p.find(text))]
