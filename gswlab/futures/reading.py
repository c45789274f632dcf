"""Reading a text again in other orders, each with a memory of its own.

Nothing is written but what a ledger counts: the run that is held against is untouched.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tqdm.auto import tqdm

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Answer, Chunk, Evidence
from gswlab.futures.ordered import Orders, Read
from gswlab.futures.shuffles import Unit
from gswlab.futures.shuffles import shuffles as shuffled
from gswlab.futures.stability import Held, held, survived
from gswlab.lab import Lab


def orders(
    lab: Lab,
    shuffles: int = 10,
    seed: int = 0,
    by: Unit = "chapter",
    questions: Sequence[str] = (),
) -> Orders:
    """Read what a lab has read in other orders, and hold the ends against its own.

    Args:
        lab: a run; what it has read so far is what is read again.
        shuffles: how many orders.
        seed: the same seed, the same orders.
        by: `"chapter"` keeps the chunks of a chapter together and in order.
        questions: what to ask every end; needed where no workspace is kept.

    Raises:
        GswlabError: nothing was read, or there is nothing to compare.
    """
    known = lab.workspace.chunks if lab.folder.journal.exists() else ()
    read = [chunk for chunk in lab.chunks if chunk.id in known]
    if not read:
        rule = "orders are of what was read"
        raise GswlabError(f"{lab.folder.path} has read nothing", rule, "lab.run()")
    if not lab.folds and not questions:
        problem = f"memory={lab.names['memory']} keeps no workspace to compare"
        command = 'orders(lab, questions=["Who was arrested?"])'
        raise GswlabError(problem, "it is compared by what it recalls", command)
    return _Reading(lab, tuple(questions)).all(read, shuffles, seed, by)


@dataclass(frozen=True)
class _Reading:
    """Reads a lab's chunks in any order, with a memory of its own each time."""

    lab: Lab
    questions: tuple[str, ...]

    def all(self, read: list[Chunk], many: int, seed: int, by: Unit) -> Orders:
        before = self._calls()
        own, nouns = self._end(tuple(read))
        reads = []
        for order in tqdm(
            [*shuffled(read, many, seed, by)], desc="orders", leave=False
        ):
            told, theirs = self._end(order)
            reads.append(Read(survived(nouns, theirs), told))
        calls = self._calls() - before
        return Orders(nouns, self.questions, own, tuple(reads), by, calls)

    def _end(
        self, chunks: tuple[Chunk, ...]
    ) -> tuple[tuple[tuple[Answer, Evidence], ...], tuple[Held, ...]]:
        memory: Any = self.lab.blank()
        for chunk in chunks:
            memory.partial_fit(chunk)
        memory.finish()
        told = tuple(self._asked(memory, question) for question in self.questions)
        return told, held(memory.workspace) if self.lab.folds else ()

    def _asked(self, memory: Any, question: str) -> tuple[Answer, Evidence]:
        evidence: Evidence = memory.recall(question, self.lab.budget)
        return self.lab.reader.answer(question, evidence), evidence

    def _calls(self) -> int:
        return self.lab.llm.ledger.total().calls if self.lab.llm else 0
