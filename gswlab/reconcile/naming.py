"""Naming at last: a pronoun's actor gains the name a later chunk gives it.

A chapter may open with "she" and name her later. Of the two actors
the older one keeps its id, and the younger is dropped into it.
"""

from __future__ import annotations

from gswlab.core.nouns import Actor
from gswlab.core.step import Alignment, Candidate
from gswlab.core.workspace import id_order
from gswlab.reconcile.actors import absorb, form
from gswlab.reconcile.align import score
from gswlab.reconcile.decide import Bar
from gswlab.reconcile.pronouns import ONLY, SAME_GENDER, usual_gender
from gswlab.reconcile.scene import Scene
from gswlab.reconcile.ties import APART, held_apart, relate, words_of
from gswlab.reconcile.verdict import NAMED

_AT_LAST = 0.20


def name_pronouns(scene: Scene, bar: Bar) -> None:
    """Name an earlier pronoun once one person of the chapter can be meant at last."""
    cast = scene.actors()
    unnamed = [a for a in cast if a.gender in ("f", "m") and form(a) == "pronoun"]
    if not unnamed:
        return
    people = [a for a in cast if a.kind == "person" and form(a) in ("name", "short")]
    arrived = {a.id for a in people if a.id not in scene.known}
    for waiting in unnamed:
        fits = [a for a in people if usual_gender(a) in (waiting.gender, None)]
        if len(fits) != 1 or fits[0].id not in arrived:
            continue
        if usual_gender(fits[0]) is None or held_apart(scene, waiting.id, fits[0].id):
            continue
        _name(scene, waiting, fits[0], bar)
        people = [a for a in people if a.id != fits[0].id]


def _name(scene: Scene, waiting: Actor, named: Actor, bar: Bar) -> None:
    features = {
        "gender": SAME_GENDER,
        "only one that fits": ONLY,
        "named at last": _AT_LAST,
    }
    best = Candidate(waiting.id, score(features), tuple(features.items()))
    if best.score < bar.threshold:
        return
    older, younger = sorted((waiting.id, named.id), key=id_order)
    if (hand := scene.by_hand.get(NAMED + younger)) is not None:
        relate(scene, younger, older, APART, hand.reason)
        why = hand.reason, (best,), bar.threshold
        scene.decisions.append(Alignment(younger, named.name, "new", younger, *why))
        return
    absorb(scene.draft, older, younger)
    for local_id, actor_id in scene.ids.items():
        scene.ids[local_id] = scene.workspace.resolve(actor_id)
    reason = (
        f"{named.name} against {waiting.name}: {words_of(best)} make {best.score:.2f}, "
        f"at least {bar.threshold:.2f}."
    )
    scene.decisions.append(
        Alignment(younger, named.name, "merged", older, reason, (best,), bar.threshold)
    )
