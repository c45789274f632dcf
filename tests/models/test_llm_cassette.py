"""Recorded replies and what calls cost: replay, races, budgets, resumed ledgers."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from standin import completion, model
from test_llm_client import GOOD, ask, people, soon

from gswlab.core.cost import Cost, Entry
from gswlab.core.errors import GswlabError
from gswlab.lab.settings import identity
from gswlab.models.ask import ModelError, StoppedError
from gswlab.models.cassette import Cassette
from gswlab.models.ledger import Ledger
from gswlab.models.model import Model


@pytest.fixture
def tape(tmp_path: Path) -> str:
    return str(tmp_path / "replies.sqlite")


def test_what_was_asked_before_is_replayed_says_so_and_costs_nothing(server, tape):
    server.script = lambda body, number: f"reply {number}"
    first = model(server, cassette=tape).ask(ask())
    later = model(server, cassette=tape)
    second = later.ask(ask())
    assert (first.replayed, second.replayed) == (False, True)
    assert second.text == first.text
    assert len(server.requests) == 1
    assert later.ledger.total()[:4] == (0, 1, 0, 0)
    assert "0 calls, 1 replayed" in str(later.ledger)


@pytest.mark.parametrize(
    "change", [{"model": "m"}, {"temperature": 1.0}, {"seed": 1}, {"max_tokens": 9}]
)
def test_another_setting_is_another_request(server, tape, change):
    model(server, cassette=tape).ask(ask())
    changed = {"model": "stand-in", "max_tokens": 50, **change}
    assert not Model(server.url, cassette=tape, **changed).ask(ask()).replayed


def test_a_cassette_serves_whatever_form_the_server_took(server, tape):
    def script(body, number):
        constrained = "response_format" in body
        return (400, {}, "unknown response_format") if constrained else GOOD

    server.script = script
    model(server, cassette=tape).ask(people())
    tried = len(server.requests)
    assert model(server, cassette=tape).ask(people()).value.names == ["Ann"]
    assert len(server.requests) == tried


def test_a_reply_that_failed_to_fit_is_asked_for_again_by_the_next_run(server, tape):
    server.script = lambda body, number: "{}" if number < 3 else GOOD
    first = model(server, cassette=tape)
    with pytest.raises(ModelError) as caught:
        first.ask(people())
    assert (first.open, caught.value.settled) == (1, False)
    again = model(server, cassette=tape)
    assert again.ask(people()).value.names == ["Ann"]
    assert (again.open, len(server.requests)) == (0, 3)


def test_what_was_mended_is_replayed_as_it_was_mended(server, tape):
    server.script = lambda body, number: "{}" if number == 1 else GOOD
    told = [model(server, cassette=tape).ask(people()).text for _ in range(2)]
    assert told == [GOOD, GOOD]
    assert len(server.requests) == 2


def test_of_a_model_that_never_changes_its_mind_a_useless_reply_stands(
    server, tape, monkeypatch
):
    monkeypatch.setattr(Model, "STEADY", True)
    server.script = lambda body, number: "{}"
    for _ in range(2):
        asked = model(server, cassette=tape)
        with pytest.raises(ModelError):
            asked.ask(people())
        assert asked.open == 0
    assert len(server.requests) == 2


def test_what_a_server_had_in_its_own_cache_is_in_the_ledger_at_its_price(
    server, tmp_path
):
    said = completion("ok", 50)
    said["usage"] |= {
        "prompt_tokens": 1000,
        "prompt_tokens_details": {"cached_tokens": 800},
    }
    server.script = lambda body, number: json.dumps(said).encode()
    prices = tmp_path / "prices.yaml"
    prices.write_text("stand-in: {input: 1.0, output: 0, cached: 0.5}")
    asked = model(server, ledger=Ledger(str(prices)))
    asked.ask(ask())
    bill = asked.ledger.charged({"seconds": {}})
    assert bill["cached_input_tokens"] == 800
    assert bill["money"] == pytest.approx(600 / 1e6)


def test_a_lost_reply_is_not_recorded(server, tape):
    server.script = lambda body, number: soon(500) if number == 1 else "ok"
    asked = model(server, cassette=tape, retries=0)
    with pytest.raises(ModelError):
        asked.ask(ask())
    assert asked.ask(ask()).text == "ok"


def test_a_replay_of_what_is_not_recorded_names_the_nearest_that_is(server, tape):
    model(server, cassette=tape).ask(ask("Who sat down?"))
    replay = model(server, cassette=tape, replay_only=True)
    assert replay.ask(ask("Who sat down?")).replayed
    with pytest.raises(GswlabError, match=r"nearest recorded is .*Who sat down") as e:
        replay.ask(ask("Who stood up?"))
    assert not isinstance(e.value, ModelError)
    assert len(server.requests) == 1


def test_of_two_replies_to_one_request_the_first_recorded_stays(tape):
    request = {"text": "same \ud800"}
    with ThreadPoolExecutor(8) as pool:
        puts = pool.map(lambda n: Cassette(tape).put(request, {"n": n}), range(16))
        kept = {reply["n"] for reply in puts}
    assert len(kept) == 1
    assert Cassette(tape).get(request) == {"n": kept.pop()}


def test_processes_share_a_cassette(tape):
    code = (
        "import sys; from gswlab.models.cassette import Cassette\n"
        "for n in range(40): Cassette(sys.argv[1]).put({'n': n}, {'by': sys.argv[2]})"
    )
    started = [
        subprocess.Popen([sys.executable, "-c", code, tape, name]) for name in "ab"
    ]
    assert [process.wait() for process in started] == [0, 0]
    by = [Cassette(tape).get({"n": n}) for n in range(40)]
    assert all(reply and reply["by"] in "ab" for reply in by)


def test_a_file_that_is_no_cassette_is_one_sentence(tmp_path):
    (tmp_path / "notes.txt").write_text("no database at all, only words")
    with pytest.raises(GswlabError, match="cannot be used"):
        Cassette(str(tmp_path / "notes.txt")).get({})


def test_a_budget_of_calls_stops_the_run_and_keeps_what_came(server, tape):
    limited = model(server, cassette=tape, ledger=Ledger(max_calls=5), concurrency=8)
    came = []
    with pytest.raises(StoppedError, match="budget is 5"):
        came.extend(limited.ask_all(ask(str(i)) for i in range(20)))
    assert len(server.requests) == limited.ledger.total().calls == 5
    more = model(server, cassette=tape)
    assert len(list(more.ask_all(ask(str(i)) for i in range(20)))) == 20
    assert len(server.requests) == 20


def test_what_is_left_of_a_budget_goes_to_those_asked_first(server, monkeypatch):
    def slow(calls, request):
        time.sleep(0.2 if request["messages"][-1]["content"] == "first" else 0.0)

    monkeypatch.setattr(Model, "recorded", slow)
    limited = model(server, ledger=Ledger(max_calls=2), concurrency=8)
    came = []
    with pytest.raises(StoppedError):
        came.extend(limited.ask_all(map(ask, ["first", "second", *"abcdef"])))
    sent = {request["messages"][-1]["content"] for request in server.requests}
    assert (len(came), sent) == (2, {"first", "second"})


def test_calls_made_at_once_cannot_overspend_together(server, tmp_path):
    prices = tmp_path / "prices.yaml"
    prices.write_text("stand-in: {input: 1.0, output: 1000.0}")
    ledger = Ledger(str(prices), max_money=0.12)  # a call may cost 0.05 and a little
    limited = model(server, ledger=ledger, concurrency=16)
    with pytest.raises(StoppedError, match="max_money"):
        list(limited.ask_all(ask(str(i)) for i in range(200)))
    spent = ledger.total()
    assert spent.money == pytest.approx(spent.calls * (7 + 3000) / 1e6)
    assert 0 < spent.money <= 0.12


def test_a_budget_of_money_without_a_price_is_refused_before_a_call(server):
    limited = model(server, ledger=Ledger(max_money=1.0))
    with pytest.raises(GswlabError, match="price of stand-in is unknown"):
        limited.ask(ask())
    assert server.requests == []


def test_an_estimate_is_an_upper_bound_and_counts_what_is_recorded(server, tape):
    asked = model(server, cassette=tape)
    asked.ask(ask("a"))
    estimate = asked.estimate(map(ask, "abc"))
    assert (estimate.calls, estimate.cached, estimate.output_tokens) == (2, 1, 100)
    assert estimate.input_tokens >= 2 * 7
    assert len(server.requests) == 1


def test_a_resumed_ledger_goes_on_where_it_was_killed(tmp_path):
    file, entry = tmp_path / "calls.jsonl", Entry("s", "c", "m", "fresh", 5, 2, 0.5)
    ledger = Ledger()
    ledger.keep(file)
    ledger.add(entry)
    with file.open("a") as torn:
        torn.write('{"stage": "s"')
    again = Ledger(max_calls=1)
    again.keep(file)
    assert again.total() == Cost(1, 0, 5, 2, None, 0.5)
    with pytest.raises(StoppedError):
        again.hold(entry)
    again.add(entry)
    assert len(file.read_text().splitlines()) == 2


def test_a_damaged_ledger_is_one_sentence(tmp_path):
    (tmp_path / "calls.jsonl").write_text("{}\n")
    with pytest.raises(GswlabError, match="is no ledger"):
        Ledger().keep(tmp_path / "calls.jsonl")


def test_a_ledger_writes_the_figures_of_a_run_folder():
    folder = {"calls": 0, "cached": 0, "input_tokens": 0, "output_tokens": 0}
    folder |= {"money": 0.0, "seconds": {"reading": 2.5}}
    ledger = Ledger()
    assert ledger.charged(folder)["seconds"] == {"reading": 2.5, "models": 0.0}
    ledger.add(Entry("s", "c", "m", "fresh", 5, 2, 0.5))
    ledger.add(Entry("t", None, "m", "cached", 5, 2, 0.0))
    charged = json.loads(json.dumps(ledger.charged(folder)))
    stages, chunks = charged.pop("stages"), charged.pop("chunks")
    assert (stages["s"]["calls"], stages["t"]["cached"]) == (1, 1)
    assert list(chunks) == ["c"]
    assert charged == {
        "calls": 1,
        "cached": 1,
        "input_tokens": 5,
        "output_tokens": 2,
        "money": None,
        "seconds": {"reading": 2.5, "models": 0.5},
    }


def test_a_budget_or_a_pace_makes_no_other_experiment_of_a_run():
    target = {"_target_": "gswlab.models.model.Model", "model": "m"}
    how = {**target, "per_minute": 5, "concurrency": 9, "cassette": "f"}
    ledger = {"_target_": "gswlab.models.ledger.Ledger"}
    plain = identity({"llm": {**target, "ledger": ledger}})
    assert identity({"llm": {**how, "ledger": {**ledger, "max_calls": 3}}}) == plain
    assert identity({"llm": {**target, "model": "n", "ledger": ledger}}) != plain
