"""Reconcilers that ask a model: what they believe, what they refuse, what they keep."""

from __future__ import annotations

import json
from typing import Any

import pytest
from maps import Story, Telling
from standin import StandIn, model

from gswlab.reconcile.llm.ambiguous import RulesThenLLM
from gswlab.reconcile.llm.reconciler import LLMReconciler
from gswlab.reconcile.rules import RulesReconciler
from gswlab.workspace.codec import decode_step, encode_step
from gswlab.workspace.step import Alignment, Resolution, Step
from gswlab.workspace.workspace import Workspace

RULES = RulesReconciler()


def told() -> tuple[Telling, ...]:
    """Two chapters: the second speaks of a Hartley, who may be the first's."""
    story = Story()
    first = story.tell("Councillor Hartley met Mara Voss at the Guildhall.", 1)
    hartley = first.actor("Hartley", roles=("councillor",))
    voss = first.actor("Mara Voss")
    met = first.does("meet", hartley, voss)
    first.asks("When did somebody meet?", "time", met)
    second = story.tell("Hartley was tired. She came on 7 May 2024.", 2)
    second.actor("Hartley", states=("tired",))
    return first, second


def read(reconciler: Any, *tellings: Telling) -> tuple[Workspace, list[Step]]:
    workspace, steps = Workspace(), []
    for telling in tellings:
        step = reconciler.reconcile(workspace, telling.local(), telling.chunk)
        assert decode_step(encode_step(step)) == step
        workspace = workspace.apply(step)
        steps.append(step)
    return workspace, steps


def aligned(step: Step) -> list[Alignment]:
    return [d for d in step.decisions if isinstance(d, Alignment)]


def says(**reply: Any) -> Any:
    return lambda body, number: json.dumps(reply)


def verdict(status: str, actor: str | None = None, new: str = "new:a1", **more: Any):
    said = {"new_actor_id": new, "workspace_actor_id": actor, "status": status}
    return {**said, "candidates": [], "comment": "the councillor again", **more}


def both(server: StandIn, **settings: Any) -> RulesThenLLM:
    return RulesThenLLM(model=model(server, max_tokens=900), **settings)


def test_a_model_is_asked_only_of_whom_the_rules_call_ambiguous(server):
    server.script = says(entity_alignment=[verdict("merged", "a1")])
    workspace, (_, step) = read(both(server), *told())
    assert len(server.requests) == 1
    shown = server.requests[0]["messages"][1]["content"]
    assert '"id": "new:a1"' in shown
    assert '"id": "a1"' in shown
    assert "councillor" in shown
    (found,) = aligned(step)
    assert (found.status, found.actor) == ("merged", "a1")
    assert "stand-in (same_actor): the councillor again" in found.reason
    assert "By rules ambiguous" in found.reason
    assert [s.text for s in workspace.get("a1").states] == ["tired"]
    assert [e.kind for e in step.events] == ["asked"]


@pytest.mark.parametrize("status", ["new", "ambiguous"])
def test_a_verdict_may_be_new_or_leave_it_open(server, status):
    candidates = ["a1"] if status == "ambiguous" else []
    said = verdict(status, candidates=candidates)
    server.script = says(entity_alignment=[said])
    workspace, (_, step) = read(both(server), *told())
    assert aligned(step)[0].status == status
    ties = [r for r in workspace.relations if r.kind == "possibly_same_actor"]
    assert len(ties) == len(candidates)


def test_without_an_ambiguous_actor_nothing_is_asked_and_the_bytes_are_the_rules(
    server,
):
    first, _ = told()
    for questions in ("rules", "llm"):
        _, mine = read(both(server, questions=questions), first)
        _, rules = read(RULES, first)
        assert [*map(encode_step, mine)] == [*map(encode_step, rules)]
    assert server.requests == []


@pytest.mark.parametrize(
    "said",
    [
        verdict("merged", "a99"),
        verdict("merged", None),
        verdict("new", "a1"),
        verdict("merged", "a1", new="new:a7"),
    ],
)
def test_an_id_that_does_not_exist_is_refused_with_its_path(server, said):
    server.script = says(entity_alignment=[said])
    _, (_, step) = read(both(server), *told())
    _, (_, rules) = read(RULES, *told())
    assert (step.changes, step.decisions) == (rules.changes, rules.decisions)
    (refused,) = (e for e in step.events if e.kind == "refused")
    assert str(refused.data["errors"][0]).startswith("entity_alignment.0.")


def test_a_failed_ask_leaves_the_verdict_of_the_rules_and_an_event(server):
    server.script = lambda body, number: (500, {"retry-after-ms": "1"}, "it broke")
    reconciler = RulesThenLLM(model=model(server, retries=0))
    _, (_, step) = read(reconciler, *told())
    _, (_, rules) = read(RULES, *told())
    assert (step.changes, step.decisions) == (rules.changes, rules.decisions)
    assert [e.kind for e in step.events] == ["asked", "failed"]
    assert "it broke" in str(step.events[1].data["reason"])


def arrest() -> tuple[Telling, ...]:
    """One chapter: an arrest that leaves open where and when, told of again."""
    story = Story()
    first = story.tell("Mara Voss arrested Tomas Reed, a baker.")
    voss, reed = first.actor("Mara Voss"), first.actor("Tomas Reed")
    done = first.does("arrest", voss, reed)
    for slot in ("place", "time"):
        first.asks(f"{slot} of an arrest?", slot, done)
    second = story.tell("Mara Voss had found him in Leeds. Ann Ray cried.")
    second.actor("Mara Voss")
    second.actor("Ann Ray")
    return first, second


def answer(text: str, entity: str | None = None, question: str = "q1") -> Any:
    said = {"question_id": question, "answer_text": text}
    return {**said, "answer_entity_id": entity}


def test_a_chunk_answers_what_earlier_ones_left_open_of_actors_it_matches(server):
    server.script = says(answers=[answer("in Leeds"), answer("?", "a3", "q2")])
    workspace, (_, step) = read(both(server, questions="llm"), *arrest())
    shown = server.requests[0]["messages"][1]["content"]
    assert "place of an arrest?" in shown
    assert '"id": "a1"' in shown  # merged, by the id it lives on under
    assert "new:" not in shown
    where, when = workspace.get("q1"), workspace.get("q2")
    assert (where.status, where.answers[0].text) == ("answered", "in Leeds")
    assert [s.end - s.start for s in where.answers[0].spans] == [8]
    assert (when.answers[0].actor, when.answers[0].text) == ("a3", "Ann Ray")
    found = [d for d in step.decisions if isinstance(d, Resolution)]
    assert [d.question for d in found] == ["q1", "q2"]
    assert "stand-in (question_resolution)" in found[0].reason
    assert [e.kind for e in step.events] == ["asked"]


@pytest.mark.parametrize(
    "said",
    [answer("in York"), answer("Leeds", None, "q9"), answer("Leeds", "a1", "a1")],
)
def test_an_answer_that_the_chunk_does_not_say_is_refused_with_its_path(server, said):
    server.script = says(answers=[said])
    workspace, (_, step) = read(both(server, questions="llm"), *arrest())
    assert {q.status for q in workspace.questions} == {"open"}
    (refused,) = (e for e in step.events if e.kind == "refused")
    assert str(refused.data["errors"][0]).startswith("answers.0")


def reply(**keys: Any) -> dict[str, Any]:
    empty = ("actors", "events", "states", "spacetime", "relations", "notes")
    updates = {name: keys.pop(name, []) for name in empty}
    lists = ("entity_alignment", "resolved_queries", "unresolved_queries")
    rest = {name: keys.pop(name, []) for name in lists}
    assert not keys
    return {"updated_workspace": updates, **rest}


def whole(server: StandIn, second: dict[str, Any], *tellings: Telling) -> Any:
    """The workspace and the last step; the first chunk's reply is empty."""
    replies = [reply(), second]

    def script(body: dict[str, Any], number: int) -> str:
        return json.dumps(replies[number - 1])

    server.script = script
    reconciler = LLMReconciler(model=model(server, max_tokens=3000))
    workspace, steps = read(reconciler, *(tellings or arrest()))
    return workspace, steps[-1]


def test_the_reply_becomes_the_step_the_rules_would_write(server):
    said = reply(
        entity_alignment=[verdict("merged", "a1"), verdict("new", new="new:a2")],
        actors=[{"id": "new:a2", "role": "cried"}],
        spacetime=[
            {
                "type": "place",
                "value": "Leeds",
                "within": None,
                "actors": ["a1", "a2"],
                "quote": "found him in Leeds",
            }
        ],
        events=[{"id": "v1", "time": None, "place": "Leeds", "quote": "in Leeds"}],
    )
    workspace, step = whole(server, said)
    assert [(d.status, d.actor) for d in aligned(step)] == [
        ("merged", "a1"),
        ("new", "a3"),
    ]
    (place,) = workspace.places
    assert (place.name, place.actors) == ("Leeds", ("a1", "a2"))
    assert workspace.get("v1").place == place.id
    assert [r.text for r in workspace.get("a3").roles] == ["cried"]
    assert [e.kind for e in step.events] == ["asked"]
