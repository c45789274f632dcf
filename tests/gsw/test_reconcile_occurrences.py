"""What happened once, however often it is told; and the states that follow."""

from __future__ import annotations

from dataclasses import replace

import pytest
from maps import Story

from gswlab.core.nouns import State
from gswlab.core.step import Conflict, Resolution, Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.reconciler.occurrences import opposed
from gswlab.gsw.reconciler.rules import RulesReconciler

RULES = RulesReconciler()


def conflicts(step: Step) -> list[tuple[str, str]]:
    return [(d.kept, d.other) for d in step.decisions if isinstance(d, Conflict)]


def test_another_mention_of_an_occurrence_enriches_it_and_keeps_its_id() -> None:
    story, workspace = Story(), Workspace()
    first = story.tell("Ann Ray was arrested.")
    first.does("arrest", None, first.actor("Ann Ray"), ("free", "arrested"))
    workspace = first.into(RULES, workspace)
    second = story.tell("Bob Lee arrested Ann Ray at Guildhall.")
    bob, ann = second.actor("Bob Lee"), second.actor("Ann Ray")
    hall = second.actor("Guildhall", kind="place")
    second.does("arrest", bob, ann, ("free", "arrested"), place=hall)
    workspace = second.into(RULES, workspace)
    (arrest,) = workspace.verb_phrases
    assert arrest.id == "v1"
    assert [a.slot for a in arrest.arguments] == ["patient", "agent", "place"]
    assert workspace.get(arrest.place).name == "Guildhall"
    assert len(arrest.description) == len(arrest.spans) == 2


@pytest.mark.parametrize("predicate", ["say", "look", "walk", "言う"])
def test_what_people_do_at_every_turn_is_another_occurrence(predicate: str) -> None:
    story, workspace = Story(), Workspace()
    for _ in range(2):
        telling = story.tell("Ann Ray did it to Bob Lee.")
        telling.does(predicate, telling.actor("Ann Ray"), telling.actor("Bob Lee"))
        workspace = telling.into(RULES, workspace)
    assert len(workspace.verb_phrases) == 2


def test_other_arguments_are_another_occurrence() -> None:
    story, workspace = Story(), Workspace()
    for name in ("Bob Lee", "Eve Fox"):
        telling = story.tell(f"Ann Ray arrested {name}.")
        telling.does("arrest", telling.actor("Ann Ray"), telling.actor(name))
        workspace = telling.into(RULES, workspace)
    assert len(workspace.verb_phrases) == 2


def test_a_denial_is_not_merged_into_what_it_denies() -> None:
    story, workspace = Story(), Workspace()
    for negated in (False, True):
        telling = story.tell("Bob Lee arrested Ann Ray.")
        bob, ann = telling.actor("Bob Lee"), telling.actor("Ann Ray")
        telling.does("arrest", bob, ann, negated=negated)
        workspace = telling.into(RULES, workspace)
    assert [v.negated for v in workspace.verb_phrases] == [False, True]


def test_another_place_of_what_happened_once_becomes_a_note() -> None:
    story, workspace = Story(), Workspace()
    for name in ("Guildhall", "Corn Market"):
        telling = story.tell(f"Ann Ray was arrested at {name}.")
        ann, place = telling.actor("Ann Ray"), telling.actor(name, kind="place")
        telling.does("arrest", None, ann, ("free", "arrested"), place=place)
        workspace = telling.into(RULES, workspace)
    (arrest,) = workspace.verb_phrases
    assert workspace.get(arrest.place).name == "Guildhall"
    assert [note.text for note in arrest.notes] == ["also said to be at Corn Market"]


def test_another_place_of_what_may_recur_is_another_occurrence() -> None:
    story, workspace = Story(), Workspace()
    for name in ("Guildhall", "Corn Market"):
        telling = story.tell(f"Ann Ray repaired Clock at {name}.")
        ann, place = telling.actor("Ann Ray"), telling.actor(name, kind="place")
        telling.does("repair", ann, telling.actor("Clock", kind="object"), place=place)
        workspace = telling.into(RULES, workspace)
    assert len(workspace.verb_phrases) == 2


def test_a_reference_to_nothing_is_left_out_and_its_words_stay() -> None:
    telling = Story().tell("Ann Ray fled.")
    telling.does("flee", telling.actor("Ann Ray"), "a99")
    (phrase,) = telling.into(RULES, Workspace()).verb_phrases
    assert [(a.text, a.actor) for a in phrase.arguments] == [
        ("a1", "a1"),
        ("a99", None),
    ]


def test_states_are_appended_with_the_time_they_hold_from() -> None:
    story, workspace = Story(), Workspace()
    for state, iso in (("free", "2024-05-07"), ("arrested", "2024-05-08")):
        telling = story.tell(f"On {iso} Ann Ray was {state}.")
        ann = telling.actor("Ann Ray", states=(state,))
        date = telling.actor(iso, "date", value=iso)
        telling.link("time", (ann, date), iso, anchor=date, iso=iso, granularity="day")
        step = RULES.reconcile(workspace, telling.local(), telling.chunk)
        workspace = workspace.apply(step)
        assert not conflicts(step)  # two days: a change
    (states,) = (a.states for a in workspace.actors if a.name == "Ann Ray")
    assert [(s.text, s.since) for s in states] == [("free", "t1"), ("arrested", "t2")]


def test_two_states_that_cannot_both_hold_are_both_kept_and_said() -> None:
    telling = Story().tell("Ann Ray was free and arrested.")
    telling.actor("Ann Ray", states=("free", "arrested"))
    step = RULES.reconcile(Workspace(), telling.local(), telling.chunk)
    (ann,) = Workspace().apply(step).actors
    assert conflicts(step) == [("free", "arrested")]
    assert [state.text for state in ann.states] == ["free", "arrested"]
    assert ann.notes[0].text == "state_conflict: free / arrested"


def test_a_change_a_verb_phrase_brings_about_is_no_conflict() -> None:
    telling = Story().tell("Ann Ray was free, then arrested.")
    ann = telling.actor("Ann Ray", states=("free",))
    telling.does("arrest", None, ann, ("free", "arrested"))
    step = RULES.reconcile(Workspace(), telling.local(), telling.chunk)
    (actor,) = Workspace().apply(step).actors
    assert not conflicts(step)
    assert [(s.text, s.source) for s in actor.states] == [
        ("free", "stated"),
        ("arrested", "effect"),
    ]


@pytest.mark.parametrize(
    ("one", "two", "clash"),
    [
        ("alive", "dead", True),
        ("is a guest", "is not a guest", True),
        ("conscious", "unconscious", True),
        ("独身", "既婚", True),
        ("tired", "hungry", False),
        ("is not a guest", "was not a guest", False),
        ("in side", "side", False),
    ],
)
def test_two_opposite_words_clash_whichever_comes_first(
    one: str, two: str, clash: bool
) -> None:
    assert opposed(one, two) == opposed(two, one) == clash


def resolutions(step: Step) -> list[tuple[str, str, str]]:
    found = [d for d in step.decisions if isinstance(d, Resolution)]
    return [(d.question, d.status, d.answer) for d in found]


def test_an_open_question_is_answered_by_a_later_mention() -> None:
    story, workspace = Story(), Workspace()
    first = story.tell("Ann Ray was arrested.")
    arrest = first.does("arrest", None, first.actor("Ann Ray"), ("free", "arrested"))
    first.asks("Who arrests someone?", "agent", arrest)
    first.asks("Where does someone arrest someone?", "place", arrest)
    workspace = first.into(RULES, workspace)
    assert [q.status for q in workspace.questions] == ["open", "open"]
    second = story.tell("Bob Lee had arrested Ann Ray at Guildhall.")
    bob, ann = second.actor("Bob Lee"), second.actor("Ann Ray")
    hall = second.actor("Guildhall", kind="place")
    again = second.does("arrest", bob, ann, ("free", "arrested"), place=hall)
    second.asks("Who arrests someone?", "agent", again)
    step = RULES.reconcile(workspace, second.local(), second.chunk)
    workspace = workspace.apply(step)
    assert resolutions(step) == [
        ("q1", "answered", "Bob Lee"),
        ("q2", "answered", "Guildhall"),
    ]
    assert len(workspace.questions) == 2  # the same question is not put twice
    assert workspace.get("q1").resolved == second.chunk.id
    assert workspace.get("q1").answers[0].actor == "a2"


def test_where_somebody_is_known_to_be_is_half_an_answer() -> None:
    story, workspace = Story(), Workspace()
    first = story.tell("Ann Ray repaired Clock.")
    ann, clock = first.actor("Ann Ray"), first.actor("Clock", kind="object")
    first.asks("Where?", "place", first.does("repair", ann, clock))
    workspace = first.into(RULES, workspace)
    second = story.tell("Ann Ray left Guildhall.")
    ann, hall = second.actor("Ann Ray"), second.actor("Guildhall", kind="place")
    second.link("space", (ann, hall), "Guildhall", anchor=hall)
    step = RULES.reconcile(workspace, second.local(), second.chunk)
    assert resolutions(step) == [("q1", "partly", "Guildhall")]


def test_a_prediction_is_answered_by_the_event_it_names_not_by_its_own() -> None:
    story, workspace = Story(), Workspace()
    first = story.tell("Ann Ray was arrested on 2024-05-07.")
    ann = first.actor("Ann Ray")
    date = first.actor("2024-05-07", "date", value="2024-05-07")
    arrest = first.does("arrest", None, ann, ("free", "arrested"), time=date)
    question = "When will the suspect be charged?"
    first.asks(question, "time", arrest, predicted=True)
    workspace = first.into(RULES, workspace)
    assert workspace.get("q1").status == "open"
    for text, status in (("charged", "partly"), ("charged on 2024-05-09", "answered")):
        telling = story.tell(f"Ann Ray was {text}.")
        ann, more = telling.actor("Ann Ray"), {}
        if "2024" in text:
            more = {"time": telling.actor("2024-05-09", "date", value="2024-05-09")}
        telling.does("charge", None, ann, (None, "charged"), **more)
        workspace = telling.into(RULES, workspace)
        assert workspace.get("q1").status == status
    assert workspace.get("q1").answers[0].text == "2024-05-09"


def test_a_prediction_is_not_answered_by_whom_it_is_about() -> None:
    story, workspace = Story(), Workspace()
    first = story.tell("Ann Ray was arrested.")
    arrest = first.does("arrest", None, first.actor("Ann Ray"), ("free", "arrested"))
    first.asks("With what will she be charged?", "patient", arrest, predicted=True)
    workspace = first.into(RULES, workspace)
    second = story.tell("Ann Ray was charged.")
    second.does("charge", None, second.actor("Ann Ray"), (None, "charged"))
    workspace = second.into(RULES, workspace)
    question = workspace.get("q1")
    assert (question.status, question.answers[0].text) == ("partly", "charge")


def test_what_is_reported_of_an_arrest_is_said_of_that_arrest() -> None:
    story, workspace = Story(), Workspace()
    for modality in ("asserted", "reported", "planned"):
        telling = story.tell("Ann Ray was arrested.")
        ann = telling.actor("Ann Ray")
        telling.does("arrest", None, ann, ("free", "arrested"), modality=modality)
        workspace = telling.into(RULES, workspace)
    assert [v.modality for v in workspace.verb_phrases] == ["asserted", "planned"]


def test_states_stand_in_the_order_of_the_text_however_they_came_about() -> None:
    telling = Story().tell("Ann was arrested. Now Ann is well.")
    ann = telling.actor("Ann")
    telling.does("arrest", None, ann, ("free", "arrested"))
    well = State("well", (telling.span("well"),), telling.chunk.id)
    telling.parts["actors"] = [replace(telling.parts["actors"][0], states=(well,))]
    (actor,) = telling.into(RULES, Workspace()).actors
    assert [state.text for state in actor.states] == ["arrested", "well"]


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("broken", "working"),
        ("閉まっていた", "開いていた"),
        ("破れている", "破れてはいない"),
    ],
)
def test_what_two_people_say_of_one_thing_at_one_time_is_a_conflict(
    one: str, two: str
) -> None:
    telling = Story().tell("The pump was one or the other.")
    telling.actor("pump", form="nominal", kind="object", states=(one, two))
    step = RULES.reconcile(Workspace(), telling.local(), telling.chunk)
    assert [(c[0], c[1]) for c in conflicts(step)] == [(one, two)]
