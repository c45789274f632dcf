"""`ledger.json`: what a run cost, and what that comes to for each thing it gave.

Where models were asked, `per` divides what this run paid (replies of the cassette cost
nothing): the calls about a chunk by the chunks, the reconciler's by the decisions in
the journal, and all calls by the correct answers, which are those wholly right, right
abstentions among them. Money is null where a price is unknown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Protocol

import numpy as np

from gswlab.bench.folder import RunFolder
from gswlab.core.cost import NOTHING, Cost
from gswlab.core.display import DataFrame, Displayed
from gswlab.core.document import Document
from gswlab.core.journal import Journal
from gswlab.core.nouns import Answer, Chunk, Evidence
from gswlab.core.protocols import Estimating, Reader
from gswlab.core.step import Step
from gswlab.core.workspace import Workspace
from gswlab.models.model import Model


class Running(Protocol):
    """What a run needs of a `Lab`."""

    document: Document  # the text that is to be read
    data: str  # its content hash: figures hold for this text alone
    budget: int  # tokens of evidence that each question is answered from
    folder: RunFolder
    reader: Reader  # who turns evidence into an answer

    def given(self, found: Evidence) -> Evidence:
        """What of a memory's evidence the reader gets."""

    @property
    def dataset(self) -> Any:
        """A `Task`, or a text with or without questions."""

    @property
    def names(self) -> dict[str, str]:
        """The hash of the configuration, the chosen memory and reader."""

    @property
    def judge(self) -> Any:
        """Who says which answers to a book's questions are right."""

    @property
    def journal(self) -> Journal:
        """The steps of the run: they say how many chunks and decisions there were."""

    @property
    def llm(self) -> Model | None:
        """The model whose ledger is summed up; None where none is asked."""

    @property
    def stages(self) -> Mapping[str, Any]:
        """Every object of the run by its group; those that ask no model are free."""

    @property
    def left(self) -> Sequence[Chunk]:
        """The chunks not read yet: what was read costs nothing more."""

    @property
    def folds(self) -> bool:
        """Whether the memory keeps a workspace, from which tuples are scored."""

    @property
    def finished(self) -> bool:
        """Whether the text was read to its end and the end itself recorded."""

    @property
    def workspace(self) -> Workspace:
        """The workspace after the last step of the journal."""

    @property
    def unread(self) -> Sequence[Chunk]:
        """The chunks still to be read, in order."""

    @property
    def memory(self) -> Any:
        """The memory at the journal's last step."""

    @property
    def command(self) -> str:
        """The shell command that goes on with this run."""

    def blank(self) -> Any:
        """A new memory of the run's settings that has read nothing."""

    def again(self) -> None:
        """Take back what rests on asks that got no usable reply."""

    def step(self, ahead: int = 1) -> Step | None:
        """Read one chunk, or the end of input; None when nothing is left."""

    def recall(self, question: str) -> Evidence:
        """What the memory hands a reader for a question, within the budget."""

    def answer(self, question: str) -> tuple[Answer, Evidence]:
        """The reader's answer and the evidence it was given."""


@dataclass(frozen=True)
class Estimate(Displayed):
    """What a run would cost at most: a row a stage that asks a model, and their sum."""

    frame: DataFrame
    head: str

    @classmethod
    def of(cls, lab: Running, questions: int | None = None) -> Estimate:
        """Of what `lab` has still to read, and of so many questions, else of its own.

        A text without any may be asked one.
        """
        import pandas as pd  # half a second, and most runs are not estimated

        if questions is None:
            questions = _asked(lab.dataset) or 1
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
        minutes = (frame.pop("seconds") / 60).round(1)
        frame = frame.assign(money=frame.money.astype(float), minutes=minutes)
        many = f"chunks: {len(lab.left)}, questions: {questions}"
        return cls(frame, f"at most ({many}):")

    def __repr__(self) -> str:
        """The table in words; money without a price is unknown."""
        table = self.frame.to_string(na_rep="unknown", sparsify=False)
        return f"{self.head}\n{table}\n{AGAIN}"


def _asked(dataset: Any) -> int:
    """How many questions a dataset has."""
    if hasattr(dataset, "load_questions"):
        return len(dataset.load_questions())
    return sum(len(world.questions) for world in getattr(dataset, "worlds", ()))


AGAIN = "a reply that does not fit its schema is asked for once more"


# the stages whose calls decide who is who, and what is answered
DECIDE = ("reconciler", "same_actor")


def charge(
    lab: Running, scores: Mapping[str, Any] | None = None, /, **seconds: float
) -> None:
    """Add seconds to the ledger: a resumed run's are those of all its parts.

    A run that has its `scores` is done: its bill has milliseconds too. How many answers
    were correct is what they say, else those of the folder.
    """
    spent = lab.folder.read_json("ledger.json").get("seconds", {})
    for what, value in seconds.items():
        spent[what] = round(spent.get(what, 0.0) + value, 3)
    bill: dict[str, Any] = {**NOTHING.to_dict(), "seconds": spent}
    if lab.llm:
        ledger = lab.llm.ledger
        reading = reduce(Cost.plus, ledger.by("chunk").values(), NOTHING)
        stages = ledger.by("stage")
        deciding = reduce(Cost.plus, (stages.get(s, NOTHING) for s in DECIDE), NOTHING)
        steps = list(lab.journal.steps())
        known = lab.folder.read_json("scores.json") if scores is None else scores
        parts = {
            "chunk": (reading, sum(step.chunk is not None for step in steps)),
            "decision": (deciding, sum(len(step.decisions) for step in steps)),
            "correct_answer": (ledger.total(), known.get("correct", 0)),
        }
        per = {k: cost.to_dict(n) if n else None for k, (cost, n) in parts.items()}
        bill = {**ledger.charged(bill), "per": per}
    if scores is not None:
        bill |= _milliseconds(lab.folder.seconds())
    lab.folder.write_json("ledger.json", bill)


def _milliseconds(timed: Mapping[str, Sequence[float]]) -> dict[str, Any]:
    """Of what a run was timed at: the median, the 95th percentile and the most."""
    found = dict[str, Any]()
    for what in ("reading", "recalling"):
        if ms := [1000 * seconds for seconds in timed.get(what, ()) if seconds]:
            values = (*np.percentile(ms, [50, 95]), max(ms))
            told = zip(("median", "p95", "most"), values, strict=True)
            found[f"{what}_ms"] = {name: round(value, 2) for name, value in told}
    return found
