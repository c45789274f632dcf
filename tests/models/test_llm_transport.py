"""A server that cuts the connection, lies about its body or sends us elsewhere."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from attacks import CLASS_NAME, TURNS, faulty, listener
from standin import StandIn, model, serving

from gswlab.core.errors import GswlabError
from gswlab.models.ask import Ask, ModelError
from gswlab.models.model import Model

FAULTY = 100


def ask(text="Who sat down?"):
    return Ask(({"role": "user", "content": text},), "reader")


def test_every_broken_reply_is_a_failed_ask_and_a_line_in_the_ledger(tmp_path):
    turns = [TURNS[n % len(TURNS)] for n in range(FAULTY)]
    calls = tmp_path / "calls.jsonl"
    with faulty(turns) as (url, did):
        asked = Model(url, "m", retries=0, timeout=5, concurrency=1)
        asked.ledger.keep(calls)
        said = list(asked.ask_all(ask(f"{n}?") for n in range(FAULTY)))
    assert len(did) == FAULTY
    for turn, outcome in zip(turns, said, strict=True):
        assert isinstance(outcome, ModelError), (turn, outcome)
        assert not CLASS_NAME.search(str(outcome)), (turn, outcome)
        assert len(str(outcome)) < 2000
    rows = [json.loads(line) for line in calls.read_text().splitlines()]
    assert [row["outcome"] for row in rows] == ["failed"] * FAULTY
    assert asked.ledger.total().calls == FAULTY


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_told_and_carries_nothing_elsewhere(status):
    with listener() as (address, heard), serving(StandIn()) as server:
        where = {"location": f"http://{address}/v1/chat/completions?key=1"}
        server.script = lambda body, number: (status, where, "there")
        with pytest.raises(GswlabError, match="sends us on to") as caught:
            model(server).ask(ask())
        assert f"try: llm.base_url=http://{address}/v1" in str(caught.value)
        assert not heard


@pytest.mark.parametrize("key", ["x", "context", "the", "a-b"])
def test_a_key_that_is_a_word_changes_no_reply(monkeypatch, key):
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with serving(StandIn()) as server:
        server.script = lambda body, number: "the context of a-b, exactly x"
        asked = model(server)
        assert asked.ask(ask()).text == "the context of a-b, exactly x"
        assert server.headers[0]["authorization"] == f"Bearer {key}"


def test_a_key_is_masked_where_it_stands_alone(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    with serving(StandIn()) as server:
        server.script = lambda body, number: "sk-0123456789, and xsk-01234567890"
        assert model(server).ask(ask()).text == "***, and xsk-01234567890"


def test_a_key_with_the_end_of_its_line_is_sent_without_it(monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789\n")
    with serving(StandIn()) as server:
        model(server).ask(ask())
        assert server.headers[0]["authorization"] == "Bearer sk-0123456789"


@pytest.mark.parametrize("key", ["sk-01234\r\nX: 56789", "sk-01234é", "sk\t0123456"])
def test_a_key_that_cannot_be_sent_is_no_reply_and_is_not_repeated(monkeypatch, key):
    monkeypatch.setenv("OPENAI_API_KEY", key)
    with serving(StandIn()) as server:
        with pytest.raises(GswlabError, match="OPENAI_API_KEY holds no key") as caught:
            list(model(server).ask_all([ask()]))
        assert "0123" not in str(caught.value)
        assert not server.requests


@pytest.mark.parametrize("port", ["99999", "x", "80/\0", "80/a b"])
def test_what_is_no_address_is_refused_by_name(port):
    for address in (f"http://a:{port}", f"http://[::1:{port}"):
        with pytest.raises(GswlabError, match=r"llm\.base_url cannot be"):
            Model(address, "m")


CHILD = """
import sys
from gswlab.models.ask import Ask
from gswlab.models.model import Model
asked = Model(sys.argv[1], "m", cassette=sys.argv[2])
words = [f"question {n}" for n in range(12)]
asks = [Ask(({"role": "user", "content": w},), "reader") for w in words]
said = [reply.text for reply in asked.ask_all(asks)]
assert said == ["ok"] * 12, said
total = asked.ledger.total()
print(total.calls, total.cached)
"""


def test_of_three_runs_that_ask_the_same_one_asks_each(tmp_path):
    with serving(StandIn()) as server:
        words = [sys.executable, "-c", CHILD, server.url, str(tmp_path / "c.sqlite")]
        each = [subprocess.Popen(words, stdout=subprocess.PIPE) for _ in range(3)]
        told = [child.communicate()[0].split() for child in each]
    assert [child.returncode for child in each] == [0, 0, 0]
    assert len(server.requests) == 12
    assert sum(int(calls) for calls, _ in told) == 12
    assert sum(int(cached) for _, cached in told) == 24
    assert sorted(path.name for path in tmp_path.iterdir())[:1] == ["c.sqlite"]
    assert not list(tmp_path.glob("*.ask-*"))
