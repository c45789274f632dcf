"""Which day a chunk counts from: the one told last, or its letter's."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gswlab.core.nouns import Actor, Chunk
from gswlab.core.workspace import Workspace
from gswlab.language.dates.calendar import DAY
from gswlab.language.dates.find import find_dates
from gswlab.language.language import NEVER, language_of, of

_ANY_DAY = "2000-06-15"
_NEAR = 100  # characters from a day told to the chunk that counts from it
_NOWHERE = -3 * _NEAR  # near no chunk
_HALF_A_YEAR = 6  # months: 1月 after 12月 is of the next year


def written_on(text: str) -> str | None:
    """The day that heads a letter, a report or minutes, ISO; None where none does."""
    tells = of(language := language_of(text)).tells
    for date in find_dates(text[: 3 * _NEAR], language=language)[:1]:
        head, after = text[: date.start], text[date.end :]
        where, greets, held = (tells.get(n, NEVER) for n in ("where", "greets", "held"))
        on = (where.fullmatch(head) and greets.match(after)) or held.search(head)
        if on and len(date.day or "") == DAY:
            return date.day
    return None


def basis(chunk: Chunk, workspace: Workspace) -> str | None:
    """What relative dates count from: the last narrated day, if any.

    A chapter that opens with "Three days later" counts from the day before it. Where a
    day of writing is known, only a day spoken of just before the chunk counts.
    """
    told, start = _told(chunk, workspace), chunk.span.start
    if chunk.time:  # the day spoken of last, if at the end of what was read before
        days = ((end, day) for day, end in told if len(day) >= DAY)
        end, day = max(days, default=(_NOWHERE, ""))
        return day[:DAY] if end >= start - _NEAR else None
    actors = workspace.in_chapter("actor", chunk.chapter)
    if dated := _days(actors):
        return _since(actors, dated)
    if not actors and chunk.chapter:
        before = _days(workspace.in_chapter("actor", chunk.chapter - 1))
        return _carried(chunk.text, before[-1]) if before else None
    # no day has a year: the last one without, else the year told just before
    far = start - (4 if of(language_of(chunk.text)).plain else 2) * _NEAR
    near = [day for day, end in told if day[0].isdigit() and end >= far]
    last = [day for day, _ in told if day.count("-") == 3]
    return [None, *last[-1:], *near[-1:]][-1]


def counts_on(chunk: Chunk) -> bool:
    """Whether the days of a chunk may count from those of the chapter before."""
    return not chunk.time and _carried(chunk.text, _ANY_DAY) is not None


def _told(chunk: Chunk, workspace: Workspace) -> list[tuple[str, int]]:
    """The dates told in a chapter, and where each was last."""
    found = []
    for time in workspace.in_chapter("time", chunk.chapter):
        spans = [span for reading in time.readings[-1:] for span in reading.spans]
        ends = [span.end for span in spans if span.document == chunk.document]
        found.append((time.value or "-", max(ends, default=_NOWHERE)))
    return found


def _days(actors: Iterable[Actor]) -> list[str]:
    """The days told, but for those that a step leads back to: "the evening before"."""
    days: list[str] = []
    for actor in actors:
        day = (actor.value or "")[:DAY]
        if actor.kind != "time" or len(day) < DAY or not day[0].isdigit():
            continue
        back = days and day < days[-1]
        if not back or not any(date.relative for date in find_dates(actor.name)):
            days.append(day)
    return days


def _since(actors: Iterable[Actor], days: Sequence[str]) -> str | None:
    """The day a story has come to; none once years have passed since it was told.

    A story that has gone on from its first day does not go back before it.
    """
    onward = [day for day in days if day >= days[0]]
    last = onward[-1] if len(set(onward)) > 1 else days[-1]
    values = [actor.value or "" for actor in actors if actor.kind == "time"]
    at = max(i for i, value in enumerate(values) if value[:DAY] == last)
    years = [value for value in values[at:] if value[:1].isdigit()]
    later = [value for value in years if int(value[:4]) > int(last[:4]) + 1]
    if not later:
        return last
    return later[-1] if len(later[-1]) == len("2024-05") else None


def _carried(text: str, day: str) -> str | None:
    """What the opening of a text counts from, if it steps on from a day told before.

    Japanese seldom tells a year twice: 11月3日 is of the year told last, or the next.
    """
    first = next(iter(find_dates(text, basis=day)), None)
    if first is None or text[: first.start].strip():
        return None
    if first.relative:
        return day if (first.day or "") > day else None
    if first.basis is None or not of(language_of(text)).year_once:
        return None
    back = int(day[5:7]) - int((first.day or day)[5:7])
    return f"{int(day[:4]) + 1}-01-01" if back > _HALF_A_YEAR else day
