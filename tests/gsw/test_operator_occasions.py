"""Which kinds of event a chunk names: labels by grammar, and the words around them."""

from __future__ import annotations

import pytest
from operating import operate

from gswlab.core.nouns import Episode
from gswlab.gsw.reconciler.event_types import named_kinds


def named(text: str) -> list[str]:
    votes = tuple(v for v in operate(text).votes if v.field == "kind")
    return [bound.value for bound in named_kinds(Episode("e1", "d", 1, votes=votes))]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("They had all come for the Water Divining.", "water divining"),
        ("The Chimney Sweeps' Parade began at noon.", "chimney sweeps' parade"),
        ("They met at the locksmiths' convention.", "locksmiths' convention"),
        ("The Lost Property Sale was cancelled.", "lost property sale"),
        ("They came for the change ringing practice.", "change ringing practice"),
        (
            "The council declared the parish council meeting open.",
            "parish council meeting",
        ),
        ("They had all come for the hop picking.", "hop picking"),
        ("One does not shout during a mine rescue exercise.", "mine rescue exercise"),
        ("They came for the amateur radio night.", "amateur radio night"),
        ("Nobody missed the repair café that day.", "repair café"),
        ("It was the coroner's inquest at last.", "coroner's inquest"),
    ],
)
def test_a_kind_is_named_in_full(text: str, label: str) -> None:
    assert named(text)[:1] == [label]


@pytest.mark.parametrize(
    "text",
    [
        "They stood in the brick building by the street crossing.",
        "He could not help thinking of the taste of tin.",
        "She kept the wedding ring in the stone paving.",
        "Their parents' permission was in the letter.",
        "The secular cooling that must come has gone far indeed.",
    ],
)
def test_things_places_and_people_are_no_kinds_of_event(text: str) -> None:
    assert named(text) == []


def test_a_venue_presents_no_kind_however_it_is_called() -> None:
    for text in ("They voted at the Corn Exchange.", "He sat in the Seed Market."):
        votes = [v.weight for v in operate(text).votes if v.field == "kind"]
        assert max(votes, default=0.0) < 2.0


def weight(text: str) -> float:
    return max(v.weight for v in operate(text).votes if v.field == "kind")


def test_what_people_come_for_and_what_is_under_way_takes_place() -> None:
    plain = weight("She spoke of the property sale.")
    assert weight("They came to the property sale.") > plain
    assert weight("Once the property sale was under way nobody spoke.") > plain
    # some time or other
    habit = weight("He came to beginners' classes for company.")
    assert habit < weight("He came to the beginners' class for company.")


def test_a_label_is_not_also_its_own_end() -> None:
    assert named("The parish council meeting began.") == ["parish council meeting"]


def test_what_only_describes_leaves_the_name_alone() -> None:
    found = named("It had been, everybody agreed, a model vaccination clinic.")
    assert "vaccination clinic" in found


@pytest.mark.parametrize(
    "name",
    [
        "Dry Stone Walling Course",
        "Herring Queen Crowning",
        "Wine Bottling",
        "Night School Enrolment",
        "Sea Shanty Evening",
        "Bread Oven Lighting",
    ],
)
def test_a_name_on_a_poster_is_a_kind_in_full(name: str) -> None:
    assert named(f"By the leaflet, the {name} was free to all.") == [name.lower()]
