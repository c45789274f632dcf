"""Cypher that a model wrote, read as a pattern: nothing of it is ever sent anywhere.

One chain is understood, and nothing that writes can be said in it:

    MATCH (a:Character {name: 'Ann'})-[r:RELATES_TO]->(b) RETURN a, r, b LIMIT 20

The pattern is then looked for by the graph store, whichever that is, so a query means
the same in memory and on a server.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Annotated, NamedTuple, get_args

from pydantic import BaseModel, Field

from gswlab.core.budget import cut, retrieved
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Evidence, Item, TraceEvent
from gswlab.core.step import Step
from gswlab.hybridrag.base import Graphed, hops
from gswlab.hybridrag.outline import Outline
from gswlab.hybridrag.question import numbers
from gswlab.hybridrag.stores.nouns import (
    EDGE_TYPES,
    LABELS,
    Direction,
    EdgePattern,
    EdgeType,
    Label,
    Neighbourhood,
    NodePattern,
    Pattern,
    Value,
)
from gswlab.models.ask import Ask, ModelError
from gswlab.models.ask_trace import asked, failed
from gswlab.models.model import Model
from gswlab.models.prompt import prompt

MOST = 200  # paths of one query
_HOPS = 4
_STRING = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_PAIR = rf"\w+\s*:\s*(?:{_STRING}|-?\d+|true|false)"
_WHERE = rf"\{{\s*(?:{_PAIR}(?:\s*,\s*{_PAIR})*)?\s*\}}"
_NODE = rf"\(\s*\w*\s*(?::\s*(\w+))?\s*({_WHERE})?\s*\)"
_EDGE = (
    rf"(<)?-(?:\[\s*\w*\s*(?::\s*(\w+(?:\s*\|\s*:?\w+)*))?\s*({_WHERE})?\s*\])?-(>)?"
)
_QUERY = re.compile(
    r"\s*MATCH\s+(?P<chain>.+?)\s+RETURN\s+[\w.,\s*()]+?(?:\s+LIMIT\s+(?P<limit>\d+))?\s*;?\s*",
    re.I | re.S,
)
_NODES, _EDGES, _PAIRS = map(re.compile, (_NODE, _EDGE, f"({_PAIR})"))
_RULE = "one MATCH of a chain of nodes, RETURN, and LIMIT if any: it only reads"
_DIRECTIONS: dict[tuple[bool, bool], Direction] = {
    (False, True): "out",
    (True, False): "in",
    (False, False): "both",
    (True, True): "both",
}


class Query(NamedTuple):
    """A pattern and how many of its matches are wanted."""

    pattern: Pattern
    limit: int


def query_of(text: str) -> Query:
    """The pattern that a query looks for.

    Raises:
        GswlabError: it is no such query, or names what no graph of ours has.

    >>> query_of("MATCH (a:Character {name: 'Ann'})-[r]-(b) RETURN b").limit
    200
    """
    found = _QUERY.fullmatch(text)
    if found is None:
        raise _refused(text, "is not of the form that is understood")
    chain, at = found["chain"], 0
    nodes: list[NodePattern] = []
    edges: list[EdgePattern] = []
    while True:
        node = _NODES.match(chain, at)
        if node is None:
            raise _refused(text, f"has no node at {chain[at : at + 20]!r}")
        nodes.append(NodePattern(_label(text, node[1]), _where(node[2])))
        at = node.end()
        if at == len(chain):
            break
        edge = _EDGES.match(chain, at)
        if edge is None or len(edges) == _HOPS:
            raise _refused(text, f"goes on with {chain[at : at + 20]!r}")
        direction = _DIRECTIONS[bool(edge[1]), bool(edge[4])]
        types = _types(text, edge[2])
        edges.append(EdgePattern(types, _where(edge[3]), direction))
        at = edge.end()
    limit = min(int(found["limit"] or MOST), MOST)
    return Query(Pattern(tuple(nodes), tuple(edges)), limit)


def _label(text: str, said: str | None) -> Label | None:
    for label in LABELS:
        if said == label:
            return label
    if said is None:
        return None
    raise _refused(text, f"has the label {said}; there are {', '.join(LABELS)}")


def _types(text: str, said: str | None) -> tuple[EdgeType, ...]:
    named = re.findall(r"\w+", said or "")
    unknown = [name for name in named if name not in EDGE_TYPES]
    if unknown:
        known = ", ".join(get_args(EdgeType))
        raise _refused(text, f"has the type {unknown[0]}; there are {known}")
    return tuple(type_ for type_ in EDGE_TYPES if type_ in named)


def _where(said: str | None) -> dict[str, Value]:
    pairs = (pair.split(":", 1) for pair in _PAIRS.findall(said or ""))
    return {key.strip(): _value(value.strip()) for key, value in pairs}


def _value(text: str) -> Value:
    if text[0] in "'\"":
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return int(text) if text.lstrip("-").isdigit() else text.lower() == "true"


def _refused(text: str, why: str) -> GswlabError:
    return GswlabError(f"the query {text[:120]!r} {why}", _RULE)


# A query of the graph that a model writes for a question, checked before use.

STAGE = "graph_query"
_REPLY = 300  # tokens of a query, at most
_NAMES = 200  # characters of the plot that a model is told of


class QueryReply(BaseModel):
    """One query."""

    cypher: Annotated[str, Field(max_length=600)]


class Written(NamedTuple):
    """A query, None where none can be used; and what came of asking for it."""

    query: Query | None
    events: tuple[TraceEvent, ...]


def written(question: str, outline: Outline, model: Model) -> Written:
    """The query that a model writes for a question.

    Raises:
        StoppedError: cancelled, or the next call could overspend the budget.
    """
    words = prompt(STAGE, outline.language)
    people = [id_ for id_ in outline.nodes if id_ not in outline.order][:_NAMES]
    relations = {r for ties in outline.ties.values() for _, _, r in ties}
    turns = words.turns(
        question=question,
        characters=", ".join(map(outline.name, people)),
        relations=", ".join(sorted(relations)),
    )
    was_asked = asked(STAGE, words, model)
    try:
        reply = model.ask(Ask(turns, STAGE, schema=QueryReply, max_tokens=_REPLY))
        return Written(query_of(reply.value.cypher), (was_asked,))
    except ModelError as failure:
        return Written(None, (was_asked, failed(STAGE, failure)))
    except GswlabError as refusal:
        data = {"stage": STAGE, "reason": str(refusal)}
        return Written(None, (was_asked, TraceEvent("refused", data)))


# Graph only: a query of the graph written for the question, and no vectors.


@dataclass
class GraphOnly(Graphed):
    """What the graph says of what the question names, within `k` hops."""

    k: int = 1
    limit: int = 1000
    model: Model | None = None

    def __post_init__(self) -> None:
        hops(self.k)

    def finish(self) -> Step:
        """Look at the graph; with nothing new nothing happens."""
        known = self.outline is not None
        nodes = len(self.outlined().nodes)
        events = () if known else (TraceEvent("indexed", {"nodes": nodes}),)
        return Step(len(self.chunks), None, events=events)

    def recall(self, question: str, budget: int) -> Evidence:
        """Ties of the named, the named, their neighbours; cut to the budget."""
        outline = self.outlined()
        named, events = self._found(question, outline)
        hood = self.store.neighbourhood(named, self.k, limit=self.limit)
        people = [id_ for id_ in named if id_ not in outline.order]
        ties = self.telling.ties(hood.edges, people, numbers(question))
        items = cut([*ties, *self._nodes(outline, hood, named)], budget)
        found = retrieved(items, {"by": "graph", "named": [*named], "k": self.k})
        return replace(found, trace=(*events, *found.trace))

    def _found(
        self, question: str, outline: Outline
    ) -> tuple[tuple[str, ...], tuple[TraceEvent, ...]]:
        """Where the graph is entered: by a model's query, else by what is named."""
        events: tuple[TraceEvent, ...] = ()
        if self.model is not None:
            query, events = written(question, outline, self.model)
            paths = self.store.match(*query) if query else ()
            nodes = (node.id for path in paths for node in path.nodes)
            if ids := tuple(
                dict.fromkeys(id_ for id_ in nodes if id_ in outline.nodes)
            ):
                return ids, events
        return outline.named(question), events

    def _nodes(
        self, outline: Outline, hood: Neighbourhood, named: tuple[str, ...]
    ) -> Iterator[Item]:
        """The named; then what is tied to most of them, in the order of the plot."""
        tied = dict.fromkeys(hood.distance, 0)
        for one, other in {(edge.source, edge.target) for edge in hood.edges}:
            tied[one] += other in named
            tied[other] += one in named
        place = {id_: at for at, id_ in enumerate(outline.nodes)}
        others = [id_ for id_ in hood.distance if id_ not in named]
        others.sort(key=lambda id_: (hood.distance[id_], -tied[id_], place[id_]))
        yield from (self.telling.node(id_) for id_ in [*named, *others])
