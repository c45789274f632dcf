"""What the reconciler is shown: the chunk's local map, and the workspace it meets.

Of the workspace, within a budget of tokens and in this order: whom the chunk's actors
may be (by name, alias, noun or role), what is open of their verb phrases, the chapter's
times and places, and the rest of its cast from the last on. What is not shown cannot be
named in the reply.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from gswlab.core.nouns import Actor, Place, Time, VerbPhrase
from gswlab.reconcile.attempts import whereabouts
from gswlab.reconcile.decide import considered
from gswlab.reconcile.llm import shown
from gswlab.reconcile.llm.answers import pending
from gswlab.reconcile.llm.shown import Acts, Card, Shown, card
from gswlab.reconcile.scene import Scene
from gswlab.reconcile.verdict import LOCAL

_CANDIDATES = 5  # for each new actor
_LAST = 16  # times, and places, of the chapter
_ANCHORS: tuple[Literal["time", "place"], ...] = ("time", "place")


@dataclass(frozen=True)
class Excerpt:
    """The two parts of the prompt, and the new actors that they show."""

    local: Shown
    workspace: Shown
    actors: Mapping[str, Actor]

    @classmethod
    def of(cls, scene: Scene, budget: int, questions: bool) -> Excerpt:
        """Of a chunk's scene before anybody is aligned, each part within a budget."""
        likely = {new.id: _candidates(scene, new) for new in scene.local.actors}
        local = shown.fitting(_local(scene, likely), budget)
        workspace = shown.fitting(_workspace(scene, likely, questions), budget)
        own = {each.get("id") for each in local.cards}
        actors = {LOCAL + a.id: a for a in scene.local.actors if LOCAL + a.id in own}
        return cls(local, workspace, actors)

    @property
    def ids(self) -> dict[str, str]:
        """The workspace's nouns that a reply may name."""
        return {i: i for each in self.workspace.cards for i in shown.ids(each)}

    def offered(self, scene: Scene) -> dict[str, tuple[str, ...]]:
        """Whom each new actor may be; a date is its value, which the rules compare."""
        cast = (scene.actor(i) for i in self.ids if i[0] == "a")
        known = tuple(old.id for old in cast if old.kind != "time")
        return {i: known for i, new in self.actors.items() if new.kind != "time"}


def _candidates(scene: Scene, new: Actor) -> list[str]:
    return [c.actor for c in considered(scene, new)[:_CANDIDATES]]


def _local(scene: Scene, likely: dict[str, list[str]]) -> Iterator[Card]:
    for new in scene.local.actors:
        own: Card = {"id": LOCAL + new.id, "may_be": likely[new.id]}
        yield card(**{**shown.actor(new), **own})
    for event in scene.local.verb_phrases:
        yield card(id=LOCAL + event.id, event=_slots(event))
    for link in scene.local.links:
        together = [LOCAL + actor for actor in link.actors]
        said = "when" if link.kind == "time" else "where"
        yield card(together=together, **{said: link.iso or link.value})


def _slots(event: VerbPhrase) -> str:
    filled = (
        f"{a.slot}: {LOCAL + a.actor if a.actor else a.text}" for a in event.arguments
    )
    said = ("not " if event.negated else "") + event.predicate
    return f"{said} ({'; '.join(filled)})"


def _workspace(
    scene: Scene, likely: dict[str, list[str]], questions: bool
) -> Iterator[Card]:
    acts, where = Acts(scene), whereabouts(scene)
    first = dict.fromkeys(i for found in likely.values() for i in found)
    cast = dict.fromkeys(actor.id for actor in scene.actors()[::-1])
    yield from (_actor(acts, i, where) for i in first)
    if questions:
        yield from shown.asked(scene.workspace, pending(scene, first))
    for kind in _ANCHORS:
        yield from (_anchor(scene, a) for a in list(scene.shelf(kind))[-_LAST:])
    yield from (_actor(acts, i, where) for i in cast if i not in first)


def _actor(
    acts: Acts, actor_id: str, where: Mapping[tuple[str, str], list[str]]
) -> Card:
    found = acts.scene.actor(actor_id)
    last: Card = {slot: where.get((slot, actor_id), [""])[-1] for slot in _ANCHORS}
    return card(**{**shown.actor(found, acts.of(found)), **last})


def _anchor(scene: Scene, found: Time | Place) -> Card:
    actors = list(dict.fromkeys(scene.coupled(found)))
    if isinstance(found, Time):
        return card(id=found.id, date=found.value, actors=actors)
    return card(id=found.id, place=found.name, within=found.inside, actors=actors)
