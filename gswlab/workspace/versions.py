"""Every version of a run within reach: a checkpoint every few steps, then replay.

Workspaces share what did not change, yet a noun that grows with the book (a main
character's mentions) is a new tuple in every version that touches it. Keeping all
versions is therefore quadratic in such nouns; a checkpoint every `EVERY` steps divides
that by `EVERY` and costs at most `EVERY - 1` steps of replay, a few milliseconds.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from gswlab.workspace.step import Step
from gswlab.workspace.workspace import Workspace

EVERY = 16
LONG = 500  # steps of a fold that is more than a look at a version


class Versions:
    """Versions of the run whose steps `load(start, stop)` reads.

    >>> steps = [Step(0, "c0"), Step(1, "c1")]
    >>> versions = Versions(lambda start, stop: steps[start:stop])
    >>> versions.at(2).version, versions.at(1).version
    (2, 1)
    """

    def __init__(self, load: Callable[[int, int], Iterable[Step]]) -> None:
        self._load = load
        self._checkpoints = [Workspace()]
        # where the last question and the end of the run are: walking on is one step
        self._shown = self._head = self._checkpoints[0]

    def at(self, k: int) -> Workspace:
        """The workspace after `k` steps, replayed from the nearest version kept."""
        nearest = self._checkpoints[min(k // EVERY, len(self._checkpoints) - 1)]
        known = (nearest, self._shown, self._head)
        workspace = max((w for w in known if w.version <= k), key=_version)
        with _uncollected(frozen=k - workspace.version > LONG):
            for step in self._load(workspace.version, k):
                workspace = workspace.apply(step)
                self._keep(workspace)
        self._shown = workspace
        return workspace

    def push(self, after: Workspace) -> None:
        """Remember the version that a new step led to."""
        self._keep(after)

    def _keep(self, workspace: Workspace) -> None:
        if workspace.version > self._head.version:
            self._head = workspace
        if workspace.version == EVERY * len(self._checkpoints):
            self._checkpoints.append(workspace)


def _version(workspace: Workspace) -> int:
    return workspace.version


@contextmanager
def _uncollected(*, frozen: bool) -> Iterator[None]:
    """No search for cycles meanwhile: a fold makes none, and it would walk all nouns.

    Folding 10,000 steps takes 4 s instead of 18 s. After a long fold its nouns are
    `frozen` out of later searches (they still go when nobody holds them): a search that
    walks them all is a pause of seconds in the middle of whatever comes next.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if frozen:
            gc.freeze()
        if enabled:
            gc.enable()
