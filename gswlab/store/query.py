"""Cypher that somebody else wrote, a model say, read as a pattern: it can only look.

    MATCH (a:Character {name: 'Ann'})-[r:RELATES_TO]-(b:Character)
    WHERE r.at = 'e4' RETURN b.name, r LIMIT 5

One chain, equalities joined by AND, what to return, and a limit. The text itself never
reaches a server: what is read is a `Pattern`, which every store looks for alike.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from gswlab.store.nouns import (
    EDGE_TYPES,
    LABELS,
    Direction,
    EdgePattern,
    NodePattern,
    Pattern,
    Value,
)
from gswlab.store.protocol import PATHS
from gswlab.store.tokens import Tokens

_SHORT: dict[str, Direction] = {"-->": "out", "<--": "in", "--": "both"}
_LONGEST = 5  # links of a chain
Where = dict[str, Value]


class Query(NamedTuple):
    """What a text asks for: paths of a pattern, so many of them at most."""

    pattern: Pattern
    limit: int


def query_of(cypher: str) -> Query:
    """The query of a text.

    >>> query_of("MATCH (c:Character {name: 'Ann'}) RETURN c").pattern.nodes[0].where
    {'name': 'Ann'}

    Raises:
        GswlabError: it is anything but a chain to look for, with where that shows.
    """
    tokens = Tokens(cypher)
    tokens.word("MATCH")
    wheres: dict[str, Where] = {}
    nodes, edges = [_node(tokens, wheres)], []
    while (side := tokens.maybe("<-", "-", *_SHORT)) is not None:
        edges.append(_edge(tokens, side, wheres))
        nodes.append(_node(tokens, wheres))
        if len(edges) > _LONGEST:
            raise tokens.error(f"a chain of more than {_LONGEST} links")
    if tokens.is_word("WHERE"):
        _condition(tokens, wheres)
        while tokens.is_word("AND"):
            _condition(tokens, wheres)
    tokens.word("RETURN")
    _returned(tokens, wheres)
    limit = tokens.count() if tokens.is_word("LIMIT") else PATHS
    tokens.maybe(";")
    tokens.end()
    return Query(Pattern(tuple(nodes), tuple(edges)), min(limit, PATHS))


def _node(tokens: Tokens, wheres: dict[str, Where]) -> NodePattern:
    tokens.mark("(")
    where = _named(tokens, wheres)
    label = tokens.one_of(LABELS) if tokens.maybe(":") else None
    _properties(tokens, where)
    tokens.mark(")")
    return NodePattern(label, where)  # WHERE fills `where` later


def _edge(tokens: Tokens, side: str, wheres: dict[str, Where]) -> EdgePattern:
    if side in _SHORT:
        return EdgePattern(direction=_SHORT[side])
    tokens.mark("[")
    where = _named(tokens, wheres)
    types = [tokens.one_of(EDGE_TYPES)] if tokens.maybe(":") else []
    while types and tokens.maybe("|"):
        tokens.maybe(":")
        types.append(tokens.one_of(EDGE_TYPES))
    _properties(tokens, where)
    tokens.mark("]")
    if side == "<-":
        tokens.mark("-")
        return EdgePattern(tuple(types), where, "in")
    out = tokens.mark("->", "-") == "->"
    return EdgePattern(tuple(types), where, "out" if out else "both")


def _named(tokens: Tokens, wheres: dict[str, Where]) -> Where:
    """What a variable has to be; one without a name is its own."""
    where: Where = {}
    name = tokens.maybe_name()
    if name in wheres:
        raise tokens.error(f"{name} twice")
    if name is not None:
        wheres[name] = where
    return where


def _properties(tokens: Tokens, where: Where) -> None:
    if tokens.maybe("{") and not tokens.maybe("}"):
        _set(tokens, where, ":")
        while tokens.maybe(","):
            _set(tokens, where, ":")
        tokens.mark("}")


def _set(tokens: Tokens, where: Where, mark: str) -> None:
    key = tokens.name()
    tokens.mark(mark)
    value = tokens.value()
    if key in where and where[key] != value:
        raise tokens.error(f"{key} with two values")
    where[key] = value


def _condition(tokens: Tokens, wheres: dict[str, Where]) -> None:
    where = wheres[tokens.one_of(wheres)]
    tokens.mark(".")
    _set(tokens, where, "=")


def _returned(tokens: Tokens, known: Iterable[str]) -> None:
    """What is returned is the whole path; the names have to be there."""
    tokens.is_word("DISTINCT")
    if tokens.maybe("*"):
        return
    tokens.one_of(known)
    while (more := tokens.maybe(".", ",")) is not None:
        if more == ".":
            tokens.name()
        else:
            tokens.one_of(known)
