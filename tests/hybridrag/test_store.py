"""Property graphs: the same calls give the same results, in memory and on a server."""

from __future__ import annotations

import time

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gswlab.core.errors import GswlabError
from gswlab.hybridrag.outline import event_order
from gswlab.hybridrag.stores.common import update
from gswlab.hybridrag.stores.memory import InMemory
from gswlab.hybridrag.stores.nouns import (
    EDGE_TYPES,
    LABELS,
    EdgePattern,
    GraphEdge,
    GraphNode,
    GraphStore,
    NodePattern,
    PathPattern,
)

ON_SERVER = settings(max_examples=15)
# ids that sort, quote and print differently from one system to the next
IDS = [
    "a",
    "b",
    "B",
    "ß",
    "アリス",
    "ア",
    "\ue000",
    "🎈",
    "' OR 1=1 //",
    "`x`",
    "$keys",
]
ids = st.sampled_from(IDS)
words = st.sampled_from(["friend", "", "\n", "}) DETACH DELETE n //", "友", "\x00"])
values = (
    st.booleans()
    | st.integers(-1, 2)
    | st.sampled_from([2**63 - 1, -(2**63), 0.0, 1.0, -0.5, 1e300])
    | words
    | st.lists(words, max_size=2).map(tuple)
)
properties = st.dictionaries(st.sampled_from(["x", "y", "description"]), values)
nodes = st.builds(GraphNode, ids, st.sampled_from(LABELS[:3]), properties)
edges = st.builds(
    GraphEdge, ids, st.sampled_from(EDGE_TYPES), ids, words, st.sampled_from(["", "b"]),
    properties,
)  # fmt: skip
node_patterns = st.builds(
    NodePattern,
    st.none() | st.sampled_from(LABELS[:3]),
    st.dictionaries(st.sampled_from(["x", "id"]), values, max_size=1),
)
edge_patterns = st.builds(
    EdgePattern,
    st.sets(st.sampled_from(EDGE_TYPES), max_size=2).map(tuple),
    st.dictionaries(st.sampled_from(["x", "name", "at"]), values, max_size=1),
    st.sampled_from(["out", "in", "both"]),
)


@st.composite
def patterns(draw: st.DrawFn) -> PathPattern:
    links = draw(st.integers(0, 2))
    return PathPattern(
        tuple(draw(node_patterns) for _ in range(links + 1)),
        tuple(draw(edge_patterns) for _ in range(links)),
    )


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[GraphNode], list[GraphEdge]]:
    """Nodes, and edges between them; some of either are written twice."""
    drawn = draw(st.lists(nodes, min_size=1, max_size=9))
    known = {node.id for node in drawn}
    arrows = draw(st.lists(edges, max_size=14))
    return drawn, [edge for edge in arrows if {edge.source, edge.target} <= known]


neighbourhoods = st.fixed_dictionaries(
    {
        "seeds": st.lists(ids, max_size=3),
        "k": st.integers(0, 3),
        "limit": st.integers(1, 12),
    }
)


@pytest.fixture(params=["memory", "server"])
def store(request):
    """An empty graph of either store."""
    if request.param == "memory":
        return InMemory()
    on_server = request.getfixturevalue("bolt").named(request.node.name)
    on_server.clear()
    return on_server


def small(store: GraphStore) -> GraphStore:
    """Ann and Bo, enemies at e1 and friends at e2."""
    names = {"a": "Ann", "b": "Bo"}
    store.upsert(
        [GraphNode(id_, "Character", {"name": name}) for id_, name in names.items()]
        + [GraphNode(id_, "Event") for id_ in ("e1", "e2")],
        [GraphEdge("a", "APPEARS_IN", e) for e in ("e1", "e2")]
        + [
            GraphEdge("a", "RELATES_TO", "b", "enemy", "e1"),
            GraphEdge("a", "RELATES_TO", "b", "friend", "e2", {"since": 2}),
            GraphEdge("e1", "NEXT", "e2"),
        ],
    )
    return store


def test_a_store_is_one_by_its_protocol(store):
    assert isinstance(store, GraphStore)


def test_what_was_written_is_read_back_and_writing_it_twice_leaves_one(store):
    held = small(store).graph()
    assert small(store).graph() == held
    assert store.counts() == (4, 5)
    assert store.nodes(["b", "nobody", "a", "a"]) == held.nodes[:2]
    assert [edge.at for edge in held.edges if edge.type == "RELATES_TO"] == ["e1", "e2"]


def test_a_node_written_again_is_replaced_whole_and_keeps_its_edges(store):
    small(store).upsert([GraphNode("a", "Event", {"age": 7})])
    assert store.nodes(["a"]) == (GraphNode("a", "Event", {"age": 7}),)
    assert store.counts() == (4, 5)


def test_a_deleted_node_takes_its_edges_with_it(store):
    small(store).delete(["a", "nobody"], [GraphEdge("e1", "NEXT", "e2").id])
    assert store.counts() == (3, 0)


def test_a_relation_can_be_asked_for_at_an_event(store):
    ann = NodePattern("Character", {"name": "Ann"})
    tie = EdgePattern(("RELATES_TO",), {"at": "e2"}, "both")
    (found,) = small(store).match(PathPattern((ann, NodePattern()), (tie,)))
    assert found.nodes[1].properties["name"] == "Bo"
    assert (found.edges[0].name, found.edges[0].properties) == ("friend", {"since": 2})


def test_a_neighbourhood_has_every_edge_between_its_nodes(store):
    near = small(store).neighbourhood(["e1"], k=2)
    assert near.distance == {"e1": 0, "a": 1, "e2": 1, "b": 2}
    assert (len(near.edges), near.cut) == (5, False)
    first = store.neighbourhood(["e1"], k=2, limit=2)
    assert ([*first.distance], len(first.edges), first.cut) == (["e1", "a"], 1, True)


def test_events_are_in_the_order_of_next(store):
    assert event_order(small(store)) == {"e1": 1, "e2": 2}


def test_other_graphs_of_the_same_place_are_left_alone(store):
    other = store.named("another of these")
    small(other).upsert([GraphNode("a", "Event")])
    small(store).clear()
    assert (store.counts(), other.counts()) == ((0, 0), (4, 5))
    assert other.nodes(["a"])[0].label == "Event"
    other.clear()


def test_an_edge_without_its_ends_is_an_error_and_nothing_is_written(store):
    new = [GraphNode("c", "Character"), GraphNode("a", "Event")]
    held = small(store).graph()
    with pytest.raises(GswlabError, match="has an end that is no node"):
        store.upsert(new, [GraphEdge("c", "NEXT", "nobody")])
    assert store.graph() == held


@pytest.mark.parametrize(
    ("node", "said"),
    [
        (GraphNode("a", "Robber"), "has the label 'Robber'"),
        (GraphNode("", "Event"), "a node's id is ''"),
        (GraphNode("a", "Event", {"x": None}), "x of node 'a' is 'None'"),
        (
            GraphNode("a", "Event", {"x": 2**63}),
            "x of node 'a' is '9223372036854775808'",
        ),
        (GraphNode("a", "Event", {"x": float("nan")}), "x of node 'a' is 'nan'"),
        (GraphNode("a", "Event", {"x": "\ud800"}), "x of node 'a'"),
        (GraphNode("a", "Event", {"_key": "b"}), "has a property '_key'"),
        (GraphNode("a", "Event", {"label": "b"}), "has a property 'label'"),
        (
            GraphNode("a", "Event", {"x`) DELETE n //": 1}),
            "has a property 'x`\\) DELETE",
        ),
    ],
)
def test_what_no_graph_can_hold_is_one_sentence(store, node, said):
    with pytest.raises(GswlabError, match=said):
        store.upsert([node])
    with pytest.raises(GswlabError, match="has the type 'KNOWS'"):
        store.upsert([GraphNode("a", "Event")], [GraphEdge("a", "KNOWS", "a")])
    assert store.counts() == (0, 0)


def test_an_id_that_names_no_edge_is_one_sentence(store):
    with pytest.raises(GswlabError, match="no edge has the id 'e1'"):
        store.delete(edges=["e1"])


def exact(noun: GraphNode | GraphEdge) -> str:
    """A noun with the types of its values: 1 is neither 1.0 nor True."""
    return str((noun.id, getattr(noun, "label", ""), sorted(noun.properties.items())))


def exactly(store: GraphStore) -> list[str]:
    """All a store holds."""
    held = store.graph()
    return [exact(noun) for noun in (*held.nodes, *held.edges)]


@given(graphs(), graphs(), st.lists(neighbourhoods, max_size=3), patterns())
@ON_SERVER
def test_both_stores_give_the_same_results(bolt, first, second, asked, pattern):
    memory, server = InMemory(), bolt.named("same results")
    server.clear()
    for written in (first, second):
        for store in (memory, server):
            store.upsert(*written)
    for store in (memory, server):
        store.delete([second[0][0].id], [edge.id for edge in second[1][:2]])
    assert server.graph() == memory.graph()
    assert exactly(server) == exactly(memory)
    assert server.counts() == memory.counts()
    for one in pattern.nodes:
        found = memory.find(one.label, one.where)
        assert server.find(one.label, one.where) == found
    for one in asked:
        assert server.neighbourhood(**one) == memory.neighbourhood(**one)
    assert server.match(pattern) == memory.match(pattern)
    assert server.match(pattern, 2) == memory.match(pattern)[:2]


@given(graphs(), neighbourhoods)
def test_a_neighbourhood_is_what_networkx_finds_within_k_hops(graph, asked):
    store = InMemory()
    store.upsert(*graph)
    near = store.neighbourhood(**{**asked, "limit": 1000})
    walk = nx.Graph()
    walk.add_nodes_from(node.id for node in graph[0])
    walk.add_edges_from((edge.source, edge.target) for edge in graph[1])
    hops: dict[str, int] = {}
    for seed in set(asked["seeds"]) & set(walk):
        for id_, far in nx.single_source_shortest_path_length(walk, seed).items():
            hops[id_] = min(far, hops.get(id_, far))
    assert near.distance == {id_: far for id_, far in hops.items() if far <= asked["k"]}
    cut = store.neighbourhood(**asked)
    assert [*cut.distance] == [*near.distance][: asked["limit"]]
    assert cut.cut == (len(near.nodes) > asked["limit"])


@given(graphs(), graphs())
def test_an_update_makes_a_store_hold_a_graph_and_writes_the_difference(one, other):
    held, wanted = InMemory(), InMemory()
    held.upsert(*one)
    wanted.upsert(*other)
    before, after = held.graph(), wanted.graph()
    done = update(held, after)
    assert held.graph() == after
    assert exactly(held) == exactly(wanted)
    assert update(held, after) == ((), (), (), ())
    known = {node.id: exact(node) for node in before.nodes}
    new = [node.id for node in after.nodes if known.get(node.id) != exact(node)]
    assert done.nodes == tuple(new)
    assert set(done.deleted_nodes) == known.keys() - {node.id for node in after.nodes}


def test_a_hub_of_twenty_thousand_neighbours_is_cut_not_followed():
    store = InMemory()
    spokes = [GraphNode(f"s{i:06}", "Character") for i in range(20_000)]
    store.upsert([GraphNode("hub", "Event"), *spokes])
    store.upsert(edges=[GraphEdge(node.id, "APPEARS_IN", "hub") for node in spokes])
    began = time.process_time()
    near = store.neighbourhood(["s000007"], k=2, limit=200)
    spent = time.process_time() - began
    assert [*near.distance][:3] == ["s000007", "hub", "s000000"]
    assert (len(near.nodes), len(near.edges), near.cut) == (200, 199, True)
    assert spent < 0.5
