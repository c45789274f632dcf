"""What a reply may say: ids that were shown, words of the chunk, days and places known.

Whatever else it says is refused, with the path where it stands: nothing is invented,
and a noun that the prompt did not show cannot be touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, Field

from gswlab.core.nouns import Actor, Noun, Place, Span, Time, Vote
from gswlab.gsw.operator.model.grounding import HeldPassage, find_words
from gswlab.gsw.operator.model.stages import StageOutcome
from gswlab.gsw.reconciler.actors import form
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.gsw.reconciler.decide import LOCAL, MergeVerdict, Status
from gswlab.language.dates.find import find_dates
from gswlab.language.dates.format import normalise_date
from gswlab.language.names import key

Id: TypeAlias = Annotated[str, Field(max_length=16)]
Words: TypeAlias = Annotated[str, Field(max_length=80)]
Sentence: TypeAlias = Annotated[str, Field(max_length=240)]


class Aligned(BaseModel):
    """Whether a new actor is one of the workspace, and why."""

    new_actor_id: Id
    workspace_actor_id: Id | None
    status: Literal["merged", "new", "ambiguous"]
    candidates: list[Id] = Field(max_length=3)
    comment: Sentence


class SameActor(BaseModel):
    """Verdicts on the actors that the rules leave open."""

    entity_alignment: list[Aligned] = Field(max_length=24)


class Answer(BaseModel):
    """What the chunk answers to an open question."""

    question_id: Id
    answer_text: Sentence
    answer_entity_id: Id | None


class QuestionResolution(BaseModel):
    """Answers to questions left open; those without one are left out."""

    answers: list[Answer] = Field(max_length=24)


class ActorUpdate(BaseModel):
    """A role that the chunk gives an actor, in its words."""

    id: Id
    role: Words


class EventUpdate(BaseModel):
    """When or where the chunk says that something happened."""

    id: Id
    time: Words | None
    place: Words | None
    quote: Sentence


class StateUpdate(BaseModel):
    """A state in the chunk's words, in a role and since a time where it says so."""

    actor_id: Id
    state: Words
    role: Words | None
    since: Words | None


class AnchorUpdate(BaseModel):
    """A time or place that actors share; `within` is the place around a place."""

    type: Literal["time", "place"]
    value: Words
    within: Words | None
    actors: list[Id] = Field(max_length=12)
    quote: Sentence


class RelationUpdate(BaseModel):
    """A tie between two nouns."""

    source: Id
    target: Id
    kind: Words
    quote: Sentence


class NoteUpdate(BaseModel):
    """Doubt, or two readings of which one is kept for now."""

    subject: Id
    type: Literal["note", "state_conflict", "conflicting_time_hypothesis"]
    kept: Words
    other: Words
    text: Sentence


class Updates(BaseModel):
    """What the chunk adds to the workspace."""

    actors: list[ActorUpdate] = Field(max_length=16)
    events: list[EventUpdate] = Field(max_length=12)
    states: list[StateUpdate] = Field(max_length=16)
    spacetime: list[AnchorUpdate] = Field(max_length=12)
    relations: list[RelationUpdate] = Field(max_length=12)
    notes: list[NoteUpdate] = Field(max_length=8)


class Support(BaseModel):
    """The nouns that an answer rests on."""

    actors: list[Id] = Field(max_length=6)
    events: list[Id] = Field(max_length=6)
    spacetime: list[Id] = Field(max_length=6)


class ResolvedQuery(BaseModel):
    """An open question that the chunk answers, wholly or in part."""

    query_id: Id
    status: Literal["answered", "partially_answered"]
    answer: Sentence
    answer_entity_id: Id | None
    support: Support


class UnresolvedQuery(BaseModel):
    """An open question that stays so, and why."""

    query_id: Id
    status: Literal["unanswered", "contradictory", "insufficient_information"]
    reason: Sentence


class SameEvent(BaseModel):
    """Which recorded event a new one is, by words that tell it; null where none."""

    new_event_id: Id
    workspace_event_id: Id | None
    quote: Sentence


class Reconciled(BaseModel):
    """The whole reply of the reconciler: four tasks, four keys, and which event is."""

    updated_workspace: Updates
    entity_alignment: list[Aligned] = Field(max_length=32)
    event_alignment: list[SameEvent] = Field(default=[], max_length=12)
    resolved_queries: list[ResolvedQuery] = Field(max_length=16)
    unresolved_queries: list[UnresolvedQuery] = Field(max_length=16)


class ReplyGround(HeldPassage):
    """A chunk's scene, the ids that a prompt showed, and what is refused of a reply.

    `ids` maps ids as a reply writes them to those of the workspace.
    """

    def __init__(
        self, scene: ChunkContext, ids: dict[str, str], outcome: StageOutcome
    ) -> None:
        super().__init__(scene.chunk, outcome.refused)
        self.scene, self.ids, self.by = scene, ids, outcome.by
        self.votes: list[Vote] = []

    def named(self, path: str, said: str, kinds: str = "a") -> str | None:
        """The live noun of these kinds (first letters of ids) that an id names."""
        workspace = self.scene.workspace
        found = workspace.resolve(self.ids.get(said, ""))
        if found in workspace and found[:1] in kinds:
            return found
        self.refuse(path, f"{said!r} is no id that was shown here")
        return None

    def all_named(self, path: str, said: list[str], kinds: str = "a") -> list[str]:
        """The nouns that ids name, each once; an id of none is refused."""
        found = (self.named(f"{path}.{i}", each, kinds) for i, each in enumerate(said))
        return list(dict.fromkeys(each for each in found if each))

    def quoted(self, path: str, said: str) -> tuple[Span, ...]:
        """Where the chunk has these words; refused if nowhere."""
        place = self.find(path, said)
        return (self.span(place),) if place else ()

    def spans(self, said: str) -> tuple[Span, ...]:
        """The first place of words in the chunk, if it has them."""
        return tuple(map(self.span, find_words(self.chunk.text, said)[:1]))

    def proves(self, path: str, kind: str, value: str, spans: tuple[Span, ...]) -> bool:
        """Whether a quote has the day or place that it proves; else it is refused."""
        local, base = self.scene.local, self.chunk.span.start
        said = [(a.value or a.name, m.span) for a in local.actors for m in a.mentions]
        for date in find_dates(self.chunk.text, basis=self.chunk.time):
            where = Span(self.chunk.document, base + date.start, base + date.end)
            said.append((date.value or date.text, where))
        for link in local.links:
            said += ((link.iso or link.value or "", span) for span in link.spans)
        told = [text for text, at in said if overlap((at,), spans)]
        fits = str.startswith if kind == "time" else lambda a, b: key(a) == key(b)
        quote = " ".join(self.chunk.text[s.start - base : s.end - base] for s in spans)
        if any(fits(text, value) for text in told) or find_words(quote, value):
            return True
        self.refuse(path, f"{quote!r} does not say {value!r}")
        return False

    def vote(self, anchor: str, spans: tuple[Span, ...]) -> None:
        """Let a time or place that was given speak for the chapter's episode."""
        found = self.scene.workspace.get(anchor)
        who, name = getattr(found, "actor", None), "place"
        if isinstance(found, Time):  # a day is voted for by an actor that is it
            cast = (a for a in self.scene.actors() if a.kind == "time")
            who, name = (
                next((a.id for a in cast if a.value == found.value), None),
                "date",
            )
        if who:
            self.votes.append(Vote(name, who, 1.0, f"{self.by} puts it there", spans))

    def day(self, path: str, said: str | None) -> str | None:
        """The ISO value of a day that the chunk or the workspace has, or a coarser."""
        if not said:
            return None
        value, local = normalise_date(said), self.scene.local
        days = [link.iso for link in local.links]
        days += (date.value for date in find_dates(self.chunk.text, self.chunk.time))
        days += (actor.value for actor in local.actors)
        days += (n.value for n in self._nouns() if isinstance(n, Actor | Time))
        opens = (f"{value}-", f"{value}T")
        if value and any(day and f"{day}-".startswith(opens) for day in days):
            return value
        self.refuse(path, f"{said!r} is no time that the text or the workspace has")
        return None

    def place(self, path: str, said: str | None) -> str | None:
        """The name of a place that the chunk or the workspace has."""
        if not said:
            return None
        names: list[str] = []
        for noun in self._nouns():
            if isinstance(noun, Actor) and noun.kind == "place":
                names += (noun.name, *noun.aliases)
            elif isinstance(noun, Place):
                names.append(noun.name or "")
        if key(said) and (key(said) in map(key, names) or self.spans(said)):
            return said.strip()
        self.refuse(path, f"{said!r} is no place that the text or the workspace has")
        return None

    def _nouns(self) -> Iterator[Noun | None]:
        workspace = self.scene.workspace
        for noun_id in self.ids.values():
            yield workspace.nouns.get(workspace.resolve(noun_id))


def overlap(places: Iterable[Span], spans: Iterable[Span]) -> bool:
    """Whether some of these places share a character with some of those."""
    others = list(spans)
    return any(p.start < s.end and s.start < p.end for p in places for s in others)


_BY_COUNT: tuple[Status, ...] = ("new", "merged", "ambiguous")


def verdicts_of(
    outcome: StageOutcome,
    replies: Iterable[Aligned],
    offered: Mapping[str, Mapping[str, str]],
) -> dict[str, MergeVerdict]:
    """Verdicts by local id, the first on each actor.

    Args:
        outcome: takes what is refused, with its path.
        replies: what the reply says, in its order.
        offered: whom each new actor may be merged with: ids in the prompt, and theirs.
    """
    found: dict[str, MergeVerdict] = {}
    for i, said in enumerate(replies):
        path, local = f"entity_alignment.{i}", said.new_actor_id.removeprefix(LOCAL)
        if said.new_actor_id not in offered or local in found:
            why = f"{said.new_actor_id!r} is no actor asked about, or one twice"
            outcome.refuse(f"{path}.new_actor_id", why)
        elif verdict := _verdict(outcome, path, said, offered[said.new_actor_id]):
            found[local] = verdict
    for missing in (name for name in offered if name.removeprefix(LOCAL) not in found):
        outcome.refuse("entity_alignment", f"nothing to believe is said of {missing!r}")
    return found


def _verdict(
    outcome: StageOutcome, path: str, said: Aligned, offered: Mapping[str, str]
) -> MergeVerdict | None:
    actor, reason = said.workspace_actor_id, f"{outcome.by}: {said.comment.strip()}"
    if said.status != "ambiguous":
        merges = actor in offered
        if actor and not merges:
            outcome.refuse(f"{path}.workspace_actor_id", f"{actor!r} is no candidate")
        elif actor and said.status == "new":
            outcome.refuse(f"{path}.status", f"new, and yet {actor!r}")
        elif said.status == "merged" and not actor:
            outcome.refuse(f"{path}.status", "merged, but with nobody")
        if merges != (said.status == "merged"):
            return None
        same = (offered[actor],) if actor and merges else ()
        return MergeVerdict(said.status, reason, same)
    named = [each for each in (actor, *said.candidates) if each]
    for each in (each for each in named if each not in offered):
        outcome.refuse(f"{path}.candidates", f"{each!r} is no candidate")
    may_be = tuple(offered[each] for each in named if each in offered)
    return MergeVerdict("ambiguous", reason, may_be)


def by_exact_name(scene: ChunkContext, new: Actor, by: str) -> MergeVerdict:
    """The verdict on an actor that none was given on: whoever is called just so.

    A pronoun is nobody's name, a noun ("the door") only the chapter's; two of one name
    leave it open.
    """
    named, called = form(new) in ("name", "short"), key(new.name)
    known = (*scene.actors(), *(scene.namesakes(new.name) if named else ()))
    if not called or form(new) == "pronoun":
        known = ()
    alike = (a for a in known if called in map(key, (a.name, *a.aliases)))
    same = tuple(dict.fromkeys(old.id for old in alike if old.kind != "time"))
    status = _BY_COUNT[min(len(same), 2)]
    return MergeVerdict(status, f"{by} gave no verdict: by exact name {status}.", same)
