from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from strategies import runs

from gswlab.core.codec import decode_step, encode_step
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Actor, Mention, Span, TraceEvent, Vote
from gswlab.core.step import Extend, Put, Set, Step


@given(runs())
def test_every_step_comes_back_equal_and_byte_for_byte_the_same(
    found: list[Step],
) -> None:
    for step in found:
        text = encode_step(step)
        assert decode_step(text) == step
        assert encode_step(decode_step(text)) == text


def test_values_come_back_as_the_nouns_they_were() -> None:
    mention = Mention(Span("本", 0, 2), "name", "本:1:0", "太郎")
    changes = (
        Extend("actor", "a1", "mentions", (mention,)),
        Set("actor", "a1", "votes", (Vote("date", "t1", 1, "one"),)),
    )
    back = decode_step(encode_step(Step(0, None, changes))).changes
    assert back == changes
    assert isinstance(back[0], Extend)
    assert isinstance(back[0].items[0], Mention)


def test_a_whole_number_in_a_float_field_is_written_as_a_float() -> None:
    vote = Vote("date", "t1", 1, "one")
    step = Step(0, None, (Put("actor", Actor("a1", "person", "A", votes=(vote,))),))
    assert '"weight":1.0' in encode_step(step)
    assert encode_step(decode_step(encode_step(step))) == encode_step(step)


def test_the_form_is_canonical() -> None:
    step = Step(3, None, (Put("actor", Actor("a1", "person", "山田")),))
    assert encode_step(step) == (
        '{"changes":[{"item":{"id":"a1","kind":"person","name":"山田"},'
        '"kind":"actor","op":"put"}],"chunk":null,"index":3}'
    )


PUT = json.loads(
    encode_step(Step(0, None, (Put("actor", Actor("a1", "person", "A")),)))
)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("index", "0", "$.index"),
        (
            "changes",
            [{"op": "put", "kind": "actor", "item": {"id": "a1"}}],
            ".item.kind",
        ),
        ("changes", [{"op": "melt"}], "$.changes.0"),
        ("changes", [{"op": "drop", "kind": "actor", "id": "v1"}], "'v1'"),
        ("changes", [{"op": "drop", "kind": "actor", "id": "ax"}], "'ax'"),
        (
            "changes",
            [{"op": "set", "kind": "actor", "id": "a1", "fields": {"nmae": "B"}}],
            "nmae",
        ),
        ("changes", [{"op": "set", "kind": "actor", "id": "a1", "fields": {}}], "0"),
        (
            "changes",
            [{"op": "extend", "kind": "actor", "id": "a1", "fields": {"name": "B"}}],
            "name of a1",
        ),
        ("surprise", 1, "surprise"),
    ],
)
def test_a_malformed_step_is_one_sentence_with_path_and_rule(
    path: str, value: object, said: str
) -> None:
    with pytest.raises(GswlabError) as error:
        decode_step(json.dumps({**PUT, path: value}))
    assert said in str(error.value)
    assert "rule: " in str(error.value)
    assert "\n" not in str(error.value)


def test_text_that_is_no_json_is_one_sentence() -> None:
    with pytest.raises(GswlabError, match="this is no step"):
        decode_step("{not json")


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), np.float64("nan"), "\ud800", {1, 2}]
)
def test_what_json_cannot_hold_is_refused_when_written(value: object) -> None:
    step = Step(0, None, events=(TraceEvent("x", {"v": value}),))  # type: ignore[dict-item]
    with pytest.raises(GswlabError, match="JSON"):
        encode_step(step)
