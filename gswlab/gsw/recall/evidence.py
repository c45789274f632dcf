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
from typing import Any, Literal, Protocol

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Actor, Chunk, Episode, Item
from gswlab.core.step import Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.recall.index import ActorIndex, View, tellings
from gswlab.gsw.recall.summaries import paragraph
from gswlab.gsw.recall.verbalise import (
    FIELDS,
    Sentence,
    describe,
    happening,
    record_of,
    united,
)
from gswlab.language.keys import kind_stems, name_key
from gswlab.models.vectors.embedder import Embedder
from gswlab.models.vectors.nearest import VectorIndex
from gswlab.qa.cue import FIELD_OF, Cue, Order, answer_cue, text_order
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
from gswlab.qa.question.occurrences import told_occurrences
from gswlab.qa.readers.typed import is_of_a_sentence

Form = Literal["episodes", "chunks", "phrases", "summaries"]
Rank = Literal["cue", "similarity", "none"]
Fallback = Literal["none", "summaries"]
_KEPT = {"content": "kind"}


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


def told_in(
    form: Form,
    index: ActorIndex,
    episodes: Sequence[Episode],
    chunks: Mapping[str, Chunk],
) -> tuple[Item, ...]:
    """The items of `episodes` in a form without facts, each once, in their order."""
    items: dict[Item, None] = {}
    for episode in episodes:
        own = [chunks[chunk] for chunk in episode.chunks if chunk in chunks]
        if form == "chunks":
            found = [Item(c.text, (c.span,), c.chapter, 1.0) for c in own]
        elif form == "phrases":
            found = list(filter(None, (_phrases(index.workspace, c) for c in own)))
        else:
            found = list(_summaries(index, episode, own))
        items |= dict.fromkeys(found)
    return tuple(items)


def _phrases(workspace: Workspace, chunk: Chunk) -> Item | None:
    here = workspace.in_chapter("verb_phrase", chunk.chapter)
    told = (happening(workspace, phrase) for phrase in here if phrase.chunk == chunk.id)
    said = [one for one in told if one is not None]
    text, spans = " ".join(one.text for one in said), united(one.spans for one in said)
    return Item(text, spans, chunk.chapter, 1.0) if said else None


def _summaries(
    index: ActorIndex, episode: Episode, own: Sequence[Chunk]
) -> Iterator[Item]:
    bounds = [b for b in (episode.protagonist, *episode.participants) if b and b.id]
    for bound in bounds:
        actor = index.workspace.nouns.get(index.workspace.resolve(bound.id or ""))
        if isinstance(actor, Actor):
            told = index.summary(actor)
            if here := [s for s in told if any(_opens_in(s, c) for c in own)]:
                yield paragraph(actor, here, episode.chapter, 1.0)


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
        own = self.form == "episodes"
        kind = answer_type(question)
        happened = own and cue.date and kind == "happening"
        happened = happened or (kind == "place" and is_of_a_sentence(question))
        if plain and not (cue.date and not happened):
            near = view.nearest.find(unasked(question), cue.date)
        else:
            near = ()
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
        """The episodes; else, of a plain question, what is known of whom it names."""
        view, question, cue = self.view, self.question, self.cue
        if episodes:
            return self._episodes(episodes)
        of_episodes = lists(question, cue) or cue.date or cue.place or cue.content
        if cue.fields and of_episodes and self.fallback == "none":
            return []
        return [self.ranked(view.actors.summaries(view.actors.find(question, cue)))]

    def _episodes(self, episodes: tuple[Episode, ...]) -> Iterator[Sequence[Item]]:
        """Episodes described, or only their cues and what is asked when many fit."""
        view, cue = self.view, self.cue
        ordered = tuple(sorted(episodes, key=text_order))
        if self.rank != "none":
            whole: Order = "all" if cue.order == "all" else "chronological"
            ordered = arrange(episodes, whole)  # a budget cuts off what comes last
            ordered = ordered[::-1] if cue.order == "latest" else ordered
        forms: Iterable[Sequence[Item]] = _described(ordered, cue)
        if self.form != "episodes":
            forms = [told_in(self.form, view.actors, ordered, view.chunks)]
        return (self.ranked(form) for form in forms)

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
