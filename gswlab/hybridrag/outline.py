"""What a memory of a plot keeps beside its graph store: texts to embed, names, places.

The graph itself stays in the store; this is made from it again when it has changed.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import ClassVar, Literal, Self

from gswlab.core.errors import RUN, GswlabError
from gswlab.core.nouns import Chunk, Item, TraceEvent
from gswlab.core.step import Step
from gswlab.hybridrag.plot import Plot, plot_graph
from gswlab.hybridrag.question import event_numbers
from gswlab.hybridrag.stores.common import Update, update
from gswlab.hybridrag.stores.nouns import (
    EdgePattern,
    GraphEdge,
    GraphNode,
    GraphStore,
    NodePattern,
    PathPattern,
)
from gswlab.hybridrag.ties import PlotWording, ever, holding, tie_histories, tie_runs
from gswlab.language.language import language_of, of

EmbeddedText = Literal["descriptions", "names", "relations"]
_WORD = re.compile(r"\w+")
_LETTERS, _WORDS = 16, 5  # of a name, where no space parts words and where one does


def event_order(store: GraphStore) -> dict[str, int]:
    """Events by id with their place in the plot, from 1: along `NEXT`."""
    event = NodePattern("Event")
    events = [node.id for node in store.find(event.label)]
    chain = PathPattern((event, event), (EdgePattern(("NEXT",)),))
    found = store.match(chain, limit=len(events))
    after = {path.nodes[0].id: path.nodes[1].id for path in found}
    first = next(iter(set(events) - set(after.values())), None)
    order: dict[str, int] = {}
    while first is not None and first not in order:
        order[first] = len(order) + 1
        first = after.get(first)
    return order


@dataclass(frozen=True)
class Outline:
    """Nodes by id, the places of events, and how both are told.

    Attributes:
        nodes: characters, then events in their order.
        order: places of events by id, from 1.
        ties: by event what holds at it: two names and a relation.
    """

    nodes: Mapping[str, GraphNode]
    order: Mapping[str, int]
    ties: Mapping[str, tuple[tuple[str, str, str], ...]]
    words: PlotWording
    _names: Mapping[str, Sequence[str]] = field(repr=False)
    _places: Mapping[int, str] = field(repr=False)

    @classmethod
    def of(cls, store: GraphStore) -> Outline:
        """The outline of a plot's graph."""
        order = event_order(store)
        events = sorted(store.find("Event"), key=lambda node: order.get(node.id, 0))
        nodes = {node.id: node for node in (*store.find("Character"), *events)}
        called: defaultdict[str, list[str]] = defaultdict(list)
        for node in nodes.values():
            if name := _said(node, "name"):
                folded = unicodedata.normalize("NFKC", name).casefold()
                called[" ".join(_WORD.findall(folded))].append(node.id)
        # a tie that is written both ways is told once
        ties: defaultdict[str, dict[tuple[str, str, str], None]] = defaultdict(dict)
        for edge in store.graph().edges:
            if edge.type == "RELATES_TO" and edge.at:
                one, other = sorted((edge.source, edge.target))
                ties[edge.at][one, other, edge.name] = None
        names = {id_: _said(node, "name") for id_, node in nodes.items()}
        told = "\n".join(_said(node, "description") for node in nodes.values())
        holds = {
            event: tuple((names[a], names[b], relation) for a, b, relation in held)
            for event, held in ties.items()
        }
        places = {place: id_ for id_, place in order.items()}
        words = PlotWording(language_of(told))
        return cls(nodes, order, holds, words, dict(called), places)

    @property
    def language(self) -> str:
        """The language of the descriptions, in which all of it is told."""
        return self.words.language

    def name(self, id_: str) -> str:
        """What a node is called: a character's name, an event's heading."""
        node = self.nodes[id_]
        return _said(node, "name") or self.words.heading(self.order.get(id_, 0))

    def id_at(self, place: int) -> str:
        """The event at a place of the plot."""
        return self._places[place]

    def statement(self, id_: str) -> str:
        """A node as it is handed to a reader."""
        node = self.nodes[id_]
        told = _said(node, "description")
        if node.label == "Character":
            return self.words.character(_said(node, "name"), _said(node, "role"), told)
        return self.words.event(self.order.get(id_, 0), told, self.ties.get(id_, ()))

    def embedded(self, id_: str, what: EmbeddedText) -> str:
        """A node as it is embedded: its description, with its name, with its ties."""
        node = self.nodes[id_]
        told = _said(node, "description")
        if what == "descriptions":
            return told
        if node.label == "Character":
            return f"{_said(node, 'name')} ({_said(node, 'role')}): {told}"
        ties = self.ties.get(id_, ()) if what == "relations" else ()
        return self.words.happening(told, ties)

    def named(self, question: str) -> tuple[str, ...]:
        """Nodes that a question calls by name or number, in the order it does."""
        found: list[str] = []
        text = unicodedata.normalize("NFKC", question).casefold()
        between, start = of(language_of(question)).space, 0
        parts = _WORD.findall(text) if between else [*text]
        longest = _WORDS if between else _LETTERS
        # the longest name that starts at a place is taken: "Ann Ray" is not also "Ann"
        while start < len(parts):
            ends = range(min(len(parts), start + longest), start, -1)
            names = ((end, between.join(parts[start:end])) for end in ends)
            known = (pair for pair in names if pair[1] in self._names)
            start, name = next(known, (start + 1, ""))
            found += self._names.get(name, ())
        places = (self._places.get(n) for n in event_numbers(question))
        return tuple(dict.fromkeys([*found, *(id_ for id_ in places if id_)]))

    def people(self, question: str) -> tuple[str, ...]:
        """Characters that a question calls by name."""
        return tuple(i for i in self.named(question) if i not in self.order)


def _said(node: GraphNode, key: str) -> str:
    return str(node.properties.get(key, ""))


# What memories that enter a plot's graph have in common: writing it, telling of it.


def hops(k: int) -> int:
    """`k`, or one sentence that it is no number of hops."""
    if k < 0:
        rule = "k is a number of hops, 0 or more"
        raise GswlabError(f"k is {k}", rule, f"{RUN} experiment=plot k=1")
    return k


@dataclass
class Graphed:
    """A graph store that holds one plot, and an outline made from it again if stale."""

    experiments: ClassVar[Sequence[str]] = ("plot",)
    store: GraphStore
    chunks: dict[str, Chunk] = field(default_factory=dict, init=False, repr=False)
    outline: Outline | None = field(default=None, init=False, repr=False)
    _graphed: dict[str, list[GraphEdge]] = field(
        default_factory=dict, init=False, repr=False
    )

    def insert(self, plot: Plot) -> Update:
        """Make the store hold this plot; only what differs is written."""
        self.store = self.store.named(plot.document.id)
        self.outline = None
        graph = plot_graph(plot)
        self._graphed = defaultdict(list)
        for edge in graph.edges:
            for end in {edge.source, edge.target, edge.at}:
                self._graphed[end].append(edge)
        return update(self.store, graph)

    def partial_fit(self, chunk: Chunk) -> Step:
        """Keep where a node is told: a chunk's id is its node's."""
        self.chunks[chunk.id] = chunk
        self.outline = None
        # what the graph says of the node and those told before: from, what, to
        ties = tuple(
            (edge.source, edge.name or edge.type.replace("_", " ").lower(), edge.target)
            for edge in self._graphed.get(chunk.id, ())
            if {edge.source, edge.target, edge.at} - {""} <= self.chunks.keys()
        )
        kept = TraceEvent("kept", {"node": chunk.id, "ties": ties}, (chunk.span,))
        return Step(len(self.chunks) - 1, chunk.id, events=(kept,))

    def clone(self) -> Self:
        """The same settings, nothing read."""
        return replace(self)

    def outlined(self) -> Outline:
        """The outline of what the store holds.

        Raises:
            GswlabError: it holds nothing: there was text, and no plot.
        """
        if self.outline is None:
            self.outline = Outline.of(self.store)
        if self.chunks and not self.outline.nodes:
            problem = f"the graph {self.store.name!r} is empty"
            rule = "this memory reads plots"
            raise GswlabError(problem, rule, f"{RUN} experiment=plot")
        return self.outline

    def node(self, id_: str, score: float = 0.0) -> Item:
        """A character or an event as evidence."""
        return self._item(self.outlined().statement(id_), [id_], score)

    def ties(
        self,
        edges: Iterable[GraphEdge],
        people: Sequence[str],
        numbers: Sequence[int] = (),
    ) -> Iterator[Item]:
        """What any two of `people` were to each other; of one alone, all its ties.

        With `numbers`, of a pair only what held at the events of these numbers.
        """
        outline = self.outlined()
        name, words = outline.name, outline.words
        known = [e for e in edges if e.source in people or e.target in people]
        history = tie_histories(known, outline.order)
        for pair in combinations(people, 2):
            one, other = sorted(pair)
            parted = tie_runs(history.get((one, other), ()))
            if numbers:
                held = [run for number in numbers for run in holding(parted, number)]
                parted = list(dict.fromkeys(held))
            if parted:
                text = words.pair((name(one), name(other)), parted)
                places = [place for _, events in parted for place in events]
                yield self._item(text, [outline.id_at(place) for place in places])
        if len(people) == 1:
            (one,) = people
            at = {e.target for e in known if e.type == "APPEARS_IN" and e.source == one}
            events = sorted(outline.order[e] for e in at if e in outline.order)
            who = {r: [*map(name, ids)] for r, ids in ever(history, one).items()}
            yield self._item(words.cast(name(one), events, who), [one])

    def _item(self, text: str, ids: Iterable[str], score: float = 0.0) -> Item:
        spans = tuple(self.chunks[i].span for i in ids if i in self.chunks)
        return Item(text, spans, None, score)
