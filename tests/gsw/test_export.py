from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator, ValidationError
from strategies import fold, runs, steps

from gswlab.core.nouns import (
    Actor,
    ActorKind,
    Granularity,
    Question,
    QuestionStatus,
    Relation,
    Slot,
    State,
    Time,
    VerbPhrase,
)
from gswlab.core.step import Alignment, Conflict, Resolution, Step
from gswlab.core.workspace import Draft, Workspace
from gswlab.gsw.export import export_step, step_schema

VALIDATOR = Draft202012Validator(step_schema())
ID_KEYS = {"id", "actor_id", "time_id", "place_id", "event_id", "query_id", "subject"}
ID_KEYS |= {"workspace_actor_id", "since", "within", "source", "target"}


def used(value: Any, key: str = "") -> Iterator[str]:
    """Every id an exported value names, wherever it stands."""
    if isinstance(value, dict):
        for name, item in value.items():
            if name == "source" and item in ("stated", "effect"):
                continue
            if name == "support" or name == "actors":
                for part in item.values() if name == "support" else [item]:
                    yield from (each for each in part if isinstance(each, str))
            yield from used(item, name)
    elif isinstance(value, list):
        for item in value:
            yield from used(item, key)
    elif value is not None and key in ID_KEYS:
        yield value


def listed(found: dict[str, Any]) -> set[str]:
    workspace = found["updated_workspace"]
    parts = ("actors", "events", "spacetime", "relations")
    return {each["id"] for part in parts for each in workspace[part]}


@given(runs(), st.data())
def test_every_export_fits_the_schema_and_every_id_used_exists(
    found: list[Step], data: st.DataObject
) -> None:
    before = fold(found)
    step = data.draw(steps(before, data.draw(st.sampled_from(["book:1:99", None]))))
    export = export_step(step, before.apply(step))
    VALIDATOR.validate(export)
    assert json.loads(json.dumps(export)) == export
    assert set(used(export)) <= listed(export)
    actors = export["updated_workspace"]["actors"]
    local = {each for actor in actors for each in actor["local_ids"]}
    assert {each["new_actor_id"] for each in export["entity_alignment"]} <= local
    questions = {q.id for q in before.apply(step).questions}
    for each in (*export["resolved_queries"], *export["unresolved_queries"]):
        assert each["query_id"] in questions


def arrest() -> tuple[Step, Workspace]:
    draft = Draft(Workspace())
    draft.put("actor", Actor("a1", "person", "Ann Ray"))
    draft.put("actor", Actor("a2", "person", "Bob"))
    draft.put("actor", Actor("a3", "person", "the officer"))
    draft.put("verb_phrase", VerbPhrase("v1", "arrest"))
    draft.put("time", Time("t1", "2024-05-07", "day", actors=("a1", "a3", "a2")))
    draft.put("question", Question("q1", "Who was arrested?", "patient", "v1"))
    draft.put("question", Question("q2", "Charged when?", "time", "v1"))
    draft.put("relation", Relation("r1", "a3", "a2", "possibly_same_actor"))
    draft.put("relation", Relation("r2", "a2", "a9", "brother of"))
    draft.drop("a3", "a1")
    decisions = (
        Alignment("a1", "she", "merged", "a3", "same role"),
        Alignment("a2", "Bob", "new", "a2", "no actor shares the name"),
        Resolution("q1", "partly", "Bob", ("a2", "v1", "t1", "a9", "q1")),
        Resolution("q2", "insufficient", reason="no date is given"),
        Conflict("conflicting_time", "t1", "2024-05-07", "2024-05-08", "two votes"),
    )
    step = Step(4, "book:1:4", tuple(draft.changes), decisions)
    return step, draft.workspace


def test_the_keys_are_the_reconcilers() -> None:
    export = export_step(*arrest())
    VALIDATOR.validate(export)
    assert set(export["updated_workspace"]) == {
        "actors",
        "events",
        "states",
        "spacetime",
        "relations",
        "notes",
    }
    assert export["entity_alignment"] == [
        {
            "new_actor_id": "book:1:4::a1",
            "workspace_actor_id": "a1",
            "status": "merged",
            "comment": "same role",
        },
        {
            "new_actor_id": "book:1:4::a2",
            "workspace_actor_id": None,
            "status": "new",
            "comment": "no actor shares the name",
        },
    ]
    assert export["resolved_queries"] == [
        {
            "query_id": "q1",
            "status": "partially_answered",
            "answer": "Bob",
            "support": {"actors": ["a2"], "events": ["v1"], "spacetime": ["t1"]},
        }
    ]
    assert export["unresolved_queries"] == [
        {
            "query_id": "q2",
            "status": "insufficient_information",
            "reason": "no date is given",
        }
    ]


def test_merged_ids_are_followed_and_lost_ones_left_out() -> None:
    workspace = export_step(*arrest())["updated_workspace"]
    assert [(r["source"], r["target"]) for r in workspace["relations"]] == [
        ("a1", "a2")
    ]
    assert workspace["spacetime"][0]["actors"] == ["a1", "a2"]
    assert workspace["actors"][0]["local_ids"] == ["book:1:4::a1"]


def test_a_conflict_is_a_note_under_its_published_name() -> None:
    (note,) = export_step(*arrest())["updated_workspace"]["notes"]
    assert note["type"] == "conflicting_time_hypothesis"
    assert note["subject"] == "t1"
    assert "2024-05-08" in note["text"]


def test_the_schema_is_valid_and_refuses_what_it_does_not_know() -> None:
    Draft202012Validator.check_schema(step_schema())
    export = export_step(*arrest())
    export["entity_alignment"][0]["status"] = "melted"
    with pytest.raises(ValidationError):
        VALIDATOR.validate(export)


@pytest.mark.parametrize(
    ("words", "part", "key"),
    [
        (ActorKind, "actor", "kind"),
        (QuestionStatus, "query", "status"),
        (get_type_hints(VerbPhrase)["modality"], "verb_phrase", "modality"),
        (get_type_hints(State)["source"], "state", "source"),
    ],
)
def test_the_schema_knows_every_word_the_nouns_know(
    words: Any, part: str, key: str
) -> None:
    published = step_schema()["$defs"][part]["properties"][key]["enum"]
    assert set(get_args(words)) == set(published)


def test_the_schema_knows_every_slot_and_granularity() -> None:
    parts = step_schema()["$defs"]
    argument = parts["verb_phrase"]["properties"]["arguments"]["items"]
    assert set(argument["properties"]["slot"]["enum"]) == set(get_args(Slot))
    published = parts["anchor"]["properties"]["granularity"]["enum"]
    assert set(published) == {*get_args(Granularity), None}
