"""Merged, new or ambiguous: the decision about one actor, and its reason.

Actors of a chunk are decided in the order of what their form tells: dates and names
before nominals, nominals before pronouns, so that a name that stands late in a chunk
is there for the pronoun that stands early in the next.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gswlab.core.nouns import Actor
from gswlab.core.step import Alignment, Candidate
from gswlab.reconcile.actors import form, grow, has_form, put_actor
from gswlab.reconcile.align import LIKENESS, STATED_ALIAS, by_name, ranked
from gswlab.reconcile.context import Features
from gswlab.reconcile.nominals import by_noun
from gswlab.reconcile.pronouns import LEAD, by_narrator, by_pronoun
from gswlab.reconcile.scene import Scene
from gswlab.reconcile.ties import APART, POSSIBLY, held_apart, relate, words_of
from gswlab.reconcile.verdict import (
    NONE,
    Ruling,
    Status,
    Verdict,
    Verdicts,
    judged,
    overruled,
)

_ORDER = ("date", "narrator", "name", "short", "nominal", "pronoun")
_SHOWN = 5  # candidates a decision carries
_RIVALS = 2  # actors an ambiguous one is tied to


@dataclass(frozen=True, slots=True)
class Bar:
    """What a merge needs: a score, and a lead over the runner-up.

    >>> Bar().status([Candidate("a1", 0.7)])
    'merged'
    """

    threshold: float = 0.6
    near: float = 0.2
    lead: float = 0.05

    def status(self, candidates: list[Candidate]) -> Status:
        """What the best of the ranked candidates makes of a new actor."""
        best, second = [*(c.score for c in candidates[:2]), 0.0, 0.0][:2]
        if best < self.threshold - self.near:
            return "new"
        if best < self.threshold or best - second < self.lead:
            return "ambiguous"
        return "merged"


def align_all(scene: Scene, bar: Bar, verdicts: Verdicts = NONE) -> None:
    """Decide every actor of the chunk: `scene.ids` then holds them all."""
    for new in sorted(scene.local.actors, key=lambda a: _ORDER.index(_class(a))):
        align(scene, new, bar, verdicts.get(new.id))
    _keep_apart(scene)


def align(scene: Scene, new: Actor, bar: Bar, verdict: Verdict | None = None) -> None:
    """Decide one actor: record the decision and put, or grow, what it became."""
    ruling = rules = _ruled(scene, new, bar)
    hand = scene.by_hand.get(new.id)
    if hand is not None:
        ruling = overruled(scene, rules, hand)
    # "Known as" is the text's own word: no verdict is needed, or heard.
    elif verdict is not None and not _stated(scene, new):
        ruling = judged(scene, ruling, verdict, _apart(scene, new))
    if ruling.status == "merged":
        actor_id = ruling.candidates[0].actor
        grow(scene.draft, actor_id, new)
        scene.cast.setdefault(actor_id)
    else:
        actor_id = put_actor(scene, new)
        for candidate in ruling.may_be[:_RIVALS]:
            told = words_of(candidate) or ruling.reason
            reason = f"{candidate.score:.2f}: {told}"  # `ties.doubt` reads the score
            relate(scene, actor_id, candidate.actor, POSSIBLY, reason)
        if hand is not None and rules.status == "merged":
            relate(scene, actor_id, rules.candidates[0].actor, APART, hand.reason)
    scene.ids[new.id] = actor_id
    scene.decisions.append(
        Alignment(
            new.id,
            new.name,
            ruling.status,
            actor_id,
            ruling.reason,
            tuple(ruling.candidates[:_SHOWN]),
            bar.threshold,
        )
    )


def _ruled(scene: Scene, new: Actor, bar: Bar) -> Ruling:
    """What the scores make of an actor."""
    candidates = _stated(scene, new)
    if not candidates:
        apart = _apart(scene, new)
        candidates = [c for c in considered(scene, new) if c.actor not in apart]
    if form(new) == "pronoun":
        bar = replace(bar, lead=min(bar.lead, LEAD))
    status = bar.status(candidates)
    may_be = [c for c in candidates if _may_be(c, candidates[0], status, bar)]
    reason = _reason(scene, new, status, candidates, bar)
    return Ruling(status, candidates, may_be, reason)


def _keep_apart(scene: Scene) -> None:
    """Remember whom grammar keeps apart from a pronoun that is not named yet."""
    for one, other in scene.local.apart:
        if one not in scene.ids or other not in scene.ids:
            continue
        pair = scene.actor(scene.ids[one]), scene.actor(scene.ids[other])
        if pair[0].id == pair[1].id or "pronoun" not in map(form, pair):
            continue
        if not held_apart(scene, pair[0].id, pair[1].id):
            reason = "one clause or list has both"
            relate(scene, pair[0].id, pair[1].id, APART, reason)


def _class(actor: Actor) -> str:
    return "narrator" if has_form(actor, "narrator") else form(actor)


def considered(scene: Scene, new: Actor) -> list[Candidate]:
    """Actors of the workspace that a new one may be, best first."""
    named = form(new) in ("name", "short", "date")
    if has_form(new, "narrator"):
        told = by_narrator(scene, new)
        return told or (by_name(scene, new) if named else [])
    if named:
        return by_name(scene, new)
    return by_pronoun(scene, new) if form(new) == "pronoun" else by_noun(scene, new)


def _stated(scene: Scene, new: Actor) -> list[Candidate]:
    """Actors of the chunk that the text says are this one ("known as")."""
    found: list[tuple[Actor, Features]] = []
    for relation in scene.local.relations:
        ends = [relation.source, relation.target]
        if relation.kind == "alias" and new.id in ends:
            other = ends[1 - ends.index(new.id)]
            if other in scene.ids:
                actor = scene.actor(scene.ids[other])
                found.append((actor, {"stated alias": STATED_ALIAS}))
    return ranked(found)


def _apart(scene: Scene, new: Actor) -> set[str]:
    """Workspace actors that the chunk's grammar says are not this one."""
    pairs = [pair for pair in scene.local.apart if new.id in pair]
    others = {a if b == new.id else b for a, b in pairs}
    return {scene.workspace.resolve(scene.ids[o]) for o in others if o in scene.ids}


def _may_be(candidate: Candidate, best: Candidate, status: str, bar: Bar) -> bool:
    """Whether a tie says that two actors may be one: near, or kept apart by a clash."""
    if status == "ambiguous":
        return best.score - candidate.score < bar.lead
    return sum(w for _, w in candidate.features if w > 0) >= bar.threshold and any(
        name in LIKENESS for name, _ in candidate.features
    )


def _reason(
    scene: Scene, new: Actor, status: str, candidates: list[Candidate], bar: Bar
) -> str:
    """One sentence that says what decided."""
    if not candidates:
        return f"Nobody in reach is called or described as {new.name}."
    best = candidates[0]
    name = scene.actor(best.actor).name
    case = f"{new.name} against {name}: {words_of(best)} make {best.score:.2f}"
    if status == "merged":
        return f"{case}, at least {bar.threshold:.2f}."
    if status == "new":
        return f"{case}, far below {bar.threshold:.2f}."
    if best.score < bar.threshold:
        return f"{case}, close to but below {bar.threshold:.2f}."
    rival = scene.actor(candidates[1].actor).name
    return f"{case}, but {rival} fits as well with {candidates[1].score:.2f}."
