"""Tuple recovery: which chapters' date, place, protagonist and kind were bound.

A tuples file is `{"1": {"date": [...], "location": [...], "entity": [...],
"content": [...]}, ...}`. It is opened after the run, for scoring alone.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, Field, TypeAdapter

from gswlab.bench.epbench import Asked
from gswlab.bench.judge import Judge
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Bound, Episode

FIELDS: tuple[tuple[str, Asked], ...] = (
    ("date", "Times"),
    ("place", "Spaces"),
    ("protagonist", "Entities"),
    ("kind", "Event contents"),
)
COMPLETE = ("date", "place", "protagonist")
Values = Annotated[
    tuple[str, ...], BeforeValidator(lambda v: [v] if isinstance(v, str) else v)
]


class GoldTuple(BaseModel):
    """What happened in one chapter; EpBench's column names are the aliases."""

    date: Values
    place: Values = Field(alias="location")
    protagonist: Values = Field(alias="entity")
    kind: Values = Field(alias="content")


def load_tuples(path: str | Path) -> dict[int, GoldTuple]:
    """The gold tuple of every chapter of a tuples file."""
    rule = "a tuples file maps chapter numbers to date, location, entity and content"
    command = "python -m gswlab run experiment=epbench dataset.tuples=FILE"
    try:
        return tuples_of(json.loads(Path(path).read_bytes()))
    except OSError as error:
        problem = f"{path} cannot be read: {error.strerror}"
        raise GswlabError(problem, rule, command) from error
    except ValueError as error:
        problem = str(error).splitlines()[0]
        raise GswlabError(f"{path}: {problem}", rule, command) from error


def tuples_of(data: Any) -> dict[int, GoldTuple]:
    """The gold tuples of data at hand."""
    return TypeAdapter(dict[int, GoldTuple]).validate_python(data)


def recovered(
    gold: dict[int, GoldTuple], episodes: Sequence[Episode], judge: Judge
) -> dict[str, object]:
    """How many chapters have one episode whose fields are the gold's.

    `complete` needs date, place and protagonist in the same episode; the counts by
    field and the chapters missed say where the rest was lost.
    """
    best: dict[int, frozenset[str]] = {}
    for number, gold_tuple in gold.items():
        found = [
            _right(gold_tuple, episode, judge)
            for episode in episodes
            if episode.chapter == number
        ]
        best[number] = max(found, key=_worth, default=frozenset())
    missed = [n for n, fields in best.items() if not fields.issuperset(COMPLETE)]
    return {
        "chapters": len(gold),
        "complete": len(gold) - len(missed),
        **{name: sum(name in fields for fields in best.values()) for name, _ in FIELDS},
        "incomplete_chapters": sorted(missed),
    }


def _worth(fields: frozenset[str]) -> tuple[bool, int]:
    return fields.issuperset(COMPLETE), len(fields)


def _right(gold: GoldTuple, episode: Episode, judge: Judge) -> frozenset[str]:
    right = []
    for name, asked in FIELDS:
        bound: Bound | None = getattr(episode, name)
        values: tuple[str, ...] = getattr(gold, name)
        if bound and any(judge.same(asked, value, bound.value) for value in values):
            right.append(name)
    return frozenset(right)
