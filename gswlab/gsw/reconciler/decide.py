"""Merged, new or ambiguous: the decision about one actor, and its reason.

Actors of a chunk are decided in the order of what their form tells: dates and names
before nominals, nominals before pronouns, so that a name that stands late in a chunk
is there for the pronoun that stands early in the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from gswlab.core.nouns import Actor, ByHand, Relation
from gswlab.core.step import Alignment, Candidate
from gswlab.gsw.reconciler.actors import form, grow, has_form, put_actor
from gswlab.gsw.reconciler.align import (
    LIKENESS,
    STATED_ALIAS,
    Features,
    by_name,
    ranked,
)
from gswlab.gsw.reconciler.chunk_context import Scene
from gswlab.gsw.reconciler.references import LEAD, by_narrator, by_noun, by_pronoun

# A verdict: what is said of who a new actor is, put where a score would decide.

LOCAL = "new:"  # before the id of an actor of the chunk, which is no workspace id
NAMED = "named:"  # before the id of a pronoun of the workspace that a chunk names
Status = Literal["merged", "new", "ambiguous"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The status of a new actor and its reason, which says who decided.

    `actors` are whom it is merged with or may be: ids of the workspace before the
    chunk, or local ids after `LOCAL`.
    """

    status: Status
    reason: str
    actors: tuple[str, ...] = ()


Verdicts: TypeAlias = Mapping[str, Verdict]
NONE: Verdicts = {}


@dataclass(frozen=True, slots=True)
class Ruling:
    """What is decided of a new actor: `candidates` best first, `may_be` its ties."""

    status: Status
    candidates: list[Candidate]
    may_be: list[Candidate]
    reason: str


def judged(scene: Scene, rules: Ruling, verdict: Verdict, apart: set[str]) -> Ruling:
    """A verdict over what the rules say; who is kept `apart` is never merged."""
    scored = {candidate.actor: candidate for candidate in rules.candidates}
    ids = [i for i in dict.fromkeys(_resolved(scene, verdict)) if i not in apart]
    named = [scored.get(i) or Candidate(i, 0.0) for i in ids]
    others = [c for c in rules.candidates if c.actor not in ids]
    reason = f"{verdict.reason} (By rules {rules.status}: {rules.reason})"
    status = verdict.status
    if status == "merged" and not named:
        status, reason = "new", f"{reason} But grammar keeps the two apart."
    return Ruling(status, [*named, *others], named, reason)


def overruled(scene: Scene, rules: Ruling, hand: ByHand) -> Ruling:
    """A person's word over what the rules say: grammar keeps nobody apart from it."""
    status: Status = "merged" if hand.actor else "new"
    named = (hand.actor,) if hand.actor else ()
    return judged(scene, rules, Verdict(status, hand.reason, named), set())


def _resolved(scene: Scene, verdict: Verdict) -> Iterator[str]:
    for name in verdict.actors:
        local = name.removeprefix(LOCAL)
        found = scene.ids.get(local) if local != name else name
        if found:
            yield scene.workspace.resolve(found)


# Ties between actors that are not (yet) one: possibly the same, or held apart.

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
