"""Actors left ambiguous, and pronouns nobody named: weighed again, perhaps merged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gswlab.reconcile.actors import absorb, form
from gswlab.reconcile.decide import Bar, considered
from gswlab.reconcile.pronouns import LEAD, by_pronoun
from gswlab.reconcile.rules import RulesReconciler
from gswlab.reconcile.scene import Scene
from gswlab.reconcile.second_pass.side import Side
from gswlab.reconcile.ties import POSSIBLY, doubt, held_apart, words_of
from gswlab.reconcile.verdict import Status
from gswlab.workspace.nouns import Actor, LocalMap, Relation
from gswlab.workspace.step import Alignment, Candidate, Drop
from gswlab.workspace.workspace import id_order

_SHOWN = 5  # candidates a decision carries


def settle_actors(scene: Scene, side: Side, rules: RulesReconciler) -> None:
    """Decide again who the chunk's undecided actors are."""
    for actor_id in _waiting(scene, side, rules.threshold - rules.near):
        if actor_id in scene.workspace:
            _settle(scene, scene.actor(actor_id), side, rules)


def _waiting(scene: Scene, side: Side, least: float) -> list[str]:
    """Actors that the chunk left possibly the same as others, and its own pronouns.

    A tie below `least` is no doubt: the two are alike in name, and told apart.
    """
    resolve = scene.workspace.resolve
    ids = {
        resolve(relation.source)
        for relation in _ties(scene)
        if relation.chunk == scene.chunk.id
        and resolve(relation.source) != resolve(relation.target)
        and doubt(relation) >= least
    }
    ids |= {
        actor.id
        for actor in scene.shelf("actor")
        if actor.chunk == scene.chunk.id
        and actor.gender in ("f", "m")
        and form(actor) == "pronoun"
    }
    return sorted(ids, key=id_order, reverse=side.direction == "backward")


def _ties(scene: Scene) -> Iterator[Relation]:
    return (r for r in scene.shelf("relation") if r.kind == POSSIBLY)


def _settle(scene: Scene, actor: Actor, side: Side, rules: RulesReconciler) -> None:
    bar = Bar(rules.threshold, rules.near, rules.lead)
    if form(actor) == "pronoun":
        bar = replace(bar, lead=min(bar.lead, LEAD))
    candidates = _candidates(scene, actor, side, rules)
    status = bar.status(_rivals(scene, candidates))
    ties = [r for r in _ties(scene) if scene.workspace.resolve(r.source) == actor.id]
    # Backward only earlier actors are weighed: that none fits says nothing of others.
    parted = status == "new" and ties and side.direction == "forward"
    if status != "merged" and not parted:
        return
    for tie in ties:
        scene.draft.drop(tie.id)
    name = scene.actor(candidates[0].actor).name if candidates else ""
    into = actor.id
    if status == "merged":
        into, younger = sorted((actor.id, candidates[0].actor), key=id_order)
        absorb(scene.draft, into, younger)
        if form(actor) == "pronoun" and scene.actor(into).name == actor.name:
            scene.draft.set(into, "name", name)  # "the old man" tells more than "he"
    reason = _reason(actor, name, candidates[:1], status, side, bar)
    shown = tuple(candidates[:_SHOWN])
    told = Alignment(actor.id, actor.name, status, into, reason, shown, bar.threshold)
    scene.decisions.append(told)


def _candidates(
    scene: Scene, actor: Actor, side: Side, rules: RulesReconciler
) -> list[Candidate]:
    """Whom an actor may be, best first, weighed as if it were not there itself."""
    without = scene.workspace.change(Drop("actor", actor.id))
    alone = Scene(without, LocalMap(scene.chunk.id), scene.chunk, rules.scope)
    alone.window = rules.window
    later = side.direction == "forward"
    if form(actor) == "pronoun":
        found = by_pronoun(alone, actor, later)
    else:
        found = considered(alone, actor)
    beside = _together(scene, actor.id)
    return [
        each
        for each in found
        if each.actor not in beside
        if not held_apart(scene, actor.id, each.actor)
        if later or side.of(scene.actor(each.actor))
    ]


def _rivals(scene: Scene, candidates: list[Candidate]) -> list[Candidate]:
    """The best, and who is not possibly the best itself: two that may be one."""
    if not candidates:
        return []
    best, *others = candidates
    resolve = scene.workspace.resolve
    tied = {frozenset((resolve(r.source), resolve(r.target))) for r in _ties(scene)}
    return [best, *(c for c in others if frozenset((best.actor, c.actor)) not in tied)]


def _together(scene: Scene, actor_id: str) -> set[str]:
    """Who takes part in something beside an actor: a clause rarely names one twice."""
    resolve, found = scene.workspace.resolve, set[str]()
    for phrase in scene.shelf("verb_phrase"):
        ids = {resolve(a.actor) for a in phrase.arguments if a.actor}
        found |= ids if actor_id in ids else set()
    return found


def _reason(
    actor: Actor,
    name: str,
    best: list[Candidate],
    status: Status,
    side: Side,
    bar: Bar,
) -> str:
    if not best:
        return f"Settled by {side.words}: nobody is left who {actor.name} may be."
    than = "at least" if status == "merged" else "far below"
    return (
        f"Settled by {side.words}: {actor.name} against {name}: {words_of(best[0])} "
        f"make {best[0].score:.2f}, {than} {bar.threshold:.2f}."
    )
