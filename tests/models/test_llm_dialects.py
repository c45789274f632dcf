"""What servers refuse, in their own words: said otherwise once, and remembered."""

from __future__ import annotations

import json
from typing import Any

import pytest
from standin import StandIn, completion, model
from test_llm_client import GOOD, People, ask, people

from gswlab.memgpt.functions import tools
from gswlab.models.ask import Ask, ModelError
from gswlab.models.prompt import prompt

# Each as it was recorded: the body of a refusal, or None where the request is taken.


def reasoning(body: dict[str, Any]) -> str | None:
    if "max_tokens" in body:
        return (
            "Unsupported parameter: 'max_tokens' is not supported with this model. "
            "Use 'max_completion_tokens' instead."
        )
    if body.get("temperature", 1) != 1:
        return (
            "Unsupported value: 'temperature' does not support 0.0 with this model. "
            "Only the default (1) value is supported."
        )
    return None


def strict(body: dict[str, Any]) -> str | None:
    if '"maxLength"' in json.dumps(body.get("response_format")):
        return (
            "Invalid schema for response_format 'People': In context=('properties', "
            "'names', 'items'), 'maxLength' is not permitted."
        )
    return None


def seedless(body: dict[str, Any]) -> str | None:
    return "seed: Extra inputs are not permitted" if "seed" in body else None


def llama_cpp(body: dict[str, Any]) -> str | None:
    kind = body.get("response_format", {}).get("type")
    return "Failed to parse grammar" if kind == "json_schema" else None


def vllm(body: dict[str, Any]) -> str | None:
    if "tool_choice" in body:
        return (
            '"auto" tool choice requires --enable-auto-tool-choice and '
            "--tool-call-parser to be set"
        )
    if '"maxItems"' in json.dumps(body.get("response_format")):
        return "The provided JSON schema contains features not supported by xgrammar."
    return None


def speechless(body: dict[str, Any]) -> str | None:
    return "Bad Request" if "temperature" in body else None


DIALECTS = [reasoning, strict, seedless, llama_cpp, vllm, speechless]


def speaks(server: StandIn, dialect: Any, said: Any = GOOD) -> None:
    def script(body: dict[str, Any], number: int) -> Any:
        refusal = dialect(body)
        return (400, {"x-should-retry": "false"}, refusal) if refusal else said

    server.script = script


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda d: d.__name__)
def test_a_refusal_is_said_otherwise_once_and_remembered(server, dialect):
    speaks(server, dialect)
    asked = model(server)
    assert asked.ask(people()).value == People(names=["Ann"], count=1)
    tried = len(server.requests)
    assert asked.ask(people("Who else?")).value.count == 1
    assert len(server.requests) == tried + 1


def test_a_server_that_says_nothing_keeps_the_schema_where_that_is_not_it(server):
    speaks(server, speechless)
    model(server).ask(people())
    last = server.requests[-1]
    assert "temperature" not in last
    assert last["response_format"]["json_schema"]["schema"]["properties"]["names"]
    assert (last["max_tokens"], last["seed"]) == (50, 0)


def test_bounds_that_a_strict_schema_refuses_are_told_in_words_and_checked_here(server):
    long = json.dumps({"names": ["A" * 30], "count": 1})
    speaks(server, strict, long)
    with pytest.raises(ModelError) as caught:
        model(server).ask(people())
    assert "names.0: String should have at most 20 characters" in caught.value.errors
    sent = json.dumps(server.requests[-1]["response_format"])
    assert "maxLength" not in sent
    assert "at most 20 characters" in sent


@pytest.mark.parametrize("name", ["reasoning", "reasoning_content"])
def test_what_a_model_thinks_first_takes_nothing_of_its_reply(server, name):
    def script(body: dict[str, Any], number: int) -> Any:
        most = body["max_tokens"]
        said = completion(GOOD if most > 50 else "", most)
        choice = said["choices"][0]
        choice["message"][name] = "Hm. Let me see."
        choice["finish_reason"] = "stop" if most > 50 else "length"
        return json.dumps(said).encode()

    server.script = script
    asked = model(server, max_tokens=4000)
    short = people()
    for words in ("Who?", "Who else?"):
        short = ask(words, schema=People, max_tokens=50)
        assert asked.ask(short).value.names == ["Ann"]
    assert [body["max_tokens"] for body in server.requests] == [50, 4000, 4000]


def test_thoughts_aloud_before_a_reply_are_no_part_of_it(server):
    server.script = lambda body, number: f"<think>{{maybe}}</think>\n{GOOD}"
    reply = model(server).ask(people())
    assert reply.text == GOOD


def test_a_conversation_that_is_too_long_is_no_matter_of_words(server):
    said = (
        "This model's maximum context length is 8192 tokens, however you requested "
        "9000 tokens (5000 in your prompt; 4000 in max_tokens)."
    )
    speaks(server, lambda body: said)
    with pytest.raises(ModelError, match="maximum context length"):
        model(server).ask(people())
    assert len(server.requests) == 1


def test_a_server_that_refuses_whatever_is_said_is_not_tried_over_and_over(server):
    speaks(server, lambda body: "no")
    asked = model(server)
    tried = []
    for words in "ab":
        with pytest.raises(ModelError, match="refuses the request"):
            asked.ask(people(words))
        tried.append(len(server.requests))
    assert tried[1] - tried[0] == 1
    assert asked.open == 2


def test_a_call_is_wanted_where_somebody_waits_for_one(server):
    asked = model(server)
    asked.ask(ask(tools=tools(), calls=True))
    asked.ask(ask("Else?", tools=tools()))
    wanted = [body.get("tool_choice") for body in server.requests]
    assert wanted == ["required", None]
    speaks(server, vllm)
    model(server).ask(ask("And?", tools=tools(), calls=True))
    assert "tool_choice" not in server.requests[-1]


def test_the_words_of_a_schema_stand_before_what_changes_from_ask_to_ask(server):
    speaks(server, llama_cpp)
    asked, told = model(server), {"role": "system", "content": "Say who."}
    for words in ("Who sat?", "Who ate?"):
        turn = {"role": "user", "content": words}
        asked.ask(Ask((told, turn), "reader", schema=People))
    one, other = (body["messages"] for body in server.requests[-2:])
    assert one[0] == other[0]
    assert "JSON schema" in one[0]["content"]
    assert [turn["content"] for turn in one[1:]] == ["Who sat?"]


def test_a_prompt_gives_first_what_stays_for_the_next_ask():
    for language in ("en", "ja"):
        assert prompt("context", language).slots == ("chapter", "passage")
        assert prompt("answer", language).slots == ("evidence", "question")
