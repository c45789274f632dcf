"""Runs of a folder as one table, and one run held against another."""

from __future__ import annotations

import csv
import json
from io import StringIO

import pytest

import gswlab
from gswlab.__main__ import main
from gswlab.bench.collect import against, collect, render_table
from gswlab.core.errors import GswlabError
from gswlab.lab import config

TEXTS = {
    "Tall Mill": "Tall Mill is a mill that Ann Ray built.",
    "Ann Ray": "Ann Ray was a mason.",
    "Old Pier": "Old Pier is a port | a haven.",
}
PARAGRAPHS = [{"title": title, "text": text} for title, text in TEXTS.items()]
ROWS = [
    {"question": "Who built Tall Mill?", "answers": ["Ann Ray"],
     "paragraphs": PARAGRAPHS, "gold": [0]},
    {"question": "What was Ann Ray?", "answers": ["a mason"],
     "paragraphs": PARAGRAPHS, "gold": [1, 0]},
    {"question": "What is Old Pier?", "answers": ["a port"],
     "paragraphs": PARAGRAPHS, "gold": [2]},
]  # fmt: skip


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A folder with the runs of three memories over the same questions."""
    folder = tmp_path_factory.mktemp("runs")
    (folder / "q.json").write_text(json.dumps(ROWS), encoding="utf-8")
    for name in ("bm25", "long_context", "closed_book"):
        gswlab.open(
            "experiment=hotpotqa",
            f"dataset.file={folder / 'q.json'}",
            f"memory={name}",
            f"run.dir={folder / name}",
        ).run()
    return folder


def test_every_finished_run_is_a_row_with_its_figures(runs):
    table = collect(runs).set_index("run")
    assert list(table.index) == ["bm25", "closed_book", "long_context"]
    assert table.loc["bm25", "recall@5"] == 1.0
    assert table.loc["closed_book", "recall@5"] == 0.0
    assert table.loc["closed_book", "evidence_tokens"] == 0.0
    assert (table["n"] == 3).all()
    assert (table["reader"] == "extractive").all()


def test_what_was_set_beside_the_choices_is_told(runs, tmp_path):
    given = ("experiment=hotpotqa", f"dataset.file={runs / 'q.json'}", "memory=bm25")
    gswlab.open(*given, "memory.stopwords=true", f"run.dir={tmp_path / 'a'}").run()
    assert list(collect(tmp_path)["settings"]) == ["memory.stopwords=true"]


def test_figures_stand_with_their_intervals_in_every_layout(runs):
    table = collect(runs)
    rows = list(csv.DictReader(StringIO(render_table(table, "csv"))))
    assert float(rows[0]["recall@2_low"]) <= float(rows[0]["recall@2"])
    markdown = render_table(table, "markdown").splitlines()
    assert "1 [1, 1]" in markdown[2]
    assert len({line.count("|") for line in markdown}) == 1
    assert r"recall@5" in render_table(table, "latex")
    assert r"closed\_book" in render_table(table, "latex")


def test_runs_of_the_same_questions_are_held_against_one(runs):
    table = against(collect(runs), runs, "closed_book").set_index("run")
    assert table.loc["bm25", "difference_mean"] == 1.0
    assert table.loc["bm25", "difference_low"] == 1.0
    row = table.loc["long_context"]
    assert row["difference_p"] <= row["difference_p_holm"] <= 1.0
    assert table.loc["closed_book"].isna()["difference_mean"]


def test_a_run_that_is_not_there_is_answered_with_those_that_are(runs):
    with pytest.raises(GswlabError, match="bm25, closed_book, long_context"):
        against(collect(runs), runs, "gsw")


def test_a_folder_without_a_finished_run_says_so(tmp_path, capsys):
    assert main(["collect", str(tmp_path)]) == 2
    assert "no finished run" in capsys.readouterr().err


def test_the_command_writes_the_table_to_a_file(runs, tmp_path, capsys):
    out = tmp_path / "table.csv"
    words = ["collect", str(runs), "--layout", "csv", "--against", "bm25"]
    assert main([*words, "--out", str(out)]) == 0
    assert "difference_p_holm" in out.read_text().splitlines()[0]


def test_one_call_sets_runs_with_paired_intervals_for_a_paper(runs, tmp_path):
    out = tmp_path / "table.tex"
    words = ["collect", str(runs), "--layout", "latex", "--against", "closed_book"]
    assert main([*words, "--out", str(out)]) == 0
    head, *rows = [line for line in out.read_text().splitlines() if " & " in line]
    at = head.split(" & ").index(r"difference\_mean")
    cells = {row.split(" & ")[0]: row.split(" & ")[at] for row in rows}
    assert cells["bm25"] == "1 [1, 1]"
    assert "seconds" not in head


def test_all_choices_of_a_group_are_a_grid():
    memories = config.conf_groups()["memory"]
    given = ["memory=all", "llm=openai", "experiment=plot", "budget=100,200"]
    jobs = config.jobs(given)
    assert len(jobs) == 2 * len(memories)
    assert len(config.jobs(["reader=all"])) < len(config.conf_groups()["reader"])
    assert ("memory=bm25", *given[1:3], "budget=200") in jobs


def test_memories_of_plots_are_meant_only_where_plots_are_read():
    named = {job[0] for job in config.jobs(["memory=all", "llm=openai"])}
    assert "memory=bm25" in named
    assert not {"memory=serial", "memory=parallel"} & named


def test_a_memory_is_meant_where_it_says_so():
    jobs = config.jobs(["memory=all", "experiment=nested_kv", "llm=openai"])
    agents = {job[0] for job in jobs}
    assert "memory=memgpt" in agents
    assert "memory=serial" not in agents
    hops = {job[0] for job in config.jobs(["memory=all", "experiment=hotpotqa"])}
    assert {"memory=gsw", "memory=gsw_chain", "memory=static_graph"} <= hops
    with pytest.raises(GswlabError, match="no memory is for experiment=maze"):
        config.jobs(["memory=all", "experiment=maze"])


def test_without_a_model_all_memories_are_those_that_ask_none():
    named = {job[0] for job in config.jobs(["memory=all", "reader=cue"])}
    assert {"memory=bm25", "memory=gsw", "memory=linked"} <= named
    assert not {"memory=gsw_llm", "memory=gsw_paper"} & named


def test_a_job_that_fails_is_named_and_the_others_go_on(runs, tmp_path, capsys):
    given = (
        "experiment=hotpotqa", f"dataset.file={runs / 'q.json'}",
        "memory=dense,closed_book", "embedder=none", f"run.dir={tmp_path}",
    )  # fmt: skip
    assert main(["run", "-m", *given]) == 2
    said = capsys.readouterr()
    assert json.loads(said.out)["memory"] == "closed_book"
    assert "job 1 of 2 failed: " in said.err
    assert "1 of 2 jobs failed; memory=dense has no embedder" in said.err
