"""What a workspace held of an actor's time and place after each step of a journal.

A workspace holds whereabouts in three ways, and the latest word of the text counts:

- a verb phrase the actor takes part in is anchored at a time or place;
- the actor is coupled to a shared anchor;
- the episode of the chapter binds a day and a place, and the actor is its protagonist
  or one of its participants.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from gswlab.core.journal import Journal
from gswlab.core.nouns import Actor, Episode, Place, Time, VerbPhrase
from gswlab.core.step import Put, Step
from gswlab.core.workspace import Workspace
from gswlab.language.keys import name_key

_TAKING_PART = ("agent", "patient", "recipient")


@dataclass(frozen=True, slots=True)
class HeldWhereabouts:
    """Time (ISO) and place of an actor as held after a step, and what holds them."""

    step: int
    chunk: str
    time: str | None = None
    time_by: str | None = None
    place: str | None = None
    place_by: str | None = None
    place_id: str | None = None


@dataclass(slots=True)
class _Claims:
    """Nouns that place an actor, each with the last step and character it did so at."""

    ids: frozenset[str]
    at: dict[str, tuple[int, int]] = field(default_factory=dict)

    def read(self, before: Workspace, step: Step, after: Workspace) -> None:
        """Note which nouns a step made speak of the actor."""
        touched = {c.item.id if isinstance(c, Put) else c.id for c in step.changes}
        for noun_id in sorted(touched):
            noun = after.nouns.get(noun_id)
            if isinstance(noun, VerbPhrase) and self._acts(noun, after):
                ends = [span.end for span in noun.spans]
            elif isinstance(noun, (Time, Place)) and self._joins(noun, before, after):
                readings = [r for r in noun.readings if r.chunk == step.chunk]
                ends = [span.end for r in readings for span in r.spans]
            else:
                continue
            self.at[noun_id] = (step.index, max(ends, default=0))

    def _acts(self, noun: VerbPhrase, workspace: Workspace) -> bool:
        if noun.negated or noun.modality != "asserted":
            return False
        return any(
            a.slot in _TAKING_PART
            and a.actor
            and workspace.resolve(a.actor) in self.ids
            for a in noun.arguments
        )

    def _joins(self, noun: Time | Place, before: Workspace, after: Workspace) -> bool:
        """Whether the actor is newly coupled to an anchor: others may be read there."""
        old = before.nouns.get(noun.id)
        known = old.actors if isinstance(old, (Time, Place)) else ()
        joined = set(noun.actors) - set(known)
        return any(after.resolve(i) in self.ids for i in joined)

    def latest(
        self, workspace: Workspace, kind: type[Time] | type[Place]
    ) -> tuple[int, str, str] | None:
        """Step, claiming noun and anchor of the last claim to a known time or place."""
        for noun_id, (step, _) in sorted(
            self.at.items(), key=lambda pair: pair[1], reverse=True
        ):
            noun = workspace.nouns.get(noun_id)
            anchor_id: str | None = noun_id
            if isinstance(noun, VerbPhrase):
                anchor_id = noun.time if kind is Time else noun.place
            anchor = workspace.nouns.get(workspace.resolve(anchor_id or ""))
            if isinstance(anchor, kind) and _value_of(anchor):
                return step, noun_id, anchor.id
        return None


def _value_of(anchor: object) -> str | None:
    """The value of a time, the name of a place."""
    return anchor.value if isinstance(anchor, Time) else getattr(anchor, "name", None)


def held_of(
    journal: Journal, last: Workspace, actor: Actor
) -> Iterator[tuple[HeldWhereabouts, int | None, Workspace]]:
    """What was held after each step that read a chunk, its chapter, the workspace.

    An actor that a later step merged into this one counts as this one from the start.
    """
    merged = (i for i in last.retired if last.resolve(i) == actor.id)
    claims = _Claims(frozenset((actor.id, *merged)))
    chunks = {chunk.id: chunk for chunk in journal.chunks()}
    opened: dict[str, int] = {}
    before = Workspace()
    for step in journal:
        after = before.apply(step)
        claims.read(before, step, after)
        if step.chunk is not None:
            chunk = chunks[step.chunk]
            # The last episode of the chunk's chapter, if the actor takes part in it.
            here = after.in_chapter("episode", chunk.chapter)
            own = [
                e for e in here if e.document == chunk.document and chunk.id in e.chunks
            ]
            bounds = (own[-1].protagonist, *own[-1].participants) if own else ()
            taking_part = (b.id for b in bounds if b is not None and b.id)
            there = any(after.resolve(i) in claims.ids for i in taking_part)
            episode = own[-1] if there else None
            since = opened.setdefault(episode.id, step.index) if episode else 0
            yield _held(step, after, claims, episode, since), chunk.chapter, after
        before = after


def _held(
    step: Step, after: Workspace, claims: _Claims, episode: Episode | None, since: int
) -> HeldWhereabouts:
    assert step.chunk is not None
    when, where = claims.latest(after, Time), claims.latest(after, Place)
    time = time_by = place = place_by = place_id = None
    if episode and episode.date and (when is None or when[0] < since):
        time, time_by = episode.date.value, episode.id
    elif when:
        time, time_by = _value_of(after.get(when[2])), when[1]
    if episode and episode.place and (where is None or where[0] < since):
        place, place_by, place_id = episode.place.value, episode.id, episode.place.id
    elif where:
        anchor: Place = after.get(where[2])
        place, place_by, place_id = anchor.name, where[1], anchor.actor
    return HeldWhereabouts(
        step.index, step.chunk, time, time_by, place, place_by, place_id
    )


Where = tuple[str | None, str | None]


def same_place(workspace: Workspace, one: Where, two: Where) -> bool:
    """Whether two places (actor id, name) are one, or one lies inside the other."""
    around = [_around(workspace, where) for where in (one, two)]
    return not around[0].isdisjoint(_bare(two)) or not around[1].isdisjoint(_bare(one))


def _bare(where: Where) -> set[object]:
    return {name_key(where[1])} if where[1] else set()


def _around(workspace: Workspace, where: Where) -> set[object]:
    """The names of a place and of every place that contains it."""
    actor_id = workspace.resolve(where[0]) if where[0] else None
    names = _bare(where)
    actor = workspace.nouns.get(actor_id or "")
    if isinstance(actor, Actor):
        names |= {name_key(name) for name in (actor.name, *actor.aliases)}
    for place in workspace.places:
        if place.actor and workspace.resolve(place.actor) == actor_id:
            outer: Place | None = place
            seen: set[str] = set()
            while outer is not None and outer.id not in seen:
                seen.add(outer.id)
                names |= _bare((None, outer.name))
                found = workspace.nouns.get(workspace.resolve(outer.inside or ""))
                outer = found if isinstance(found, Place) else None
    return names
