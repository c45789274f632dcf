"""The forms in which a memory may hand over the episodes that fit a question.

`evidence=episodes` are sentences and the facts behind them. What has to be read are
`chunks` of the episodes, `phrases`, what the verb phrases of a chunk say, and
`summaries`, what is known of one actor from the episode's chunks.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Literal

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Actor, Chunk, Episode, Item, Span
from gswlab.core.step import Step
from gswlab.core.workspace import Workspace, id_order
from gswlab.gsw.recall import verbalise
from gswlab.gsw.recall.verbalise import FIELDS, describe, record_of, united
from gswlab.gsw.reconciler.actors import is_named
from gswlab.gsw.reconciler.event_types import Competition
from gswlab.language.keys import key_words, kind_stems, name_key
from gswlab.models.vectors.embedder import Embedder
from gswlab.models.vectors.nearest import VectorIndex
from gswlab.qa.cue import FIELD_OF, Cue, EpisodeIndex, answer_cue
from gswlab.qa.passages import NearestSentences
from gswlab.qa.question.asked_for import asks_plainly, tells_episodes
from gswlab.qa.question.names import Names
from gswlab.qa.question.wh_question import Fit, Tellings

Form = Literal["episodes", "chunks", "phrases", "summaries"]
Match = Literal["exact", "embedding"]
_Read = Callable[[], Sequence[Chunk]]
_NEAR = 0.45  # a name that is as near as this to a question is meant by it


@dataclass
class Kept:
    """What a memory that reads beside any journal has read, and the steps it took."""

    read: list[Chunk] = field(default_factory=list)
    taken: list[Step] = field(default_factory=list)

    def chunks(self) -> tuple[Chunk, ...]:
        """The chunks that were read, in order."""
        return tuple(self.read)

    def steps(self) -> Iterator[Step]:
        """The steps that were taken, in order, those of no chunk among them."""
        return iter(self.taken)


class View:
    """The look-ups of one workspace, its end of input settled, and what it read."""

    def __init__(
        self, workspace: Workspace, match: Match, embedder: Embedder | None, read: _Read
    ) -> None:
        self.workspace, self.match, self.embedder = workspace, match, embedder
        self.episodes, self.names = EpisodeIndex.of(workspace), Names.of(workspace)
        self.kinds = Competition(workspace.episodes, embedder)
        self.tellings = Tellings(workspace)
        self.nearest = NearestSentences(read, partial(_meant, workspace))

    @cached_property
    def chunks(self) -> dict[str, Chunk]:
        """The chunks that were read, by id."""
        return {chunk.id: chunk for chunk in self.nearest.read()}

    @cached_property
    def _called(self) -> dict[tuple[str, ...], set[str]]:
        """The actors by their names, people by the first and the last of these too."""
        found = defaultdict[tuple[str, ...], set[str]](set)
        for actor in self.workspace.actors:
            for key in filter(None, map(name_key, (actor.name, *actor.aliases))):
                halves = (key[:1], key[-1:]) if actor.kind == "person" else ()
                for name in (key, *halves):
                    found[name].add(actor.id)
        return dict(found)

    @cached_property
    def _known(self) -> dict[str, list[verbalise.Known]]:
        return verbalise.known_of(self.workspace)

    @cached_property
    def _vectors(self) -> VectorIndex:
        if self.embedder is None:
            problem = "match=embedding has no embedder"
            rule = "matching names by meaning needs one"
            raise GswlabError(problem, rule, "embedder=minilm")
        return VectorIndex.of([a.name for a in self.workspace.actors], self.embedder)

    def actors(self, question: str, cue: Cue) -> tuple[Actor, ...]:
        """Actors that `question` names, as `match` allows."""
        # what the cue takes for a name counts as a whole: "Karl Fenn" is not Karl Weiss
        wholes = [name for name in (cue.protagonist, cue.content) if name]
        called = (self._called.get(name_key(name), ()) for name in wholes)
        ids = [i for found in called for i in sorted(found, key=id_order)]
        ids = ids if wholes else self._named(question)
        if not ids and self.match == "embedding":
            near = self._vectors.nearest(question, 3)
            actors = self.workspace.actors
            ids = [actors[row].id for row, score in near if score >= _NEAR]
        return tuple(self.workspace.get(actor_id) for actor_id in dict.fromkeys(ids))

    def _named(self, question: str) -> list[str]:
        """Whom the runs of a question's words name, the longest runs first."""
        tokens, found = [word.text for word in key_words(question)], list[str]()
        taken, longest = set[int](), max(map(len, self._called), default=0)
        for size in range(min(longest, len(tokens)), 0, -1):
            for start in range(len(tokens) - size + 1):
                place = range(start, start + size)
                ids = self._called.get(tuple(tokens[start : start + size]))
                if ids and taken.isdisjoint(place):
                    taken.update(place)
                    found += sorted(ids, key=id_order)
        return found

    def summary(self, actor: Actor) -> tuple[Item, ...]:
        """What is known of one actor."""
        known = self._known.get(actor.id, ())
        return verbalise.summarise(self.workspace, actor, known)

    def summaries(self, actors: Iterable[Actor]) -> tuple[Item, ...]:
        """One paragraph an actor, most mentioned first; none for whom nothing is."""
        ranked = sorted(actors, key=lambda actor: -len(actor.mentions))
        return tuple(
            verbalise.paragraph(actor, said, actor.chapter, float(-place))
            for place, actor in enumerate(ranked)
            if (said := self.summary(actor))
        )

    def fitting(self, question: str, cue: Cue) -> tuple[Episode, ...]:
        """The episodes that fit a question's cue, where they tell what is asked."""
        if not tells_episodes(question, cue):
            return ()
        recognised = frozenset[str]()  # by the kind, whatever they call it
        if cue.content is not None and any(e.terms for e in self.episodes.episodes):
            recognised = frozenset(self.kinds.won_by(cue.content))
        # a plain question's words are a kind of event only where one is so called
        sure = recognised or not cue.content or self.names.knows_kind(cue.content)
        if not sure and asks_plainly(question, cue):
            return ()
        return answer_cue(self.episodes, cue, recognised)

    def told_by(self, fits: Iterable[Fit]) -> tuple[Item, ...]:
        """One sentence an occurrence, and the occurrence behind it."""
        items: dict[object, Item] = {}
        for fit in fits:
            one = fit.occurrence
            said = verbalise.retold(self.workspace, one)
            spans = united((one.spans, said.spans))
            item = Item(said.text, spans, one.chapter, fit.score, told=one)
            items.setdefault((said.text, one.predicate == "know" and one.slots), item)
        return tuple(items.values())

    def told_in(self, form: Form, episodes: Iterable[Episode]) -> tuple[Item, ...]:
        """Items of `episodes` in a form without facts, each once, in their order."""
        workspace, read, found = self.workspace, self.chunks, list[Item]()
        for episode in episodes:
            own = [read[chunk] for chunk in episode.chunks if chunk in read]
            if form == "chunks":
                found += [Item(c.text, (c.span,), c.chapter, 1.0) for c in own]
            elif form == "phrases":
                for chunk in own:
                    here = workspace.in_chapter("verb_phrase", chunk.chapter)
                    acts = (p for p in here if p.chunk == chunk.id)
                    told = (verbalise.happening(workspace, p) for p in acts)
                    if acted := [*filter(None, told)]:
                        text = " ".join(one.text for one in acted)
                        spans = united(one.spans for one in acted)
                        found.append(Item(text, spans, chunk.chapter, 1.0))
            else:
                for bound in filter(None, (episode.protagonist, *episode.participants)):
                    actor = workspace.nouns.get(workspace.resolve(bound.id or ""))
                    if isinstance(actor, Actor):
                        known, holds = self.summary(actor), [c.span.holds for c in own]
                        near = [s for s in known if any(h(s.spans[0]) for h in holds)]
                        said = verbalise.paragraph(actor, near, episode.chapter, 1.0)
                        found += [said] if near else []
        return tuple(dict.fromkeys(found))

    @property
    def places(self) -> tuple[str, ...]:
        """The names of all places; no common noun is one."""
        named = (p.name for p in self.workspace.places if p.name and not p.actor)
        actors = (a for a in self.workspace.actors if a.kind == "place")
        called = (a.name for a in actors if is_named(a))
        return tuple(dict.fromkeys([*named, *called]))


def _meant(workspace: Workspace) -> Iterator[tuple[Span, str]]:
    """Whom or what each mention of an actor means that does not say its name."""
    for actor in workspace.actors:
        forms = ("name",) if is_named(actor) else ("name", "nominal")
        yield from ((m.span, actor.name) for m in actor.mentions if m.form not in forms)


def episode_forms(episodes: Sequence[Episode], cue: Cue) -> Iterator[Sequence[Item]]:
    """Episodes from the fullest form to the shortest: only what a cue asks of them."""
    asked = (FIELD_OF[cue.asked],) if cue.asked in FIELD_OF else FIELDS
    short = tuple(dict.fromkeys(("date", *asked) if cue.order != "all" else asked))
    fixed = ("kind" if name == "content" else name for name in cue.fields)
    needed = tuple(dict.fromkeys((*short, *fixed)))
    for written in (describe, record_of):
        told = ((written(e), behind(e, cue, FIELDS)) for e in episodes)
        yield [replace(item, facts=(known,)) for item, known in told]
    items = []
    for episode in episodes:  # the fields alone, and nothing twice
        item = replace(record_of(episode, short), facts=(behind(episode, cue, needed),))
        head = f"Chapter {episode.chapter}" if episode.chapter else "Told"
        items.append(replace(item, text=f"{head}: {item.behind}"))
    yield items


def behind(episode: Episode, cue: Cue, fields: Sequence[str]) -> Episode:
    """What of an episode is handed over: these fields, called as it was asked for."""
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
