"""Rows of a language's `dates.tsv`: days with a name, steps, eras, and patterns.

A row is a kind, words parted by `|`, and what they mean. A language that says no more
than rows can is read by `by_rows`:

- `month` a number from 1; `feast` a month and day, `12-25` or `12`;
- `step` a unit and how many of it, and `told` where it counts from the day told last;
- `point` a pattern whose groups `day`, `month` and `year` are a date; `MONTH` in it
  stands for the names of months.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from gswlab.language.dates.calendar import (
    Calendar,
    FoundDate,
    Pattern,
    Shift,
    Unit,
    any_of,
    patterns,
)
from gswlab.language.language import Rows, rows
from gswlab.language.numbers import to_number


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
    for _, words, unit, count, *flags in (row for row in rows if row[0] == "step"):
        number = None if count == "-" else int(count)
        given = {flag: True for cell in flags for flag in cell.split()}
        step = Shift(cast(Unit, unit), number, **given)
        found |= dict.fromkeys(words.split("|"), step)
    return found


def written(path: Path, names: Mapping[str, Any]) -> tuple[Pattern, ...]:
    """The patterns of a table, in order: who reads a match, and the pattern.

    A row without a reader goes on with the pattern above; `<MONTH>` stands for the
    text of that name in `names`, with or without its underscore, as `day` for `_day`.
    """
    known = {name.lstrip("_"): value for name, value in names.items()}
    found: list[tuple[str, list[str]]] = []
    for reader, part in rows(path):
        found += [(reader, [])] if reader else []
        found[-1][1].append(part)

    def filled(parts: Sequence[str]) -> str:
        return re.sub("<([A-Z_]+)>", lambda m: str(known[m[1]]), "".join(parts))

    return tuple(Pattern(filled(parts), known[reader]) for reader, parts in found)


def by_rows(rows: Rows) -> Callable[[str, Sequence[FoundDate]], list[FoundDate]]:
    """The finder of a language whose dates are rows and nothing else.

    >>> find = by_rows((("month", "mai", "5"), ("point", r"(?P<day>\\d+)\\. MONTH")))
    >>> [found.reading.iso for found in find("am 7. Mai", ())]
    ['--05-07']
    """
    months, feasts = numbers_of(rows, "month"), days_of(rows, "feast")
    steps = steps_of(rows)
    named = rf"(?P<month>{any_of(months)})"

    def point(match: re.Match[str]) -> Calendar | None:
        parts = match.groupdict()
        year, day = (to_number(parts.get(key) or "") for key in ("year", "day"))
        return Calendar(year, months.get((parts.get("month") or "").lower()), day)

    def feast(match: re.Match[str]) -> Calendar:
        return Calendar(None, *feasts[match.group().lower()])

    def step(match: re.Match[str]) -> Shift:
        return steps[match.group().lower()]

    written = [row[1].replace("MONTH", named) for row in rows if row[0] == "point"]
    found = patterns(
        *((regex, point) for regex in written),
        *((rf"\b(?:{any_of(feasts)})\b", feast) for _ in [feasts] if feasts),
        *((rf"\b(?:{any_of(steps)})\b", step) for _ in [steps] if steps),
    )
    return lambda text, known: [*known, *(f for p in found for f in p.find(text))]
