"""Days counted from the day told last, where a text was written on another.

"That evening" in a letter of 21 March is hardly the 21st: it is of the day told just
before, else it has no value until one is named. "On Wednesday" in a newspaper is the
last one, if its sentence looks back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gswlab.reconcile.parting import part
from gswlab.text import DateMention, find_dates, language_of
from gswlab.workspace.nouns import Actor, Chunk, Link, LocalMap, Mention, Note, Time
from gswlab.workspace.workspace import Workspace

NEAR = 100  # characters from a day told to the chunk that counts from it
_DAY = len("2024-05-07")


def with_told(local: LocalMap, chunk: Chunk, workspace: Workspace) -> LocalMap:
    """`local` with the dates of a chunk that has a day of writing counted anew."""
    if chunk.time is None or not any(a.kind == "time" for a in local.actors):
        return local
    told = _told_before(chunk, workspace)
    found = find_dates(chunk.text, told, language_of(chunk.text), said=chunk.time)
    days = {chunk.span.start + date.start: date for date in found}
    for actor in local.actors:
        if actor.kind == "time":
            local = _counted(local, actor, days)
    return replace(local, links=tuple(_link(link, days) for link in local.links))


def _told_before(chunk: Chunk, workspace: Workspace) -> str | None:
    """The day spoken of at the end of what was read before, if it is near."""
    last, day = chunk.span.start - NEAR, None
    for time in workspace.in_chapter("time", chunk.chapter):
        for end in _ends(time, chunk):
            if end >= last and len(time.value or "") >= _DAY:
                last, day = end, time.value[:_DAY]
    return day


def _ends(time: Time, chunk: Chunk) -> Iterator[int]:
    for reading in time.readings[-1:]:
        for span in reading.spans:
            if span.document == chunk.document:
                yield span.end


def _counted(local: LocalMap, actor: Actor, days: dict[int, DateMention]) -> LocalMap:
    """Every mention of a time under its own value."""
    groups: dict[str | None, list[Mention]] = {}
    for mention in actor.mentions:
        date = days.get(mention.span.start)
        groups.setdefault(date.value if date else actor.value, []).append(mention)
    (value, _), *others = groups.items()
    for other, mentions in others:
        local = part(local, actor.id, mentions, mentions[0].text)
        new = replace(local.actors[-1], value=other)
        local = replace(local, actors=(*local.actors[:-1], new))
    kept = (_valued(a, value) if a.id == actor.id else a for a in local.actors)
    return replace(local, actors=tuple(kept))


def _valued(actor: Actor, value: str | None) -> Actor:
    """A time under a value; the reading that was taken back stays as a hypothesis."""
    if value is None and actor.value is not None:
        guess = f"possibly {actor.value}, counted from the day of writing"
        note = Note(guess, tuple(m.span for m in actor.mentions), actor.chunk)
        actor = replace(actor, notes=(*actor.notes, note))
    return replace(actor, value=value)


def _link(link: Link, days: dict[int, DateMention]) -> Link:
    date = days.get(link.spans[0].start) if link.spans else None
    if link.kind != "time" or date is None:
        return link
    return replace(link, iso=date.value, granularity=date.granularity, basis=date.basis)
