"""The GSW paper's Table 1 with its model's part done by a model: one command."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from obliging import obliging
from test_open_asks import asked

import gswlab
from gswlab.__main__ import main
from gswlab.bench.collect import collect

BOOK = {
    "Chapter 1": "On May 7, 2024, Ann Ray opened a book fair in Tall Mill. "
    "Ann Ray met Bo Lind at Old Quay. Cy Moss and Bo Lind sang for Ann Ray.",
    "Chapter 2": "On June 2, 2024, Bo Lind met Ann Ray at Old Quay. "
    "Di Falk met Ed Hart in Low Mill. Ed Hart wrote to Cy Moss.",
}


@pytest.fixture
def table(tmp_path: Path, server: Any) -> list[str]:
    (tmp_path / "b.json").write_text(json.dumps(BOOK))
    first = asked("Where was Ann Ray on May 7, 2024?", ["Tall Mill"], [1])
    other = asked("Where was Bo Lind on May 7, 2024?", [], [])
    (tmp_path / "q.json").write_text(json.dumps([first, other]))
    files = (f"dataset.{n}={tmp_path / n[0]}.json" for n in ("book", "questions"))
    given = ["experiment=gsw_table1", *files, f"llm.base_url={server.url}"]
    server.script = obliging
    return [*given, f"llm.cassette={tmp_path / 'c'}", f"run.dir={tmp_path / 'runs'}"]


def test_one_command_estimates_runs_and_prints_the_whole_table(
    table, server, tmp_path, capsys
):
    assert main(["estimate", *table]) == 0
    assert capsys.readouterr().out.count("at most (") == 6
    assert server.requests == []
    assert main(["run", *table]) == 0
    shown = capsys.readouterr()
    assert len(shown.out.splitlines()) == 6
    assert shown.err.index("at most (") < shown.err.index("| memory |")
    found = collect(tmp_path / "runs").set_index("memory")
    assert sorted(found.index) == [
        *("dense", "graphrag", "gsw_paper", "hipporag", "lightrag", "long_context"),
    ]
    by = found["read_by"].dropna().to_dict()
    assert by == dict.fromkeys(
        ("graphrag", "gsw_paper", "hipporag", "lightrag"), "model"
    )
    told = {body["response_format"]["json_schema"]["name"] for body in server.requests}
    assert told >= {"OpenIEReply", "ReportReply", "KeywordsReply", "FactsReply"}
    passages = sum(
        body["response_format"]["json_schema"]["name"] == "OpenIEReply"
        for body in server.requests
    )
    assert passages == 2  # three memories read them, and they were asked about once


@pytest.mark.parametrize("extractor", ["rules", "llm"])
@pytest.mark.parametrize(
    "search", ["graphrag memory.search=global", "lightrag", "hipporag"]
)
def test_evidence_says_who_did_the_model_s_part(table, server, extractor, search):
    chosen = f"memory={search} extractor={extractor}".split()
    lab = gswlab.open(*table, *chosen)
    lab.run()
    first, *more = lab.recall("Where was Ann Ray on May 7, 2024?").trace
    assert first.data["read_by"] == {"rules": "rules", "llm": "model"}[extractor]
    asks = [event.data["stage"] for event in more if event.kind == "asked"]
    own = {"graphrag": "community_points", "lightrag": "query_keywords"}
    stage = own.get(search.split()[0], "fact_recognition")
    assert set(asks) == ({stage} if extractor == "llm" else set())


def test_what_a_passage_does_not_say_is_refused_and_a_failed_ask_stays_open(
    table, server
):
    def invents(body: dict[str, Any], number: int) -> Any:
        name = body["response_format"]["json_schema"]["name"]
        if name == "FactsReply":
            return 500, {"retry-after-ms": "1"}, "out"
        if name != "OpenIEReply":
            return obliging(body, number)
        said = json.loads(obliging(body, number))
        said["entities"].append({"name": "Zed Null", "kind": "person"})
        false = {"subject": "Ann Ray", "predicate": "slew", "object": "Bo Lind"}
        said["triples"].append({**false, "quote": "Ann Ray slew Bo Lind"})
        return json.dumps(said)

    server.script = invents
    lab = gswlab.open(*table, "memory=hipporag", "extractor=llm", "llm.retries=0")
    assert lab.run()["partial"] == 2
    events = [event for step in lab.journal.steps() for event in step.events]
    refused = [event for event in events if event.kind == "refused"]
    assert "'Zed Null' is not there" in str(refused[0].data["errors"])
    assert "slew" in str(refused[0].data["errors"])
    told = [event for event in events if event.kind == "extracted"]
    assert all("slew" not in str(event.data["triples"]) for event in told)
    server.script = obliging
    assert "partial" not in lab.run()
