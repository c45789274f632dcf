"""Runs that ask a model: one model in a lab, its ledger in the folder, its budget."""

from __future__ import annotations

import json
import shlex

import pytest
from standin import StandIn, serving

import gswlab
from gswlab.__main__ import main
from gswlab.bench.bill import Estimate
from gswlab.core.errors import GswlabError


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


def obliging(body, number):
    """A model that sees Ann Ray and Bo Lind in whatever it is given."""
    people = [
        {"id": i, "kind": "person", "name": name, "mentions": [], "roles": []}
        for i, name in (("a1", "Ann Ray"), ("a2", "Bo Lind"))
    ]
    replies = {
        "ContextReply": {"context": "", "situation": ""},
        "OperatorReply": {"actors": people, "verb_phrases": []},
        "CouplingReply": {"groups": []},
    }
    return json.dumps(replies[body["response_format"]["json_schema"]["name"]])


STAGES = {"context": 2, "operator": 2}
READING = ("operator=llm", "embedder=none", "chunk.sentences=1")


def test_a_run_s_calls_are_in_its_folder_and_a_second_run_makes_none(story, server):
    server.script = obliging
    opened = lab(story, server, *READING)
    opened.run()
    bill = ledger(opened)
    assert bill["calls"] == len(server.requests) > 0
    assert bill["money"] is None
    assert {name: cost["calls"] for name, cost in bill["stages"].items()} == STAGES
    lines = opened.folder.ledger.read_text().splitlines()
    assert (
        sum(json.loads(line)["outcome"] == "fresh" for line in lines) == bill["calls"]
    )
    first = list(opened.journal.export())
    again = lab(story, server, *READING, f"run.dir={story.parent / 'again'}")
    again.run()
    assert list(again.journal.export()) == first
    assert (ledger(again)["calls"], ledger(again)["cached"] > 0) == (0, True)


def test_a_spent_budget_ends_a_run_with_what_it_has_and_the_command_that_goes_on(
    story, server, monkeypatch, capsys
):
    server.script = obliging
    opened = lab(story, server, *READING, "llm.ledger.max_calls=3")
    headline = opened.run()
    assert (headline["chunks"], headline["unread"]) == (1, 1)
    assert ledger(opened)["calls"] == len(server.requests) == 3
    told = headline["stopped"]
    assert "max_calls to 4 (rule: the budget is 3" in told
    words = shlex.split(told.partition("try: python -m gswlab ")[2])
    assert main(words[:-1]) == 3
    assert json.loads(capsys.readouterr().out)["stopped"] == told
    assert words[-1] == "llm.ledger.max_calls=NUMBER"
    assert main([*words[:-1], "llm.ledger.max_calls=99"]) == 0
    whole = lab(story, server, *READING, f"run.dir={story.parent / 'whole'}")
    whole.run()
    assert list(whole.journal.export()) == list(opened.journal.export())


def test_a_run_goes_on_mid_book_and_asks_nothing_twice(story, server):
    server.script = obliging
    story.write_text(" ".join(f"Ann Ray met Bo Lind {n} times." for n in range(9)))
    first = lab(story, server, *READING)
    for _ in range(4):
        first.step()
    asked = len(server.requests)
    again = lab(story, server, *READING)
    again.run()
    sent = [json.dumps(request, sort_keys=True) for request in server.requests]
    assert len(sent) == len(set(sent)) > asked
    assert again.llm.ledger.total()[:2] == (len(sent), 0)


def test_results_do_not_depend_on_how_many_chunks_were_announced(story, server):
    server.script = obliging
    story.write_text(" ".join(f"Ann Ray met Bo Lind {n} times." for n in range(6)))
    exports = []
    for ahead in (1, 4, 100):
        folder = f"run.dir={story.parent / str(ahead)}"
        opened = lab(story, server, *READING, folder, "llm.cassette=null")
        while opened.step(ahead):
            pass
        exports.append(list(opened.journal.export()))
    assert exports[0] == exports[1] == exports[2]


def test_a_cancelled_run_keeps_its_steps_and_says_so(story, server):
    server.script = obliging
    opened = lab(story, server, *READING)
    opened.step()
    opened.llm.cancel()
    headline = opened.run()
    assert headline["chunks"] == 1
    assert headline["stopped"].startswith("the calls were cancelled")
    assert len(gswlab.reopen(opened.folder.path).journal) == 1


def test_an_estimate_asks_nothing_writes_nothing_and_bounds_the_run(
    story, server, capsys
):
    server.script = obliging
    opened = lab(story, server, *READING)
    most = Estimate.of(opened, 1).frame.loc["all"].iloc[0]
    assert server.requests == []
    assert not opened.folder.path.exists()
    opened.run()
    spent = opened.llm.ledger.total()
    assert spent.calls <= most.calls
    assert spent.output_tokens <= most.output_tokens
    nothing = Estimate.of(lab(story, server, *READING), 0).frame.loc["all"]
    assert nothing.iloc[0].calls == 0


def test_the_estimate_of_a_run_without_a_model_says_that_it_is_free(story, capsys):
    assert main(["estimate", f"dataset.file={story}"]) == 2
    assert "llm=none asks no model" in capsys.readouterr().err


def test_prices_in_a_file_make_money_of_tokens_per_chunk_and_decision(story, server):
    server.script = obliging
    prices = story.parent / "prices.yaml"
    prices.write_text("stand-in: {input: 1.0, output: 10.0}\n")
    opened = lab(story, server, *READING, f"llm.ledger.prices={prices}")
    opened.run()
    bill = ledger(opened)
    calls = bill["calls"]
    assert bill["money"] == pytest.approx(calls * (7 * 1.0 + 3 * 10.0) / 1e6)
    assert bill["per"]["chunk"]["money"] == pytest.approx(bill["money"] / 2, abs=1e-6)
    assert bill["per"]["decision"]["calls"] == 0  # the rules decided
    assert bill["per"]["correct_answer"] is None  # nothing was asked
    assert len(bill["chunks"]) == 2


def test_an_estimate_counts_the_stages_that_take_part_in_the_run_alone(story, server):
    stages = lab(story, server, *READING, "memory=bm25", "reader=llm").stages
    assert set(stages) == {"memory", "reader", "judge"}
    assert {"operator", "reconciler"} < set(lab(story, server, *READING).stages)


def test_the_paper_s_experiment_runs_through_every_stage_whatever_is_replied(
    tmp_path, server, capsys
):
    book = {"Chapter 1": "On May 7, 2024, Ann Ray opened a book fair in Tall Mill."}
    (tmp_path / "b.json").write_text(json.dumps(book))
    question = {
        "question": "Where was Ann Ray on May 7, 2024?",
        "retrieval_type": "Spaces",
        "get": "all",
        "correct_answer": ["Tall Mill"],
        "correct_answer_chapters": [1],
        "n_chapters_correct_answer": 1,
    }
    (tmp_path / "q.json").write_text(json.dumps([question]))
    files = (f"dataset.{n}={tmp_path / n[0]}.json" for n in ("book", "questions"))
    given = ["experiment=gsw_paper", *files, f"llm.base_url={server.url}"]
    given += [f"llm.cassette={tmp_path / 'c'}", f"run.dir={tmp_path / 'run'}"]
    server.script = obliging_or_nothing
    assert main(["run", *given]) == 3
    shown = capsys.readouterr()
    assert "the same command asks again); try: python -m gswlab run" in shown.err
    assert shown.err.startswith("at most (chunks: 1, questions: 1)")
    assert json.loads(shown.out)["questions"] == 1
    bill = json.loads((tmp_path / "run" / "ledger.json").read_text())
    assert {"operator", "reconciler", "query_ner"} <= set(bill["stages"])
    assert bill["calls"] == len(server.requests)


def obliging_or_nothing(body, number):
    try:
        return obliging(body, number)
    except KeyError:
        return "{}"


def test_a_run_says_how_many_replies_were_of_no_use_and_a_step_says_why(
    story, server, capsys
):
    server.script = lambda body, number: (400, {}, b"broken")
    opened = lab(story, server, "operator=llm")
    assert main(["run", "experiment=read", *opened.config.overrides]) == 3
    assert "replies were of no use, the last: " in capsys.readouterr().err
    assert main(["step", str(opened.folder.path), "1"]) == 0
    assert "no usable reply (operator): " in capsys.readouterr().out
