"""`experiment=plot` from the command line's settings to the figures of a run folder."""

from __future__ import annotations

import json

import pytest
from plots import money
from test_plots_memory import Words, world

import gswlab
from gswlab.bench.collect import collect
from gswlab.bench.plots import BUNDLED, Plots, read_into
from gswlab.core.errors import GswlabError
from gswlab.hybridrag.graph_only import GraphOnly, query_of
from gswlab.hybridrag.serial import Serial
from gswlab.hybridrag.stores.memory import InMemory
from gswlab.models.ledger import read_prices
from gswlab.view.figures.series import published_cells
from gswlab.view.papers.hybridrag import hops_page, reaches

EXPERIMENTS = BUNDLED.parents[2] / "experiments"
SMALL = (
    "experiment=plot",
    f"dataset.file={BUNDLED / 'lighthouse_ja.xml'}",
    f"dataset.questions={BUNDLED / 'lighthouse_ja.jsonl'}",
)


def opened(folder, *settings):
    return gswlab.open(*SMALL, f"run.dir={folder}", *settings)


def test_a_run_scores_tokens_and_accuracy_also_by_kind(tmp_path):
    line = opened(tmp_path, "memory=serial", "k=1").run()
    scores = json.loads((tmp_path / "scores.json").read_text())
    assert line["questions"] == scores["accuracy"]["n"] == 5
    assert set(scores["by_kind"]) == {
        "description", "relation", "change", "order", "aggregate",
    }  # fmt: skip
    assert 0 < scores["evidence_tokens"]["mean"] <= 300
    seconds = json.loads((tmp_path / "ledger.json").read_text())["seconds"]
    assert {"indexing", "querying", "answering"} <= set(seconds)
    assert collect(tmp_path)["accuracy"].item() == line["accuracy"]


def test_an_interrupted_run_goes_on_and_ends_in_the_same_rows(tmp_path):
    whole, parted = tmp_path / "whole", tmp_path / "parted"
    opened(whole, "memory=graph").run()
    opened(parted, "memory=graph").run()
    rows = (parted / "answers.jsonl").read_bytes().splitlines(keepends=True)
    (parted / "answers.jsonl").write_bytes(b"".join(rows[:2]) + rows[2][:9])
    (parted / "scores.json").unlink()
    opened(parted, "memory=graph").run()
    for name in ("answers.jsonl", "scores.json"):
        assert (parted / name).read_bytes() == (whole / name).read_bytes()


def test_long_context_is_handed_the_whole_file_whatever_the_budget(tmp_path):
    line = opened(tmp_path, "memory=long_context", "budget=10").run()
    assert line["evidence_tokens"] > 800


def test_spans_of_all_plots_point_into_one_document():
    dataset = Plots()
    text = dataset.document().text
    for one in dataset.worlds:
        for chunk in one.chunks[:2]:
            assert text[chunk.span.start :].startswith("<Character id=")
        span = one.whole.span
        assert text[span.start : span.end] == one.plot.document.text


def test_questions_without_a_plot_are_refused():
    with pytest.raises(GswlabError, match="no plot to ask about"):
        Plots(questions="q.jsonl")


def test_a_plot_without_questions_says_which_setting_is_missing(tmp_path):
    lab = gswlab.open(*SMALL[:2], "memory=graph", f"run.dir={tmp_path / 'run'}")
    with pytest.raises(GswlabError, match=r"dataset\.questions is not set"):
        lab.run()


def test_the_paper_s_costs_follow_from_its_tokens_to_the_digit():
    prices = read_prices(str(EXPERIMENTS / "recipes" / "plot_prices.yaml"))
    paper = "serial Hybrid-RAG (Kondo and Oda)"
    table = published_cells(
        EXPERIMENTS / "results" / "published.csv", paper, "2 (input cost)"
    )
    assert len(table) == 3
    for cells in table.values():
        for model, price in prices.items():
            assert money(cells["mean tokens"], price) == cells[model]


def test_a_page_lights_what_each_k_reaches_and_fetches_nothing():
    memory = read_into(Serial(InMemory(), Words()), world())
    question = "Who is <b>Bo</b> to Ann Ray?"
    found = reaches(memory, question, most=2)
    page = hops_page(memory, question, most=2).to_html()
    assert "<b>Bo" not in page
    assert "http" not in page.replace("http-equiv", "")
    for reach in found:
        section = page.split(f'class="reach" data-at="{reach.k}"')[1]
        assert f"{len(reach.reached)} of 7 nodes reached" in section
    nodes = page.count('class="node')
    assert nodes == 7
    assert page.count('class="node seed') == len(found[0].seeds)
    assert memory.k == 1


class Writes:
    """A stand-in for a model that replies with one query."""

    model = "stand-in"

    def __init__(self, cypher):
        self.cypher = cypher

    def ask_all(self, asks):
        from gswlab.models.ask import Reply

        return [Reply("", ask.schema(cypher=self.cypher)) for ask in asks]


def graph(cypher):
    return read_into(GraphOnly(InMemory(), model=Writes(cypher)), world())


def test_a_model_s_query_finds_what_the_question_does_not_name():
    memory = graph(
        "MATCH (a:Character {role: 'villain'})-[:APPEARS_IN]->(e) RETURN a, e"
    )
    evidence = memory.recall("Who is the villain?", 300)
    assert any(item.text.startswith("Bo (villain)") for item in evidence.items)
    assert evidence.trace[0].kind == "asked"


@pytest.mark.parametrize(
    ("cypher", "why"),
    [
        ("MATCH (a) DETACH DELETE a", "not of the form"),
        ("MATCH (a) SET a.name = 'x' RETURN a", "goes on with"),
        ("CREATE (a:Character) RETURN a", "not of the form"),
        ("MATCH (a) CALL db.labels() RETURN a", "goes on with"),
        ("MATCH (a) RETURN a; MATCH (b) DELETE b", "not of the form"),
        ("MATCH (a:Admin) RETURN a", "label Admin"),
        ("MATCH (a)-[:OWNS]->(b) RETURN a", "type OWNS"),
        ("MATCH (a)-[*1..9]->(b) RETURN a", "goes on with"),
        ("MATCH (a)" + "--(b)" * 9 + " RETURN a", "goes on with"),
    ],
)
def test_a_query_that_does_more_than_read_a_chain_is_refused(cypher, why):
    with pytest.raises(GswlabError, match=why):
        query_of(cypher)
    evidence = graph(cypher).recall("What were Ann Ray and Bo at event 3?", 300)
    assert [event.kind for event in evidence.trace] == ["asked", "refused", "retrieved"]
    assert evidence.items[0].text == "Ann Ray and Bo: enemy (event 2)."


def test_a_query_is_read_as_its_pattern():
    query, limit = query_of(
        "match (a:Character {name: \"A 'x'\"})<-[r:RELATES_TO|NEXT {at: 'e1'}]-(b) "
        "return a.name, b limit 7;"
    )
    first, second = query.nodes
    (edge,) = query.edges
    assert (first.label, dict(first.where), second.label) == (
        "Character", {"name": "A 'x'"}, None,
    )  # fmt: skip
    assert set(edge.types) == {"RELATES_TO", "NEXT"}
    assert (dict(edge.where), edge.direction, limit) == ({"at": "e1"}, "in", 7)
