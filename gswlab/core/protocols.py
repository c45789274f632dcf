"""The seams of the workbench: whatever fits one is stepped, forked and measured.

Shapes are those of `gswlab.core.nouns`; every budget is in tokens of cl100k_base.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

from gswlab.core.cost import Cost
from gswlab.core.document import Document
from gswlab.core.nouns import Answer, Chunk, Evidence, LocalMap
from gswlab.core.step import Step
from gswlab.core.workspace import Workspace


@runtime_checkable
class Operator(Protocol):
    """Text to `LocalMap`, one chunk at a time; the workspace is context, read only."""

    def extract(self, chunk: Chunk, workspace: Workspace) -> LocalMap:
        """What the chunk says by itself; `workspace` is context, left as it is."""


@runtime_checkable
class Preparing(Protocol):
    """An operator that gains from knowing what comes next: calls made at once.

    What `extract` returns does not depend on how many chunks were announced at once.
    """

    def prepare(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Announce the chunks to be read next, all of one document."""


@runtime_checkable
class Estimating(Protocol):
    """A stage that asks a model and knows before a run what that costs at most.

    Of what it asks while `chunks` are read and while as many `questions` are answered
    from `budget` tokens each. Asks that can be written already are counted by
    `model.estimate(asks)`, those that wait for other replies by `model.most(calls,
    read, wrote)`; costs add up with `Cost.plus`, from `NOTHING`.
    """

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that reading `chunks` and answering `questions` can cost."""


@runtime_checkable
class Reconciler(Protocol):
    """What a chunk's `LocalMap` changes in a workspace, as a `Step`.

    `finish` is the step of the end of input (document-wide votes, last episodes); it
    is idempotent: with nothing to do it returns a step without changes.
    """

    def reconcile(self, workspace: Workspace, local: LocalMap, chunk: Chunk) -> Step:
        """The step that `workspace` is to take next; it is not applied here."""

    def finish(self, workspace: Workspace) -> Step:
        """The step of the end of input, of no chunk."""


@runtime_checkable
class Resuming(Protocol):
    """A reconciler that holds something back: a journal's steps say what it was."""

    def resumed(self, steps: Iterable[Step], chunks: Iterable[Chunk]) -> None:
        """Take up what the steps of a journal say was held back at their end."""


@runtime_checkable
class Settling(Protocol):
    """A memory that settles the end of input before it is asked."""

    def settled(self) -> None:
        """Take the workspace it starts from as settled: its run is finished."""


# The experiments that any memory of chunks is for, by their names in `conf/`.
OF_TEXTS = (
    *("read", "epbench", "epbench20", "generated", "gsw_paper", "gsw_table1"),
    *("hotpotqa", "locomo", "beam", "document_qa", "plot"),
    *("nested_kv", "sessions", "knowledge_update", "fairytale"),
)


@runtime_checkable
class Memory(Protocol):
    """Every system and every baseline. A chapter ends when `chunk.chapter` changes.

    A class says in `experiments` which ones it is for: `memory=all` takes those that
    name the experiment that is run.
    """

    def partial_fit(self, chunk: Chunk) -> Step:
        """Read one more chunk; the step says what that changed."""

    def finish(self) -> Step:
        """The step of the end of input; it may be asked for more than once."""

    def recall(self, question: str, budget: int) -> Evidence:
        """What is held for a question, in at most `budget` tokens."""

    def clone(self) -> Memory:
        """An object of the same class and settings that has read nothing."""


@runtime_checkable
class Expecting(Protocol):
    """A memory that gains from knowing the questions to come: calls made at once.

    What `recall` returns does not depend on whether its question was announced.
    """

    def expect(self, questions: Sequence[str]) -> None:
        """Announce the questions that will be asked."""


@runtime_checkable
class RecallGate(Protocol):
    """What says how much of what a memory would hand over is worth its tokens."""

    def passed(self, question: str, found: Evidence, budget: int) -> Evidence:
        """`found` as far as the gate lets it through, and why, in its trace."""


@runtime_checkable
class Reader(Protocol):
    """Evidence and a question to an `Answer`; a reader knows no memory."""

    def answer(self, question: str, evidence: Evidence) -> Answer:
        """The answer the evidence has, or an abstention where it has none."""
