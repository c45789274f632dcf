"""The loop as a whole: what holds for every input, and what a resumed run relies on."""

from __future__ import annotations

import dataclasses
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from maps import Story, Telling

from gswlab.core.nouns import Bound, Episode, Vote
from gswlab.core.protocols import Reconciler
from gswlab.core.step import Alignment, Put, Resolution, Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.reconciler.rules import RulesReconciler

RULES = RulesReconciler()
NAMES = (
    "Ann Ray",
    "Ann",
    "Ray",
    "José",
    "Jose",
    "山田太郎",
    "山田",
    "Guildhall",
    "door",
)
FORMS = ("name", "name", "nominal", "pronoun", "narrator")
DAYS = (None, "2024", "2024-05", "2024-05-07", "2024-05-08")


@st.composite
def tellings(draw: st.DrawFn, story: Story) -> Telling:
    telling = story.tell(
        "。".join((*NAMES, *filter(None, DAYS))), draw(st.sampled_from((1, 2)))
    )
    pick = lambda *items: draw(st.sampled_from(items))  # noqa: E731
    actors = [
        telling.actor(
            pick(*NAMES),
            pick(*FORMS),
            kind=pick("person", "place", "abstract", "object"),
            gender=pick(None, "f", "m", "they"),
            states=(pick("dead", "alive", "free", "tired"),),
            roles=(pick("a baker", "a surgeon", "a guest"),),
        )
        for _ in range(draw(st.integers(1, 5)))
    ]
    for day in draw(st.lists(st.sampled_from(DAYS), max_size=2)):
        group = tuple(draw(st.lists(st.sampled_from(actors), max_size=3)))
        if day is None:
            telling.link("space", group, pick(None, "Guildhall"))
            continue
        date = telling.actor(day, "date", value=day)
        telling.link(
            "time", (*group, date), day, anchor=date, iso=day, granularity="day"
        )
        actors.append(date)
    for _ in range(draw(st.integers(0, 4))):
        phrase = telling.does(
            pick("arrest", "say", "open"),
            pick(None, *actors),
            pick(None, *actors),
            pick(None, (None, "arrested")),
            time=pick(None, *actors),
            negated=pick(False, False, True),
        )
        telling.asks("What?", pick("agent", "patient", "time", "place"), phrase)
    telling.relate(pick(*actors), pick("alias", "inside", "knows"), pick(*actors))
    telling.apart(pick(*actors), pick(*actors))
    return telling


@st.composite
def stories(draw: st.DrawFn) -> list[Telling]:
    story = Story()
    return [draw(tellings(story)) for _ in range(draw(st.integers(1, 5)))]


ANY = settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)


def references(noun: Any) -> list[str]:
    """Every id that a noun of a workspace refers to."""
    one = ("verb_phrase", "time", "place", "refines", "inside", "actor")
    found = [getattr(noun, field, None) for field in one]
    found += [*getattr(noun, "actors", ())]
    found += [getattr(noun, "source", None), getattr(noun, "target", None)]
    for part in ("arguments", "effects", "answers"):
        found += [item.actor for item in getattr(noun, part, ())]
    found += [state.since for state in getattr(noun, "states", ())]
    return [item for item in found if item]


def resolves(workspace: Workspace, step: Step, after: Workspace) -> None:
    """Every id that a step leaves, or decided about, is a noun's."""
    for noun in after.nouns.values():
        for reference in references(noun):
            assert after.resolve(reference) in after
    for decision in step.decisions:
        if isinstance(decision, Alignment):
            assert after.resolve(decision.actor) in after
            for candidate in decision.candidates:
                total = sum(weight for _, weight in candidate.features)
                assert candidate.score == pytest.approx(total, abs=1e-3)


def keeps(workspace: Workspace, step: Step, after: Workspace) -> None:
    """An id never changes its meaning, and no value is lost."""
    for noun_id, old in workspace.nouns.items():
        new = after.get(noun_id)
        assert new.id[0] == noun_id[0]
        for grown in ("mentions", "states", "readings", "spans", "answers_to"):
            assert set(getattr(old, grown, ())) <= set(getattr(new, grown, ()))
        for filled in ("value", "name", "time", "place"):
            if getattr(old, filled, None) is not None:
                assert getattr(new, filled) is not None


def decides(workspace: Workspace, step: Step, after: Workspace) -> None:
    """Whoever has grown was merged by a decision."""
    decided = [d for d in step.decisions if isinstance(d, Alignment)]
    merged = [d for d in decided if d.status == "merged"]
    for actor in workspace.actors:
        grown = len(after.get(actor.id).mentions) > len(actor.mentions)
        gained = any(after.resolve(d.actor) == after.resolve(actor.id) for d in merged)
        assert gained or not grown


@given(stories(), st.sampled_from(("chapter", "global")))
@ANY
def test_a_step_is_what_its_changes_do_resolves_keeps_every_value_and_shows_its_merges(
    told: list[Telling], scope: Any
) -> None:
    rules, workspace = RulesReconciler(scope=scope), Workspace()
    for telling in told:
        local = telling.local()
        step = rules.reconcile(workspace, local, telling.chunk)
        assert step == rules.reconcile(workspace, telling.local(), telling.chunk)
        decided = {d.new for d in step.decisions if isinstance(d, Alignment)}
        assert decided >= {actor.id for actor in local.actors}
        after = workspace.apply(step)
        for holds in (resolves, keeps, decides):
            holds(workspace, step, after)
        workspace = after


@given(stories())
@settings(ANY, max_examples=6)
def test_finish_is_idempotent(told: list[Telling]) -> None:
    workspace = Workspace()
    for telling in told:
        workspace = telling.into(RULES, workspace)
    workspace = workspace.apply(RULES.finish(workspace))
    again = RULES.finish(workspace)
    assert (again.changes, again.decisions) == ((), ())


def test_rules_are_a_reconciler_and_plain_settings() -> None:
    assert isinstance(RULES, Reconciler)
    assert dataclasses.replace(RULES, threshold=0.9) != RULES


def test_a_higher_threshold_flips_a_merge() -> None:
    for rules, actors in ((RULES, 1), (RulesReconciler(threshold=0.9), 2)):
        story, workspace = Story(), Workspace()
        for name in ("Ann Ray", "Ann"):
            telling = story.tell(f"{name} came.")
            telling.actor(name)
            workspace = telling.into(rules, workspace)
        assert len(workspace.actors) == actors


def told_at_guildhall(story: Story, place: str, iso: str, chapter: int) -> Telling:
    telling = story.tell(f"On {iso} Ann Ray was at {place}.", chapter)
    person = Vote("kind", "person", 2, "speaks")
    where = Vote("kind", "place", 2, "after 'at'")
    ann = telling.actor("Ann Ray", votes=(person,))
    hall = telling.actor(place, kind="place", votes=(where,))
    day = telling.actor(iso, "date", value=iso)
    span = (telling.chunk.span,)
    telling.parts["votes"] = [
        Vote("date", day, 1, "a date", span),
        Vote("place", hall, 1, "after 'at'", span),
        Vote("protagonist", ann, 1, "acts", span),
        Vote("participant", ann, 1, "is named", span),
    ]
    return telling


def test_a_standing_question_changes_its_answer_as_the_text_goes_on() -> None:
    story, workspace = Story(), Workspace()
    step = RULES.register(workspace, "Where was Ann Ray last seen?")
    workspace = workspace.apply(step)
    told = [(step.decisions[0].status, step.decisions[0].answer)]  # type: ignore[union-attr]
    places = [("Guildhall", "2024-05-07"), ("Corn Market", "2024-06-01")]
    for chapter, (place, iso) in enumerate(places, 1):
        telling = told_at_guildhall(story, place, iso, chapter)
        step = RULES.reconcile(workspace, telling.local(), telling.chunk)
        workspace = workspace.apply(step)
        told += [(d.status, d.answer) for d in step.decisions if d.type == "resolution"]
    assert told == [
        ("open", ""),
        ("answered", "Guildhall"),
        ("answered", "Corn Market"),
    ]
    (question,) = (q for q in workspace.questions if q.standing)
    assert (question.answers[0].text, question.slot) == ("Corn Market", "places")
    assert question.answers[0].spans
    assert "e2" in question.reason


def test_a_standing_question_says_what_is_missing() -> None:
    workspace = Workspace().apply(
        RULES.register(Workspace(), "When was Ann Ray at Guildhall?")
    )
    telling = told_at_guildhall(Story(), "Guildhall", "2024-05-07", 1)
    telling.parts["votes"] = [v for v in telling.parts["votes"] if v.field != "date"]
    workspace = telling.into(RULES, workspace)
    (question,) = workspace.questions
    assert question.status == "insufficient"
    assert "no times are known" in question.reason


def episode(number: int, date: Bound | None, place: Bound, rivals: Any = ()) -> Episode:
    return Episode(
        f"e{number}",
        "story",
        number,
        date=date,
        place=place,
        protagonist=Bound("Ann Ray"),
        hypotheses={"place": rivals} if rivals else {},
    )


@pytest.mark.parametrize(
    ("second", "status"),
    [
        (episode(2, Bound("2024-06-01"), Bound("Corn Market")), "answered"),
        (episode(2, None, Bound("Corn Market")), "partly"),
    ],
)
def test_a_standing_answer_is_partly_one_while_an_episode_lacks_it(
    second: Episode, status: str
) -> None:
    first = episode(1, Bound("2024-05-07"), Bound("Guildhall"))
    workspace = Workspace().apply(Step(0, None, (Put("episode", first),)))
    workspace = workspace.apply(Step(1, None, (Put("episode", second),)))
    (told,) = RULES.register(workspace, "List all the dates of Ann Ray.").decisions
    assert isinstance(told, Resolution)
    assert (told.status, told.support) == (status, ("e1", "e2"))


def test_a_standing_answer_with_an_equal_rival_is_contradictory() -> None:
    hall, rival = Bound("Guildhall", score=2.0), Bound("Corn Market", score=2.0)
    put = Put("episode", episode(1, Bound("2024-05-07"), hall, (rival,)))
    workspace = Workspace().apply(Step(0, None, (put,)))
    (told,) = RULES.register(workspace, "Where was Ann Ray last seen?").decisions
    assert isinstance(told, Resolution)
    assert told.status == "contradictory"
    assert "Corn Market" in told.reason


def test_a_standing_question_is_registered_by_an_ordinary_step() -> None:
    step = RULES.register(Workspace(), "Who was at Guildhall?")
    assert step.chunk is None
    with pytest.raises(Exception, match="the question is empty"):
        RULES.register(Workspace(), "  ")


@pytest.mark.parametrize("chapters", [True, False])
def test_what_a_chunk_costs_does_not_grow_with_the_book(chapters: bool) -> None:
    story, workspace, costs = Story(), Workspace(), []
    rules = RulesReconciler(scope="global", window=20)
    for index in range(600):
        name = f"Ann Ray{index // 4}"
        chapter = index // 4 if chapters else None
        telling = story.tell(f"{name} opened the door.", chapter)
        ann = telling.actor(name)
        door = telling.actor("the door", "nominal", kind="object")
        telling.asks("When?", "time", telling.does("open", ann, door))
        calls: list[str] = []
        sys.setprofile(lambda frame, event, _, calls=calls: calls.append(event))
        step = rules.reconcile(workspace, telling.local(), telling.chunk)
        sys.setprofile(None)
        costs.append(calls.count("call"))
        workspace = workspace.apply(step)
    early, late = sorted(costs[100:200])[50], sorted(costs[-100:])[50]
    assert late < 1.5 * early, "functions called for a chunk"
