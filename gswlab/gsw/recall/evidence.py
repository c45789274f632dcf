"""The forms in which a memory may hand over the episodes that fit a question.

=========== =====================================================================
evidence    an item is
=========== =====================================================================
episodes    the episode: a sentence to read, and its facts
chunks      a chunk of the episode, as the text has it
phrases     what the verb phrases of a chunk say, a sentence each
summaries   what is known of one of its actors from the episode's chunks
=========== =====================================================================

The last three have no facts: a reader has to read them (`reader=cue` does). Chunks are
not in a workspace; they are looked up in the run's past.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, Protocol

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Actor, Chunk, Episode, Item
from gswlab.core.step import Step
from gswlab.core.workspace import Workspace, id_order
from gswlab.gsw.recall.verbalise import (
    FIELDS,
    Known,
    Sentence,
    describe,
    happening,
    known_of,
    paragraph,
    record_of,
    retold,
    summarise,
    united,
)
from gswlab.gsw.reconciler.episodes import is_named
from gswlab.gsw.reconciler.event_types import Competition
from gswlab.language.keys import key_words, kind_stems, name_key
from gswlab.models.vectors.embedder import Embedder
from gswlab.models.vectors.nearest import VectorIndex
from gswlab.qa.cue import FIELD_OF, Cue, EpisodeIndex, Order, answer_cue, text_order
from gswlab.qa.passages import NearestSentences
from gswlab.qa.question.asked_for import (
    answer_type,
    arrange,
    asks_account,
    asks_plainly,
    lists,
    tells_episodes,
    unasked,
    unread_language,
)
from gswlab.qa.question.names import Names
from gswlab.qa.question.wh_question import Fit, Tellings, told_occurrences
from gswlab.qa.readers.typed import is_of_a_sentence

Form = Literal["episodes", "chunks", "phrases", "summaries"]
Match = Literal["exact", "embedding"]
Rank = Literal["cue", "similarity", "none"]
Fallback = Literal["none", "summaries"]
_KEPT = {"content": "kind"}
_NEAR = 0.45  # a name that is as near as this to a question is meant by it


class Past(Protocol):
    """What was read and what it changed: a journal, or what is like one."""

    def chunks(self) -> tuple[Chunk, ...]:
        """The chunks read, in order; those still to be read may follow."""

    def steps(self) -> Iterator[Step]:
        """The steps taken, in order."""


@dataclass
class Kept:
    """The past of a memory that reads beside any journal: it keeps it itself."""

    _chunks: list[Chunk] = field(default_factory=list)
    _steps: list[Step] = field(default_factory=list)

    def add(self, step: Step, chunk: Chunk | None = None) -> None:
        """One step more, and the chunk it read."""
        self._steps.append(step)
        self._chunks += [chunk] if chunk else []

    def chunks(self) -> tuple[Chunk, ...]:
        """The chunks that were read, in order."""
        return tuple(self._chunks)

    def steps(self) -> Iterator[Step]:
        """The steps that were added, in order, those of no chunk among them."""
        return iter(self._steps)


@dataclass
class ActorIndex:
    """Actors of one version of a workspace by name, and the verb phrases they fill."""

    workspace: Workspace
    match: Match = "exact"
    embedder: Embedder | None = None
    names: dict[tuple[str, ...], set[str]] = field(default_factory=dict, repr=False)
    longest: int = 1

    def __post_init__(self) -> None:
        for actor in self.workspace.actors:
            for key in map(name_key, (actor.name, *actor.aliases)):
                halves = actor.kind == "person" and len(key) > 1
                for name in (key, key[:1], key[-1:])[: 3 if halves else 1]:
                    if name:
                        self.names.setdefault(name, set()).add(actor.id)
                        self.longest = max(self.longest, len(name))

    @cached_property
    def _known(self) -> dict[str, list[Known]]:
        return known_of(self.workspace)

    @cached_property
    def _vectors(self) -> VectorIndex:
        if self.embedder is None:
            problem = "match=embedding has no embedder"
            rule = "matching names by meaning needs one"
            raise GswlabError(problem, rule, "embedder=minilm")
        return VectorIndex.of([a.name for a in self.workspace.actors], self.embedder)

    def find(self, question: str, cue: Cue) -> tuple[Actor, ...]:
        """Actors that `question` names, as `match` allows.

        What the cue takes for a name counts as a whole: "Karl Fenn" is not Karl Weiss.
        """
        wholes = [name for name in (cue.protagonist, cue.content) if name]
        called = (self.names.get(name_key(name), ()) for name in wholes)
        ids = [i for found in called for i in sorted(found, key=id_order)]
        ids = ids if wholes else self._named(question)
        if not ids and self.match == "embedding":
            near = self._vectors.nearest(question, 3)
            actors = self.workspace.actors
            ids = [actors[row].id for row, score in near if score >= _NEAR]
        return tuple(self.workspace.get(actor_id) for actor_id in dict.fromkeys(ids))

    def _named(self, question: str) -> list[str]:
        tokens = [word.text for word in key_words(question)]
        taken: set[int] = set()
        found: list[str] = []
        for size in range(min(self.longest, len(tokens)), 0, -1):
            for start in range(len(tokens) - size + 1):
                place = range(start, start + size)
                ids = self.names.get(tuple(tokens[start : start + size]))
                if ids and taken.isdisjoint(place):
                    taken.update(place)
                    found += sorted(ids, key=id_order)
        return found

    def summary(self, actor: Actor) -> tuple[Sentence, ...]:
        """What is known of one actor."""
        return summarise(self.workspace, actor, self._known.get(actor.id, ()))

    def summaries(self, actors: Iterable[Actor]) -> tuple[Item, ...]:
        """One paragraph an actor, most mentioned first; none for whom nothing is."""
        ranked = sorted(actors, key=lambda actor: -len(actor.mentions))
        return tuple(
            paragraph(actor, said, actor.chapter, float(-place))
            for place, actor in enumerate(ranked)
            if (said := self.summary(actor))
        )


def tellings(workspace: Workspace, fits: Iterable[Fit]) -> tuple[Item, ...]:
    """One sentence an occurrence, and the occurrence behind it."""
    items: dict[object, Item] = {}
    for fit in fits:
        one, said = fit.occurrence, retold(workspace, fit.occurrence)
        spans = tuple(dict.fromkeys((*one.spans, *said.spans)))
        item = Item(said.text, spans, one.chapter, fit.score, told=one)
        items.setdefault((said.text, one.predicate == "know" and one.slots), item)
    return tuple(items.values())


@dataclass(frozen=True, slots=True)
class View:
    """The look-ups of one workspace, its end of input settled."""

    workspace: Workspace
    episodes: EpisodeIndex
    names: Names
    actors: ActorIndex
    kinds: Competition
    tellings: Tellings
    nearest: NearestSentences
    chunks: Mapping[str, Chunk] = field(default_factory=dict)

    def recognised(self, cue: Cue) -> frozenset[str]:
        """The episodes that fit the kind a question asks for, whatever they call it."""
        if cue.content is None or not any(e.terms for e in self.episodes.episodes):
            return frozenset()
        return frozenset(self.kinds.won_by(cue.content))

    @property
    def places(self) -> tuple[str, ...]:
        """The names of all places; no common noun is one."""
        named = (p.name for p in self.workspace.places if p.name and not p.actor)
        actors = (a for a in self.workspace.actors if a.kind == "place")
        return tuple(dict.fromkeys([*named, *(a.name for a in actors if is_named(a))]))


def _described(episodes: Sequence[Episode], cue: Cue) -> Iterator[Sequence[Item]]:
    """Episodes from the fullest form to the shortest: only what a cue asks of them."""
    asked = (FIELD_OF[cue.asked],) if cue.asked in FIELD_OF else FIELDS
    short = tuple(dict.fromkeys(("date", *asked) if cue.order != "all" else asked))
    needed = tuple(dict.fromkeys((*short, *map(_KEPT.get, cue.fields, cue.fields))))
    full, brief = map(describe, episodes), (record_of(e, FIELDS) for e in episodes)
    for form in (full, brief):
        told = zip((behind(e, cue, FIELDS) for e in episodes), form, strict=True)
        yield [Item(s.text, s.spans, e.chapter, 1.0, (e,)) for e, s in told]
    items = []
    for episode in episodes:  # the fields alone, and nothing twice
        known, said = behind(episode, cue, needed), record_of(episode, short)
        item = Item("", said.spans, episode.chapter, 1.0, (known,))
        head = f"Chapter {episode.chapter}" if episode.chapter else "Told"
        items.append(replace(item, text=f"{head}: {item.behind}"))
    yield items


def behind(episode: Episode, cue: Cue, fields: Sequence[str]) -> Episode:
    """What of an episode is handed over: these fields, under the names it was asked by.

    Votes, second readings and words stay: a reader reads what is written out alone.
    """
    kept: dict[str, Any] = {}
    for name in FIELDS:
        bound = getattr(episode, name) if name in fields else None
        said = getattr(cue, "content" if name == "kind" else name)
        if bound and name == "kind":
            stems = kind_stems(said or "")
            own = [b for b in bound.aliases if stems and stems <= kind_stems(b)]
            own = [] if stems and stems <= kind_stems(bound.value) else own[:1]
        elif bound:
            key = name_key(said or "")
            own = [b for b in bound.aliases if key and name_key(b) == key][:1]
        kept[name] = replace(bound, aliases=tuple(own)) if bound else None
    kept["participants"] = episode.participants * (cue.asked == "other_entities")
    kept["details"] = episode.details[:2] * (cue.asked == "details")
    found = Episode(episode.id, episode.document, episode.chapter, **kept)
    return replace(found, order=episode.order)


def told_in(form: Form, view: View, episodes: Iterable[Episode]) -> tuple[Item, ...]:
    """The items of `episodes` in a form without facts, each once, in their order."""
    workspace, found = view.workspace, list[Item]()
    for episode in episodes:
        own = [view.chunks[chunk] for chunk in episode.chunks if chunk in view.chunks]
        if form == "chunks":
            found += [Item(c.text, (c.span,), c.chapter, 1.0) for c in own]
        elif form == "phrases":
            for chunk in own:
                here = workspace.in_chapter("verb_phrase", chunk.chapter)
                told = (happening(workspace, p) for p in here if p.chunk == chunk.id)
                if said := [one for one in told if one is not None]:
                    text = " ".join(one.text for one in said)
                    spans = united(one.spans for one in said)
                    found.append(Item(text, spans, chunk.chapter, 1.0))
        else:
            for bound in filter(None, (episode.protagonist, *episode.participants)):
                actor = workspace.nouns.get(workspace.resolve(bound.id or ""))
                if isinstance(actor, Actor):
                    known = view.actors.summary(actor)
                    if near := [s for s in known if any(_opens_in(s, c) for c in own)]:
                        found.append(paragraph(actor, near, episode.chapter, 1.0))
    return tuple(dict.fromkeys(found))


def _opens_in(sentence: Sentence, chunk: Chunk) -> bool:
    first, here = sentence.spans[0], chunk.span
    return first.document == here.document and here.start <= first.start < here.end


@dataclass(frozen=True, slots=True)
class Selection:
    """A question to one view of a workspace, under the settings of its memory."""

    view: View
    question: str
    cue: Cue
    form: Form
    rank: Rank
    fallback: Fallback
    chapters: int | None
    embedder: Embedder | None

    def forms(self) -> Iterator[Sequence[Item]]:
        """Items from the fullest to the shortest form, or none.

        They are of the first so many chapters, and of none.
        """
        for items in self._forms():
            found = dict.fromkeys(i.chapter for i in items if i.chapter is not None)
            kept = {None, *list(found)[: self.chapters]}
            yield [item for item in items if item.chapter in kept]

    def _forms(self) -> Iterable[Sequence[Item]]:
        """What the workspace tells; with the nearest sentences where that is nothing.

        An episode is none where the question asks for another type of answer.
        """
        view, question, cue = self.view, self.question, self.cue
        if unread_language(question):
            return []
        plain, episodes = asks_plainly(question, cue), self._fitting()
        fits = told_occurrences(view.tellings, question, cue, bool(episodes))
        # of a day that no episode has, no sentence is near, but for what was done then
        own, near = self.form == "episodes", tuple[Item, ...]()
        kind = answer_type(question)
        of_a_day = kind == "place" and is_of_a_sentence(question)
        if plain and (not cue.date or of_a_day or (own and kind == "happening")):
            near = view.nearest.find(unasked(question), cue.date)
        if fits:
            items = tellings(view.workspace, fits)
            # a told day has its year, a place its name, which no sentence has to say
            filled = [bound for fit in fits for bound in fit.fillers if bound.id]
            known = any(not bound.value.islower() for bound in filled)
            return [items if known else [*items, *near]]
        if asks_account(question):
            actors = view.actors.find(question, cue)[:1]
            return [self.ranked(view.actors.summaries(actors)) or near]
        found = list(self._known(episodes))
        told = any(item.facts for form in found for item in form)
        if told and own:
            return [[*form, *near] for form in found]
        return found if told or not near else [near]

    def _fitting(self) -> tuple[Episode, ...]:
        """The episodes that fit the cue, where they tell what is asked.

        A plain question's other words are a kind of event only where one is so called.
        """
        view, cue = self.view, self.cue
        if not tells_episodes(self.question, cue):
            return ()
        recognised = view.recognised(cue)
        sure = recognised or not cue.content or view.names.knows_kind(cue.content)
        if not sure and asks_plainly(self.question, cue):
            return ()
        return answer_cue(view.episodes, cue, recognised)

    def _known(self, episodes: tuple[Episode, ...]) -> Iterable[Sequence[Item]]:
        """The episodes, described, or only their cues and what is asked when many fit.

        Where there are none, what is known of whom a plain question names.
        """
        view, question, cue = self.view, self.question, self.cue
        if not episodes:
            of_episodes = lists(question, cue) or cue.date or cue.place or cue.content
            if cue.fields and of_episodes and self.fallback == "none":
                return []
            return [self.ranked(view.actors.summaries(view.actors.find(question, cue)))]
        ordered = tuple(sorted(episodes, key=text_order))
        if self.rank != "none":
            whole: Order = "all" if cue.order == "all" else "chronological"
            ordered = arrange(episodes, whole)  # a budget cuts off what comes last
            ordered = ordered[::-1] if cue.order == "latest" else ordered
        if self.form != "episodes":
            return [self.ranked(told_in(self.form, view, ordered))]
        return map(self.ranked, _described(ordered, cue))

    def ranked(self, items: Sequence[Item]) -> Sequence[Item]:
        """Items as they are, or the nearest to the question first."""
        if self.rank != "similarity":
            return items
        if self.embedder is None:
            problem = "rank=similarity has no embedder"
            rule = "ranking by meaning needs one"
            raise GswlabError(problem, rule, "memory.rank=cue")
        near = VectorIndex.of([item.text for item in items], self.embedder)
        ranked = near.nearest(self.question, len(items))
        return [replace(items[row], score=score) for row, score in ranked]
