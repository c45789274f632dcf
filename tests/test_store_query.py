"""Cypher of others: what it may ask, and that it can only look."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gswlab.errors import GswlabError
from gswlab.store import (
    Edge,
    EdgePattern,
    InMemory,
    Node,
    NodePattern,
    Path,
    Pattern,
)
from gswlab.store.nouns import EDGE_TYPES, LABELS
from gswlab.store.query import query_of

ANN = NodePattern("Character", {"name": "Ann"})


@pytest.mark.parametrize(
    ("cypher", "pattern"),
    [
        ("MATCH (a:Character {name: 'Ann'}) RETURN a", Pattern((ANN,))),
        ("match (a) where a.name = \"Ann\" return a;", Pattern(
            (NodePattern(None, {"name": "Ann"}),),
        )),
        ("MATCH (a:Character {name:'Ann'})-[r:RELATES_TO]->(b)\nWHERE r.at = 'e4' "
         "AND r.name = 'friend' RETURN DISTINCT b.name, r", Pattern(
            (ANN, NodePattern()),
            (EdgePattern(("RELATES_TO",), {"at": "e4", "name": "friend"}),),
        )),
        ("MATCH ({id:'e1'})<-[:APPEARS_IN|:NEXT]-()--(c)-[]-(d) RETURN *", Pattern(
            (NodePattern(None, {"id": "e1"}), *[NodePattern()] * 3),
            (EdgePattern(("APPEARS_IN", "NEXT"), {}, "in"),
             *[EdgePattern(direction="both")] * 2),
        )),
        ("MATCH (友 {x: -1, y: 0.5, z: true})-->(b) RETURN 友", Pattern(
            (NodePattern(None, {"x": -1, "y": 0.5, "z": True}), NodePattern()),
            (EdgePattern(),),
        )),
    ],
)  # fmt: skip
def test_a_chain_is_read_as_a_pattern(cypher, pattern):
    assert query_of(cypher) == (pattern, 1000)


def test_a_limit_is_kept_and_never_raised():
    assert query_of("MATCH (a) RETURN a LIMIT 5").limit == 5
    assert query_of("MATCH (a) RETURN a LIMIT 999999").limit == 1000


@pytest.mark.parametrize(
    ("cypher", "said"),
    [
        ("", "'' for MATCH, character 0"),
        ("MATCH (n) DETACH DELETE n", "'DETACH DELETE n' for RETURN, character 9"),
        ("MATCH (n) RETURN n; MATCH (m) DELETE m", "'MATCH (m) DELETE m' for its end"),
        ("MATCH (n) SET n.x = 1 RETURN n", "'SET n.x = 1 RETURN n' for RETURN"),
        ("CREATE (n) RETURN n", "'CREATE (n) RETURN n' for MATCH"),
        ("CALL db.labels()", "for MATCH"),
        ("LOAD CSV FROM 'file:///x' AS l RETURN l", "for MATCH"),
        ("MATCH (n:Robber) RETURN n", "for Character or Event or"),
        ("MATCH (n)-[:KNOWS]-(m) RETURN n", "for APPEARS_IN or"),
        ("MATCH (n)-[*]-(m) RETURN n", "'*]-(m) RETURN n' for ]"),
        ("MATCH (n) RETURN m", "'m' for n"),
        ("MATCH (n)--(n) RETURN n", "n twice"),
        ("MATCH (n {x: 1}) WHERE n.x = 2 RETURN n", "x with two values"),
        ("MATCH (n {x: $x}) RETURN n", "'$x}) RETURN n' for a value"),
        ("MATCH (n {x: [1]}) RETURN n", "for a value"),
        ("MATCH (n) WHERE n.x > 1 RETURN n", "'> 1 RETURN n' for ="),
        ("MATCH (n) RETURN n LIMIT 0", "for a number of paths"),
        ("MATCH (a)" + "--()" * 6 + " RETURN a", "a chain of more than 5 links"),
        ("MATCH (n {x: '" + "a" * 10_000, "the query has 10014 characters"),
        ("MATCH (n {x: 'a) RETURN n", "for a value"),
    ],
)
def test_whatever_else_is_refused_with_where_it_is(cypher, said):
    with pytest.raises(GswlabError) as error:
        query_of(cypher)
    assert said in str(error.value)


PIECES = [
    "MATCH", "RETURN", "WHERE", "(", ")", "[", "]", "-", "->", "<-", "n", ":Event",
    "{", "}", "'", "\\", "=1", "友", ",", ".", ";",
]  # fmt: skip
pieces = st.lists(st.sampled_from(PIECES), max_size=20).map(" ".join)


@given(pieces | st.text(max_size=40))
def test_any_text_is_a_pattern_or_one_sentence(text):
    try:
        found = query_of(text).pattern
    except GswlabError as error:
        found = error
    assert isinstance(found, Pattern | GswlabError)


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
wheres = st.dictionaries(
    st.sampled_from(["id", "name", "名"]), texts | st.booleans() | st.integers(-9, 9)
)
SIDES = {"out": ("-", "->"), "in": ("<-", "-"), "both": ("-", "-")}


def written(where: dict) -> str:
    told = ", ".join(f"{k}: {literal(v)}" for k, v in where.items())
    return f" {{{told}}}" if told else ""


def literal(value: object) -> str:
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    return json.dumps(value)


@given(st.data())
def test_what_a_pattern_is_written_as_is_read_back(data):
    label = st.none() | st.sampled_from(LABELS)
    nodes = [NodePattern(data.draw(label), data.draw(wheres))]
    text = ""
    edges = []
    for _ in range(data.draw(st.integers(0, 3))):
        types = data.draw(st.sets(st.sampled_from(EDGE_TYPES)).map(tuple))
        side = data.draw(st.sampled_from([*SIDES]))
        edges.append(EdgePattern(types, data.draw(wheres), side))
        nodes.append(NodePattern(data.draw(label), data.draw(wheres)))
    for number, node in enumerate(nodes):
        told = f":{node.label}" if node.label else ""
        text += f"(n{number}{told}{written(node.where)})"
        if number < len(edges):
            edge = edges[number]
            left, right = SIDES[edge.direction]
            kinds = ":" + "|".join(edge.types) if edge.types else ""
            text += f"{left}[{kinds}{written(edge.where)}]{right}"
    pattern = Pattern(tuple(nodes), tuple(edges))
    assert query_of(f"MATCH {text} RETURN n0").pattern == pattern


def test_a_query_finds_what_it_asks_for():
    store = InMemory()
    ann, bo = (Node(n, "Character", {"name": n.title()}) for n in ("ann", "bo"))
    told = (("enemy", "e1"), ("friend", "e2"))
    ties = [Edge("ann", "RELATES_TO", "bo", name, at) for name, at in told]
    store.upsert([ann, bo], ties)
    asked = "MATCH (a {name:'Ann'})-[r:RELATES_TO]-(b) WHERE r.at = 'e2' RETURN b"
    assert store.match(*query_of(asked)) == (Path((ann, bo), (ties[1],)),)
