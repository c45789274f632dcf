"""Dates of a text that says when it was written, counted from what it tells."""

from __future__ import annotations

from dataclasses import replace

from maps import Story, Telling

from gswlab.reconcile.rules import RulesReconciler
from gswlab.workspace.nouns import Mention
from gswlab.workspace.workspace import Workspace

RULES = RulesReconciler()
WRITTEN = "1994-03-21"


def read(story: Story, text: str, *dates: tuple[str, str | None]) -> Telling:
    """A telling with its dates as an operator that knows no story would read them."""
    telling = story.tell(text)
    telling.chunk = replace(telling.chunk, time=WRITTEN)
    for name, value in dates:
        telling.actor(name, form="date", value=value)
    return telling


def times(workspace: Workspace) -> list[str | None]:
    return [time.value for time in workspace.times]


def test_that_evening_has_no_value_until_a_day_is_told_and_keeps_its_guess() -> None:
    telling = read(Story(), "That evening they left.", ("That evening", WRITTEN))
    workspace = telling.into(RULES, Workspace())
    assert times(workspace) == []
    (note,) = workspace.actors[0].notes
    assert note.text == "possibly 1994-03-21, counted from the day of writing"


def test_a_day_told_in_the_chunk_before_is_what_that_evening_counts_from() -> None:
    story, workspace = Story(), Workspace()
    first = read(story, "They met on 11 March.", ("11 March", "1994-03-11"))
    workspace = first.into(RULES, workspace)
    second = read(story, "That evening they left.", ("That evening", WRITTEN))
    assert times(second.into(RULES, workspace)) == ["1994-03-11"]


def test_mentions_that_mean_two_days_become_two_times() -> None:
    text = "They met on 21 March. They came on 11 March. The same day it thawed."
    telling = read(Story(), text, ("21 March", WRITTEN), ("11 March", "1994-03-11"))
    first, second = telling.parts["actors"]
    span = telling.span("The same day")
    again = Mention(span, "date", telling.chunk.id, "The same day")
    telling.parts["actors"] = [
        replace(first, mentions=(*first.mentions, again)),
        second,
    ]
    workspace = telling.into(RULES, Workspace())
    assert times(workspace) == [WRITTEN, "1994-03-11"]
    told = [r.text for r in workspace.times[1].readings]
    assert told == ["11 March", "The same day"]


def test_another_date_of_its_actors_does_not_name_an_unresolved_one() -> None:
    story, workspace = Story(), Workspace()
    for name, value in (("a week later", "1994-03-28"), ("3 May 1990", "1990-05-03")):
        telling = read(story, f"Ann left {name}.", (name, value))
        ann = telling.actor("Ann")
        telling.link("time", (ann, "a1"), name, anchor="a1", iso=value)
        workspace = telling.into(RULES, workspace)
    assert times(workspace) == [None, "1990-05-03"]


def test_an_unresolved_date_is_not_taken_for_the_last_day_of_its_actors() -> None:
    story, workspace = Story(), Workspace()
    for name, value in (("3 May 1990", "1990-05-03"), ("a week later", "1994-03-28")):
        telling = read(story, f"Ann left here {'at last ' * 14}{name}.", (name, value))
        ann = telling.actor("Ann")
        telling.link("time", (ann, "a1"), name, anchor="a1", iso=value)
        workspace = telling.into(RULES, workspace)
        read(story, "It rained. " * 20)
    assert times(workspace) == ["1990-05-03", None]
