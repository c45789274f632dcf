"""What a memory of a plot keeps beside its graph store: texts to embed, names, places.

The graph itself stays in the store; this is made from it again when it has changed.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

from gswlab.core.nouns import Chunk, Item, Span
from gswlab.hybridrag.plot_graph import event_order
from gswlab.hybridrag.question import numbers
from gswlab.hybridrag.stores.nouns import Edge, GraphStore, Node
from gswlab.hybridrag.ties import History, Wording, ever, histories, holding, runs
from gswlab.language.language import language_of

Told = Literal["descriptions", "names", "relations"]
Tie = tuple[str, str, str]  # two names and a relation
_WORD = re.compile(r"\w+")
_LONGEST = {"ja": 16, "en": 5}  # letters of a Japanese name, words of another


@dataclass(frozen=True)
class Outline:
    """Nodes by id, the places of events, and how both are told.

    Attributes:
        nodes: characters, then events in their order.
        order: places of events by id, from 1.
    """

    nodes: Mapping[str, Node]
    order: Mapping[str, int]
    ties: Mapping[str, tuple[Tie, ...]]
    words: Wording
    _names: Mapping[str, tuple[str, ...]] = field(repr=False)
    _places: Mapping[int, str] = field(repr=False)

    @classmethod
    def of(cls, store: GraphStore) -> Outline:
        """The outline of a plot's graph."""
        order = event_order(store)
        events = sorted(store.find("Event"), key=lambda node: order.get(node.id, 0))
        nodes = {node.id: node for node in (*store.find("Character"), *events)}
        told = "\n".join(_said(node, "description") for node in nodes.values())
        names: defaultdict[str, list[str]] = defaultdict(list)
        for node in nodes.values():
            if name := _said(node, "name"):
                names[_key(name)].append(node.id)
        return cls(
            nodes,
            order,
            _ties(store.graph().edges, nodes),
            Wording(language_of(told)),
            {name: tuple(ids) for name, ids in names.items()},
            {place: id_ for id_, place in order.items()},
        )

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
        description = _said(node, "description")
        if node.label == "Character":
            return self.words.character(
                _said(node, "name"), _said(node, "role"), description
            )
        place, ties = self.order.get(id_, 0), self.ties.get(id_, ())
        return self.words.event(place, description, ties)

    def embedded(self, id_: str, told: Told) -> str:
        """A node as it is embedded: its description, with its name, with its ties."""
        node = self.nodes[id_]
        description = _said(node, "description")
        if told == "descriptions":
            return description
        if node.label == "Character":
            name, role = _said(node, "name"), _said(node, "role")
            return f"{name} ({role}): {description}"
        ties = self.ties.get(id_, ()) if told == "relations" else ()
        return self.words.happening(description, ties)

    def named(self, question: str) -> tuple[str, ...]:
        """Nodes that a question calls by name or number, in the order it does."""
        found = [*_called(question, self._names), *self.numbered(question)]
        return tuple(dict.fromkeys(found))

    def people(self, question: str) -> tuple[str, ...]:
        """Characters that a question calls by name."""
        return tuple(i for i in self.named(question) if i not in self.order)

    def numbered(self, question: str) -> tuple[str, ...]:
        """Events that a question calls by their number."""
        return tuple(self._places[n] for n in numbers(question) if n in self._places)


def _ties(
    edges: Iterable[Edge], nodes: Mapping[str, Node]
) -> dict[str, tuple[Tie, ...]]:
    """By event, its ties; one written both ways is told once."""
    found: defaultdict[str, dict[tuple[str, str, str], None]] = defaultdict(dict)
    for edge in edges:
        if edge.type == "RELATES_TO" and edge.at:
            one, other = sorted((edge.source, edge.target))
            found[edge.at][one, other, edge.name] = None
    names = {id_: _said(node, "name") for id_, node in nodes.items()}
    return {
        event: tuple((names[a], names[b], relation) for a, b, relation in told)
        for event, told in found.items()
    }


def _said(node: Node, key: str) -> str:
    return str(node.properties.get(key, ""))


def _key(text: str) -> str:
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))


def _called(question: str, names: Mapping[str, tuple[str, ...]]) -> Iterator[str]:
    """The nodes whose names a question says.

    The longest name that starts at a place is taken: "Ann Ray" is not also "Ann".
    """
    text = unicodedata.normalize("NFKC", question).casefold()
    language = language_of(question)
    parts = [*text] if language == "ja" else _WORD.findall(text)
    between, start = "" if language == "ja" else " ", 0
    while start < len(parts):
        ends = range(min(len(parts), start + _LONGEST[language]), start, -1)
        found = (end for end in ends if between.join(parts[start:end]) in names)
        end = next(found, start)
        yield from names.get(between.join(parts[start:end]), ())
        start = max(end, start + 1)


# Nodes and ties of a plot's graph as evidence: what is told of them, and where.


@dataclass(frozen=True)
class Telling:
    """Evidence items of an outline; `chunks` says where in the text a node is told."""

    outline: Outline
    chunks: Mapping[str, Chunk]

    def node(self, id_: str, score: float = 0.0) -> Item:
        """A character or an event as it is."""
        return Item(self.outline.statement(id_), self._spans([id_]), None, score)

    def ties(
        self, edges: Iterable[Edge], people: Sequence[str], numbers: Sequence[int] = ()
    ) -> Iterator[Item]:
        """What any two of `people` were to each other; of one alone, all its ties.

        With `numbers`, of a pair only what held at the events of these numbers.
        """
        known = [e for e in edges if e.source in people or e.target in people]
        history = histories(known, self.outline.order)
        for pair in combinations(people, 2):
            one, other = sorted(pair)
            parted = runs(history.get((one, other), ()))
            if numbers:
                held = [run for number in numbers for run in holding(parted, number)]
                parted = list(dict.fromkeys(held))
            if parted:
                named = (self.outline.name(one), self.outline.name(other))
                places = [place for _, events in parted for place in events]
                spans = self._spans([self.outline.id_at(place) for place in places])
                yield Item(self.outline.words.pair(named, parted), spans, None, 0.0)
        if len(people) == 1:
            yield self._cast(people[0], known, history)

    def _cast(self, id_: str, edges: Iterable[Edge], history: History) -> Item:
        """In which events a character appears, and who was ever what to it."""
        order, name = self.outline.order, self.outline.name
        at = {e.target for e in edges if e.type == "APPEARS_IN" and e.source == id_}
        events = sorted(order[event] for event in at if event in order)
        others = {r: list(map(name, who)) for r, who in ever(history, id_).items()}
        text = self.outline.words.cast(name(id_), events, others)
        return Item(text, self._spans([id_]), None, 0.0)

    def _spans(self, ids: Iterable[str]) -> tuple[Span, ...]:
        return tuple(self.chunks[i].span for i in ids if i in self.chunks)
