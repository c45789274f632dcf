"""Every memory, reader and policy that takes a model, by every command that asks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from obliging import obliging
from standin import StandIn

from gswlab.__main__ import main
from gswlab.bench.plots import BUNDLED

PLOT = (
    "experiment=plot",
    f"dataset.file={BUNDLED / 'lighthouse_ja.xml'}",
    f"dataset.questions={BUNDLED / 'lighthouse_ja.jsonl'}",
)
OF_PLOTS = (
    *("serial", "serial_published", "parallel", "graph", "graph_llm", "dense", "bm25"),
    *("graphrag", "lightrag", "hipporag", "hybrid", "long_context", "gsw", "gsw_llm"),
    *("memgpt policy=llm", "memgpt policy=llm policy.actions=json", "linked"),
    *(f"{m} extractor=llm" for m in ("graphrag", "lightrag", "hipporag", "serial")),
)
OF_TEXTS = (
    *("gsw operator=llm", "gsw operator=llm reconciler=llm reconciler.scope=chapter"),
    *("gsw reconciler=rules_then_llm", "gsw_llm", "gsw_paper"),
    *("gsw operator=rules_then_llm", "gsw_gauged operator=llm", "gedig operator=llm"),
    *("gsw operator=rules_then_llm reconciler=rules_then_llm",),
    *(f"{m} extractor=llm" for m in ("graphrag", "lightrag", "hipporag")),
    *("gsw_chain", "gedig gate=self", "closed_book", "memgpt policy=llm"),
    *("memgpt_gsw policy=llm", "recursive_summary policy=llm", "linked"),
)
STORY = "Ann Ray opened a shop in Tall Mill on May 7, 2024. Then she met Bo Lind."


def given(server: StandIn, folder: Path, choice: str) -> list[str]:
    server.script = obliging
    asked = ["llm=openai", f"llm.base_url={server.url}", "reader=llm", "llm.retries=0"]
    return [
        *asked,
        "embedder=openai",
        f"llm.cassette={folder / 'replies'}",
        f"run.dir={folder / 'run'}",
        *f"memory={choice}".split(),
    ]


@pytest.mark.parametrize("choice", OF_PLOTS)
def test_a_plot_is_estimated_and_asked_with_every_memory(
    choice, server, tmp_path, capsys
):
    overrides = [*PLOT, *given(server, tmp_path, choice)]
    assert main(["estimate", *overrides]) == 0
    assert "at most (chunks: " in capsys.readouterr().out
    assert server.requests == []
    assert main(["run", *overrides]) == 0
    assert json.loads(capsys.readouterr().out)["questions"] == 5
    assert server.requests or choice == "gsw"  # rules find nothing to hand over


@pytest.mark.parametrize("choice", OF_TEXTS)
def test_a_text_is_estimated_read_and_asked_with_every_memory(
    choice, server, tmp_path, capsys
):
    (tmp_path / "story.txt").write_text(STORY)
    text = f"dataset.file={tmp_path / 'story.txt'}"
    overrides = ["experiment=read", text, *given(server, tmp_path, choice)]
    assert main(["estimate", *overrides]) == 0
    assert server.requests == []
    assert main(["run", *overrides]) == 0
    capsys.readouterr()
    asked = ["ask", str(tmp_path / "run"), "Where was Ann Ray?", "--json"]
    assert main([*asked, f"llm.base_url={server.url}"]) == 0
    assert json.loads(capsys.readouterr().out)["question"] == "Where was Ann Ray?"


def test_an_agent_is_talked_to_with_a_model(server, tmp_path, capsys, monkeypatch):
    said = iter(["Hello.", "And now?"])

    def line(*_: object) -> str:
        try:
            return next(said)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", line)
    overrides = [*given(server, tmp_path, "memgpt"), "policy=llm", "embedder=none"]
    assert main(["chat", *(o for o in overrides if not o.startswith("reader"))]) == 0
    assert capsys.readouterr().out.split() == ["Hm.", "Hm."]


def test_a_missing_client_is_named_before_any_work(
    server, tmp_path, capsys, monkeypatch
):
    (tmp_path / "story.txt").write_text(STORY)
    monkeypatch.setattr("gswlab.models.endpoint.find_spec", lambda name: None)
    text = f"dataset.file={tmp_path / 'story.txt'}"
    assert main(["run", text, *given(server, tmp_path, "gsw operator=llm")]) == 2
    assert 'pip install "gswlab[llm]"' in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
