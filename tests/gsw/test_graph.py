from __future__ import annotations

import subprocess
import sys

import networkx as nx
from hypothesis import given
from strategies import fold, runs

from gswlab.core.nouns import (
    Actor,
    Argument,
    Bound,
    Episode,
    Place,
    Question,
    Relation,
    Time,
    VerbPhrase,
)
from gswlab.core.step import Step
from gswlab.core.workspace import Draft, Workspace
from gswlab.gsw.export import to_cytoscape, to_graphml, to_networkx
from gswlab.view.kit.tables import ROWS


def arrest() -> Workspace:
    draft = Draft(Workspace())
    draft.put("actor", Actor("a1", "person", "Ann <Ray>", chapter=2, chunk="b:2:0"))
    draft.put("actor", Actor("a2", "person", "the officer"))
    draft.put("actor", Actor("a3", "place", "Kiel"))
    filled = (Argument("agent", "she", (), "a2"), Argument("patient", "Bob", ()))
    draft.put("verb_phrase", VerbPhrase("v1", "arrest", filled, time="t1", place="p1"))
    draft.put("time", Time("t1", "2024-05", actors=("a1",), refines="t2"))
    draft.put("time", Time("t2", "2024"))
    draft.put("place", Place("p1", "Kiel", actor="a3"))
    draft.put("relation", Relation("r1", "a1", "a3", "lives in", "said so"))
    draft.put("question", Question("q1", "Charged when?", "time", "v1"))
    draft.put("episode", Episode("e1", "b", 2, protagonist=Bound("Ann Ray", "a1")))
    draft.drop("a2", "a1")
    return draft.workspace


def test_edges_say_what_names_what_and_follow_merges() -> None:
    graph = to_networkx(arrest())
    assert [(u, v, d["label"]) for u, v, d in graph.edges(data=True)] == [
        ("a1", "a3", "lives in"),
        ("v1", "a1", "agent"),
        ("v1", "t1", "time"),
        ("v1", "p1", "place"),
        ("q1", "v1", "asks about"),
        ("t1", "t2", "refines"),
        ("t1", "a1", "couples"),
        ("p1", "a3", "is"),
        ("e1", "a1", "protagonist"),
    ]
    assert graph.edges["a1", "a3", "r1"]["reason"] == "said so"


def test_nodes_have_kind_label_chapter_and_chunk() -> None:
    graph = to_networkx(arrest())
    assert graph.nodes["a1"] == {
        "kind": "actor",
        "label": "Ann <Ray>",
        "chapter": 2,
        "chunk": "b:2:0",
    }
    assert "a2" not in graph


@given(runs())
def test_a_graph_has_living_nouns_only_in_the_order_of_ids(found: list[Step]) -> None:
    workspace = fold(found)
    graph = to_networkx(workspace)
    assert set(graph) == {i for i in workspace.nouns if i[0] != "r"}
    for letter in "avqtpe":
        numbers = [int(i[1:]) for i in graph if i[0] == letter]
        assert numbers == sorted(numbers)


@given(runs())
def test_tables_have_a_row_for_every_noun(found: list[Step]) -> None:
    workspace = fold(found)
    assert len(workspace.to_frame()) == len(workspace.nouns)
    actors = workspace.to_frame("actor")
    assert list(actors.index) == [actor.id for actor in workspace.actors]
    assert list(actors["name"]) == [actor.name for actor in workspace.actors]


def test_an_empty_table_still_has_its_columns() -> None:
    assert "mentions" in Workspace().to_frame("actor").columns


def test_the_notebook_view_is_escaped_and_short() -> None:
    html = arrest()._repr_html_()
    assert "Ann &lt;Ray&gt;" in html
    assert "<Ray>" not in html
    draft = Draft(Workspace())
    for number in range(1, ROWS + 6):
        draft.put("actor", Actor(f"a{number}", "person", "Ann"))
    assert "and 5 more" in draft.workspace._repr_html_()


def test_tables_and_graphs_cost_nothing_until_asked_for() -> None:
    code = (
        "import sys, gswlab, gswlab.core.journal, gswlab.core.diff;"
        "sys.exit('pandas' in sys.modules or 'networkx' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_graphml_and_cytoscape_hold_the_nodes_and_edges_of_the_graph() -> None:
    workspace = arrest()
    graph = to_networkx(workspace)
    for read in (
        nx.parse_graphml(to_graphml(workspace)),
        nx.cytoscape_graph(to_cytoscape(workspace), name="label"),
    ):
        assert sorted(read.nodes) == sorted(graph.nodes)
        assert sorted(read.edges()) == sorted(graph.edges())
    assert "Ann &lt;Ray&gt;" in to_graphml(workspace)


@given(runs())
def test_any_workspace_is_graphml_that_reads_back(found: list[Step]) -> None:
    workspace = fold(found)
    again = nx.parse_graphml(to_graphml(workspace))
    assert set(again.nodes) == set(to_networkx(workspace).nodes)
