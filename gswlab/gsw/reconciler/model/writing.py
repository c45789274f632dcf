"""A reply written down in the rules' own moves: what it answers, and what it updates.

A reply says what is so; how a workspace takes it (coupling and propagation, specific
over coarse, what contradicts, what is kept beside) is the rules' business as ever.
`resolved` asks the one reconciler prompt of arXiv 2511.07587, after actors are aligned:
the ids it may answer with live in the workspace, merged ones included.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

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
from gswlab.gsw.export import RESOLVED, UNRESOLVED
from gswlab.gsw.reconciler.anchors import (
    FoundAnchor,
    anchor,
    chain,
    hold,
    settle_time,
)
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.gsw.reconciler.decide import LOCAL
from gswlab.gsw.reconciler.model import asking
from gswlab.gsw.reconciler.model.reply import (
    EventUpdate,
    NoteUpdate,
    QuestionResolution,
    Reconciled,
    RelationUpdate,
    ReplyGround,
    ResolvedQuery,
    StateUpdate,
    Support,
    UnresolvedQuery,
    Updates,
)
from gswlab.gsw.reconciler.occurrences import settle_place
from gswlab.gsw.reconciler.questions import Attempt, record, resolution, write
from gswlab.gsw.reconciler.relations import put_relation
from gswlab.gsw.reconciler.states import append, conflict
from gswlab.language.dates.calendar import parse_iso
from gswlab.language.names import key

STAGE = "question_resolution"
_PENDING = ("open", "partly", "contradictory", "insufficient")


def resolved(ahead: asking.Ahead, scene: ChunkContext, step: Step, budget: int) -> Step:
    """`step` with what its chunk answers; `scene` is made of the workspace after it."""
    resolve = scene.workspace.resolve
    aligned = [d for d in step.decisions if isinstance(d, Alignment)]
    actors = dict.fromkeys(resolve(d.actor) for d in aligned)
    matched = {resolve(d.actor) for d in aligned if d.status == "merged"}
    questions = [q for q in pending(scene, matched) if q.chunk != scene.chunk.id]
    cards = asking.open_cards(scene.workspace, questions)
    asked = asking.fitted(cards, budget, scene)
    if not asked.cards:
        return step
    cards = map(asking.actor_card, map(scene.actor, actors))
    named = asking.fitted(cards, budget, scene)
    values = {"actors": named.text, "questions": asked.text}
    outcome = asking.ask_stage(ahead, STAGE, QuestionResolution, scene.chunk, **values)
    if outcome.value is not None:
        ground = ReplyGround(scene, asked.ids | named.ids, outcome.refuse)
        for i, answer in enumerate(outcome.value.answers):
            path = f"answers.{i}"
            id_ = ground.named(f"{path}.question_id", answer.question_id, "q")
            said = answer.answer_text, answer.answer_entity_id
            filler = _filled(ground, path, *said)
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


_STATUS: dict[str, QuestionStatus] = {
    said: status  # type: ignore[misc]
    for status, said in (*RESOLVED.items(), *UNRESOLVED.items())
}


def settle_answers(ground: ReplyGround, reply: Reconciled, by: str) -> None:
    """Write down what became of each question, the first word on each."""
    seen: set[str] = set()
    every: list[tuple[str, ResolvedQuery | UnresolvedQuery]] = []
    for name in ("resolved_queries", "unresolved_queries"):
        every += ((f"{name}.{i}", q) for i, q in enumerate(getattr(reply, name)))
    for path, said in every:
        named = ground.named(f"{path}.query_id", said.query_id, "q")
        if named is None:
            continue
        if named in seen:
            ground.refuse(f"{path}.query_id", f"{said.query_id!r} is settled above")
            continue
        seen.add(named)
        question: Question = ground.scene.workspace.get(named)
        status = _STATUS[said.status]
        if isinstance(said, ResolvedQuery):
            filler = _filled(ground, path, said.answer, said.answer_entity_id)
            if filler is None:
                continue
            support = _support(ground, f"{path}.support", said.support)
            found = Attempt(status, (filler,), support, f"{by} reads it")
        else:
            found = Attempt(status, (), (), f"{by}: {said.reason.strip()}")
        if status == "open" and question.answers:
            # half an answer is not taken back by a chunk that has none
            ground.scene.decisions.append(resolution(named, found))
        else:
            write(ground.scene, question, found)


def _support(ground: ReplyGround, path: str, said: Support) -> tuple[str, ...]:
    found: list[str] = []
    for name, kind in (("actors", "a"), ("events", "v"), ("spacetime", "tp")):
        found += ground.all_named(f"{path}.{name}", getattr(said, name), kind)
    return tuple(found)


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
        elif spans and not _overlap(new.spans, spans):
            why = f"{said.quote!r} does not tell {said.new_event_id!r}"
            ground.refuse(f"{path}.quote", why)
        elif spans and known is not None:
            found.setdefault(new.id, known)
    return found


def couple_reply(
    ground: ReplyGround, updates: Updates, anchors: dict[str, str], by: str
) -> None:
    """Couple actors to times and places; `anchors` gains the actors these are."""
    scene = ground.scene
    for i, said in enumerate(updates.spacetime):
        path = f"{_PATH}.spacetime.{i}"
        coupled = ground.all_named(f"{path}.actors", said.actors)
        spans = ground.quoted(f"{path}.quote", said.quote)
        judge = ground.day if said.type == "time" else ground.place
        value = judge(f"{path}.value", said.value)
        if not spans or not value:
            continue
        if not ground.proves(f"{path}.quote", said.type, value, spans):
            continue
        found = _anchored(ground, said.type, value, said.value, spans, coupled)
        ground.vote(said.type, found, spans, by)
        if noun := getattr(scene.workspace.get(found), "actor", None):
            anchors[scene.workspace.resolve(noun)] = found
        # What lies inside what; a ring of places says nothing.
        path, within = f"{path}.within", said.within if said.type == "place" else None
        if within and (outside := ground.place(path, within)):
            outer = _anchored(ground, "place", outside, within, spans)
            if found in chain(scene.workspace, outer):
                ground.refuse(path, f"{within!r} lies inside that place")
            else:
                scene.draft.set(found, "inside", outer)


def _anchored(
    ground: ReplyGround,
    kind: Literal["time", "place"],
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
    found = FoundAnchor(kind, value, text, spans, *named)
    return anchor(ground.scene, found)


def tell_reply(ground: ReplyGround, updates: Updates, by: str) -> None:
    """Give events a time and place, actors roles and states, nouns ties and notes.

    Asked when the chunk's verb phrases and states are told; reasons say that it was
    `by`.
    """
    scene, draft = ground.scene, ground.scene.draft
    for i, event in enumerate(updates.events):
        _placed(ground, f"{_PATH}.events.{i}", event, by)
    for i, actor in enumerate(updates.actors):
        path = f"{_PATH}.actors.{i}"
        named = ground.named(f"{path}.id", actor.id)
        spans = ground.quoted(f"{path}.role", actor.role)
        if named and spans:
            known = {r.text for r in scene.actor(named).roles}
            new = Role(actor.role.strip(), spans, scene.chunk.id)
            draft.extend(named, "roles", [new][new.text in known :])
    for i, state in enumerate(updates.states):
        _state(ground, f"{_PATH}.states.{i}", state)
    ties = {(r.source, r.target, r.kind): r.id for r in scene.shelf("relation")}
    for i, said in enumerate(updates.relations):
        if tie := _tie(ground, f"{_PATH}.relations.{i}", said, by):
            put_relation(scene, tie, ties)
    for i, note in enumerate(updates.notes):
        _note(ground, f"{_PATH}.notes.{i}", note, by)


def _placed(ground: ReplyGround, path: str, said: EventUpdate, by: str) -> None:
    """Give an event the time and place that its quote has, which vote, too."""
    scene = ground.scene
    named = ground.named(f"{path}.id", said.id, "v")
    spans = ground.quoted(f"{path}.quote", said.quote)
    if not named or not spans:
        return
    day = ground.day(f"{path}.time", said.time) if said.time else None
    if day and ground.proves(f"{path}.quote", "time", day, spans):
        time = _anchored(ground, "time", day, str(said.time), spans)
        ground.vote("time", time, spans, by)
        settle_time(scene, named, replace(scene.workspace.get(named), time=time))
    name = ground.place(f"{path}.place", said.place) if said.place else None
    if name and ground.proves(f"{path}.quote", "place", name, spans):
        place = _anchored(ground, "place", name, str(said.place), spans)
        ground.vote("place", place, spans, by)
        settle_place(scene, named, replace(scene.workspace.get(named), place=place))


def _tie(
    ground: ReplyGround, path: str, said: RelationUpdate, by: str
) -> Relation | None:
    """A tie whose quote speaks of both its ends; else it is refused."""
    source = ground.named(f"{path}.source", said.source, "avtp")
    target = ground.named(f"{path}.target", said.target, "avtp")
    spans = ground.quoted(f"{path}.quote", said.quote)
    if not (source and target and spans) or source == target:
        return None
    ends = {said.source: source, said.target: target}
    unsaid = [name for name, end in ends.items() if not _in(ground, end, spans)]
    for name in unsaid:
        ground.refuse(f"{path}.quote", f"{said.quote!r} does not speak of {name!r}")
    kind = said.kind.strip()
    return None if unsaid else Relation("", source, target, kind, by, spans)


def _in(ground: ReplyGround, noun_id: str, spans: tuple[Span, ...]) -> bool:
    """Whether words of the chunk speak of a noun: a quote has what it proves."""
    noun = ground.scene.workspace.get(noun_id)
    if isinstance(noun, Actor):
        places = [mention.span for mention in noun.mentions]
    elif isinstance(noun, VerbPhrase):
        places = list(noun.spans)
    else:
        places = [span for reading in noun.readings for span in reading.spans]
    return _overlap(places, spans)


def _overlap(places: Sequence[Span], spans: Sequence[Span]) -> bool:
    return any(p.start < s.end and s.start < p.end for p in places for s in spans)


def _state(ground: ReplyGround, path: str, said: StateUpdate) -> None:
    scene = ground.scene
    actor_id = ground.named(f"{path}.actor_id", said.actor_id)
    spans = ground.quoted(f"{path}.state", said.state)
    if not actor_id or not spans:
        return
    since, role = None, said.role
    if said.since and (day := ground.day(f"{path}.since", said.since)):
        since = _anchored(ground, "time", day, said.since, spans, (actor_id,))
    if role and key(role) not in {key(r.text) for r in scene.actor(actor_id).roles}:
        ground.refuse(f"{path}.role", f"{role!r} is no role that it has")
        role = None
    new = State(said.state.strip(), spans, scene.chunk.id, role, since)
    append(scene, actor_id, new)


def _note(ground: ReplyGround, path: str, said: NoteUpdate, by: str) -> None:
    """Write a note down, or the conflict it names; both readings stay."""
    scene, reason = ground.scene, f"{by}: {said.text.strip()}"
    kinds = {"note": "avtp", "state_conflict": "a"}.get(said.type, "av")
    subject = ground.named(f"{path}.subject", said.subject, kinds)
    if not subject:
        return
    if said.type == "note":
        note = Note(reason, (), scene.chunk.id)
        scene.draft.extend(subject, "notes", (note,))
        return
    if said.type == "state_conflict":  # of states that it has, or the chunk says
        actor, pair = scene.actor(subject), (said.kept.strip(), said.other.strip())
        states = {state.text: state.spans for state in actor.states}
        for name, text in zip(("kept", "other"), pair, strict=True):
            if text not in states and not ground.quoted(f"{path}.{name}", text):
                return
        told = [d for d in scene.decisions if isinstance(d, Conflict)]
        if any((d.subject, {d.kept, d.other}) == (actor.id, {*pair}) for d in told):
            return
        kept, other = pair
        spans = states.get(other) or ground.spans(other)
        conflict(scene, actor, kept, State(other, spans, scene.chunk.id), reason)
        return
    found: list[Time] = []  # two times of the chapter for what happened once
    for name in ("kept", "other"):
        value = ground.day(f"{path}.{name}", getattr(said, name))
        known = [t for t in scene.shelf("time") if value and t.value == value]
        if value and not known:
            ground.refuse(f"{path}.{name}", f"nothing was told to be at {value}")
        found += known[:1]
    if len({time.id for time in found}) == 2:
        hold(scene, subject, found[0], found[1], reason)
