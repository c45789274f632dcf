"""Plots as what a run reads and is asked: a file, or those that come with the package.

The plots alone are handed to a memory, and of a question its words alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from gswlab.bench import digest
from gswlab.bench.datasets import PATH, given
from gswlab.bench.plots.questions import COMMAND, load_questions
from gswlab.bench.plots.worlds import World, document_of, worlds
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk
from gswlab.hybridrag.plot import Plot, read_plot

BUNDLED = Path(__file__).parents[2] / "hybridrag" / "plots"


@dataclass
class Plots:
    """A plot and its questions; without a file, the five plots of the package.

    `documents` is how many tokens a memory may hand over that is measured as it was
    published, without a budget: long context, and parallel beside its graph.
    """

    file: str | None = field(default=None, metadata=PATH)
    questions: str | None = field(default=None, metadata=PATH)
    documents: int = 100_000

    def __post_init__(self) -> None:
        if self.questions and not self.file:
            command = f"{COMMAND} dataset.file=PLOT.xml dataset.questions=FILE"
            raise GswlabError("there is no plot to ask about", "both are set", command)

    def document(self) -> Document:
        """The files of all plots: the text that every span points into."""
        return document_of(self._plots)

    def chunks(self) -> tuple[Chunk, ...]:
        """Nothing: each plot is read by a memory of its own."""
        return ()

    @cached_property
    def worlds(self) -> tuple[World, ...]:
        """Each plot with its questions and their gold: for scoring alone."""
        return worlds(self._plots, [load_questions(file) for file in self._asked])

    @cached_property
    def _plots(self) -> tuple[Plot, ...]:
        return tuple(read_plot(file) for file in self._files)

    @property
    def _files(self) -> tuple[Path, ...]:
        if self.file is None:
            return tuple(sorted(BUNDLED.glob("*.xml")))
        return (given(self.file, "dataset.file", f"{COMMAND} dataset.file=PLOT.xml"),)

    @property
    def _asked(self) -> tuple[Path, ...]:
        if self.file is None:
            return tuple(file.with_suffix(".jsonl") for file in self._files)
        command = f"{COMMAND} dataset.file={self.file} dataset.questions=FILE"
        return (given(self.questions, "dataset.questions", command),)

    def hashes(self) -> dict[str, str]:
        """The content hash of the questions."""
        return {"questions": digest.of_files(*self._asked)}
