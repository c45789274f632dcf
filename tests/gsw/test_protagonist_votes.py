"""Whom a chapter is about: what a name said aloud tells of it."""

from __future__ import annotations

import pytest

from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.rules import SpacyOperator
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
