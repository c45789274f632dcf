"""What a run costs at most, before it: by stage, for reading and for answering.

A stage that asks a model says so itself (`protocols.Estimating`). Every reply counts
as the longest that is allowed, every call as long as its time-out; what the cassette
has costs nothing. Only a reply that does not fit, which is asked for once more, and a
server that has to be tried again can make it more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any, Protocol

import pandas as pd

from gswlab.core.cost import NOTHING, Cost
from gswlab.core.document import Document
from gswlab.core.nouns import Chunk
from gswlab.core.protocols import Estimating


class Planned(Protocol):
    """What an estimate needs of a `Lab`."""

    @property
    def document(self) -> Document:
        """The text that is to be read."""

    @property
    def left(self) -> Sequence[Chunk]:
        """The chunks not read yet: what was read costs nothing more."""

    @property
    def budget(self) -> int:
        """Tokens of evidence that each question is answered from."""

    @property
    def stages(self) -> Mapping[str, Any]:
        """Every object of the run by its group; those that ask no model are free."""


def estimate(lab: Planned, questions: int) -> pd.DataFrame:
    """A row a stage that asks a model and their sum: calls, tokens, money, minutes."""
    works = {"reading": (lab.left, 0), "answering": ((), questions)}
    costs = {
        (what, name): stage.estimate(lab.document, chunks, count, lab.budget)
        for what, (chunks, count) in works.items()
        for name, stage in lab.stages.items()
        if isinstance(stage, Estimating)
    }
    costs = {key: cost for key, cost in costs.items() if cost.calls or cost.cached}
    costs["all", ""] = reduce(Cost.plus, costs.values(), NOTHING)
    frame = pd.DataFrame([cost.to_dict() for cost in costs.values()])
    frame.index = pd.MultiIndex.from_tuples(costs, names=["what", "stage"])
    minutes = frame.pop("seconds") / 60
    return frame.assign(money=frame.money.astype(float), minutes=minutes.round(1))


def estimate_text(frame: pd.DataFrame, chunks: int, questions: int) -> str:
    """The table in words; money without a price is unknown."""
    head = f"at most (chunks: {chunks}, questions: {questions}):"
    tail = "a reply that does not fit its schema is asked for once more"
    return f"{head}\n{frame.to_string(na_rep='unknown', sparsify=False)}\n{tail}"
