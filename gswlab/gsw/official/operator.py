"""The operator that reads nothing: it has from a file what the published code read.

>>> gswlab.open("experiment=official", "dataset.file=FILE.json")   # doctest: +SKIP

A record is held to its text like a model's reply: words that the text does not have
become an event of the step. What the files leave out is read off the words: the kind of
an entity, the slot of a question, the sentence that tells a verb phrase.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import (
    Actor,
    ActorKind,
    Chunk,
    LocalMap,
    Role,
    Span,
    State,
    TraceEvent,
)
from gswlab.core.workspace import Workspace
from gswlab.gsw.official.records import (
    LITERAL,
    Entity,
    OfficialQuestion,
    Phrase,
    Record,
    Shared,
    slot_of,
)
from gswlab.gsw.official.text import Imported, imported
from gswlab.gsw.operator.model.grounding import bare, places
from gswlab.gsw.operator.model.operator import mapped
from gswlab.gsw.operator.model.stages import (
    ActorReply,
    GroupReply,
    OperatorReply,
    PhraseReply,
    QuestionReply,
)
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.language.dates.find import find_dates
from gswlab.language.language import language_of
from gswlab.language.lexicon import noun_kind
from gswlab.text.sentences import sentences


@dataclass
class OfficialOperator:
    """A file of the published code as an operator.

    `text` is the text that it was made of, where it is at hand; `sentences` is how many
    of that a chunk has.
    """

    file: str | None = field(default=None, metadata={"path": True})
    text: str | None = field(default=None, metadata={"path": True})
    sentences: int = 3

    @cached_property
    def imported(self) -> Imported:
        """The file laid over its text."""
        if self.file is None:
            rule = "it has what the published code made of each chunk"
            command = "a fork that goes on with operator=spacy"
            raise GswlabError("operator=official has no file", rule, command)
        return imported(self.file, self.text, self.sentences)

    def extract(self, chunk: Chunk, workspace: Workspace) -> LocalMap:
        """What the file has of a chunk, as far as the chunk has the words for it."""
        found = self.imported.records.get(chunk.id, ())
        read = SpacyOperator().extract(chunk, workspace)
        kinds = {a.name.casefold(): a.kind for a in read.actors}
        cast = [e for record in found for e in record.entities]
        first = {_key(entity): entity for entity in reversed(cast)}
        actors = [_actor(first[key], kinds) for key in dict.fromkeys(map(_key, cast))]
        phrases = [p for record in found for p in _phrases(record, chunk)]
        groups = [_group(record, link) for record in found for link in record.shared]
        reply = OperatorReply.model_construct(actors=actors, verb_phrases=phrases)
        told = mapped(chunk, workspace, reply, groups)
        return _described(told, cast, chunk)


def _key(entity: Entity) -> str:
    """What makes two entities of a chunk one: their name, and nothing else is known."""
    return bare(entity.name).casefold()


def _actor(entity: Entity, kinds: dict[str, ActorKind]) -> ActorReply:
    return ActorReply.model_construct(
        id=_key(entity),
        kind=_kind(entity, kinds),
        name=entity.name,
        mentions=[],
        roles=[],
    )


def _described(told: LocalMap, cast: Sequence[Entity], chunk: Chunk) -> LocalMap:
    """The actors with their roles and states, where the chunk says them.

    What it does not say in so many words rests on where it names the actor; those are
    listed in an event.
    """
    unsaid: list[str] = []
    actors = []
    for actor in told.actors:
        named = {actor.name.casefold(), *(m.text.casefold() for m in actor.mentions)}
        own = [entity for entity in cast if _key(entity) in named]
        roles, states = list(actor.roles), list(actor.states)
        for role in (role for entity in own for role in entity.roles):
            said = bare(role.role)
            spans = _where(chunk, actor, said, unsaid)
            roles += [Role(said, spans, chunk.id)] if said else []
            for state in map(str.strip, role.states):
                spans = _where(chunk, actor, state, unsaid)
                states += [State(state, spans, chunk.id, said or None)] if state else []
        unique = tuple(dict.fromkeys(roles)), tuple(dict.fromkeys(states))
        actors.append(replace(actor, roles=unique[0], states=unique[1]))
    events = (TraceEvent("unwritten", {"words": tuple(unsaid)}),) if unsaid else ()
    return replace(told, actors=tuple(actors), events=(*told.events, *events))


def _where(
    chunk: Chunk, actor: Actor, said: str, unsaid: list[str]
) -> tuple[Span, ...]:
    base, mention = chunk.span.start, actor.mentions[0].span
    found = places(chunk.text, said)
    if not found:
        unsaid += [f"{actor.name}: {said}"] if said else []
        return (mention,)
    near = min(found, key=lambda place: abs(place.start + base - mention.start))
    return (Span(chunk.document, base + near.start, base + near.end),)


def _kind(entity: Entity, kinds: dict[str, ActorKind]) -> ActorKind:
    """What the words say an entity is: a date, what grammar finds, what its role is."""
    name = bare(entity.name)
    dates = find_dates(name)
    if any(date.end - date.start >= len(name) - 4 for date in dates):
        return "time"
    if (known := kinds.get(name.casefold())) is not None:
        return known
    for words in (name, *(role.role for role in entity.roles)):
        kind = noun_kind(words.split()[-1].casefold()) if words.split() else "abstract"
        if kind != "abstract":
            return kind
    return "person" if name[:1].isupper() else "abstract"


def _phrases(record: Record, chunk: Chunk) -> Iterator[PhraseReply]:
    names = {entity.id: entity.name for entity in record.entities}
    for phrase in record.phrases:
        asked = [_question(question, names) for question in phrase.questions]
        yield PhraseReply.model_construct(
            predicate=phrase.phrase,
            told="explicit",
            quote=_quote(phrase, names, chunk.text),
            questions=asked,
        )


def _question(question: OfficialQuestion, names: dict[str, str]) -> QuestionReply:
    given = question.given
    quotes = [a.removeprefix(LITERAL) for a in given if a.startswith(LITERAL)]
    ids = [bare(names[a]).casefold() for a in given if a in names]
    return QuestionReply.model_construct(
        slot=slot_of(question.text),
        text=question.text,
        actors=ids,
        quote=quotes[0] if quotes and not ids else "",
    )


def _quote(phrase: Phrase, names: dict[str, str], text: str) -> str:
    """The sentence with most of a verb phrase: its verb, who fills its slots."""
    given = [a for question in phrase.questions for a in question.given]
    fillers = [names.get(a, a.removeprefix(LITERAL)) for a in dict.fromkeys(given)]
    told = [text[a:b] for a, b in sentences(text, language_of(text))] or [text]
    stems = [word[: max(3, len(word) - 2)] for word in phrase.phrase.lower().split()]

    def worth(sentence: str) -> int:
        plain = sentence.casefold()
        return sum(bool(places(sentence, name)) for name in fillers) + 2 * sum(
            stem in plain for stem in stems[:1]
        )

    best = max(told, key=worth)
    return best if worth(best) else ""


def _group(record: Record, link: Shared) -> GroupReply:
    names = {entity.id: _key(entity) for entity in record.entities}
    return GroupReply.model_construct(
        kind="space" if link.tag_type == "spatial" else "time",
        actors=[names.get(id_, id_) for id_ in link.linked_entities],
        value=link.tag_value,
    )
