"""Bad model behaviour ends in a defined state, within its limits, with a reason."""

from __future__ import annotations

import json
from collections import Counter

import pytest
from standin import completion, model

from gswlab.core.nouns import Chunk, Span
from gswlab.memgpt.agent import Agent
from gswlab.memgpt.functions import FUNCTIONS, Action, tools
from gswlab.memgpt.memory import MemGPT
from gswlab.memgpt.policy import ModelPolicy
from gswlab.text.document import document_of

CALLS = 6


def agent(server, script, actions="json", **settings):
    server.script = script
    policy = ModelPolicy(model(server, max_tokens=500), actions)
    return Agent(policy=policy, calls=CALLS, **settings)


def act(function, thought="", **arguments):
    call = {"function": function, "arguments": arguments}
    return json.dumps({"thought": thought, "call": call})


def tool(name, arguments, content=None):
    """A completion that calls a tool, as a server sends it."""
    body = completion(content or "", 500)
    made = {"id": "1", "type": "function", "function": {"name": name}}
    made["function"]["arguments"] = arguments
    body["choices"][0]["message"] |= {"tool_calls": [made], "content": content}
    return 200, {}, json.dumps(body).encode()


def told(turn, kind):
    return [event.data for event in turn.events if event.kind == kind]


BAD = {
    "an unknown function": (act("fly", to="Oslo"), "there is no function 'fly'"),
    "broken JSON": ('{"thought": "hm", "call": {', "no JSON object"),
    "no call": ('{"thought": "I wait"}', "has no call with the name"),
    "wrong types": (act("page", number="many"), "number: Input should be"),
    "a missing argument": (act("archival_memory_search"), "query: Field required"),
    "an argument of no function": (act("page", number=0, x=1), "x: Extra inputs"),
    "arguments that are a list": (
        '{"call": {"function": "page", "arguments": [1]}}',
        "arguments of page are one JSON object",
    ),
    "an empty message": (act("send_message", message=" "), "the message is empty"),
    "a page before a search": (act("page", number=0), "nothing was searched"),
    "a block over its limit": (
        act("core_memory_append", key="human", value="x" * 2001),
        "shorten it by 1",
    ),
    "a block that is not there": (
        act("core_memory_append", key="pets", value="x"),
        "there is no block 'pets'; there are: persona, human",
    ),
    "words to replace that are not there": (
        act("core_memory_replace", key="human", old="Ann", new="Bo"),
        "'Ann' is not in human",
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_a_model_that_only_fails_is_stopped_with_the_reason_in_the_trace(name, server):
    said, reason = BAD[name]
    bad = agent(server, lambda body, number: said)
    turn = bad.send("Hello?")
    assert (turn.outcome, turn.said) == ("failures", ())
    assert len(server.requests) == turn.calls == bad.failures == 3
    assert [call["status"] for call in told(turn, "called")] == ["Failed"] * 3
    assert all(reason in call["reason"] for call in told(turn, "called"))
    assert told(turn, "stopped") == [{"outcome": turn.outcome, "reason": turn.reason}]
    assert reason in server.requests[1]["messages"][-1]["content"], "advice is shown"
    server.script = lambda body, number: act("send_message", message="Hello.")
    assert str(bad.send("Still there?")) == "Hello.", "the agent goes on"
    assert "got no reply" in server.requests[-1]["messages"][-1]["content"]


def test_a_model_that_fails_and_mends_it_replies(server):
    replies = [act("fly"), act("send_message", message="Sorry.")]
    turn = agent(server, lambda body, number: replies[number - 1]).send("Hello?")
    assert (turn.outcome, turn.said, turn.calls) == ("replied", ("Sorry.",), 2)


def test_a_loop_of_equal_calls_ends_at_its_limit(server):
    def script(body, number):
        return act("recall_memory_search", query="tea", request_heartbeat=True)

    looping = agent(server, script)
    turn = looping.send("Do I like tea?")
    assert turn.outcome == "repeated_call"
    assert turn.calls == looping.repeats == 3
    assert "recall_memory_search" in turn.reason
    assert "3 times" in told(turn, "stopped")[0]["reason"]


def test_a_model_that_never_sends_a_message_ends_at_the_call_limit(server):
    def script(body, number):
        return act("archival_memory_insert", content=f"Note {number}.")

    turn = agent(server, script).send("Hello?")
    assert (turn.outcome, turn.calls, turn.said) == ("call_limit", CALLS, ())
    assert str(turn) == f"(call_limit: {CALLS} calls were made, the most is {CALLS})"
    reasons = server.requests[1]["messages"][-1]["content"]
    assert "nobody has got a reply yet" in reasons, "a heartbeat is forced"


def test_a_heartbeat_that_is_no_boolean_is_false_with_a_warning(server):
    replies = [
        act("archival_memory_insert", content="Tea.", request_heartbeat="yes"),
        act("send_message", message="Kept."),
    ]
    turn = agent(server, lambda body, number: replies[number - 1]).send("Keep: tea.")
    assert turn.outcome == "replied"
    assert "taken as false" in told(turn, "called")[0]["reason"]


def test_a_heartbeat_asked_for_gives_another_step_and_its_absence_none(server):
    replies = [
        act("archival_memory_insert", content="Tea.", request_heartbeat=True),
        act("send_message", message="Kept."),
    ]
    turn = agent(server, lambda body, number: replies[number - 1]).send("Keep: tea.")
    assert (turn.outcome, turn.calls) == ("replied", 2)
    assert "nobody has got" not in json.dumps(server.requests[1]["messages"])


def test_a_server_that_is_down_is_a_failure_and_the_message_is_kept(server):
    down = agent(server, lambda body, number: (500, {}, "down"))
    down.policy.model.endpoint.__dict__["retries"] = 0
    turn = down.send("I like tea.")
    assert (turn.outcome, turn.calls) == ("failures", 3)
    assert "no usable reply" in told(turn, "called")[0]["reason"]
    assert told(turn, "failed")[0]["stage"] == "policy"
    assert down.storage.recall.search("tea").total == 1


def test_a_server_whose_context_overflows_makes_the_queue_flush_and_goes_on(server):
    def script(body, number):
        long = (400, {}, "this model's maximum context length is 10 tokens")
        return long if number == 1 else act("send_message", message="Now it fits.")

    one = agent(server, lambda body, number: act("send_message", message="Yes."))
    for n in range(3):
        one.send(f"Message {n}.")
    server.requests.clear()
    server.script = script
    one.policy.model._form = 2
    turn = one.send("Hello?")
    assert turn.said == ("Now it fits.",)
    assert told(turn, "evicted")
    assert "Message 0." in one.main.queue.summary


def test_a_model_sums_up_and_where_it_fails_the_extractive_summary_stands(server):
    server.script = lambda body, number: "Ann talked of boats."
    one = Agent(model=model(server), summary="llm", window=2400, reply=256)
    for n in range(30):
        turn = one.hear(f"Boat {n} is red and lies in the old harbour of Lund.")
        if told(turn, "evicted"):
            break
    assert one.main.queue.summary == "Ann talked of boats."
    assert told(turn, "asked")[0]["stage"] == "summary"
    assert "Boat 0" in server.requests[0]["messages"][1]["content"]
    server.script = lambda body, number: (400, {}, "no")
    for n in range(30):
        turn = one.hear(f"Boat {n} is green and lies in the new harbour of Oslo.")
        if told(turn, "evicted"):
            break
    assert told(turn, "failed")[0]["stage"] == "summary"
    assert "Boat" in one.main.queue.summary


def test_what_a_run_can_cost_is_known_before_it(server):
    memory = MemGPT(policy=ModelPolicy(model(server)), calls=CALLS, replies=True)
    span = Span("d", 0, 2)
    read = [Chunk(f"d:{n}", "d", None, n, "Hi", span, None, "Ann") for n in range(3)]
    cost = memory.estimate(document_of("Hi."), read, 2, 1000)
    assert cost.calls == (3 + 2) * CALLS
    assert MemGPT().estimate(document_of("Hi."), read, 2, 1000).calls == 0


def test_tool_calls_and_the_json_form_do_the_same(server):
    def by_tools(body, number):
        if number == 1:
            given = {"key": "human", "value": "Ann", "request_heartbeat": True}
            return tool("core_memory_append", json.dumps(given), "She said her name.")
        return tool("send_message", '{"message": "Hello Ann."}')

    one = agent(server, by_tools, "tools")
    turn = one.send("I am Ann.")
    assert (turn.said, turn.calls) == (("Hello Ann.",), 2)
    assert one.storage.core.block("human").value == "Ann"
    assert server.requests[0]["tools"] == json.loads(json.dumps(tools()))
    assert "She said her name." in server.requests[1]["messages"][-2]["content"]


def test_a_call_and_what_came_of_it_are_shown_as_a_tool_s(server):
    def script(body, number):
        found = {"query": "tea", "request_heartbeat": True}
        if number == 1:
            return tool("recall_memory_search", json.dumps(found))
        return tool("send_message", '{"message": "Hello."}')

    one = agent(server, script, "tools")
    one.send("I am Ann.")
    one.send("And now?")
    _, *shown = server.requests[-1]["messages"]
    roles = [message["role"] for message in shown]
    assert roles == ["user", "assistant", "tool", "assistant", "tool", "user"]
    made = [message["tool_calls"][0] for message in shown if "tool_calls" in message]
    names = [call["function"]["name"] for call in made]
    assert names == ["recall_memory_search", "send_message"]
    came = [m["tool_call_id"] for m in shown if m["role"] == "tool"]
    assert came == [call["id"] for call in made]
    assert json.loads(shown[2]["content"])["status"] == "OK"
    assert server.requests[0]["tool_choice"] == "required"


@pytest.mark.parametrize("said", ["Hello! I am well.", "お元気ですか。"])
def test_plain_words_to_somebody_who_waits_are_the_reply(said, server):
    one = agent(server, lambda body, number: said, "tools")
    turn = one.send("How are you?")
    assert (turn.said, turn.outcome, turn.calls) == ((said,), "replied", 1)
    assert one.main.queue.entries[-1].text == said  # kept: it is shown from now on


def test_several_calls_of_one_reply_are_all_made_in_their_order(server):
    def both(body, number):
        said = json.loads(tool("archival_memory_insert", '{"content": "Tea."}')[2])
        (call,) = said["choices"][0]["message"]["tool_calls"]
        last = {"name": "send_message", "arguments": '{"message": "Noted."}'}
        calls = [call, {**call, "function": last}]
        said["choices"][0]["message"]["tool_calls"] = calls
        return json.dumps(said).encode()

    one = agent(server, both, "tools")
    turn = one.send("I like tea.")
    assert (turn.said, turn.calls) == (("Noted.",), 2)
    assert len(server.requests) == 1
    assert len(one.storage.archival) == 1


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (tool("page", "{"), "the arguments of page are no JSON"),
        (tool("fly", "{}"), "there is no function 'fly'"),
    ],
)
def test_bad_tool_calls_fail_as_bad_actions_do(said, reason, server):
    turn = agent(server, lambda body, number: said, "tools").send("Hello?")
    assert turn.outcome in ("failures", "repeated_call")
    assert reason in told(turn, "called")[0]["reason"]


def test_every_function_has_a_definition_and_a_form_that_a_server_can_be_held_to():
    names = [tool["function"]["name"] for tool in tools()]
    forms = Action.model_json_schema()["properties"]["call"]["anyOf"]
    assert names == [*FUNCTIONS]
    assert names == [form["properties"]["function"]["enum"][0] for form in forms]
    assert all(tool["function"]["description"] for tool in (*tools(), *tools("ja")))
    assert Counter(names)["send_message"] == 1


def test_a_model_is_shown_main_context_alone_and_roles_take_turns(server):
    replies = lambda body, number: act("send_message", message=f"Reply {number}.")  # noqa: E731
    one = agent(server, replies, human="Ann, a baker.")
    for said in ("I like tea.", "And bread."):
        one.send(said)
    messages = server.requests[-1]["messages"]
    roles = [message["role"] for message in messages]
    assert roles == ["system", "user", "assistant", "user"]
    assert "Ann, a baker." in messages[0]["content"]
    assert "Reply 1." in messages[2]["content"]
