"""Who finds entities and triples: the operator's grammar, or who stands beside whom.

Neither asks a model by itself. `Rules` takes what the run's operator found, so with an
operator that asks a model it is an OpenIE by that model.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from gswlab.core.document import Document
from gswlab.core.nouns import Actor, Chunk, LocalMap, VerbPhrase
from gswlab.core.protocols import Operator, Preparing
from gswlab.core.workspace import Workspace
from gswlab.language.dates.calendar import DAY
from gswlab.language.dates.format import format_date
from gswlab.language.language import language_of
from gswlab.memory.triples import Entity, Extraction, Extractor, Triple
from gswlab.text.sentences import sentences

_NAMED = ("name", "short", "date")
Told = tuple[str, str, str, int]
Bounds = Sequence[tuple[int, int]]


@dataclass
class Rules(Extractor):
    """Triples off the operator's verb phrases and roles: no model but the operator's.

    Who does it (or undergoes it) is the subject; every other argument but the manner
    makes a triple with it. References are resolved as far as the operator does.
    """

    operator: Operator

    def prepare(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Pass on which chunks will be next."""
        if isinstance(self.operator, Preparing):
            self.operator.prepare(document, chunks)

    def read(self, chunk: Chunk) -> Extraction:
        """What the operator's local map of the chunk alone says."""
        local = self.operator.extract(chunk, Workspace())
        bounds = sentences(chunk.text, language_of(chunk.text))
        named = [a for a in local.actors if any(m.form in _NAMED for m in a.mentions)]
        entities = tuple(map(_entity, named))
        found = self.triples(chunk, local, entities, bounds)
        triples = sorted(found, key=lambda triple: triple.start)
        return Extraction(entities, tuple(triples), local.events)

    def triples(
        self, chunk: Chunk, local: LocalMap, named: Sequence[Entity], bounds: Bounds
    ) -> Iterator[Triple]:
        """The triples of a local map, in any order."""
        names = {actor.id: _name(actor) for actor in local.actors}
        told = [t for verb in local.verb_phrases for t in _told(verb, names)]
        told += [t for actor in local.actors for t in _roles(actor)]
        for subject, predicate, other, at in told:
            yield Triple(subject, predicate, other, *_sentence(bounds, at))


@dataclass
class Cooccurrence(Rules):
    """Every two names or dates of a sentence, tied by its first verb: a reduction.

    The title is in every sentence. `most` caps the names of one: a list of fifty would
    be 1,225 pairs.
    """

    most: int = 5

    def triples(
        self, chunk: Chunk, local: LocalMap, named: Sequence[Entity], bounds: Bounds
    ) -> Iterator[Triple]:
        """The pairs of each sentence."""
        verbs = {verb.spans[0].start: verb.predicate for verb in local.verb_phrases}
        topic = [chunk.title] if chunk.title else []
        for start, end in bounds:
            inside = sorted(
                (at, entity.name)
                for entity in named
                for at, _ in entity.places
                if start <= at < end
            )
            names = dict.fromkeys([*topic, *(name for _, name in inside)])
            verb = next(
                (v for at, v in sorted(verbs.items()) if start <= at < end), "with"
            )
            for one, other in combinations(list(names)[: self.most], 2):
                yield Triple(one, verb, other, start, end)


def _sentence(bounds: Bounds, at: int) -> tuple[int, int]:
    """The sentence that holds a character; the whole text where none does."""
    whole = (bounds[0][0], bounds[-1][1]) if bounds else (0, 0)
    return next(((a, b) for a, b in bounds if a <= at < b), whole)


def _name(actor: Actor) -> str:
    """A date is named by its day, however written, so that a day is one node."""
    return format_date(actor.value[:DAY]) if actor.value else actor.name


def _entity(actor: Actor) -> Entity:
    spans = [m.span for m in actor.mentions if m.form in _NAMED]
    return Entity(_name(actor), actor.kind, tuple((s.start, s.end) for s in spans))


def _told(verb: VerbPhrase, names: Mapping[str, str]) -> Iterator[Told]:
    """The triples of a verb phrase, each with a character of its sentence."""
    fillers = [(a.slot, names.get(a.actor or "", a.text)) for a in verb.arguments]
    at = verb.spans[0].start if verb.spans else 0
    first = "agent" if any(slot == "agent" for slot, _ in fillers) else "patient"
    for subject in (text for slot, text in fillers if slot == first):
        for slot, text in fillers:
            if slot not in (first, "manner"):
                yield subject, verb.predicate, text, at


def _roles(actor: Actor) -> Iterator[Told]:
    for role in actor.roles:
        yield _name(actor), "be", role.text, role.spans[0].start if role.spans else 0
