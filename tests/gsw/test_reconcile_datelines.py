"""A day or place named over a text, or at its end, holds for who acts in it."""

from __future__ import annotations

import pytest
from maps import Story, Telling

from gswlab.core.nouns import Argument
from gswlab.core.workspace import Workspace
from gswlab.gsw.reconciler.rules import RulesReconciler

RULES = RulesReconciler()


def coupled(workspace: Workspace, value: str) -> set[str]:
    """Names of the persons at a time or place."""
    anchors = (*workspace.times, *workspace.places)
    (anchor,) = (
        a for a in anchors if value in (getattr(a, "value", ""), getattr(a, "name", ""))
    )
    actors = [workspace.get(i) for i in anchor.actors]
    return {a.name for a in actors if a.kind == "person"}


def acts(story: Story, text: str, *names: str) -> Telling:
    telling = story.tell(text)
    for name in names:
        telling.does("shout", telling.actor(name))
    return telling


def test_a_heading_holds_for_who_acts_below_it() -> None:
    story, workspace = Story(), Workspace()
    head = story.tell("Tuesday, 9 June 1987. Rain.")
    head.actor("Tuesday, 9 June 1987", form="date", value="1987-06-09")
    workspace = head.into(RULES, workspace)
    workspace = acts(story, "Ann shouted.", "Ann").into(RULES, workspace)
    assert coupled(workspace, "1987-06-09") == {"Ann"}


def test_a_day_in_a_sentence_that_tells_something_is_no_heading() -> None:
    story, workspace = Story(), Workspace()
    first = story.tell("The fair was held on 9 June 1987.")
    first.actor("9 June 1987", form="date", value="1987-06-09")
    workspace = first.into(RULES, workspace)
    workspace = acts(story, "Ann shouted.", "Ann").into(RULES, workspace)
    assert coupled(workspace, "1987-06-09") == set()


def test_a_heading_does_not_hold_for_what_has_a_day_of_its_own() -> None:
    story, workspace = Story(), Workspace()
    head = story.tell("9 June 1987.")
    head.actor("9 June 1987", form="date", value="1987-06-09")
    workspace = head.into(RULES, workspace)
    told = story.tell("Ben shouted on 30 May 1987.")
    day = told.actor("30 May 1987", form="date", value="1987-05-30")
    told.does("shout", told.actor("Ben"), time=day)
    assert coupled(told.into(RULES, workspace), "1987-06-09") == set()


def test_a_heading_s_place_holds_for_who_acts_and_not_for_whom_it_befell() -> None:
    story, workspace = Story(), Workspace()
    head = story.tell("Minutes of the meeting held at Hill Hall on 9 June 1987.")
    head.actor("9 June 1987", form="date", value="1987-06-09")
    head.actor("Hill Hall", kind="place")
    workspace = head.into(RULES, workspace)
    told = story.tell("Ann thanked Ben.")
    told.does("thank", told.actor("Ann"), told.actor("Ben"))
    workspace = told.into(RULES, workspace)
    assert coupled(workspace, "Hill Hall") == {"Ann"}
    assert coupled(workspace, "1987-06-09") == {"Ann"}


def test_what_day_it_is_holds_for_the_scene_before_it_too() -> None:
    story, workspace = Story(), Workspace()
    workspace = acts(story, "Ann shouted.", "Ann").into(RULES, workspace)
    told = acts(story, "Ben shouted: It is the ninth of November.", "Ben")
    told.actor("the ninth of November", form="date", value="--11-09")
    assert coupled(told.into(RULES, workspace), "--11-09") == {"Ann", "Ben"}


@pytest.mark.parametrize(
    ("text", "date", "value"),
    [
        (
            "It was the ninth of November 1921.",
            "the ninth of November 1921",
            "1921-11-09",
        ),
        ("1921年11月9日のことだった。", "1921年11月9日", "1921-11-09"),
    ],
)
def test_what_day_it_was_holds_for_what_was_told(text, date, value) -> None:
    story, workspace = Story(), Workspace()
    workspace = acts(story, "Ann shouted.", "Ann").into(RULES, workspace)
    told = story.tell(text)
    told.actor(date, form="date", value=value)
    assert coupled(told.into(RULES, workspace), value) == {"Ann"}


@pytest.mark.parametrize(
    ("said", "who"),
    [("It", {"Ann"}), ("The collision", {"Ann"}), ("A collision", set())],
)
def test_where_it_happened_holds_for_what_was_told(said: str, who: set[str]) -> None:
    story, workspace = Story(), Workspace()
    workspace = acts(story, "Ann shouted.", "Ann").into(RULES, workspace)
    told = story.tell(f"{said} happened at Lane School.")
    told.does("happen", place=told.actor("Lane School", kind="place"))
    (phrase,) = told.parts["verb_phrases"]
    noun = said.split()[-1]
    agent = Argument("agent", noun, (told.span(noun),))
    object.__setattr__(phrase, "arguments", (agent, *phrase.arguments))
    assert coupled(told.into(RULES, workspace), "Lane School") == who


def summed_up(story: Story, workspace: Workspace) -> Workspace:
    told = story.tell("All this happened at Lane School on 11 March 1994.")
    day = told.actor("11 March 1994", form="date", value="1994-03-11")
    school = told.actor("Lane School", kind="place")
    told.does("happen", time=day, place=school)
    (phrase,) = told.parts["verb_phrases"]
    agent = Argument("agent", "All this", (told.span("All this"),))
    object.__setattr__(phrase, "arguments", (agent, *phrase.arguments))
    return told.into(RULES, workspace)


def test_all_this_took_place_names_the_day_and_place_of_what_was_told() -> None:
    story, workspace = Story(), Workspace()
    told = story.tell("That evening Ann shouted.")
    day = told.actor("That evening", form="date")
    told.does("shout", told.actor("Ann"), time=day)
    told.link("time", ("a2", day), "That evening", anchor=day)
    workspace = told.into(RULES, workspace)
    workspace = acts(story, "Ben shouted.", "Ben").into(RULES, workspace)
    workspace = summed_up(story, workspace)
    assert coupled(workspace, "1994-03-11") == {"Ann", "Ben"}
    assert coupled(workspace, "Lane School") == {"Ann", "Ben"}


def test_what_the_story_tells_of_a_later_day_is_not_summed_up() -> None:
    story, workspace = Story(), Workspace()
    workspace = acts(story, "Ben shouted.", "Ben").into(RULES, workspace)
    told = story.tell("The following Monday Cid shouted.")
    day = told.actor("The following Monday", form="date")
    told.does("shout", told.actor("Cid"), time=day)
    told.link("time", ("a2", day), "The following Monday", anchor=day)
    workspace = told.into(RULES, workspace)
    assert coupled(summed_up(story, workspace), "1994-03-11") == {"Ben"}


def test_without_propagation_nothing_stands_over_a_text() -> None:
    rules, story = RulesReconciler(propagation=False), Story()
    head = story.tell("9 June 1987.")
    head.actor("9 June 1987", form="date", value="1987-06-09")
    workspace = head.into(rules, Workspace())
    workspace = acts(story, "Ann shouted.", "Ann").into(rules, workspace)
    assert coupled(workspace, "1987-06-09") == set()
