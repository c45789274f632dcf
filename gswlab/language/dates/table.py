"""Rows of a language's `dates.tsv`: days with a name, steps, eras, and patterns.

A row is a kind, words parted by `|`, and what they mean. A language that says no more
than rows can is read by `by_rows`:

- `month` a number from 1; `feast` a month and day, `12-25` or `12`;
- `step` a unit and how many of it, and `told` where it counts from the day told last;
- `point` a pattern whose groups `day`, `month` and `year` are a date; `<MONTH>` in it
  stands for the names of months.

A language that says more has tables of patterns, each with what its match is: `point`,
a step (`month -1 told`, or `step` if its `unit` says which) or the name of a function.
The groups of a match are read by one `Words`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import cache, partial
from typing import Any, TypeAlias, cast

from gswlab.language.dates.calendar import (
    Calendar,
    DateReading,
    FoundDate,
    Pattern,
    Shift,
    Unit,
    any_of,
    compiled,
    hits,
    parse_iso,
    year_last,
)
from gswlab.language.dates.resolve import resolve
from gswlab.language.language import NEVER, Rows, rows
from gswlab.language.numbers import to_number

Number: TypeAlias = Callable[[str], int | None]
_Reader: TypeAlias = Callable[[re.Match[str]], DateReading | None]
_FIELDS = {name: name for name in ("year", "month", "day", "weekday", "short")}
_FIELDS |= {"ordinal": "day", "which": "nth"}
_AFTERNOON, _HALF_PAST = ("p", "午後"), {"半": 30}
_HOURS = {"noon": 12, "midnight": 0}
_LONGEST = 31  # days of a month
_REACH = 30  # characters of a time of day before its day


@dataclass(frozen=True)
class Words:
    """How a language names what the groups of its patterns hold.

    `unit` is the step that a word is ("week", 来週), `way` how many times it is gone
    ("next", 前), `told` whether these count from the day told last; `feast` is the day
    or season that a name stands for.
    """

    month: Number = to_number
    weekday: Number = to_number
    year: Number = to_number
    count: Number = to_number
    way: Number = to_number
    which: Number = lambda word: to_number(word) or -1  # the last
    unit: Callable[[str], Shift] = dict[str, Shift]().__getitem__
    told: Callable[[str], bool] = frozenset[str]().__contains__
    feast: Callable[[str], Calendar] = dict[str, Calendar]().__getitem__

    def point(self, match: re.Match[str]) -> Calendar | None:
        """The point of the calendar; with a group `eve`, the day before the feast.

        None where a number is written that is none. Of days up `to` another one, what
        holds of all of them.
        """
        groups = {name: word for name, word in match.groupdict().items() if word}
        given: dict[str, Any] = {
            field: getattr(self, name, to_number)(groups[name])
            for name, field in _FIELDS.items()
            if name in groups
        }
        if None in given.values():
            return None
        if "to" in groups:
            given |= {"day": None, "weekday": None}
        year = given.pop("year", None)
        point = self.feast(groups["feast"]) if "feast" in groups else Calendar()
        if "eve" in groups and point.month:
            before = date(2001, point.month, point.day or 1) - timedelta(days=1)
            point = replace(point, month=before.month, day=before.day)
        point = replace(point, **given)
        if year is not None:  # of a year Easter is a day
            season = point.season and point.easter is None
            point = replace(point, season=season).of_year(year)
        return point

    def step(self, step: Shift | None, match: re.Match[str]) -> Shift | None:
        """A step with its day or month: so many units, a `way` forth or back.

        None with a group `no`; of unknown length with a group `vague`.
        """
        groups = {n: word for n, word in match.groupdict().items() if word is not None}
        said = [" ".join(groups.get(n, "").lower().split()) for n in ("unit", "way")]
        unit, way = said
        step, point = step or self.unit(unit), self.point(match)
        day = point.day if point else None
        if "no" in groups or point is None or not 1 <= (day or 1) <= _LONGEST:
            return None
        often = self.count(groups["count"]) if "count" in groups else 1
        gone = self.way(way) if way else step.count and 1
        count = None
        if not (often is None or gone is None or groups.keys() & {"vague", "about"}):
            count = often * gone * (1 if step.count is None else step.count)
        # of a season its last month, or its first: it is over, or to come
        named = point.month and point.month - ((step.season and count) or 0)
        return replace(
            step,
            count=count,
            named=named or (None if day else point.weekday),
            of_month=day,
            weekday=point.weekday if day else None,
            span=step.span and "count" not in groups,
            part=step.part or bool(groups.get("part")),
            told=step.told or "told" in groups or self.told(way or unit),
        )


@dataclass(frozen=True)
class Finder:
    """The dates of a text in a language, beside those found already, overlaps included.

    `after` and `before` are a time of day that stands beside its day.
    """

    patterns: tuple[Pattern, ...]
    after: re.Pattern[str] = NEVER
    before: re.Pattern[str] = NEVER

    def __call__(self, text: str, found: Sequence[FoundDate]) -> list[FoundDate]:
        """Every date, with its time of day, or with the step that counts from it."""
        timed = [self._timed(text, hit) for hit in (*found, *hits(self.patterns, text))]
        return [*timed, *self._counted(text, timed)]

    def _counted(self, text: str, found: Sequence[FoundDate]) -> Iterator[FoundDate]:
        """The Monday after 3 May 2021: a step, and the day beside it to count from."""
        points = [hit for hit in found if isinstance(hit.reading, Calendar)]
        begun = {hit.start: hit for hit in points}
        ended = {hit.end + 1: hit for hit in points if text.startswith("の", hit.end)}
        for step in (hit for hit in found if isinstance(hit.reading, Shift)):
            at = len(text) - len(text[step.end :].lstrip())
            point = ended.get(step.start) or (begun.get(at) if at > step.end else None)
            alone = self(text[step.start : step.end], ()) if point else ()
            if point and alone and (day := _led(point.reading, alone[0].reading)):
                ends = min(step.start, point.start), max(step.end, point.end)
                yield FoundDate(*ends, day)

    def _timed(self, text: str, found: FoundDate) -> FoundDate:
        point = found.reading
        if not isinstance(point, Calendar) or not point.day or point.clock:
            return found
        earliest = max(0, found.start - _REACH)
        beside = self.after.match(text, found.end)
        beside = beside or self.before.search(text, earliest, found.start)
        if not beside:
            return found
        told, half = beside["hour"].lower(), (beside["half"] or "").lower()
        hour, minutes = _HOURS.get(told) or to_number(told) or 0, beside["minute"] or ""
        minute = _HALF_PAST.get(minutes, to_number(minutes) or 0)
        hour = hour % 12 + 12 * (half in _AFTERNOON) if half else hour
        clock = f"{hour:02d}:{minute:02d}" if hour < 24 and minute < 60 else None
        start, end = min(found.start, beside.start()), max(found.end, beside.end())
        return FoundDate(start, end, replace(point, clock=clock))


def _led(point: DateReading, step: DateReading) -> Calendar | None:
    """The day that a step leads to from another; of its year, once that is known."""
    if not (isinstance(point, Calendar) and isinstance(step, Shift) and step.count):
        return None
    if step.unit in ("day", "week") and (point.day or point.easter is not None):
        led = replace(point, then=step.then, season=False)
        led = led if point.year is None else led.of_year(point.year)
        return led if led.valid else None
    value = resolve(step, point.iso).value if point.day else None
    return parse_iso(value) if value else None


@dataclass(frozen=True)
class DateRows:
    """What the rows of a language's `dates.tsv` mean, word by word."""

    rows: Rows

    def meanings(self, kind: str) -> dict[str, str]:
        """What each word of a kind means: the cells after the words."""
        own = (row for row in self.rows if row[0] == kind)
        return {word: " ".join(row[2:]) for row in own for word in row[1].split("|")}

    def numbers(self, kind: str) -> dict[str, int]:
        """The same where that is a number."""
        return {word: int(number) for word, number in self.meanings(kind).items()}

    def steps(self, kind: str = "step") -> dict[str, Shift]:
        """The words that are a step from another day: yesterday, 翌週."""
        return {word: _step(step) for word, step in self.meanings(kind).items()}

    def feasts(self) -> dict[str, Calendar]:
        """Days and seasons that have a name; those that move, by days from Easter."""
        fixed = [self.meanings(kind).items() for kind in ("feast", "saint", "bare")]
        found = {word: _feast(day) for kind in fixed for word, day in kind}
        found |= {w: Calendar(easter=n) for w, n in self.numbers("moving").items()}
        about = self.numbers("about").items()  # of a year their day, else a season
        found |= {w: Calendar(easter=n, season=True) for w, n in about}
        seasons = self.numbers("season").items()
        return found | {w: Calendar(month=n, season=True) for w, n in seasons}


def _feast(day: str) -> Calendar:
    month, *which = day.split()  # 11 3 4: of November's Thursdays the fourth
    if not which:
        return parse_iso(f"--{day}")
    return Calendar(month=int(month), weekday=int(which[0]), nth=int(which[1]))


def _step(row: str) -> Shift:
    unit, count, *flags = row.split()
    number = None if count == "-" else int(count)
    return Shift(cast(Unit, unit), number, **dict.fromkeys(flags, True))


def _filled(text: str, shapes: Mapping[str, str]) -> str:
    return re.sub("<([A-Z_]+)>", lambda m: shapes[m[1]], text)


def shapes(table: Rows, lists: Mapping[str, str]) -> dict[str, str]:
    """What `<MONTH>` stands for in patterns: rows of a name and its own pattern.

    It is made of `lists` and of what stands above it; a row without a name goes on.
    """
    found, last = dict(lists), ""
    for name, pattern in table:
        begun = "" if name else found[last]
        last = name or last
        found[last] = begun + _filled(pattern, found)
    return found


def signs(table: Rows, **lists: str) -> dict[str, re.Pattern[str]]:
    """The words by which a language tells something, by the names of the rows."""
    made = shapes(table, lists)
    return {row[0]: compiled(made[row[0]]) for row in table if row[0]}


def written(
    table: Iterable[Sequence[str]],
    words: Words,
    shapes: Mapping[str, str],
    **readers: _Reader,
) -> tuple[Pattern, ...]:
    """The patterns of rows, in order: what a match is, the pattern, and its cue.

    A row without a reader goes on with the pattern above.
    """
    known: dict[str, _Reader] = {"point": words.point, **readers}
    known["step"] = partial(words.step, None)
    found: list[Pattern] = []
    for reader, part, *cue in table:
        pattern = _filled(part, shapes)
        if not reader:
            found[-1] = replace(found[-1], regex=f"{found[-1].regex}{pattern}")
            continue
        read = partial(words.step, _step(reader)) if " " in reader else known[reader]
        tells = (word for one in cue for word in _filled(one, shapes).split("|"))
        found.append(Pattern(pattern, read, frozenset(tells)))
    return tuple(found)


FIGURES = written(
    rows("figures.tsv"),
    Words(),
    {},
    first=lambda m: Calendar(int(m[1]), int(m[3]), int(m[4]), m[5]),
    last=year_last,
)


@cache
def by_rows(rows: Rows) -> Finder:
    """The finder of a language whose dates are rows and nothing else."""
    dates = DateRows(rows)
    months, feasts, steps = dates.numbers("month"), dates.feasts(), dates.steps()
    words = Words(
        month=lambda word: months.get(word.lower()),
        feast=lambda word: feasts[word.lower()],
        unit=steps.__getitem__,
    )
    points = [row for row in rows if row[0] == "point"]
    points += [("point", rf"\b(?P<feast>{any_of(feasts)})\b")] if feasts else []
    points += [("step", rf"\b(?P<unit>{any_of(steps)})\b")] if steps else []
    month = {"MONTH": rf"(?P<month>{any_of(months)})"}
    return Finder(written(points, words, month))
