"""A model behind an OpenAI-compatible address: a real server on loopback answers."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from pathlib import Path
from threading import Thread
from typing import Annotated, Any

import numpy as np
import pytest
from pydantic import BaseModel, Field
from standin import embedded, model

from gswlab.core.errors import GswlabError
from gswlab.models.ask import Ask, ModelError, Reply, StoppedError
from gswlab.models.ledger import Ledger
from gswlab.models.model import Model
from gswlab.models.vector_endpoint import OpenAIEmbedder
from gswlab.models.vectors.nearest import VectorIndex

KEY = "planted-key-5f1c"
Name = Annotated[str, Field(max_length=20)]


class People(BaseModel):
    names: list[Name] = Field(max_length=3)
    count: int


@pytest.fixture(autouse=True)
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def ask(text: str = "Who?", **more: Any) -> Ask:
    return Ask(({"role": "user", "content": text},), "reader", **more)


def people(text: str = "Who?") -> Ask:
    return ask(text, schema=People)


def soon(status: int, said: str = "wait") -> tuple[int, dict[str, str], str]:
    return status, {"retry-after-ms": "5"}, said


BODIES = [
    b"{",
    b"[]",
    b"null",
    b"\xff\xfe",
    b'{"choices": []}',
    b'{"choices": [{"message": {"content": 7}}]}',
    b'{"choices": [{"message": {"content": ""}}], "usage": {"prompt_tokens": "?"}}',
]
GOOD = '{"names": ["Ann"], "count": 1}'


def test_a_reply_is_what_the_server_said_and_its_tokens_are_counted(server):
    asked = model(server)
    assert asked.ask(ask()) == Reply("ok")
    cost = asked.ledger.total()
    assert (cost.calls, cost.input_tokens, cost.output_tokens) == (1, 7, 3)
    sent = server.requests[0]
    assert sent["messages"] == [{"role": "user", "content": "Who?"}]
    assert (sent["temperature"], sent["seed"], sent["max_tokens"]) == (0.0, 0, 50)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_server_that_is_busy_is_asked_again_and_one_call_is_counted(server, status):
    server.script = lambda body, number: soon(status) if number < 3 else "ok"
    asked = model(server)
    assert asked.ask(ask()).text == "ok"
    assert len(server.requests) == 3
    assert asked.ledger.total().calls == 1


def test_a_server_that_stays_broken_is_a_failure_and_the_others_go_on(server):
    def script(body: dict[str, Any], number: int) -> Any:
        text = body["messages"][0]["content"]
        return soon(500, "it broke") if text == "1" else f"to {text}"

    server.script = script
    asked = model(server, retries=1)
    first, second, third = asked.ask_all(ask(str(i)) for i in range(3))
    assert (first.text, third.text) == ("to 0", "to 2")
    assert isinstance(second, ModelError)
    assert "it broke" in str(second)
    assert [e.outcome for e in asked.ledger.entries].count("failed") == 1


@pytest.mark.parametrize("content", BODIES)
def test_a_body_that_is_no_completion_is_a_failure(server, content):
    server.script = lambda body, number: content
    with pytest.raises(ModelError):
        model(server, retries=0).ask(ask())


def test_a_server_that_hangs_is_given_up_after_the_time_out(server):
    server.script = lambda body, number: time.sleep(0.5) or "late"
    began = time.monotonic()
    with pytest.raises(ModelError, match="took too long"):
        model(server, retries=0, timeout=0.1).ask(ask())
    assert time.monotonic() - began < 0.4


def test_outcomes_come_in_the_order_of_the_asks_whichever_reply_is_first(server):
    def script(body: dict[str, Any], number: int) -> str:
        text = str(body["messages"][0]["content"])
        time.sleep(0.03 * (3 - int(text) % 4))
        return text

    server.script = script
    texts = [str(i) for i in range(24)]
    outcomes = model(server, concurrency=8).ask_all(map(ask, texts))
    assert [outcome.text for outcome in outcomes] == texts


def test_an_object_is_asked_for_with_its_schema_and_validated(server):
    server.script = lambda body, number: GOOD
    assert model(server).ask(people()).value == People(names=["Ann"], count=1)
    held = server.requests[0]["response_format"]["json_schema"]
    assert held["strict"] is True
    assert held["schema"]["properties"]["names"]["maxItems"] == 3


@pytest.mark.parametrize(("refusal", "form"), [(400, "json_object"), (501, "text")])
def test_a_server_without_schemas_is_asked_in_words_and_only_once(
    server, refusal, form
):
    def script(body: dict[str, Any], number: int) -> Any:
        kind = body.get("response_format", {}).get("type", "text")
        known = ("text",) if form == "text" else ("text", "json_object")
        refused = (refusal, {"x-should-retry": "false"}, f"{kind} is unknown")
        return f"Here it is:\n```json\n{GOOD}\n```" if kind in known else refused

    server.script = script
    asked = model(server)
    assert asked.ask(people()).value.names == ["Ann"]
    assert "maxItems" in server.requests[-1]["messages"][-1]["content"]
    tried = len(server.requests)
    assert asked.ask(people("Who else?")).value.count == 1
    assert len(server.requests) == tried + 1


def test_a_reply_that_does_not_fit_is_mended_once_with_every_error_told(server):
    bad = '{"names": ["Ann", 7], "count": "many"}'
    server.script = lambda body, number: bad if number == 1 else GOOD
    assert model(server).ask(people()).value.names == ["Ann"]
    question, reply, told = server.requests[1]["messages"]
    assert (question["content"], reply["content"]) == ("Who?", bad)
    assert "names.1:" in told["content"]
    assert "count:" in told["content"]


def test_a_reply_that_never_fits_is_a_failure_with_every_error_and_its_path(server):
    server.script = lambda body, number: '{"names": ["a", "b", "c", "d"]}'
    (failure,) = model(server).ask_all([people()])
    assert isinstance(failure, ModelError)
    assert [error.split(":")[0] for error in failure.errors] == ["names", "count"]
    assert failure.reply.startswith('{"names"')
    assert len(server.requests) == 2


def test_a_reply_cut_off_at_its_tokens_says_so(server):
    server.script = lambda body, number: '{"names": ["Ann", "Bob"'
    with pytest.raises(ModelError, match=r"cut off at \d tokens"):
        model(server, max_tokens=2).ask(people())


def test_a_schema_that_could_go_on_for_ever_is_refused_before_it_is_asked(server):
    class Loose(BaseModel):
        names: list[Name]
        note: str | None = None

    with pytest.raises(GswlabError, match=r"Loose\.names, Loose\.note"):
        model(server).ask(ask(schema=Loose))
    assert server.requests == []


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_server_that_refuses_every_ask_ends_the_run_with_what_to_do(server, status):
    server.script = lambda body, number: (status, {}, "no")
    with pytest.raises(GswlabError, match="OPENAI_API_KEY") as caught:
        list(model(server).ask_all(map(ask, "abc")))
    assert not isinstance(caught.value, ModelError)


def test_the_key_is_sent_and_is_in_no_text_no_file_and_no_error(server, tmp_path):
    server.script = lambda body, number: (
        f"you sent {KEY}" if number == 1 else (401, {}, f"wrong key {KEY}")
    )
    asked = model(server, cassette=str(tmp_path / "c.sqlite"))
    asked.ledger.keep(tmp_path / "calls.jsonl")
    reply = asked.ask(ask())
    with pytest.raises(GswlabError) as caught:
        asked.ask(ask("again"))
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    error = caught.value
    chain = [error, error.__cause__, error.__context__]
    told = "".join(map(repr, [asked, reply, asked.ledger, *chain]))
    files = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert KEY not in told
    assert KEY.encode() not in files
    assert error.__context__ is None


@pytest.mark.parametrize(
    "secret",
    [
        {"base_url": f"http://user:{KEY}@127.0.0.1/v1"},
        {"base_url": f"user:{KEY}@127.0.0.1"},
        {"base_url": f"http://127.0.0.1/v1?key={KEY}"},
        {"key_env": KEY},
    ],
)
def test_a_key_given_as_a_setting_is_refused_without_repeating_it(secret):
    with pytest.raises(GswlabError, match=r"environment|export") as caught:
        Model(**secret)
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    "wrong",
    [
        {"base_url": "ftp://127.0.0.1"},
        {"concurrency": 0},
        {"max_tokens": 0},
        {"per_minute": 0},
        {"retries": -1},
        {"timeout": float("inf")},
    ],
)
def test_a_setting_that_cannot_be_is_refused_by_name(wrong):
    with pytest.raises(GswlabError, match=f"llm.{next(iter(wrong))}"):
        Model(**wrong)


def test_cancelling_stops_what_waits_and_keeps_what_came(server, tmp_path):
    asked = model(server, concurrency=1, cassette=str(tmp_path / "c.sqlite"))
    outcomes = asked.ask_all(ask(str(i)) for i in range(50))
    assert next(outcomes).text == "ok"
    asked.cancel()
    with pytest.raises(StoppedError, match="cancelled"):
        list(outcomes)
    assert len(server.requests) < 10


def test_calls_keep_the_pace_that_was_set(server):
    asked = model(server, per_minute=1200, concurrency=8)
    began = time.monotonic()
    list(asked.ask_all(map(ask, "abcde")))
    assert time.monotonic() - began >= 4 * 0.05


def test_processes_that_share_a_cassette_share_the_rate(tmp_path):
    """Each takes the turn after the last one taken, whoever took it."""
    take = """
import sys
import time
from threading import Event
from gswlab.models.model import Pace
pace = Pace(60.0, Event(), sys.argv[1])
print(*[pace._shared(sys.argv[1], 1.0) + time.time() for _ in range(5)])
"""
    words = [sys.executable, "-c", take, str(tmp_path / "replies.sqlite.pace")]
    both = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for _ in "ab"]
    turns = sorted(float(at) for one in both for at in one.communicate()[0].split())
    assert len(turns) == 10
    assert all(late - soon > 0.8 for soon, late in pairwise(turns)), turns


def test_vectors_come_in_the_order_of_their_texts_and_are_asked_once(server, tmp_path):
    settings = {"cassette": str(tmp_path / "c.sqlite")}
    embedder = OpenAIEmbedder(model(server, **settings), passage="p:", query="q:")
    vectors = embedder.embed(["", "bb", "", "c"])
    expected = np.array([[2, 1], [4, 1], [2, 1], [3, 1]], np.float32)
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert np.allclose(vectors, expected)
    assert vectors.dtype == np.float32
    embedder.embed(["c", "dddd", "bb"])
    assert VectorIndex(vectors, embedder).nearest("c", 1)[0][0] == 3
    asked = [request["input"] for request in server.requests]
    assert asked == [["p:", "p:bb", "p:c"], ["p:dddd"], ["q:c"]]
    assert embedder.model.ledger.total().input_tokens == 5


def test_a_reply_with_a_vector_too_few_is_a_failure(server):
    short = json.dumps(embedded(["a"])).encode()
    server.script = lambda body, number: short
    with pytest.raises(ModelError, match="1 vectors"):
        OpenAIEmbedder(model(server)).embed(["a", "b"])


def test_a_slow_server_asked_32_at_a_time_is_waited_for_32_at_a_time(server):
    server.script = lambda body, number: time.sleep(0.1) or "ok"
    asked = model(server, concurrency=32)
    began = time.monotonic()
    assert len(list(asked.ask_all(ask(str(i)) for i in range(96)))) == 96
    assert time.monotonic() - began < 3


def test_a_ledger_counts_by_stage_and_chunk(server, tmp_path: Path):
    asked = model(server, ledger=Ledger())
    for chunk in ("c1", "c2", "c2"):
        asked.ask(ask(chunk=chunk))
    assert asked.ledger.by("chunk")["c2"].calls == 2
    assert asked.ledger.by("stage")["reader"].input_tokens == 21


def test_two_hundred_asks_to_a_faulty_server_each_end_once(server, tmp_path):
    faults: list[Any] = [
        GOOD,
        soon(500),
        (429, {"retry-after-ms": "1"}, "slow down"),
        b'{"choices": [',
        '{"names": [], "cou',
        '{"names": "Ann"}',
    ]
    huge = '{"names": ["' + "a" * 10_000_000 + '"], "count": 1}'

    def script(body: dict[str, Any], number: int) -> Any:
        asked = int(body["messages"][0]["content"])
        return faults[asked % len(faults)] if asked < 195 else huge

    server.script = script
    asked = model(server, concurrency=16, retries=1, cassette=str(tmp_path / "c"))
    outcomes = list(asked.ask_all(people(str(i)) for i in range(200)))
    assert len(outcomes) == 200
    for i, outcome in enumerate(outcomes):
        good = i % len(faults) == 0 and i < 195
        assert isinstance(outcome, Reply if good else ModelError), i
        assert good or str(outcome)
    entries = asked.ledger.entries
    assert len(entries) == asked.ledger.total().calls >= 200


def test_a_body_that_drips_without_end_is_given_up_after_the_time_out():
    class Drip(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "1000000")
            self.end_headers()
            with suppress(OSError):
                while True:
                    self.wfile.write(b" ")
                    time.sleep(0.02)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Drip) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}/v1"
        with pytest.raises(ModelError, match="took longer than"):
            Model(url, "drip", timeout=0.2, retries=0).ask(ask())
        server.shutdown()


def test_a_server_that_wants_a_key_is_not_asked_without_one(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(GswlabError, match="OPENAI_API_KEY is not set"):
        Model(model="any").ask(ask())
