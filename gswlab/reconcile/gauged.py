"""A gauge before the workspace: each chunk's edit is accepted, held or rejected.

Another reconciler proposes; the gauge prices what it proposes; nothing else is changed.

- DG fires (some hop's gain pays for the cost): the edit is accepted.
- Only AG fires (dear on the spot): it is held, and tried again after each of the
  chapter's next chunks, by what is known then, `patience` times at most.
- Neither fires: it is redundant, and rejected.

Each try is a decision with its reason and price, and an event that can be weighed anew.
What is held is in the journal too, so that a run is taken up with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Annotated, Any

from pydantic import Field

from gswlab.core.errors import checked
from gswlab.core.nouns import JSON, Chunk, LocalMap, TraceEvent
from gswlab.core.protocols import Reconciler
from gswlab.core.step import Admission, Step
from gswlab.core.workspace import Workspace
from gswlab.gedig.edit import Edit
from gswlab.gedig.gates import Fixed, fire
from gswlab.gedig.gauge import Gauge, Price, Terms
from gswlab.gedig.record import KIND, priced
from gswlab.reconcile.held import Held, read_back, written
from gswlab.reconcile.proposed import chapter_graph, edit_of, folded, read_of, told
from gswlab.reconcile.writing import Ruled, Status, Writing

HELD = "held"
ACTIONS: dict[Status, str] = {
    "accepted": "accept",
    "held": "hold",
    "rejected": "reject",
}


@dataclass(frozen=True)
class GaugedReconciler:
    """A reconciler whose edits pass a gauge (`reconciler=gauged`).

    The defaults were chosen on a book that rules were tuned on, and accept nine edits
    in ten of it: gains are small (a mean of five) and nearly all that tells good edits
    from bad ones, so lambda is large. With `chance` prices are drawn by lot, a chunk's
    always the same: a gate that fires as often and knows nothing.
    """

    inner: Reconciler
    gauge: Gauge = field(default_factory=lambda: Gauge(100.0, 0.0, hops=0))
    gates: Fixed = field(default_factory=lambda: Fixed(3.0, 3.0))
    patience: int = 2
    chance: bool = False
    _held: dict[str, Held] = field(default_factory=dict, init=False, compare=False)

    def __post_init__(self) -> None:
        checked(self.patience, Annotated[int, Field(ge=0)], "reconciler.patience")

    def reconcile(self, workspace: Workspace, local: LocalMap, chunk: Chunk) -> Step:
        """What is accepted of `local` and of what was held before it."""
        done = Writing(workspace)
        ruled = self._ruled(workspace, Held(local, chunk))
        done.take(ruled)
        for waiting in list(self._held.values()):
            ended = _chapter(waiting.chunk) != _chapter(chunk)
            done.take(self._again(done.workspace, waiting, ended))
        if ruled.status == "held":
            self._held[chunk.id] = Held(local, chunk)
            data = {"edit": chunk.id, "map": written(local)}
            done.events.append(TraceEvent(HELD, data))
        return done.step(chunk.id)

    def finish(self, workspace: Workspace) -> Step:
        """The end of input: what is held is tried until nothing more is accepted."""
        done = Writing(workspace)
        waiting = [held for held in self._held.values() if not _has(workspace, held)]
        while True:
            done.add(self.inner.finish(done.workspace))
            for held in waiting:
                ruled = self._ruled(done.workspace, held)
                if ruled.status == "accepted":
                    done.take(ruled)
                    break
            else:
                return done.step(None, "finish")
            waiting.remove(held)

    def register(self, workspace: Workspace, text: str) -> Step:
        """The step that puts a standing question: no edit is priced."""
        inner: Any = self.inner
        step: Step = inner.register(workspace, text)
        return step

    def resumed(self, steps: Iterable[Step], chunks: Iterable[Chunk]) -> None:
        """Hold what a journal's steps say was held and not settled since."""
        known = {chunk.id: chunk for chunk in chunks}
        self._held.clear()
        for event in (event for step in steps for event in step.events):
            name = str(event.data.get("edit"))
            if event.kind == HELD:
                local = read_back(str(event.data["map"]), name)
                self._held[name] = Held(local, known[name])
            elif event.kind == KIND and name in self._held:
                tried = self._held.pop(name)
                if event.data["action"] == ACTIONS["held"]:
                    self._held[name] = replace(tried, tries=tried.tries + 1)

    def _again(self, workspace: Workspace, waiting: Held, ended: bool) -> Ruled:
        """A held edit once more; its last try settles it."""
        name, tries = waiting.chunk.id, waiting.tries + 1
        ruled = self._ruled(workspace, waiting, ended or tries >= self.patience)
        del self._held[name]
        if ruled.status == "held":
            self._held[name] = replace(waiting, tries=tries)
        return ruled

    def _ruled(self, workspace: Workspace, held: Held, last: bool = False) -> Ruled:
        chunk = held.chunk
        step = self.inner.reconcile(workspace, held.local, chunk)
        price = self._price(workspace, step, held)
        fired = fire(price, self.gates)
        waits = fired.ag and not last and self.patience > 0
        status: Status = "accepted" if fired.dg else "held" if waits else "rejected"
        reason = _reason(price, self.gates, status)
        more: dict[str, JSON] = {
            "edit": chunk.id,
            "reason": reason,
            "kept": status == "accepted",
        }
        action, spans = ACTIONS[status], (chunk.span,)
        event = priced(price, self.gauge, self.gates, action, spans, more)
        best = round(price.g_min, 6)
        return Ruled(step, Admission(chunk.id, status, best, reason, spans), event)

    def _price(self, workspace: Workspace, step: Step, held: Held) -> Price:
        if self.chance:
            terms = Terms(0.0, Random(held.chunk.id).uniform(-1, 1), 0.0)
            return Price(Edit(), (terms,), (self.gauge.weighed(terms),))
        after = folded(workspace, step.changes)
        graph = chapter_graph(workspace, held.chunk)
        edit = edit_of(workspace, after, step.changes)
        gain = told(workspace, after, held.chunk)
        return self.gauge(graph, edit, gain, read_of(held.local))


def _chapter(chunk: Chunk) -> tuple[str, int | None]:
    return chunk.document, chunk.chapter


def _has(workspace: Workspace, held: Held) -> bool:
    """Whether a held edit was accepted since: its chapter's episode was told of it."""
    episodes = workspace.in_chapter("episode", held.chunk.chapter)
    return any(held.chunk.id in episode.chunks for episode in episodes)


def _reason(price: Price, gates: Fixed, status: Status) -> str:
    best, spot = f"{price.g_min:.2f}", f"{price.g0:.2f}"
    if status == "accepted":
        return f"Its price of {best} is at most {gates.dg:.2f}: the gain pays for it."
    if price.g0 > gates.ag:
        dear = f"On the spot it costs {spot}, above {gates.ag:.2f}, and pays nowhere"
        return f"{dear}; {'tried again' if status == 'held' else 'tried enough'}."
    return f"Between the gates at {best}: it tells too little to be worth its place."
