"""Two days for what happened once: evidence decides, and nothing is lost.

The day that most mentions support is kept (a date counts whole, a relative one half);
the other stays a relation `conflicting_time_hypothesis`, and the decision says why.
Later evidence may turn it round.
"""

from __future__ import annotations

from gswlab.core.nouns import Relation, Time, VerbPhrase
from gswlab.core.step import Conflict
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.language.dates.calendar import DAY

HYPOTHESIS = "conflicting_time_hypothesis"
_EXPLICIT, _RELATIVE = 1.0, 0.5


def settle_time(scene: ChunkContext, old_id: str, new: VerbPhrase) -> None:
    """Give an occurrence the time its mentions support, specific over coarse."""
    draft, workspace = scene.draft, scene.workspace
    old: VerbPhrase = workspace.get(old_id)
    if new.time is None:
        return
    if old.time is None:
        draft.set(old_id, "time", new.time)
        return
    kept, other = workspace.get(old.time), workspace.get(new.time)
    if kept.id == other.id:
        _decide(scene, old_id)
    elif not kept.value or (other.value or "").startswith(kept.value):
        draft.set(old_id, "time", other.id)
    elif other.value and not kept.value.startswith(other.value):
        _put_hypothesis(scene, old_id, other)
        _decide(scene, old_id)


def evidence(scene: ChunkContext, phrase: VerbPhrase, time: Time) -> float:
    """How much of an occurrence's mentions speaks for a time."""
    resolve = scene.workspace.resolve
    named = {resolve(actor) for actor in time.actors}
    times = [a for a in phrase.arguments if a.slot == "time" and a.actor]
    count = sum(resolve(a.actor or "") in named for a in times)
    return count * _weight(time)


def _weight(time: Time) -> float:
    return _RELATIVE if time.basis else _EXPLICIT


def hypotheses(scene: ChunkContext, phrase_id: str) -> list[Relation]:
    """The times that lost, of the chapter's occurrence."""
    found = (r for r in scene.shelf("relation") if r.kind == HYPOTHESIS)
    return [relation for relation in found if relation.source == phrase_id]


def _put_hypothesis(scene: ChunkContext, phrase_id: str, time: Time) -> None:
    targets = (r.target for r in hypotheses(scene, phrase_id))
    if time.id in map(scene.workspace.resolve, targets):
        return
    reason = f"another mention says {time.value}"
    spans = tuple(s for r in time.readings for s in r.spans)
    scene.tie(phrase_id, time.id, HYPOTHESIS, reason, spans)


def _decide(scene: ChunkContext, phrase_id: str) -> None:
    """Weigh the kept time against every hypothesis; the better supported one stays."""
    for relation in hypotheses(scene, phrase_id):
        phrase: VerbPhrase = scene.workspace.get(phrase_id)
        kept = scene.workspace.get(phrase.time or "")
        other = scene.workspace.get(relation.target)
        mine, yours = (evidence(scene, phrase, t) for t in (kept, other))
        if yours > mine:
            scene.draft.set(phrase_id, "time", other.id)
            scene.draft.drop(relation.id)
            _put_hypothesis(scene, phrase_id, kept)
            kept, other, mine, yours = other, kept, yours, mine
        _say(scene, phrase_id, (kept, mine), (other, yours))


def _say(scene: ChunkContext, subject: str, *weighed: tuple[Time, float]) -> None:
    (best, most), (rival, less) = weighed
    reason = f"{best.value} has {most:g} of the evidence, {rival.value} has {less:g}"
    reason += "; the first reading stays." if most == less else "."
    _tell(scene, subject, best, rival, reason)


def hold(
    scene: ChunkContext, subject: str, kept: Time, other: Time, reason: str
) -> None:
    """Keep one of two times by a decision that is not the evidence's."""
    _put_hypothesis(scene, subject, other)
    if subject[0] == "v":
        scene.draft.set(subject, "time", kept.id)
    _tell(scene, subject, kept, other, reason)


def _tell(
    scene: ChunkContext, subject: str, kept: Time, other: Time, reason: str
) -> None:
    spans = tuple(s for r in other.readings for s in r.spans)
    named = subject, kept.id, other.id, reason, spans
    scene.decisions.append(Conflict("conflicting_time", *named))


def settle_event(scene: ChunkContext, actor_id: str) -> None:
    """One event (an actor: "the fair") put on two days by two chunks: weigh them."""
    dated = [t for t in scene.shelf("time") if len(t.value or "") >= DAY]
    days = [t for t in dated if actor_id in scene.coupled(t)]
    here = [t for t in days if t.readings[-1].chunk == scene.chunk.id]
    if len(here) != 1 or len(days) < 2:
        return  # nothing new, or a chunk that speaks of several days itself
    told = {t.id: {r.chunk for r in t.readings if r.value} for t in days}
    support = {t.id: len(told[t.id]) * _weight(t) for t in days}
    ranked = sorted(days, key=lambda t: -support[t.id])
    for relation in hypotheses(scene, actor_id):
        if scene.workspace.resolve(relation.target) == ranked[0].id:
            scene.draft.drop(relation.id)
    for rival in ranked[1:]:
        _put_hypothesis(scene, actor_id, rival)
        _say(scene, actor_id, *((t, support[t.id]) for t in (ranked[0], rival)))
