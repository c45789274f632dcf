"""A workspace in a graph store: written, asked, brought up to date, on both stores."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from strategies import fold, runs

from gswlab.store import EdgePattern, InMemory, NodePattern, Pattern
from gswlab.store.update import update
from gswlab.store.workspaces import graph_of
from gswlab.workspace.nouns import (
    Actor,
    Argument,
    Bound,
    Episode,
    Mention,
    Place,
    Relation,
    Span,
    Time,
    VerbPhrase,
)
from gswlab.workspace.workspace import Draft, Workspace

ANN, SHE, KIEL = Span("b", 0, 3), Span("b", 20, 23), Span("b", 40, 44)
TOLD = Span("b", 0, 50)


def arrest() -> Draft:
    """Ann Ray, once called the officer, arrests in Kiel in May."""
    draft = Draft(Workspace())
    seen = (Mention(ANN, "name", "b:2:0", "Ann Ray"),)
    draft.put("actor", Actor("a1", "person", "Ann Ray", ("Ann",), mentions=seen))
    draft.put("actor", Actor("a2", "person", "the officer"))
    draft.put("actor", Actor("a3", "place", "Kiel"))
    filled = (
        Argument("agent", "the officer", (ANN,), "a2"),
        Argument("agent", "she", (SHE,), "a1"),
    )
    phrase = VerbPhrase("v1", "arrest", filled, (), (TOLD,), time="t1", place="p1")
    draft.put("verb_phrase", phrase)
    draft.put("time", Time("t1", "2024-05", "month"))
    draft.put("place", Place("p1", "Kiel", actor="a3"))
    draft.put("relation", Relation("r1", "a2", "a3", "lives in", spans=(KIEL,)))
    date = Bound("2024-05", "t1", spans=(TOLD,))
    draft.put(
        "episode", Episode("e1", "b", 2, date=date, protagonist=Bound("Ann", "a1"))
    )
    draft.drop("a2", "a1")
    return draft


def test_nouns_are_nodes_and_what_names_what_is_an_edge_with_its_spans():
    graph = graph_of(arrest().workspace)
    ann = graph.nodes[0]
    assert (ann.id, ann.label) == ("a1", "Actor")
    assert ann.properties["aliases"] == ("Ann",)
    assert ann.properties["spans"] == ("b:0-3",)
    told = [(*edge.key[:4], edge.properties["spans"]) for edge in graph.edges]
    assert told == [
        ("a1", "RELATES_TO", "a3", "lives in", ("b:40-44",)),
        ("e1", "LINKS_TO", "a1", "protagonist", ()),
        ("e1", "LINKS_TO", "t1", "date", ("b:0-50",)),
        ("p1", "LINKS_TO", "a3", "is", ()),
        ("v1", "LINKS_TO", "a1", "agent", ("b:0-3", "b:20-23")),  # said twice
        ("v1", "LINKS_TO", "p1", "place", ("b:0-50",)),
        ("v1", "LINKS_TO", "t1", "time", ("b:0-50",)),
    ]


@pytest.fixture(params=["memory", "server"])
def store(request):
    """An empty graph of either store."""
    if request.param == "memory":
        return InMemory()
    on_server = request.getfixturevalue("bolt").named(request.node.name)
    on_server.clear()
    return on_server


def test_a_workspace_is_asked_in_a_store_as_a_plot_is(store):
    update(store, graph_of(arrest().workspace))
    who = Pattern(
        (NodePattern("VerbPhrase", {"predicate": "arrest"}), NodePattern("Actor")),
        (EdgePattern(("LINKS_TO",), {"name": "agent"}),),
    )
    (found,) = store.match(who)
    assert found.nodes[1].properties["name"] == "Ann Ray"
    (episode,) = store.find("Episode", {"protagonist": "Ann", "date": "2024-05"})
    near = store.neighbourhood([episode.id], k=2)
    assert [*near.distance] == ["e1", "a1", "t1", "a3", "v1"]


def test_the_next_step_of_a_workspace_writes_only_what_it_changed(store):
    draft = arrest()
    update(store, graph_of(draft.workspace))
    assert update(store, graph_of(draft.workspace)) == ((), (), (), ())
    draft.put("actor", Actor("a4", "person", "Bob"))
    draft.extend("v1", "arguments", (Argument("patient", "Bob", (SHE,), "a4"),))
    done = update(store, graph_of(draft.workspace))
    assert (done.nodes, len(done.edges)) == (("a4",), 1)
    draft.drop("a4")
    gone = update(store, graph_of(draft.workspace))
    assert (gone.deleted_nodes, len(gone.deleted_edges)) == (("a4",), 1)
    assert store.graph() == graph_of(draft.workspace)


@given(runs(max_steps=3))
@settings(max_examples=10)
def test_any_workspace_is_held_by_both_stores_alike(bolt, steps):
    graph = graph_of(fold(steps))
    memory, server = InMemory(), bolt.named("any workspace")
    for store in (memory, server):
        update(store, graph)
        assert store.graph() == graph
    for node in graph.nodes[:3]:
        near = memory.neighbourhood([node.id], k=2, limit=5)
        assert server.neighbourhood([node.id], k=2, limit=5) == near
