"""Whom a chapter is about: what a name said aloud tells of it."""

from __future__ import annotations

import pytest
from operating import actor, operate

from gswlab.core.workspace import Workspace
from gswlab.gsw.memory import GSW
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        ('"Thank you, Emeka," said Ann. Emeka Ray was cold. I sat.', "Emeka",
         "is called by name"),
        ('"I am Emeka Ray," I said, and I sat down.', "Emeka Ray",
         "says the own name"),
    ],
)  # fmt: skip
def test_a_name_that_is_called_is_the_narrator_s(text, name, reason):
    (chunk, *_) = chunks(document_of(text))
    told = SpacyOperator().extract(chunk, Workspace())
    ids = {a.id for a in told.actors if a.name.startswith(name)}
    weights = [
        v.weight for v in told.votes if v.candidate in ids and v.reason == reason
    ]
    assert weights
    assert sum(weights) > 0


def told_of(text: str, reason: str) -> set[str]:
    """Whom a text's votes of one reason speak for, by name."""
    (chunk, *_) = chunks(document_of(text))
    told = SpacyOperator().extract(chunk, Workspace())
    names = {a.id: a.name for a in told.actors}
    return {names[v.candidate] for v in told.votes if v.reason == reason}


def test_a_name_that_is_written_may_be_whom_a_chapter_is_about():
    text = "She filled out the slip. *Emeka Ray*, she put, and below it *Class Nine*."
    assert told_of(text, "the name is what is written") == {"Emeka Ray"}


def test_a_narrator_who_acts_is_whom_a_chapter_is_about():
    assert told_of("My name is Teo. I run a bakery.", "acts") == {"Teo"}


def test_who_signs_a_letter_has_told_it():
    letter = "Dear Auntie, I lost again. The game was short. Nobody saw it.\n\n"
    memory = GSW(SpacyOperator(), RulesReconciler())
    for chunk in chunks(document_of(f"{letter}Yours always,\n\nMehmet Aksoy")):
        memory.partial_fit(chunk)
    (found,) = (a for a in memory.workspace.actors if a.name == "Mehmet Aksoy")
    assert {"narrator", "name"} <= {m.form for m in found.mentions}


def test_the_town_at_a_letter_s_end_signs_nothing():
    local = operate("I wrote to her at the Hotel Belisario,\nBoston")
    assert actor(local, "Boston").kind == "place"
