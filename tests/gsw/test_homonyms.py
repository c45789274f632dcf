"""Two of one name: told apart by titles, ages, and what is said beside them."""

from __future__ import annotations

import pytest

from gswlab.core.nouns import Actor
from gswlab.gsw.memory import GSW
from gswlab.gsw.operator.names import title_tells, titles_clash
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of


def actors(text: str) -> tuple[Actor, ...]:
    """Who is who in a text that is read alone."""
    memory = GSW(SpacyOperator(), RulesReconciler())
    for chunk in chunks(document_of(text)):
        memory.partial_fit(chunk)
    return tuple(memory.workspace.actors)


def apart(text: str, one: str, other: str) -> bool:
    """Whether two mentions, by their words, are of two actors."""
    owners = {m.text: a.id for a in actors(text) for m in a.mentions}
    return owners[one] != owners[other]


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        ("Mr. Bennet slept. Mrs. Bennet laughed.", "Mr. Bennet", "Mrs. Bennet"),
        ("Mr. Bennet slept. Elizabeth Bennet sang.", "Mr. Bennet", "Elizabeth Bennet"),
        ("Miss Bates sat with Mrs. Bates.", "Miss Bates", "Mrs. Bates"),
        ("Dr. Watson dined. Mrs. Watson poured.", "Dr. Watson", "Mrs. Watson"),
        ("Mrs. Tom Ray met Tom Ray.", "Mrs. Tom Ray", "Tom Ray"),
        (
            "It was young Amos who fell. Nobody spoke. It rained. "
            "Old Amos Heisler went on with his needle.",
            "Amos",
            "Old Amos Heisler",
        ),
        (
            "Bridget Doyle wept. It rained. Nobody came. "
            "Bridget Doyle senior had not seen him.",
            "Bridget Doyle",
            "Bridget Doyle senior",
        ),
    ],
)
def test_a_text_tells_two_apart(text: str, one: str, other: str) -> None:
    assert apart(text, one, other)


@pytest.mark.parametrize(
    ("text", "name", "count"),
    [
        ("Tom Ray died. It rained. It blew. Her son, also Tom, sailed.", "Tom", 2),
        ("Nino Ray cooked. Her granddaughter was Nino too.", "Nino", 2),
        (
            "Ann Ray sat. It rained. It blew. Twins, Ann and Pia, named after her",
            "Ann",
            2,
        ),
        ("Wheelsman Ray fell. Second mate Ray (no relation) rose.", "Ray", 2),
        ("Ann Ray sat. Mrs. Ray laughed. Ann left.", "Ann", 1),
        ("Miss Jordan Baker sat. Jordan Baker yawned.", "Baker", 1),
    ],
)
def test_who_is_named_like_another_is_one_more(
    text: str, name: str, count: int
) -> None:
    assert sum(name in actor.name.split() for actor in actors(text)) == count


def test_titles_clash_only_where_both_say_something_else() -> None:
    wife, man, doctor = map(title_tells, ("Mrs. Ray", "Mr. Ray", "Dr. Ray"))
    assert titles_clash(wife, man)
    assert titles_clash(wife, doctor)
    assert not titles_clash(man, doctor)
    assert not titles_clash(wife | man, man)  # it was misread: nothing is sure
    assert not titles_clash(title_tells("Ray"), man)


def test_a_junior_behind_a_comma_is_no_name_of_its_own() -> None:
    found = actors("Charles Ray, Jr., came. Mrs. Charles Ray, Jr., sang.")
    assert [a.name for a in found] == ["Charles Ray", "Mrs. Charles Ray"]


def test_the_church_is_the_one_that_was_named() -> None:
    text = "She joined Our Savior's Church. It rained. It blew. The church burned."
    assert not apart(text, "Our Savior's Church", "church")


def test_who_signs_a_letter_is_its_i_though_a_comma_stands_between() -> None:
    text = (
        "Dear Kev, I miss you. It is dry. It is hot. Bring coffee, please. Love, Jess"
    )
    assert not apart(text, "I", "Jess")
