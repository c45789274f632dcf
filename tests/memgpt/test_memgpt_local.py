"""The whole loop with a real server: llama.cpp, SmolLM2-135M, which proves wiring only.

A model of that size seldom replies sensibly; every turn ends in a defined state all the
same, and a second agent with the cassette repeats it without a call.
"""

from __future__ import annotations

import pytest

from gswlab.memgpt.agent import Agent
from gswlab.memgpt.policy import ModelPolicy
from gswlab.models.local import Local


@pytest.fixture(scope="module")
def local(tmp_path_factory) -> Local:
    file = tmp_path_factory.mktemp("cassette") / "replies.sqlite"
    return Local(max_tokens=96, reuse=True, context=4096, cassette=str(file))


def agent(model, actions):
    policy = ModelPolicy(model, actions)
    return Agent(policy=policy, window=4096, reply=96, calls=2, human="Ann, a baker.")


def trace(turn):
    return [(event.kind, event.data) for event in turn.events]


@pytest.mark.slow
@pytest.mark.parametrize("actions", ["json", "tools"])
def test_a_turn_with_the_local_model_ends_as_its_trace_says_and_replays(actions, local):
    first = agent(local, actions)
    turn = first.send("Hello, I am Ann. What is my job?", time="2024-05-08")
    assert turn.outcome in ("replied", "call_limit")
    assert 1 <= turn.calls <= first.calls
    kinds = [kind for kind, _ in trace(turn)]
    assert kinds.count("asked") == turn.calls
    assert kinds.count("called") + kinds.count("replied") == turn.calls
    assert first.storage.recall.search("Ann", before=2).total == 1
    calls = local.ledger.total().calls
    assert trace(
        agent(local, actions).send(
            "Hello, I am Ann. What is my job?", time="2024-05-08"
        )
    ) == trace(turn)
    assert local.ledger.total().calls == calls, "nothing was asked twice"
