"""Questions about a plot: a JSON line each, described in `data/plots/README.md`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gswlab.core.errors import GswlabError

COMMAND = "python -m gswlab run experiment=plot"
Kind = Literal["description", "relation", "change", "order", "aggregate"]
_Text = Annotated[str, Field(min_length=1)]
_RULE = (
    'a JSON object a line: {"id": ..., "kind": ..., "question": ..., "answers": ...}'
)


class PlotQuestion(BaseModel):
    """A question and its gold. No memory or reader ever gets more than `question`.

    `answers` are the items of the answer, each a list of equally good spellings; with
    `within` an answer need only hold one. `check` says how it follows from the plot.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: _Text
    kind: Kind
    question: _Text
    answers: Annotated[
        tuple[Annotated[tuple[_Text, ...], Field(min_length=1)], ...],
        Field(min_length=1),
    ]
    within: bool = False
    check: dict[str, Any] = Field(default_factory=dict)


def load_questions(path: Path) -> tuple[PlotQuestion, ...]:
    """The questions in a file, in its order.

    Raises:
        GswlabError: a line is no question, or two have one id.
    """
    found = tuple(_questions(path))
    ids = [question.id for question in found]
    twice = sorted({id_ for id_ in ids if ids.count(id_) > 1})
    if twice:
        problem = f"{path.name} has {twice[0]!r} twice"
        raise GswlabError(problem, "each question has an id of its own", COMMAND)
    if not found:
        raise GswlabError(f"{path.name} holds no question", _RULE, COMMAND)
    return found


def _questions(path: Path) -> Iterator[PlotQuestion]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise GswlabError(f"{path} cannot be read: {error}", _RULE, COMMAND) from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield PlotQuestion.model_validate(json.loads(line))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"]))
            problem = f"line {number} of {path.name}: {where}: {first['msg']}"
            raise GswlabError(problem, _RULE, COMMAND) from None
        except ValueError as error:
            problem = f"line {number} of {path.name} is no JSON: {error}"
            raise GswlabError(problem, _RULE, COMMAND) from None
