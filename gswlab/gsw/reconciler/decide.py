"""Merged, new or ambiguous: the decision about one actor, and its reason.

Actors of a chunk are decided in the order of what their form tells: dates and names
before nominals, nominals before pronouns, so that a name that stands late in a chunk
is there for the pronoun that stands early in the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from gswlab.core.nouns import Actor
from gswlab.core.step import Alignment, Candidate
from gswlab.gsw.reconciler.actors import form, grow, has_form, put_actor
from gswlab.gsw.reconciler.align import LIKENESS, candidates, ranked
from gswlab.gsw.reconciler.chunk_context import ChunkContext

LOCAL = "new:"  # before the id of an actor of the chunk, which is no workspace id
Status = Literal["merged", "new", "ambiguous"]


@dataclass(frozen=True, slots=True)
class MergeVerdict:
    """Whom a new actor is merged with, or may be: ids, local ones after `LOCAL`."""

    status: Status
    reason: str
    actors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ruling:
    """What is decided of a new actor: `candidates` best first, `may_be` its ties."""

    status: Status
    candidates: list[Candidate]
    may_be: list[Candidate]
    reason: str


POSSIBLY = "possibly_same_actor"
APART = "not_same_actor"
_ORDER = ("date", "narrator", "name", "short", "nominal", "pronoun")
_SHOWN = 5  # candidates a decision carries
_LEAD = 0.02  # of pronouns over the runner-up; salience is finer than a name
_RIVALS = 2  # actors an ambiguous one is tied to
_AGAINST = {"merged": "at least", "new": "far below", "ambiguous": "close to but below"}


def align_all(scene: ChunkContext, verdicts: Mapping[str, MergeVerdict]) -> None:
    """Decide every actor of the chunk: `scene.ids` then holds them all."""
    actors = scene.local.actors
    forms = {a.id: "narrator" if has_form(a, "narrator") else form(a) for a in actors}
    for new in sorted(actors, key=lambda actor: _ORDER.index(forms[actor.id])):
        align(scene, new, verdicts.get(new.id))


def align(scene: ChunkContext, new: Actor, verdict: MergeVerdict | None) -> None:
    """Decide one actor: record the decision and put, or grow, what it became."""
    stated, apart = _stated(scene, new), kept_apart(scene, new)
    found = stated or [c for c in considered(scene, new) if c.actor not in apart]
    ruling = rules = _ruled(scene, new, found)
    hand = scene.by_hand.get(new.id)
    if hand is not None:  # a person's word: grammar keeps nobody apart from it
        status: Status = "merged" if hand.actor else "new"
        named = (hand.actor,) if hand.actor else ()
        ruling = judged(scene, rules, MergeVerdict(status, hand.reason, named), set())
    # "Known as" is the text's own word: no verdict is needed, or heard.
    elif verdict is not None and not stated:
        ruling = judged(scene, rules, verdict, apart)
    if ruling.status == "merged":
        actor_id = ruling.candidates[0].actor
        grow(scene.draft, actor_id, new)
    else:
        actor_id = put_actor(scene, new)
        for candidate in ruling.may_be[:_RIVALS]:
            reason = f"{candidate.score:.2f}: {words_of(candidate) or ruling.reason}"
            relate(scene, actor_id, candidate.actor, POSSIBLY, reason)
        if hand is not None and rules.status == "merged":
            relate(scene, actor_id, rules.candidates[0].actor, APART, hand.reason)
    scene.ids[new.id] = actor_id
    scene.cast.setdefault(actor_id)
    why = ruling.reason, tuple(ruling.candidates[:_SHOWN]), scene.rules.threshold
    scene.decisions.append(Alignment(new.id, new.name, ruling.status, actor_id, *why))


def judged(
    scene: ChunkContext, rules: Ruling, verdict: MergeVerdict, apart: set[str]
) -> Ruling:
    """A verdict over what the rules say; who is kept `apart` is never merged."""
    scored = {candidate.actor: candidate for candidate in rules.candidates}
    local = {LOCAL + name: found for name, found in scene.ids.items()}
    said = (i for i in verdict.actors if i in local or not i.startswith(LOCAL))
    found = dict.fromkeys(scene.workspace.resolve(local.get(i, i)) for i in said if i)
    ids = [i for i in found if i not in apart]
    named = [scored.get(i) or Candidate(i, 0.0) for i in ids]
    others = [c for c in rules.candidates if c.actor not in ids]
    reason = f"{verdict.reason} (By rules {rules.status}: {rules.reason})"
    status = verdict.status
    if status == "merged" and not named:
        status, reason = "new", f"{reason} But grammar keeps the two apart."
    return Ruling(status, [*named, *others], named, reason)


def _ruled(scene: ChunkContext, new: Actor, found: list[Candidate]) -> Ruling:
    """What the scores make of an actor, and one sentence that says what decided."""
    threshold, lead = scene.rules.threshold, scene.rules.lead
    if form(new) == "pronoun":
        lead = min(lead, _LEAD)
    if not found:
        reason = f"Nobody in reach is called or described as {new.name}."
        return Ruling("new", [], [], reason)
    best, runner_up = found[0], [*(c.score for c in found[1:2]), 0.0][0]
    status: Status = "merged"
    if best.score < threshold - scene.rules.near:
        status = "new"
    elif best.score < threshold or best.score - runner_up < lead:
        status = "ambiguous"
    if status == "ambiguous":  # near the best
        may_be = [c for c in found if best.score - c.score < lead]
    else:  # alike, and kept apart by a clash
        like = (c for c in found if not {n for n, _ in c.features}.isdisjoint(LIKENESS))
        bare = ((c, sum(w for _, w in c.features if w > 0)) for c in like)
        may_be = [c for c, score in bare if score >= threshold]
    but = f"{_AGAINST[status]} {threshold:.2f}."
    if status == "ambiguous" and best.score >= threshold:
        rival = scene.actor(found[1].actor).name
        but = f"but {rival} fits as well with {found[1].score:.2f}."
    name = scene.actor(best.actor).name
    reason = f"{new.name} against {name}: {words_of(best)} make {best.score:.2f}, {but}"
    return Ruling(status, found, may_be, reason)


def considered(scene: ChunkContext, new: Actor) -> list[Candidate]:
    """Actors of the workspace that a new one may be, best first."""
    return ranked(candidates(scene, new), scene.rules.merge_bias)


def _stated(scene: ChunkContext, new: Actor) -> list[Candidate]:
    """Actors of the chunk that the text says are this one ("known as")."""
    ties = [(r.source, r.target) for r in scene.local.relations if r.kind == "alias"]
    known = [(scene.actor(i), {"stated alias": 1.0}) for i in _others(scene, new, ties)]
    return ranked(("name", known))


def kept_apart(scene: ChunkContext, new: Actor) -> set[str]:
    """Workspace actors that the chunk's grammar says are not this one."""
    return {scene.workspace.resolve(i) for i in _others(scene, new, scene.local.apart)}


def _others(
    scene: ChunkContext, new: Actor, pairs: Iterable[tuple[str, str]]
) -> Iterator[str]:
    """The other ends of the pairs of an actor, in workspace ids, as far as aligned."""
    others = (b if a == new.id else a for a, b in pairs if new.id in (a, b))
    return (scene.ids[other] for other in others if other in scene.ids)


def relate(scene: ChunkContext, source: str, target: str, kind: str, why: str) -> None:
    """Put a relation between two actors of the chapter."""
    spans = tuple(m.span for m in scene.actor(source).mentions[-1:])
    scene.tie(source, target, kind, why, spans)


def words_of(candidate: Candidate) -> str:
    """A candidate's features as a reader may check their sum."""
    return ", ".join(f"{name} {weight:+.2f}" for name, weight in candidate.features)
