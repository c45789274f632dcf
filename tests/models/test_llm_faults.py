"""A whole run against a server at its worst: every chunk ends, once, and says how."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import time
from collections import Counter
from functools import partial

import pytest
from standin import StandIn, serving

import gswlab

pytestmark = pytest.mark.slow

CHUNKS = 200
HUGE = 10_000_000
GOOD = {
    "ContextReply": {"context": "Ann Ray is at the quay.", "situation": ""},
    "OperatorReply": {
        "actors": [
            {
                "id": "a1",
                "kind": "person",
                "name": "Ann Ray",
                "mentions": [],
                "roles": [],
            }
        ],
        "verb_phrases": [
            {
                "predicate": "carry",
                "told": "explicit",
                "quote": "carried",
                "questions": [
                    {"slot": "agent", "text": "Who?", "actors": ["a1"], "quote": ""}
                ],
            }
        ],
    },
    "CouplingReply": {"groups": []},
}
STRANGE = json.loads(json.dumps(GOOD).replace('["a1"]', '["a1", "a999"]'))
WRONG = {"ContextReply": [], "OperatorReply": {"actors": "Ann"}, "CouplingReply": {}}


def stage_of(body):
    return body["response_format"]["json_schema"]["name"]


def said(replies, body, pause=0.0):
    time.sleep(pause)
    return json.dumps(replies[stage_of(body)])


def busy(body, tries=Counter()):  # noqa: B006 - what it was asked before
    key = json.dumps(body, sort_keys=True)
    tries[key] += 1
    first = 429, {"retry-after": "0.05"}, "slow down"
    return first if tries[key] == 1 else said(GOOD, body)


# What the server does to a chunk, in turn; what takes long, to few of them.
LIGHT = {
    "good": partial(said, GOOD),
    "broken": lambda body: (500, {"retry-after-ms": "1"}, "it broke"),
    "busy": busy,
    "cut off": lambda body: said(GOOD, body)[:-9],
    "wrong schema": partial(said, WRONG),
    "unknown ids": partial(said, STRANGE),
    "late": partial(said, GOOD, pause=0.1),
    "no completion": lambda body: b'{"choices": [',
}
SLOW = {
    "hangs": lambda body: time.sleep(1.5) or "late",
    "ten megabytes": lambda body: said(GOOD, body).replace("Ann", "A" * HUGE),
}
TURNS = [*SLOW, *SLOW, *LIGHT, *SLOW] + [*LIGHT] * CHUNKS
WAYS = {**LIGHT, **SLOW}
REASONS = {
    "broken": "it broke",
    "hangs": "it took too long",
    "cut off": "no valid reply",
    "wrong schema": "no valid reply",
    "ten megabytes": "more than 8000000 bytes",
    "no completion": "sent no completion",
}


def faulty(body, number):
    passage = re.search(r"<passage>\n.*lamp (\d+)", body["messages"][1]["content"])
    return WAYS[TURNS[int(passage[1])]](body)


# The peak of this process alone: one asked of the system has its parent's in it.
RUN = """
import sys
from gswlab.__main__ import main
status = main(sys.argv[1:])
print(open("/proc/self/status").read().partition("VmHWM:")[2].split()[0])
sys.exit(status)
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A run of 200 chunks in a process of its own, and the most memory it took."""
    folder = tmp_path_factory.mktemp("faults")
    sentences = (f"Ann Ray carried lamp {n} to the quay." for n in range(CHUNKS))
    (folder / "story.txt").write_text(" ".join(sentences))
    with serving(StandIn()) as server:
        server.script = faulty
        given = [f"dataset.file={folder / 'story.txt'}", f"run.dir={folder / 'run'}"]
        given += ["chunk.sentences=1", "embedder=none", "operator=llm", "llm=openai"]
        given += [f"llm.base_url={server.url}", f"llm.cassette={folder / 'c.sqlite'}"]
        given += ["llm.timeout=1", "llm.retries=1", "llm.concurrency=16"]
        quiet = os.environ | {"TQDM_DISABLE": "1"}
        words = [sys.executable, "-c", RUN, "run", *given]
        done = subprocess.run(words, env=quiet, capture_output=True, text=True)
    assert done.returncode == 3, done.stderr  # asks are left open
    *_, line, kilobytes = done.stdout.splitlines()
    assert "stopped" not in json.loads(line)
    return gswlab.reopen(folder / "run"), 1024 * int(kilobytes), server


def test_every_chunk_of_a_faulty_run_is_done_or_says_why_not(run):
    lab, _, _ = run
    steps = [step for step in lab.journal.steps() if step.chunk]
    assert [step.chunk for step in steps] == [chunk.id for chunk in lab.chunks]
    assert len(steps) == CHUNKS
    for way, step in zip(TURNS, steps, strict=False):
        failures = [e.data for e in step.events if e.kind == "failed"]
        if way in REASONS:
            assert {f["stage"] for f in failures} == {"context", "operator"}, way
            assert all(REASONS[way] in f["reason"] for f in failures), failures
            assert not {"actor", "verb_phrase"} & {c.kind for c in step.changes}
        else:
            assert not failures, way
            assert "verb_phrase" in {c.kind for c in step.changes}, way


def test_ids_that_name_nobody_are_refused_and_the_rest_is_kept(run):
    steps = [step for step in run[0].journal.steps() if step.chunk]
    refused = [
        e for e in steps[TURNS.index("unknown ids")].events if e.kind == "refused"
    ]
    assert "a999" in json.dumps([e.data for e in refused], default=list)


def test_a_faulty_run_stays_under_a_gigabyte(run):
    assert run[1] < 1e9


def test_no_call_of_a_faulty_run_is_lost_or_counted_twice(run):
    lab, _, server = run
    entries = [json.loads(line) for line in lab.folder.ledger.read_text().splitlines()]
    asked = Counter((e["chunk"], e["stage"]) for e in entries)
    whole = {"context": 1, "operator": 1}  # of one actor, who else is there
    mended = {"context": 2, "operator": 2}  # asked once more, and then given up
    lost = {"context": 1, "operator": 1}
    for way, chunk in zip(TURNS, lab.chunks, strict=False):
        expected = whole
        if way in REASONS:
            expected = mended if "valid" in REASONS[way] else lost
        found = {stage: n for (c, stage), n in asked.items() if c == chunk.id}
        assert found == expected, way
    bill = json.loads((lab.folder.path / "ledger.json").read_text())
    assert bill["calls"] == len(entries)
    assert len(server.requests) >= len(entries)
