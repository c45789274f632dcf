"""A reply written down in the rules' own moves: what it answers, and what it updates.

A reply may name ids that were shown, words of the chunk, days and places known; all
else is refused, with the path where it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from types import NoneType
from typing import Any, Literal, get_args

from pydantic import BaseModel

from gswlab.core.nouns import (
    Filler,
    Note,
    Question,
    QuestionStatus,
    Relation,
    Role,
    Span,
    State,
    Vote,
)
from gswlab.core.workspace import KIND
from gswlab.gsw.operator.model.grounding import HeldPassage, find_words, meets
from gswlab.gsw.reconciler.anchors import FoundAnchor, anchor, settle_time
from gswlab.gsw.reconciler.anchors import chain as around
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.gsw.reconciler.decide import LOCAL, Bar, MergeVerdict, align_all
from gswlab.gsw.reconciler.model.cards import CardSheet
from gswlab.gsw.reconciler.model.reply import (
    Aligned,
    Answer,
    Reconciled,
    UnresolvedQuery,
)
from gswlab.gsw.reconciler.occurrences import settle_place
from gswlab.gsw.reconciler.questions import Attempt, record, resolution, write
from gswlab.gsw.reconciler.relations import put_relation
from gswlab.gsw.reconciler.rules import Decider
from gswlab.gsw.reconciler.states import append
from gswlab.language.dates.calendar import parse_iso
from gswlab.language.dates.find import find_dates
from gswlab.language.dates.format import normalise_date
from gswlab.language.keys import key
from gswlab.models.ask_trace import HeardReply

_Kind = Literal["time", "place"]


class ReplyGround(HeldPassage):
    """A chunk's scene, the ids that a prompt showed, and what is refused of a reply.

    `ids` maps ids as a reply writes them to those of the workspace.
    """

    def __init__(
        self, scene: ChunkContext, ids: dict[str, str], outcome: HeardReply
    ) -> None:
        super().__init__(scene.chunk, outcome.refused)
        self.scene, self.ids = scene, ids
        self.by = f"{outcome.model.model} ({outcome.asking.ask.stage})"
        self.votes: list[Vote] = []

    def all_held(self, path: str, parts: Iterable[BaseModel]) -> Iterator[Any]:
        """Parts of a reply, each with its path in it, as far as they are held."""
        for i, said in enumerate(parts):
            if it := self.held(f"{path}.{i}", said):
                yield f"{path}.{i}", it

    def held(self, path: str, said: BaseModel) -> Any:
        """A part of a reply with ids, spans and days in the place of what it says.

        None where one of them is refused that may not be null.
        """
        told, whole = said.model_copy(), True
        for name, field in type(said).model_fields.items():
            value, at = getattr(said, name), f"{path}.{name}"
            for how in (m for m in field.metadata if isinstance(m, str)):
                optional = NoneType in get_args(field.annotation)
                value = self._held(at, value, how) if value or not optional else None
                whole = whole and (optional or value not in (None, ()))
            if isinstance(value, BaseModel):
                value = self.held(at, value)
            setattr(told, name, value)
        return told if whole else None

    def _held(self, path: str, said: Any, how: str) -> Any:
        if how == "said":
            place = self.find(path, said)
            return (place,) if place else ()
        if how in ("time", "place"):
            return self.known(path, how, said)
        if isinstance(said, list):  # of ids
            ids = (self._held(f"{path}.{i}", each, how) for i, each in enumerate(said))
            return list(dict.fromkeys(filter(None, ids)))
        # the live noun of these kinds that an id names
        found = self.scene.workspace.resolve(self.ids.get(said, ""))
        if found in self.scene.workspace and found[:1] in how:
            return found
        self.refuse(path, f"{said!r} is no id that was shown here")
        return None

    def known(self, path: str, kind: str, said: str) -> str | None:
        """The day or place that chunk or workspace has, as a value; else refused."""
        value = normalise_date(said) if kind == "time" else said.strip()
        if value and self.says(kind, value):
            return value
        self.refuse(path, f"{said!r} is no {kind} that text or workspace has")
        return None

    def says(self, kind: str, value: str, spans: tuple[Span, ...] = ()) -> bool:
        """Whether words of the chunk at these places say a day or a place.

        Without places whether anything does: words of the chunk, or a noun shown.
        """
        local, base = self.scene.local, self.chunk.span.start
        said = [(a.value or a.name, m.span) for a in local.actors for m in a.mentions]
        for date in find_dates(self.chunk.text, basis=self.chunk.time):
            where = Span(self.chunk.document, base + date.start, base + date.end)
            said.append((date.value or date.text, where))
        here = spans or (self.chunk.span,)
        names = [text for text, at in said if _overlap((at,), here)]
        shown = () if spans else map(self.scene.workspace.resolve, self.ids.values())
        for noun in (self.scene.workspace.get(i) for i in shown):
            if getattr(noun, "kind", KIND[noun.id[:1]]) == kind:
                own = (getattr(noun, name, None) or "" for name in ("value", "name"))
                names += (*own, *getattr(noun, "aliases", ()))
        if kind == "time":  # a known day lies in a coarser one
            told = any(f"{n}-".startswith((f"{value}-", f"{value}T")) for n in names)
        else:
            told = bool(key(value)) and key(value) in map(key, names)
        return told or bool(find_words(self.words(*here), value))


def _overlap(places: Iterable[Span], spans: Sequence[Span]) -> bool:
    return any(meets(place, span) for place in places for span in spans)


def verdicts_of(
    ground: ReplyGround,
    replies: Iterable[Aligned],
    offered: Mapping[str, Mapping[str, str]],
) -> dict[str, MergeVerdict]:
    """Verdicts by local id, the first on each actor.

    `offered` are the new actors and whom each may be: ids in the prompt, and theirs.
    """
    found: dict[str, MergeVerdict] = {}
    for i, said in enumerate(replies):
        path, new = f"entity_alignment.{i}", said.new_actor_id
        if new not in offered or new in found:
            why = f"{new!r} is no actor asked about, or one twice"
            ground.refuse(f"{path}.new_actor_id", why)
            continue
        more = said.candidates if said.status == "ambiguous" else ()
        named = [each for each in (said.workspace_actor_id, *more) if each]
        same = tuple(offered[new][each] for each in named if each in offered[new])
        for each in (each for each in named if each not in offered[new]):
            ground.refuse(f"{path}.workspace_actor_id", f"{each!r} is no candidate")
        if said.status == "ambiguous" or (said.status == "merged") == bool(same):
            verdict = said.status, f"{ground.by}: {said.comment.strip()}", same
            found[new] = MergeVerdict(*verdict)
        elif len(same) == len(named):
            ground.refuse(f"{path}.status", f"{said.status}, with {named or 'nobody'}")
    for missing in (name for name in offered if name not in found):
        ground.refuse("entity_alignment", f"nothing to believe is said of {missing!r}")
    return {new.removeprefix(LOCAL): verdict for new, verdict in found.items()}


_STATUS: dict[str, QuestionStatus] = {
    "answered": "answered",
    "partially_answered": "partly",
    "unanswered": "open",
    "contradictory": "contradictory",
    "insufficient_information": "insufficient",
}


def answer(ground: ReplyGround, replies: Iterable[Answer]) -> None:
    """Write down what the chunk answers of questions left open."""
    for path, it in ground.all_held("answers", replies):
        question: Question = ground.scene.workspace.get(it.question_id)
        if filler := _filled(ground, path, it.answer_text, it.answer_entity_id):
            rests = tuple(i for i in (question.verb_phrase, filler.actor) if i)
            why = rests, f"{ground.by} reads it here"
            record(ground.scene, question, Attempt("answered", (filler,), *why))


def _filled(
    ground: ReplyGround, path: str, text: str, actor_id: str | None
) -> Filler | None:
    """An answer that the chunk has the words of, or that is an actor of the chunk."""
    scene, spans = ground.scene, tuple(ground.places(text)[:1])
    if actor_id:
        found = scene.actor(actor_id)
        here = (m.span for m in found.mentions if m.chunk == scene.chunk.id)
        return Filler(found.name, spans or tuple(here), actor_id, scene.chunk.id)
    if spans:
        return Filler(text.strip(), spans, None, scene.chunk.id)
    ground.refuse(path, f"{text!r} is not in the text, and no actor is named")
    return None


def _anchored(
    ground: ReplyGround,
    kind: _Kind,
    value: str,
    spans: tuple[Span, ...],
    coupled: Iterable[str] = (),
    proof: str = "",
) -> tuple[str | None, str | None]:
    """The anchor of a day or place, put if there is none, and the actor that it is.

    Where its words have to prove it (`proof` is their path) it votes, or is refused.
    """
    if proof and not ground.says(kind, value, spans):
        ground.refuse(proof, f"{ground.words(*spans)!r} does not say {value!r}")
        return None, None
    cast = (a for a in ground.scene.actors() if a.kind == kind)
    if kind == "time":
        own = next((a for a in cast if a.value == value), None)
        name, fine, field = value, parse_iso(value).granularity, "date"
    else:
        own = next((a for a in cast if key(a.name) == key(value)), None)
        name, fine, field = own.name if own else value, "unknown", "place"
    noun = own.id if own else None
    if proof and noun:
        ground.votes.append(Vote(field, noun, 1.0, f"{ground.by} puts it there", spans))
    ids = tuple(dict.fromkeys(filter(None, (*coupled, noun))))
    found = FoundAnchor(kind, name, value, spans, ids, noun, fine)
    return anchor(ground.scene, found), noun


_SETTLE: dict[_Kind, Any] = {"time": settle_time, "place": settle_place}


def _event(ground: ReplyGround, path: str, it: Any) -> None:
    """Give an event the time and place that its quote has."""
    scene = ground.scene
    for kind, settle in _SETTLE.items():
        if value := getattr(it, kind):
            proof = f"{path}.quote"
            found, _ = _anchored(ground, kind, value, it.quote, proof=proof)
            phrase = replace(scene.workspace.get(it.id), **{kind: found})
            settle(scene, it.id, phrase)


def _role(ground: ReplyGround, path: str, it: Any) -> None:
    new = Role(ground.words(*it.role), it.role, ground.chunk.id)
    if new.text not in {role.text for role in ground.scene.actor(it.id).roles}:
        ground.scene.draft.extend(it.id, "roles", [new])


def _state(ground: ReplyGround, path: str, it: Any) -> None:
    scene, since, role = ground.scene, None, it.role
    if it.since:
        since, _ = _anchored(ground, "time", it.since, it.state, (it.actor_id,))
    if role and key(role) not in {key(r.text) for r in scene.actor(it.actor_id).roles}:
        ground.refuse(f"{path}.role", f"{role!r} is no role that it has")
        role = None
    new = State(ground.words(*it.state), it.state, scene.chunk.id, role, since)
    append(scene, it.actor_id, new)


def _relation(ground: ReplyGround, path: str, it: Any) -> None:
    """A tie whose quote speaks of both its ends; else it is refused."""
    quote, ends, whole = ground.words(*it.quote), (it.source, it.target), True
    for end in ends:
        noun = ground.scene.workspace.get(end)
        places = [mention.span for mention in getattr(noun, "mentions", ())]
        places += (s for read in getattr(noun, "readings", ()) for s in read.spans)
        if not _overlap((*places, *getattr(noun, "spans", ())), it.quote):
            ground.refuse(f"{path}.quote", f"{quote!r} does not speak of {end!r}")
            whole = False
    if it.source != it.target and whole:
        known = ground.scene.shelf("relation")
        ties = {(r.source, r.target, r.kind): r.id for r in known}
        tie = Relation("", *ends, it.kind.strip(), ground.by, it.quote)
        put_relation(ground.scene, tie, ties)


def _note(ground: ReplyGround, path: str, it: Any) -> None:
    """Write a note down, with the two readings that it names."""
    both = " / ".join(filter(None, (it.kept.strip(), it.other.strip())))
    kind = "" if it.type == "note" else f"{it.type}: {both}. "
    said = Note(f"{kind}{ground.by}: {it.text.strip()}", (), ground.chunk.id)
    ground.scene.draft.extend(it.subject, "notes", (said,))


# Who writes each part of an update; asked when the chunk's verb phrases are told.
_UPDATERS = {
    "events": _event,
    "actors": _role,
    "states": _state,
    "relations": _relation,
    "notes": _note,
}


class ReplyDecider(Decider):
    """A reply decides; where it says nothing, the rules do."""

    def __init__(
        self, local: CardSheet, known: CardSheet, outcome: HeardReply, reply: Reconciled
    ) -> None:
        scene, self.reply = known.scene, reply
        self.ground = ReplyGround(scene, known.ids, outcome)
        told = {each.get("id") for each in local.cards}
        # a date is its value, which the rules compare
        new = (LOCAL + a.id for a in scene.local.actors if a.kind != "time")
        ids = {shown: i for shown, i in known.ids.items() if i[0] == "a"}
        may_be = {s: i for s, i in ids.items() if scene.actor(i).kind != "time"}
        offered = dict.fromkeys((name for name in new if name in told), may_be)
        super().__init__(
            scene, verdicts_of(self.ground, reply.entity_alignment, offered)
        )

    def _updates(self, name: str) -> Iterator[Any]:
        said = getattr(self.reply.updated_workspace, name)
        return self.ground.all_held(f"updated_workspace.{name}", said)

    def _name(self, found: Mapping[str, str]) -> None:
        self.ground.ids |= {LOCAL + name: noun_id for name, noun_id in found.items()}

    def align(self, bar: Bar) -> None:
        """Decide every local actor, those with a verdict by that."""
        align_all(self.scene, bar, self.verdicts)
        self._name(self.scene.ids)

    def anchor(self, anchors: dict[str, str]) -> None:
        """Couple the reply's actors to times and places; `anchors` gains whose."""
        ground = self.ground
        for path, it in self._updates("spacetime"):
            if not (value := ground.known(f"{path}.value", it.type, it.value)):
                continue
            told = it.type, value, it.quote, it.actors
            found, noun = _anchored(ground, *told, proof=f"{path}.quote")
            if found and noun:
                anchors[noun] = found
            # What lies inside what; a ring of places says nothing.
            if found and it.type == "place" and it.within:
                outer, _ = _anchored(ground, "place", it.within, it.quote)
                if found in around(ground.scene.workspace, outer):
                    ground.refuse(f"{path}.within", f"{it.within!r} lies inside it")
                else:
                    ground.scene.draft.set(found, "inside", outer)

    def tell(self, phrases: Mapping[str, str]) -> None:
        """What else the reply says is so."""
        self._name(phrases)
        for name, tell in _UPDATERS.items():
            for path, it in self._updates(name):
                tell(self.ground, path, it)
        votes = (*self.scene.local.votes, *self.ground.votes)
        self.scene.local = replace(self.scene.local, votes=votes)

    def answer(self) -> None:
        """Write down what became of each question shown, the first word on each."""
        scene, ground, seen = self.scene, self.ground, set[str]()
        said = chain(
            ground.all_held("resolved_queries", self.reply.resolved_queries),
            ground.all_held("unresolved_queries", self.reply.unresolved_queries),
        )
        for path, it in said:
            if it.query_id in seen:
                ground.refuse(f"{path}.query_id", f"{it.query_id!r} is settled above")
                continue
            seen.add(it.query_id)
            question: Question = scene.workspace.get(it.query_id)
            if isinstance(it, UnresolvedQuery):
                reason = f"{ground.by}: {it.reason.strip()}"
                found = Attempt(_STATUS[it.status], reason=reason)
            elif filler := _filled(ground, path, it.answer, it.answer_entity_id):
                rests = (*it.support.actors, *it.support.events, *it.support.spacetime)
                why = rests, f"{ground.by} reads it"
                found = Attempt(_STATUS[it.status], (filler,), *why)
            else:
                continue
            if found.status == "open" and question.answers:
                # half an answer is not taken back by a chunk that has none
                scene.decisions.append(resolution(question.id, found))
            else:
                write(scene, question, found)
