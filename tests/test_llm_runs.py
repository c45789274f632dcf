"""Runs that ask a model: one model in a lab, its ledger in the folder, its budget."""

from __future__ import annotations

import json

import pytest
from standin import StandIn, serving

import gswlab
from gswlab.errors import GswlabError


@pytest.fixture
def server():
    with serving(StandIn()) as stand_in:
        yield stand_in


@pytest.fixture
def story(tmp_path):
    path = tmp_path / "story.txt"
    path.write_text("Ann Ray opened a shop. Bo Lind left on May 7, 2024.")
    return path


def lab(story, server, *overrides):
    given = "llm=openai", f"llm.base_url={server.url}", "llm.model=stand-in"
    kept = f"llm.cassette={story.parent / 'replies.sqlite'}"
    folder = f"run.dir={story.parent / 'run'}"
    return gswlab.open(f"dataset.file={story}", *given, kept, folder, *overrides)


def test_all_stages_of_a_lab_ask_one_model(story, server):
    opened = lab(story, server, "embedder=openai")
    memory, model = opened.memory, opened.config.build("llm")
    assert memory.embedder.model is memory.reconciler.embedder.model is model
    assert opened.config.build("memory").embedder.model is model
    assert lab(story, server).config.build("llm") is not model


def test_a_stage_that_asks_a_model_where_there_is_none_says_what_gives_it_one(story):
    with pytest.raises(GswlabError, match=r"embedder\.model is none.*llm=openai llm"):
        gswlab.open(f"dataset.file={story}", "embedder=openai")
    assert gswlab.open(f"dataset.file={story}").config.build("llm") is None


def ledger(opened):
    return json.loads((opened.folder.path / "ledger.json").read_text())


def test_a_run_s_calls_are_in_its_folder_and_a_second_run_makes_none(story, server):
    opened = lab(story, server, "embedder=openai")
    opened.run()
    bill = ledger(opened)
    assert bill["calls"] == len(server.requests) > 0
    assert bill["money"] is None
    assert bill["stages"]["embedding"]["calls"] == bill["calls"]
    lines = opened.folder.ledger.read_text().splitlines()
    assert (
        sum(json.loads(line)["outcome"] == "fresh" for line in lines) == bill["calls"]
    )
    first = list(opened.journal.export())
    again = lab(story, server, "embedder=openai", f"run.dir={story.parent / 'again'}")
    again.run()
    assert list(again.journal.export()) == first
    assert (ledger(again)["calls"], ledger(again)["cached"] > 0) == (0, True)
