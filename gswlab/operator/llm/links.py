"""Groups of a coupling reply as links, and what they say of the chunk's episode."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gswlab.core.nouns import Link, Span, Vote
from gswlab.operator.cast import Cast, Member
from gswlab.operator.llm.grounding import Ground
from gswlab.operator.llm.place import Place
from gswlab.operator.llm.reply import GroupReply

_KINDS = {"space": "place", "time": "time"}
_FIELDS = {"space": "place", "time": "date"}
TOGETHER = 1.0  # weight of a time or place that a group shares: as much as a topic's


def links_of(cast: Cast, found: Ground, groups: Sequence[GroupReply]) -> Iterator[Link]:
    """The groups whose actors, and whose place or time, the passage has."""
    members = {member.id: member for member in cast}
    for i, group in enumerate(groups):
        path = f"groups.{i}"
        named = found.named(f"{path}.actors", group.actors)
        together = [members[actor.id] for actor in named]
        said = (group.value or "").strip()
        place = found.find(f"{path}.value", said) if said else None
        if not together or (said and place is None):
            found.refuse(path, "it has no actor, or no place or time, of the passage")
            continue
        yield _link(cast, group, together, place)


def _link(
    cast: Cast, group: GroupReply, together: list[Member], place: Place | None
) -> Link:
    ids = [member.id for member in together]
    if place is None:  # a place or time they share that the passage does not name
        spans = tuple(member.mentions[0].span for member in together)
        return Link(group.kind, tuple(ids), None, spans)
    parsed = cast.parsed
    span, text = parsed.span(*place), parsed.chunk.text[slice(*place)]
    anchor = _anchor(cast, group, span)
    own = [anchor.id] if anchor else []
    actors = tuple(dict.fromkeys(ids + own))
    link = Link(group.kind, actors, text, (span,), next(iter(own), None))
    dates = (d for d in parsed.dates if place.meets(Place(d.start, d.end)))
    date = next(dates, None) if group.kind == "time" else None
    if date is None:
        return link
    grain, counted = date.granularity, date.basis
    return replace(link, iso=date.value, granularity=grain, basis=counted)


def _anchor(cast: Cast, group: GroupReply, span: Span) -> Member | None:
    """The actor that is the place or time of a group, by the words for it."""
    for member in cast:
        spans = [mention.span for mention in member.mentions]
        here = any(s.start < span.end and span.start < s.end for s in spans)
        if here and member.kind == _KINDS[group.kind]:
            return member
    return None


def shared_votes(links: Sequence[Link]) -> Iterator[Vote]:
    """A named place or time that a group shares speaks for where and when it is."""
    for link in links:
        if link.anchor and (others := len(link.actors) - 1):
            reason = f"the model puts {others} there"
            yield Vote(_FIELDS[link.kind], link.anchor, TOGETHER, reason, link.spans)
