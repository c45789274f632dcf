"""What a fork replayed from the journal, and what it read and asked again."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from gswlab.core.cost import NOTHING, Cost
from gswlab.lab import Lab


class Shared(NamedTuple):
    """The counts of a fork; calls are those of the fork's own ledger.

    A memory that keeps no workspace reads the chunks of the shared steps `anew`: what
    it holds is in no journal.
    """

    steps: int
    anew: int
    asked: Cost
    chunks: int
    spent: Cost

    def words(self) -> str:
        """Said plainly: what is replayed, what is read again, and what that asked.

        >>> Shared(3, 0, NOTHING, 5, NOTHING).words()
        '3 steps replayed from the journal, 0 calls; 5 chunks read again, 0 calls'
        """
        told = f"{_many(self.steps, 'step')} replayed from the journal"
        if self.anew:
            once_more = f"their {_many(self.anew, 'chunk')} read once more"
            told += f" ({once_more}: no workspace is kept)"
        told += f", {_calls(self.asked)}"
        return f"{told}; {_many(self.chunks, 'chunk')} read again, {_calls(self.spent)}"


def shared(fork: Lab, at: int) -> Shared:
    """What a fork at step `at` took over, and what it has read since."""
    before, after = fork.journal.at(at).chunks, fork.workspace.chunks
    since = [chunk for chunk in after if chunk not in before]
    anew = 0 if fork.folds else len(before)
    return Shared(at, anew, _of(fork, before), len(since), _of(fork, since))


def _of(lab: Lab, chunks: Container[str]) -> Cost:
    """The calls that were made over some chunks."""
    cost = NOTHING
    for name, part in lab.llm.ledger.by("chunk").items() if lab.llm else ():
        cost = cost.plus(part) if name in chunks else cost
    return cost


def _many(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


def _calls(cost: Cost) -> str:
    recorded = f" ({cost.cached} more from the cassette)" if cost.cached else ""
    return _many(cost.calls, "call") + recorded
