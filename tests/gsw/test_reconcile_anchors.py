"""Shared times and places: coupled, filled later, never emptied, refined, nested."""

from __future__ import annotations

import pytest
from maps import Story, Telling

from gswlab.core.step import Conflict, Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.reconciler.rules import RulesReconciler

RULES = RulesReconciler()


def day(
    telling: Telling, text: str, iso: str, *actors: str, basis: str | None = None
) -> str:
    date = telling.actor(text, "date", value=iso)
    telling.link(
        "time",
        (*actors, date),
        text,
        anchor=date,
        iso=iso,
        granularity={4: "year", 7: "month", 10: "day"}[len(iso)],
        basis=basis,
    )
    return date


def conflicts(step: Step) -> list[Conflict]:
    return [d for d in step.decisions if isinstance(d, Conflict)]


def test_a_value_read_later_is_everybody_s_who_is_coupled() -> None:
    story, workspace = Story(), Workspace()
    first = story.tell("Ann Ray and Bob Lee waited there.")
    first.link("space", (first.actor("Ann Ray"), first.actor("Bob Lee")), None)
    workspace = first.into(RULES, workspace)
    second = story.tell("Bob Lee liked Guildhall.")
    bob, hall = second.actor("Bob Lee"), second.actor("Guildhall", kind="place")
    second.link("space", (bob, hall), "Guildhall", anchor=hall)
    workspace = second.into(RULES, workspace)
    (place,) = workspace.places
    assert (place.name, place.actors) == ("Guildhall", ("a1", "a2", "a3"))
    assert [(r.text, r.value) for r in place.readings] == [
        ("", None),
        ("Guildhall", "Guildhall"),
    ]


def test_a_null_never_overwrites_a_place() -> None:
    story, workspace = Story(), Workspace()
    for value in ("Guildhall", None):
        telling = story.tell("Ann Ray stood in Guildhall.")
        ann = telling.actor("Ann Ray")
        telling.link("space", (ann,), value)
        workspace = telling.into(RULES, workspace)
    assert [place.name for place in workspace.places] == ["Guildhall"]


def test_two_groups_without_a_place_become_one_when_somebody_joins_them() -> None:
    story, workspace = Story(), Workspace()
    for pair in (("Ann Ray", "Bob Lee"), ("Cy Dun", "Eve Fox"), ("Bob Lee", "Cy Dun")):
        telling = story.tell(" and ".join(pair))
        telling.link("space", tuple(telling.actor(name) for name in pair), None)
        workspace = telling.into(RULES, workspace)
    (place,) = workspace.places
    assert set(place.actors) == {"a1", "a2", "a3", "a4"}
    assert workspace.get("p2").id == place.id


def test_one_actor_may_be_at_two_places_of_a_chapter() -> None:
    story, workspace = Story(), Workspace()
    for name in ("Guildhall", "Corn Market"):
        telling = story.tell(f"Ann Ray entered {name}.")
        ann, place = telling.actor("Ann Ray"), telling.actor(name, kind="place")
        telling.link("space", (ann, place), name, anchor=place)
        workspace = telling.into(RULES, workspace)
    assert [place.name for place in workspace.places] == ["Guildhall", "Corn Market"]


def test_a_value_has_one_anchor_in_each_chapter() -> None:
    story, workspace = Story(), Workspace()
    for chapter in (1, 1, 2):
        telling = story.tell("On 7 May 2024 it rained.", chapter)
        day(telling, "7 May 2024", "2024-05-07")
        workspace = telling.into(RULES, workspace)
    assert [(t.chapter, len(t.readings)) for t in workspace.times] == [(1, 2), (2, 1)]


def test_a_day_refines_its_month_and_the_month_its_year() -> None:
    story, workspace = Story(), Workspace()
    for text, iso in (
        ("7 May 2024", "2024-05-07"),
        ("2024", "2024"),
        ("May 2024", "2024-05"),
    ):
        telling = story.tell(f"It was {text}.")
        day(telling, text, iso)
        workspace = telling.into(RULES, workspace)
    refines = {
        t.value: t.refines and workspace.get(t.refines).value for t in workspace.times
    }
    assert refines == {"2024-05-07": "2024-05", "2024-05": "2024", "2024": None}


def test_a_room_lies_inside_its_building_and_a_hall_in_its_town() -> None:
    telling = Story().tell("the kitchen of Guildhall, Leeds")
    kitchen = telling.actor("kitchen", "nominal", kind="place")
    telling.relate(kitchen, "part_of", telling.actor("Guildhall, Leeds", kind="place"))
    workspace = telling.into(RULES, Workspace())
    place = {p.name: p for p in workspace.places}
    inside = {
        name: p.inside and workspace.get(p.inside).name for name, p in place.items()
    }
    assert inside == {
        "kitchen": "Guildhall, Leeds",
        "Guildhall, Leeds": "Leeds",
        "Leeds": None,
    }


def test_what_stands_between_two_places_nests_them() -> None:
    nested = {
        "Guildhall in Leeds": {"Guildhall": "Leeds"},
        "Town Hall, Leeds": {"Town Hall": "Leeds"},
        "Leeds, York": {},
        "東京の公会堂": {"公会堂": "東京"},
        "Guildhall and Leeds": {},
    }
    names = ("Guildhall", "Town Hall", "Leeds", "York", "東京", "公会堂")
    for text, inside in nested.items():
        telling = Story().tell(text)
        for name in names:
            if name in text:
                telling.actor(name, kind="place")
        workspace = telling.into(RULES, Workspace())
        found = {
            p.name: workspace.get(p.inside).name for p in workspace.places if p.inside
        }
        assert found == inside, text


def test_rooms_do_not_lie_inside_each_other() -> None:
    telling = Story().tell("Guildhall and Market")
    one, two = (telling.actor(n, kind="place") for n in ("Guildhall", "Market"))
    telling.relate(one, "inside", two)
    telling.relate(two, "inside", one)
    workspace = telling.into(RULES, Workspace())
    assert [p.inside for p in workspace.places] == ["p2", None]


def arrested(story: Story, workspace: Workspace, text: str, iso: str) -> Step:
    telling = story.tell(f"Ann Ray was arrested on {text}.")
    ann = telling.actor("Ann Ray")
    date = day(telling, text, iso, ann)
    telling.does("arrest", None, ann, ("free", "arrested"), time=date)
    return RULES.reconcile(workspace, telling.local(), telling.chunk)


def test_of_two_days_the_better_supported_is_kept_and_the_other_stays_beside_it() -> (
    None
):
    story, workspace, kept, told = Story(), Workspace(), [], []
    days = [("7 May 2024", "2024-05-07"), *[("8 May 2024", "2024-05-08")] * 2]
    for text, iso in days:
        step = arrested(story, workspace, text, iso)
        workspace = workspace.apply(step)
        (arrest,) = workspace.verb_phrases
        kept.append(workspace.get(arrest.time).value)
        told.append([(c.kind, c.kept, c.other) for c in conflicts(step)])
    assert kept == ["2024-05-07", "2024-05-07", "2024-05-08"]
    assert told == [
        [],
        [("conflicting_time", "t1", "t2")],
        [("conflicting_time", "t2", "t1")],
    ]
    (hypothesis,) = workspace.relations
    assert hypothesis.kind == "conflicting_time_hypothesis"
    assert (hypothesis.source, hypothesis.target) == ("v1", "t1")


def test_a_day_takes_the_place_of_its_month_without_a_conflict() -> None:
    story, workspace = Story(), Workspace()
    for text, iso in (
        ("May 2024", "2024-05"),
        ("7 May 2024", "2024-05-07"),
        ("May 2024", "2024-05"),
    ):
        step = arrested(story, workspace, text, iso)
        workspace = workspace.apply(step)
        assert not conflicts(step)
    (arrest,) = workspace.verb_phrases
    assert workspace.get(arrest.time).value == "2024-05-07"


UNKNOWN, KNOWN = ("a week later", None), ("3 May 1990", "1990-05-03")


@pytest.mark.parametrize("order", [(UNKNOWN, KNOWN), (KNOWN, UNKNOWN)])
def test_another_date_of_its_actors_does_not_name_an_unresolved_one(order) -> None:
    story, workspace = Story(), Workspace()
    for name, value in order:
        telling = story.tell(f"Ann left {name}.")
        date = telling.actor(name, form="date", value=value)
        ann = telling.actor("Ann")
        telling.link("time", (ann, date), name, anchor=date, iso=value)
        workspace = telling.into(RULES, workspace)
    assert [time.value for time in workspace.times] == [value for _, value in order]
