"""One local actor turned out to be two: what is said of each goes to the nearer one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from gswlab.core.nouns import Actor, Argument, Link, LocalMap, Mention, Span, VerbPhrase


@dataclass(frozen=True, slots=True)
class Parting:
    """The actor `kept`, and `new`, which some of its mentions belong to."""

    kept: Actor
    new: Actor

    def of(self, spans: Iterable[Span]) -> str:
        """Whose mention stands nearest to spans; the kept one's where none does."""
        at = list(spans)
        if not at:
            return self.kept.id
        near = {a.id: _gap(a.mentions, at) for a in (self.kept, self.new)}
        return min(near, key=lambda i: (near[i], i != self.kept.id))


def part(
    local: LocalMap, actor_id: str, mentions: Iterable[Mention], name: str
) -> LocalMap:
    """`local` with `mentions` of an actor taken from it and given to a new one."""
    actor = next(a for a in local.actors if a.id == actor_id)
    moved = tuple(mentions)
    number = 1 + max(int(a.id[1:]) for a in local.actors)
    stay = tuple(m for m in actor.mentions if m not in moved)
    both = Parting(
        replace(actor, mentions=stay),
        replace(actor, id=f"a{number}", name=name, aliases=(), mentions=moved),
    )
    ends = tuple(_with_own(a, both) for a in (both.kept, both.new))
    actors = (*(ends[0] if a.id == actor.id else a for a in local.actors), ends[1])
    told = [_phrase(phrase, both) for phrase in local.verb_phrases]
    votes = (
        replace(v, candidate=both.of(v.spans)) if v.candidate == actor.id else v
        for v in local.votes
    )
    return replace(
        local,
        actors=actors,
        verb_phrases=tuple(told),
        links=tuple(_link(link, both) for link in local.links),
        votes=tuple(votes),
        apart=(*local.apart, (actor.id, both.new.id)),
    )


def _gap(mentions: Iterable[Mention], spans: Iterable[Span]) -> int:
    """Characters between the nearest of the mentions and of the spans."""
    gaps = [
        max(s.start - m.span.end, m.span.start - s.end, 0)
        for m in mentions
        for s in spans
    ]
    return min(gaps, default=10**9)


def _with_own(actor: Actor, both: Parting) -> Actor:
    return replace(
        actor,
        roles=tuple(r for r in actor.roles if both.of(r.spans) == actor.id),
        states=tuple(s for s in actor.states if both.of(s.spans) == actor.id),
        votes=tuple(v for v in actor.votes if both.of(v.spans) == actor.id),
    )


def _phrase(phrase: VerbPhrase, both: Parting) -> VerbPhrase:
    arguments = tuple(_argument(a, both) for a in phrase.arguments)
    has = {a.actor for a in arguments}
    moved = both.new.id in has and both.kept.id not in has
    effects = tuple(
        replace(e, actor=both.new.id) if moved and e.actor == both.kept.id else e
        for e in phrase.effects
    )
    return replace(phrase, arguments=arguments, effects=effects)


def _argument(argument: Argument, both: Parting) -> Argument:
    if argument.actor != both.kept.id:
        return argument
    return replace(argument, actor=both.of(argument.spans))


def _link(link: Link, both: Parting) -> Link:
    if both.kept.id not in (*link.actors, link.anchor):
        return link
    owner = both.of(link.spans)
    ids = tuple(owner if i == both.kept.id else i for i in link.actors)
    anchor = owner if link.anchor == both.kept.id else link.anchor
    return replace(link, actors=ids, anchor=anchor)
