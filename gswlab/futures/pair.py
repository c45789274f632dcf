"""Two futures of one run: as it was recorded, and as it goes on from a step otherwise.

- the shared steps are copied from the journal: nothing of them is read or asked again,
  and `shared` says so with the ledger's counts;
- both futures are labs: step, ask and fork them like any other;
- they are compared by what the text says, for their nouns have other numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gswlab import config
from gswlab.bench import runner
from gswlab.core.diff import Diff, diff
from gswlab.futures.asked import Replies, asked
from gswlab.futures.first import First, parted
from gswlab.futures.scored import held, worth
from gswlab.futures.shared import Shared, shared
from gswlab.lab import Lab
from gswlab.own import overrides as overrides_of
from gswlab.view.futures.futures import (
    Row,
    both_steps,
    difference,
    fragment,
    futures_page,
    listed,
    marked_table,
)

if TYPE_CHECKING:
    import pandas as pd


@dataclass(eq=False)
class Futures:
    """What was recorded (`left`) beside what is so since step `at` (`right`).

    >>> two = fork(lab, 3, "reconciler.threshold=0.9")               # doctest: +SKIP
    >>> two.first.told, two.ask("Who was arrested?").equal           # doctest: +SKIP
    """

    left: Lab
    right: Lab
    at: int
    what: str

    def __post_init__(self) -> None:
        self._asked: Replies | None = None
        self._scores: pd.DataFrame | None = None
        self._known: tuple[Any, Any] = ((), None)

    def run(self) -> Futures:
        """Let the fork read as far as what it is held against."""
        if self.left.finished:
            runner.read_all(self.right)
        while len(self.right.workspace.chunks) < len(self.left.workspace.chunks):
            if self.right.step() is None:
                break  # the left has read what no dataset has: messages of a chat
        return self

    @property
    def shared(self) -> Shared:
        """What was replayed, and what was read and asked again."""
        return shared(self.right, self.at)

    @property
    def diff(self) -> Diff:
        """What the fork believes otherwise; no rows where nothing keeps beliefs."""
        return self._compared[0]

    @property
    def first(self) -> First | None:
        """The first step at which they part."""
        return self._compared[1]

    @property
    def _compared(self) -> tuple[Diff, First | None]:
        read = len(self.left.journal), len(self.right.journal)
        if self._known[0] != read:
            first, news = parted(self.left, self.right, self.at)
            both = self.left.workspace, self.right.workspace
            self._known = read, (diff(*both, news, by="text"), first)
        found: tuple[Diff, First | None] = self._known[1]
        return found

    def ask(self, *questions: str) -> Replies:
        """Put questions to both; the page and the table of this pair show the last."""
        self._asked = asked(self.left, self.right, questions)
        return self._asked

    def scores(self) -> pd.DataFrame:
        """Figures of both on the dataset's own scorer, which answers every question.

        Empty where it asks nothing; the page shows them once they were asked for.
        """
        both = worth(self.left), worth(self.right)
        self._scores = held(*both, ("recorded", "fork"))
        return self._scores

    def words(self) -> tuple[str, ...]:
        """What is shared, where they part and in what, as sentences."""
        first = self.first
        part = f"They part at {first.where}" if first else "They never part"
        return (
            f"{self.what}, from step {self.at} on: {self.shared.words()}.",
            f"{part}{': ' + first.told[0] if first else ''}.",
            self._differing(),
        )

    def _differing(self) -> str:
        if not (self.left.folds and self.right.folds):
            return "No workspace to compare: .ask(QUESTION) holds what each recalls."
        counts = repr(self.diff).removeprefix("Diff(").removesuffix(")")
        return f"Difference in the workspace: {counts}."

    def to_frame(self) -> pd.DataFrame:
        """A row a difference in the workspace."""
        return self.diff.to_frame()

    def to_html(self, path: str | Path) -> Path:
        """Write both futures side by side as one page that needs nothing else."""
        title = f"Two futures: {self.what}"
        return futures_page(title, self.words(), self._sections()).write(path)

    def _sections(self) -> dict[str, str]:
        sections = {}
        if first := self.first:
            sections[f"Where they part: {first.where}"] = listed(
                first.told
            ) + both_steps(
                {
                    "recorded": (self.left.journal, first.left.index),
                    f"in the fork: {self.what}": (
                        self.right.journal,
                        first.right.index,
                    ),
                }
            )
        if self.left.folds and self.right.folds:
            sections["What the fork believes otherwise"] = difference(self.diff)
        if self._asked is not None:
            sections["Answers of both futures"] = self._asked.to_html()
        if self._scores is not None and len(self._scores):
            title = "Scores of both, on the dataset's own scorer"
            sections[title] = _scored(self._scores)
        return sections

    def _repr_html_(self) -> str:
        return fragment(self.words(), self._sections())

    def __repr__(self) -> str:
        first = f"parting at {self.first.where}" if self.first else "never parting"
        return f"Futures({self.what} from step {self.at}: {first}, {self.diff!r})"


def fork(lab: Lab, k: int, *overrides: str, **own: Any) -> Futures:
    """Fork a lab at step `k` and read on as far as it has read.

    `overrides` are settings (`reconciler.threshold=0.9`, `reader=extractive`), `own`
    objects of yours by group (`memory=Mine()`).

    Raises:
        GswlabError: there is no such step or setting, or the fork cannot take it up.
    """
    handed = (text for group in own for text in overrides_of(group, own[group]))
    what = ", ".join((*overrides, *handed)) or "nothing changed"
    return Futures(lab, config.fork(lab, k, *overrides, **own), k, what).run()


def _scored(frame: pd.DataFrame) -> str:
    rows = []
    for figure, was, now, gap, low, high in frame.itertuples(index=False):
        ends = "" if low != low or low is None else f" [{low:+.3f}, {high:+.3f}]"
        told = (str(figure), f"{was:.4g}", f"{now:.4g}", f"{gap:+.4g}{ends}")
        rows.append(Row("changed" if gap else "same", told))
    heads = ("figure", "recorded", "in the fork", "difference")
    return marked_table("with the interval of the paired difference", heads, rows)
