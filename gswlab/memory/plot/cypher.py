"""Cypher that a model wrote, read as a pattern: nothing of it is ever sent anywhere.

One chain is understood, and nothing that writes can be said in it:

    MATCH (a:Character {name: 'Ann'})-[r:RELATES_TO]->(b) RETURN a, r, b LIMIT 20

The pattern is then looked for by the graph store, whichever that is, so a query means
the same in memory and on a server.
"""

from __future__ import annotations

import re
from typing import NamedTuple, get_args

from gswlab.core.errors import GswlabError
from gswlab.store.nouns import (
    EDGE_TYPES,
    LABELS,
    Direction,
    EdgePattern,
    EdgeType,
    Label,
    NodePattern,
    Pattern,
    Value,
)

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
