"""Cypher that a model wrote, read as a pattern: nothing of it is ever sent anywhere.

One chain is understood, and nothing that writes can be said in it:

    MATCH (a:Character {name: 'Ann'})-[r:RELATES_TO]->(b) RETURN a, r, b LIMIT 20

The pattern is then looked for by the graph store, whichever that is, so a query means
the same in memory and on a server.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from pydantic import BaseModel, Field

from gswlab.core.budget import cut, retrieved
from gswlab.core.cost import NOTHING, Cost
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk, Evidence, TraceEvent
from gswlab.core.step import Step
from gswlab.hybridrag.outline import Graphed, hops
from gswlab.hybridrag.question import event_numbers
from gswlab.hybridrag.stores.nouns import (
    EDGE_TYPES,
    LABELS,
    Direction,
    EdgePattern,
    NodePattern,
    PathPattern,
    PropertyValue,
)
from gswlab.models.ask import Ask
from gswlab.models.ask_trace import Asking, ask_size, hear
from gswlab.models.model import Model
from gswlab.models.prompt import prompt

_MOST = 200  # paths of one query
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


def query_of(text: str) -> tuple[PathPattern, int]:
    """The pattern that a query looks for, and how many of its matches are wanted.

    Raises:
        GswlabError: it is no such query, or names what no graph of ours has.

    >>> query_of("MATCH (a:Character {name: 'Ann'})-[r]-(b) RETURN b")[1]
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
        label = next((label for label in LABELS if label == node[1]), None)
        if node[1] and label is None:
            known = ", ".join(LABELS)
            raise _refused(text, f"has the label {node[1]}; there are {known}")
        nodes.append(NodePattern(label, _where(node[2])))
        at = node.end()
        if at == len(chain):
            break
        edge = _EDGES.match(chain, at)
        if edge is None or len(edges) == _HOPS:
            raise _refused(text, f"goes on with {chain[at : at + 20]!r}")
        named = re.findall(r"\w+", edge[2] or "")
        if unknown := [name for name in named if name not in EDGE_TYPES]:
            known = ", ".join(EDGE_TYPES)
            raise _refused(text, f"has the type {unknown[0]}; there are {known}")
        types = tuple(type_ for type_ in EDGE_TYPES if type_ in named)
        back, ahead = bool(edge[1]), bool(edge[4])
        direction: Direction = "both" if back == ahead else "in" if back else "out"
        edges.append(EdgePattern(types, _where(edge[3]), direction))
        at = edge.end()
    limit = min(int(found["limit"] or _MOST), _MOST)
    return PathPattern(tuple(nodes), tuple(edges)), limit


def _where(said: str | None) -> dict[str, PropertyValue]:
    found: dict[str, PropertyValue] = {}
    for pair in _PAIRS.findall(said or ""):
        key, value = (part.strip() for part in pair.split(":", 1))
        if value[0] in "'\"":
            found[key] = re.sub(r"\\(.)", r"\1", value[1:-1])
        else:
            number = value.lstrip("-").isdigit()
            found[key] = int(value) if number else value.lower() == "true"
    return found


def _refused(text: str, why: str) -> GswlabError:
    return GswlabError(f"the query {text[:120]!r} {why}", _RULE)


# PropertyGraph only: a query of the graph written for the question, and no vectors.

_STAGE = "graph_query"
_REPLY = 300  # tokens of a query, at most
_NAMES = 200  # characters of the plot that a model is told of
_NAME, _ROOM = 6, 500  # tokens of a name; of the question and all relations


class QueryReply(BaseModel):
    """One query."""

    cypher: Annotated[str, Field(max_length=600)]


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
        """Ties of the named, the named, their neighbours; cut to the budget.

        The graph is entered by a model's query, else by what is named.
        """
        outline = self.outlined()
        query, events = self._written(question) if self.model else (None, ())
        paths = self.store.match(*query) if query else ()
        ids = dict.fromkeys(node.id for path in paths for node in path.nodes)
        named = tuple(id_ for id_ in ids if id_ in outline.nodes)
        named = named or outline.named(question)
        hood = self.store.neighbourhood(named, self.k, limit=self.limit)
        people = [id_ for id_ in named if id_ not in outline.order]
        ties = self.ties(hood.edges, people, event_numbers(question))
        # then the named, and what is tied to most of them, in the order of the plot
        tied = dict.fromkeys(hood.distance, 0)
        for one, other in {(edge.source, edge.target) for edge in hood.edges}:
            tied[one] += other in named
            tied[other] += one in named
        place = {id_: at for at, id_ in enumerate(outline.nodes)}
        others = [id_ for id_ in hood.distance if id_ not in named]
        others.sort(key=lambda id_: (hood.distance[id_], -tied[id_], place[id_]))
        nodes = map(self.node, [*named, *others])
        items = cut([*ties, *nodes], budget)
        found = retrieved(items, {"by": "graph", "named": [*named], "k": self.k})
        return replace(found, trace=(*events, *found.trace))

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that queries cost: one a question, where a model writes them."""
        if self.model is None:
            return NOTHING
        read = ask_size(_STAGE, QueryReply) + _NAMES * _NAME + _ROOM
        return self.model.most(questions, read, _REPLY)

    def _written(
        self, question: str
    ) -> tuple[tuple[PathPattern, int] | None, tuple[TraceEvent, ...]]:
        """The query that the model writes, if one can be used; and what came of it.

        Raises:
            StoppedError: cancelled, or the next call could overspend the budget.
        """
        assert self.model is not None
        stage, outline = _STAGE, self.outlined()
        words = prompt(stage, outline.language)
        people = [id_ for id_ in outline.nodes if id_ not in outline.order][:_NAMES]
        relations = {r for ties in outline.ties.values() for _, _, r in ties}
        turns = words.turns(
            question=question,
            characters=", ".join(map(outline.name, people)),
            relations=", ".join(sorted(relations)),
        )
        ask = Ask(turns, stage, schema=QueryReply, max_tokens=_REPLY)
        (heard,) = hear(self.model, {stage: Asking(words, ask)}).values()
        try:
            reply = heard.value(QueryReply)
            return query_of(reply.cypher) if reply else None, heard.events
        except GswlabError as refusal:
            heard.refused.append(str(refusal))
            return None, heard.events
