"""Ties between actors that are not (yet) one: possibly the same, or held apart."""

from __future__ import annotations

from gswlab.core.nouns import Relation
from gswlab.core.step import Candidate
from gswlab.reconcile.scene import Scene

POSSIBLY = "possibly_same_actor"
APART = "not_same_actor"


def relate(scene: Scene, source: str, target: str, kind: str, reason: str) -> None:
    """Put a relation between two actors of the chapter."""
    spans = tuple(m.span for m in scene.actor(source).mentions[-1:])
    number = scene.draft.new_id("relation")
    relation = Relation(
        number, source, target, kind, reason, spans, scene.chunk.id, scene.chapter
    )
    scene.draft.put("relation", relation)


def doubt(tie: Relation) -> float:
    """The score of a tie between actors that may be one: its reason begins with it.

    One that a verdict put, and no score, is in doubt whatever the rules would say.

    >>> doubt(Relation("r1", "a1", "a2", POSSIBLY, "0.58: short +0.50, kind +0.08"))
    0.58
    """
    try:
        return float(tie.reason.partition(":")[0]) or 1.0
    except ValueError:
        return 1.0


def held_apart(scene: Scene, one: str, other: str) -> bool:
    """Whether grammar has kept two actors of the chapter apart."""
    resolve = scene.workspace.resolve
    return any(
        {resolve(r.source), resolve(r.target)} == {one, other}
        for r in scene.shelf("relation")
        if r.kind == APART
    )


def words_of(candidate: Candidate) -> str:
    """A candidate's features as a reader may check their sum."""
    return ", ".join(f"{name} {weight:+.2f}" for name, weight in candidate.features)
