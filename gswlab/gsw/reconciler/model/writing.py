"""A reply written down in the rules' own moves: what it answers, and what it updates.

A reply says what is so; how a workspace takes it (coupling and propagation, specific
over coarse, what contradicts, what is kept beside) is the rules' business as ever.
`resolved` asks the one reconciler prompt of arXiv 2511.07587, after actors are aligned:
the ids it may answer with live in the workspace, merged ones included.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, Literal

from gswlab.core.nouns import (
    Actor,
    Filler,
    Note,
    Question,
    QuestionStatus,
    Relation,
    Role,
    Span,
    State,
    Time,
    VerbPhrase,
)
from gswlab.core.step import Alignment, Conflict, Step
from gswlab.gsw.reconciler.anchors import (
    FoundAnchor,
    anchor,
    chain,
    hold,
    settle_time,
)
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.gsw.reconciler.decide import LOCAL
from gswlab.gsw.reconciler.model.asking import AskingReconciler, CardSheet
from gswlab.gsw.reconciler.model.reply import (
    EventUpdate,
    NoteUpdate,
    QuestionResolution,
    Reconciled,
    RelationUpdate,
    ReplyGround,
    ResolvedQuery,
    StateUpdate,
    UnresolvedQuery,
    Updates,
    overlap,
)
from gswlab.gsw.reconciler.occurrences import settle_place
from gswlab.gsw.reconciler.questions import Attempt, record, resolution, write
from gswlab.gsw.reconciler.relations import put_relation
from gswlab.gsw.reconciler.states import append, conflict
from gswlab.language.dates.calendar import parse_iso
from gswlab.language.names import key

STAGE = "question_resolution"
_PENDING = ("open", "partly", "contradictory", "insufficient")
_STATUS: dict[str, QuestionStatus] = {
    "answered": "answered",
    "partially_answered": "partly",
    "unanswered": "open",
    "contradictory": "contradictory",
    "insufficient_information": "insufficient",
}
_SUPPORT = {"actors": "a", "events": "ve", "spacetime": "tp"}  # first letters of ids


def resolved(asks: AskingReconciler, scene: ChunkContext, step: Step) -> Step:
    """`step` with what its chunk answers; `scene` is made of the workspace after it."""
    resolve = scene.workspace.resolve
    aligned = [d for d in step.decisions if isinstance(d, Alignment)]
    actors = dict.fromkeys(resolve(d.actor) for d in aligned)
    matched = {resolve(d.actor) for d in aligned if d.status == "merged"}
    questions = [q for q in pending(scene, matched) if q.chunk != scene.chunk.id]
    asked, named = CardSheet(scene), CardSheet(scene)
    asked.filled(asked.open(questions), asks.budget)
    if not asked.cards:
        return step
    named.filled(map(named.actor, map(scene.actor, actors)), asks.budget)
    shown = {"actors": named.text, "questions": asked.text}
    outcome = asks.ask(STAGE, QuestionResolution, scene.chunk, **shown)
    ground = ReplyGround(scene, asked.ids | named.ids, outcome)
    said = outcome.value(QuestionResolution)
    for i, answer in enumerate(said.answers if said else ()):
        path = f"answers.{i}"
        id_ = ground.named(f"{path}.question_id", answer.question_id, "q")
        filler = _filled(ground, path, answer.answer_text, answer.answer_entity_id)
        if id_ and filler:
            question: Question = scene.workspace.get(id_)
            rests = tuple(i for i in (question.verb_phrase, filler.actor) if i)
            reason = f"{outcome.by} reads it here"
            record(scene, question, Attempt("answered", (filler,), rests, reason))
    return replace(
        step,
        changes=(*step.changes, *scene.draft.changes),
        decisions=(*step.decisions, *scene.decisions),
        events=(*step.events, *outcome.events),
    )


def pending(scene: ChunkContext, actors: Iterable[str]) -> list[Question]:
    """The chapter's questions still open of verb phrases that actors take part in."""
    wanted, resolve = set(actors), scene.workspace.resolve
    found = []
    for question in scene.shelf("question"):
        if question.status in _PENDING and question.verb_phrase:
            phrase = scene.workspace.get(question.verb_phrase)
            if not wanted.isdisjoint(resolve(a.actor or "") for a in phrase.arguments):
                found.append(question)
    return found


def _filled(
    ground: ReplyGround, path: str, text: str, entity: str | None
) -> Filler | None:
    """An answer that the chunk has the words of, or that is an actor of the chunk."""
    scene, spans = ground.scene, ground.spans(text)
    actor_id = ground.named(f"{path}.answer_entity_id", entity) if entity else None
    if actor_id:
        found = scene.actor(actor_id)
        here = (m.span for m in found.mentions if m.chunk == scene.chunk.id)
        return Filler(found.name, spans or tuple(here), actor_id, scene.chunk.id)
    if spans:
        return Filler(text.strip(), spans, None, scene.chunk.id)
    ground.refuse(path, f"{text!r} is not in the text, and no actor is named")
    return None


def settle_answers(ground: ReplyGround, reply: Reconciled) -> None:
    """Write down what became of each question, the first word on each."""
    seen: set[str] = set()
    every: list[tuple[str, ResolvedQuery | UnresolvedQuery]] = []
    for name in ("resolved_queries", "unresolved_queries"):
        every += ((f"{name}.{i}", q) for i, q in enumerate(getattr(reply, name)))
    for path, said in every:
        named = ground.named(f"{path}.query_id", said.query_id, "q")
        if named in seen:
            ground.refuse(f"{path}.query_id", f"{said.query_id!r} is settled above")
        if named is None or named in seen:
            continue
        seen.add(named)
        question: Question = ground.scene.workspace.get(named)
        found = Attempt(_STATUS[said.status])
        if isinstance(said, UnresolvedQuery):
            found = replace(found, reason=f"{ground.by}: {said.reason.strip()}")
        elif filler := _filled(ground, path, said.answer, said.answer_entity_id):
            rests: list[str] = []
            for part, kinds in _SUPPORT.items():
                ids = getattr(said.support, part)
                rests += ground.all_named(f"{path}.support.{part}", ids, kinds)
            why = tuple(rests), f"{ground.by} reads it"
            found = Attempt(found.status, (filler,), *why)
        else:
            continue
        if found.status == "open" and question.answers:
            # half an answer is not taken back by a chunk that has none
            ground.scene.decisions.append(resolution(named, found))
        else:
            write(ground.scene, question, found)


_PATH = "updated_workspace"


def same_events(ground: ReplyGround, reply: Reconciled) -> dict[str, str]:
    """Which recorded event each local one is said to be, "" for none."""
    found: dict[str, str] = {}
    phrases = {LOCAL + v.id: v for v in ground.scene.local.verb_phrases}
    for i, said in enumerate(reply.event_alignment):
        path, old = f"event_alignment.{i}", said.workspace_event_id
        new, spans = phrases.get(said.new_event_id), ground.quoted(path, said.quote)
        known = ground.named(f"{path}.workspace_event_id", old, "v") if old else ""
        if new is None:
            why = f"{said.new_event_id!r} is no event of the passage"
            ground.refuse(f"{path}.new_event_id", why)
        elif spans and not overlap(new.spans, spans):
            why = f"{said.quote!r} does not tell {said.new_event_id!r}"
            ground.refuse(f"{path}.quote", why)
        elif spans and known is not None:
            found.setdefault(new.id, known)
    return found


def couple_reply(
    ground: ReplyGround, updates: Updates, anchors: dict[str, str]
) -> None:
    """Couple actors to times and places; `anchors` gains the actors these are."""
    scene = ground.scene
    for i, said in enumerate(updates.spacetime):
        path = f"{_PATH}.spacetime.{i}"
        coupled = ground.all_named(f"{path}.actors", said.actors)
        spans = ground.quoted(f"{path}.quote", said.quote)
        told = f"{path}.value", said.type, said.value, spans
        if (found := _proven(ground, path, *told, coupled)) is None:
            continue
        if noun := getattr(scene.workspace.get(found), "actor", None):
            anchors[scene.workspace.resolve(noun)] = found
        # What lies inside what; a ring of places says nothing.
        path, within = f"{path}.within", said.within if said.type == "place" else None
        if outside := ground.place(path, within):
            outer = _anchored(ground, "place", outside, outside, spans)
            if found in chain(scene.workspace, outer):
                ground.refuse(path, f"{within!r} lies inside that place")
            else:
                scene.draft.set(found, "inside", outer)


_Kind = Literal["time", "place"]


def _proven(
    ground: ReplyGround,
    path: str,
    where: str,
    kind: _Kind,
    said: str | None,
    spans: tuple[Span, ...],
    coupled: Sequence[str] = (),
) -> str | None:
    """The anchor of a time or place that its quote has, which votes; else refused."""
    value = (ground.day if kind == "time" else ground.place)(where, said)
    if not value or not spans:
        return None
    if not ground.proves(f"{path}.quote", kind, value, spans):
        return None
    found = _anchored(ground, kind, value, said or value, spans, coupled)
    ground.vote(found, spans)
    return found


def _anchored(
    ground: ReplyGround,
    kind: _Kind,
    value: str,
    text: str,
    spans: tuple[Span, ...],
    coupled: Sequence[str] = (),
) -> str:
    """The anchor of a value, put if there is none; the actor it is, is its noun."""
    cast = [actor for actor in ground.scene.actors() if actor.kind == kind]
    if kind == "time":
        own = [actor for actor in cast if actor.value == value][:1]
    else:
        own = [actor for actor in cast if key(actor.name) == key(value)][:1]
        value = own[0].name if own else value
    coupled = tuple(dict.fromkeys((*coupled, *(actor.id for actor in own))))
    fine = parse_iso(value).granularity if kind == "time" else "unknown"
    named = coupled, own[0].id if own else None, fine
    return anchor(ground.scene, FoundAnchor(kind, value, text, spans, *named))


def _event(ground: ReplyGround, path: str, said: EventUpdate) -> None:
    """Give an event the time and place that its quote has."""
    scene = ground.scene
    named = ground.named(f"{path}.id", said.id, "v")
    spans = ground.quoted(f"{path}.quote", said.quote)
    if not named or not spans:
        return
    if time := _proven(ground, path, f"{path}.time", "time", said.time, spans):
        settle_time(scene, named, replace(scene.workspace.get(named), time=time))
    if place := _proven(ground, path, f"{path}.place", "place", said.place, spans):
        settle_place(scene, named, replace(scene.workspace.get(named), place=place))


def _role(ground: ReplyGround, path: str, said: Any) -> None:
    named = ground.named(f"{path}.id", said.id)
    spans = ground.quoted(f"{path}.role", said.role)
    if named and spans:
        known = {role.text for role in ground.scene.actor(named).roles}
        new = Role(said.role.strip(), spans, ground.chunk.id)
        ground.scene.draft.extend(named, "roles", [new][new.text in known :])


def _state(ground: ReplyGround, path: str, said: StateUpdate) -> None:
    scene = ground.scene
    actor_id = ground.named(f"{path}.actor_id", said.actor_id)
    spans = ground.quoted(f"{path}.state", said.state)
    if not actor_id or not spans:
        return
    since, role = None, said.role
    if day := ground.day(f"{path}.since", said.since):
        since = _anchored(ground, "time", day, str(said.since), spans, (actor_id,))
    if role and key(role) not in {key(r.text) for r in scene.actor(actor_id).roles}:
        ground.refuse(f"{path}.role", f"{role!r} is no role that it has")
        role = None
    new = State(said.state.strip(), spans, scene.chunk.id, role, since)
    append(scene, actor_id, new)


def _relation(ground: ReplyGround, path: str, said: RelationUpdate) -> None:
    """A tie whose quote speaks of both its ends; else it is refused."""
    source = ground.named(f"{path}.source", said.source, "avtp")
    target = ground.named(f"{path}.target", said.target, "avtp")
    spans = ground.quoted(f"{path}.quote", said.quote)
    if not (source and target and spans) or source == target:
        return
    ends = {said.source: source, said.target: target}
    unsaid = [name for name, end in ends.items() if not _in(ground, end, spans)]
    for name in unsaid:
        ground.refuse(f"{path}.quote", f"{said.quote!r} does not speak of {name!r}")
    if not unsaid:
        known = ground.scene.shelf("relation")
        ties = {(r.source, r.target, r.kind): r.id for r in known}
        tie = Relation("", source, target, said.kind.strip(), ground.by, spans)
        put_relation(ground.scene, tie, ties)


def _in(ground: ReplyGround, noun_id: str, spans: tuple[Span, ...]) -> bool:
    """Whether words of the chunk speak of a noun: a quote has what it proves."""
    noun = ground.scene.workspace.get(noun_id)
    if isinstance(noun, Actor):
        places = [mention.span for mention in noun.mentions]
    elif isinstance(noun, VerbPhrase):
        places = list(noun.spans)
    else:
        places = [span for reading in noun.readings for span in reading.spans]
    return overlap(places, spans)


def _note(ground: ReplyGround, path: str, said: NoteUpdate) -> None:
    """Write a note down, or the conflict it names; both readings stay."""
    scene, reason = ground.scene, f"{ground.by}: {said.text.strip()}"
    kinds = {"note": "avtp", "state_conflict": "a"}.get(said.type, "av")
    subject = ground.named(f"{path}.subject", said.subject, kinds)
    if subject and said.type == "note":
        note = Note(reason, (), scene.chunk.id)
        scene.draft.extend(subject, "notes", (note,))
    elif subject and said.type == "state_conflict":
        _state_conflict(ground, path, said, scene.actor(subject), reason)
    elif subject:  # two times of the chapter for what happened once
        found: dict[str, Time] = {}
        for name in ("kept", "other"):
            value = ground.day(f"{path}.{name}", getattr(said, name))
            known = [t for t in scene.shelf("time") if value and t.value == value]
            if value and not known:
                ground.refuse(f"{path}.{name}", f"nothing was told to be at {value}")
            found |= {time.id: time for time in known[:1]}
        if len(found) == 2:
            kept, other = found.values()
            hold(scene, subject, kept, other, reason)


def _state_conflict(
    ground: ReplyGround, path: str, said: NoteUpdate, actor: Actor, reason: str
) -> None:
    """Two states that cannot both be, of those it has, or the chunk says."""
    scene, (kept, other) = ground.scene, (said.kept.strip(), said.other.strip())
    states = {state.text: state.spans for state in actor.states}
    for name, text in (("kept", kept), ("other", other)):
        if text not in states and not ground.quoted(f"{path}.{name}", text):
            return
    told = [d for d in scene.decisions if isinstance(d, Conflict)]
    if not any(
        (d.subject, {d.kept, d.other}) == (actor.id, {kept, other}) for d in told
    ):
        spans = states.get(other) or ground.spans(other)
        conflict(scene, actor, kept, State(other, spans, scene.chunk.id), reason)


_TOLD: dict[str, Any] = {
    "events": _event,
    "actors": _role,
    "states": _state,
    "relations": _relation,
    "notes": _note,
}


def tell_reply(ground: ReplyGround, updates: Updates) -> None:
    """Give events a time and place, actors roles and states, nouns ties and notes.

    Asked when the chunk's verb phrases and states are told.
    """
    for name, tell in _TOLD.items():
        for i, said in enumerate(getattr(updates, name)):
            tell(ground, f"{_PATH}.{name}.{i}", said)
