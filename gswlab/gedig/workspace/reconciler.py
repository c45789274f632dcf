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

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cache, reduce
from itertools import chain
from random import Random
from typing import Annotated, Any, Literal, TypeAlias, cast, get_type_hints

import networkx as nx
from pydantic import Field
from typing_extensions import TypedDict

from gswlab.core.codec import canonical, decode
from gswlab.core.errors import checked
from gswlab.core.facts import links
from gswlab.core.nouns import JSON, Chunk, LocalMap, Relation, TraceEvent
from gswlab.core.protocols import Reconciler
from gswlab.core.step import Admission, Change, Decision, NounKind, Put, Step
from gswlab.core.workspace import KIND as NOUN_KIND
from gswlab.core.workspace import Workspace
from gswlab.gedig import PRICED
from gswlab.gedig.edit import Edit, NxGraph, VertexPair
from gswlab.gedig.entropy import clearing
from gswlab.gedig.gauge import Gauge, Price, Terms
from gswlab.gedig.record import priced
from gswlab.gedig.thresholds import Fixed, fire

# What a chunk's step does to the workspace as a graph: its edit, and what it tells.

_DRAWN: tuple[NounKind, ...] = ("actor", "verb_phrase", "time", "place", "episode")
_FIELDS = ("date", "place", "protagonist", "kind")
_UNKNOWN = 0.25  # weight of each reading, and of none, before any vote


def after_changes(workspace: Workspace, changes: Iterable[Change]) -> Workspace:
    """The workspace after changes that are no step yet; its version stays."""
    return reduce(Workspace.change, changes, workspace)


def edit_of(before: Workspace, after: Workspace, changes: Iterable[Change]) -> Edit:
    """What changes add to the graph and take from it."""
    ids = dict.fromkeys(c.item.id if isinstance(c, Put) else c.id for c in changes)
    ids = {i: None for i in ids if NOUN_KIND[i[:1]] != "question"}
    nodes = [i for i in ids if i[0] != "r"]
    born = [i for i in nodes if i not in before and i in after]
    gone = {i for i in nodes if i in before and i not in after}
    had, has = (
        {frozenset(edge): edge for i in ids if i in w for edge in _edges(w, i)}
        for w in (before, after)
    )
    return Edit(
        tuple(born),
        tuple(edge for key, edge in has.items() if key not in had),
        tuple(e for key, e in had.items() if key not in has and not gone & key),
    )


def _edges(workspace: Workspace, noun_id: str) -> Iterator[VertexPair]:
    """The edges of a noun's links; a relation is itself an edge, of its two ends."""
    noun = workspace.get(noun_id)
    source = noun.source if isinstance(noun, Relation) else noun.id
    for link in links(noun):
        ends = workspace.resolve(source), workspace.resolve(link.target)
        if all(end in workspace for end in ends) and ends[0] != ends[1]:
            yield ends


def edit_gain(before: Workspace, after: Workspace, chunk: Chunk) -> float:
    """The gain of information, in [-1, 1]: of the four fields, and of the questions."""
    # 1. how much sharper each field gets; with no vote every reading is as likely
    gain = 0.0
    for name in _FIELDS:
        had, has = (_readings(w, chunk, name) for w in (before, after))
        values = sorted({*had, *has})
        weights = (
            [_UNKNOWN, *(_UNKNOWN + found.get(value, 0.0) for value in values)]
            for found in (had, has)
        )
        gain += clearing(*weights) if values else 0.0
    # 2. the share of the chapter's open questions that are answered now
    asked = before.in_chapter("question", chunk.chapter or 0)
    waiting = [question.id for question in asked if question.status == "open"]
    done = sum(after.get(i).status == "answered" for i in waiting if i in after)
    answered = done / len(waiting) if waiting else 0.0
    return (gain + answered) / (len(_FIELDS) + 1)


def _readings(workspace: Workspace, chunk: Chunk, name: str) -> dict[str, float]:
    """The votes on a field of the chapter's episode as it stands: the last one."""
    episodes = workspace.in_chapter("episode", chunk.chapter)
    here = [e for e in episodes if e.document == chunk.document]
    if not here:
        return {}
    best = getattr(here[-1], name)
    found = (*([best] if best else []), *here[-1].hypotheses.get(name, ()))
    return {bound.value: bound.score for bound in found if bound.score > 0}


# The reconciler: a step of several edits, each on what the one before it left.

_Status: TypeAlias = Literal["accepted", "held", "rejected"]
_ACTIONS = {"accepted": "accept", "held": "hold", "rejected": "reject"}
_HELD = "held"  # the kind of the event that keeps a local map
_APART = ("chunk", "events")  # not kept: the step that read the map has its events


@dataclass(frozen=True, slots=True)
class HeldEdit:
    """What was read off which chunk, and how often its edit was tried again."""

    local: LocalMap
    chunk: Chunk
    tries: int = 0


class _Writing:
    """A step in the making."""

    def __init__(self, workspace: Workspace) -> None:
        self.before = self.workspace = workspace
        self.changes: tuple[Change, ...] = ()
        self.decisions: tuple[Decision, ...] = ()
        self.events: tuple[TraceEvent, ...] = ()

    def add(self, step: Step) -> None:
        self.changes += step.changes
        self.decisions += step.decisions
        self.events += step.events
        self.workspace = after_changes(self.workspace, step.changes)

    def step(self, chunk: str | None, note: str = "") -> Step:
        parts = (self.changes, self.decisions, self.events)
        return Step(self.before.version, chunk, *parts, note)


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
    _held: dict[str, HeldEdit] = field(default_factory=dict, init=False, compare=False)

    def __post_init__(self) -> None:
        checked(self.patience, Annotated[int, Field(ge=0)], "reconciler.patience")

    def reconcile(self, workspace: Workspace, local: LocalMap, chunk: Chunk) -> Step:
        """What is accepted of `local` and of what was held before it."""
        done, fresh = _Writing(workspace), HeldEdit(local, chunk)
        status = self._tried(done, fresh)
        here = (chunk.document, chunk.chapter)
        for name, waiting in list(self._held.items()):
            again = replace(waiting, tries=waiting.tries + 1)
            ended = (waiting.chunk.document, waiting.chunk.chapter) != here
            last = ended or again.tries >= self.patience
            del self._held[name]
            if self._tried(done, again, last) == "held":
                self._held[name] = again
        if status == "held":
            self._held[chunk.id] = fresh
            # canonical JSON of what else is in no step
            parts = {f.name: getattr(local, f.name) for f in fields(local)}
            told = {n: part for n, part in parts.items() if part and n not in _APART}
            data: dict[str, JSON] = {"edit": chunk.id, "map": canonical(told)}
            done.events += (TraceEvent(_HELD, data),)
        return done.step(chunk.id)

    def finish(self, workspace: Workspace) -> Step:
        """The end of input: what is held is tried until nothing more is accepted."""
        done = _Writing(workspace)
        waiting = []
        for held in self._held.values():
            # one that was accepted since: its chapter's episode was told of it
            episodes = workspace.in_chapter("episode", held.chunk.chapter)
            if not any(held.chunk.id in episode.chunks for episode in episodes):
                waiting.append(held)
        while True:
            done.add(self.inner.finish(done.workspace))
            for held in waiting:
                if self._tried(done, held, silent=True) == "accepted":
                    break
            else:
                return done.step(None, "finish")
            waiting.remove(held)

    def register(self, workspace: Workspace, text: str) -> Step:
        """The step that puts a standing question: no edit is priced."""
        inner: Any = self.inner
        return cast(Step, inner.register(workspace, text))

    def resumed(self, steps: Iterable[Step], chunks: Iterable[Chunk]) -> None:
        """Hold what a journal's steps say was held and not settled since."""
        known = {chunk.id: chunk for chunk in chunks}
        self._held.clear()
        for event in chain.from_iterable(step.events for step in steps):
            name = str(event.data.get("edit"))
            if event.kind == _HELD:
                parts: Any = decode(_parts(), str(event.data["map"]))
                self._held[name] = HeldEdit(LocalMap(name, **parts), known[name])
            elif event.kind == PRICED and name in self._held:
                tried = self._held.pop(name)
                if event.data["action"] == _ACTIONS["held"]:
                    self._held[name] = replace(tried, tries=tried.tries + 1)

    def _tried(
        self, done: _Writing, held: HeldEdit, last: bool = False, silent: bool = False
    ) -> _Status:
        """Price an edit on what is there; write it down where it is accepted.

        What was decided is written down in any case, unless `silent`; the `last` try
        settles it.
        """
        chunk, workspace = held.chunk, done.workspace
        step = self.inner.reconcile(workspace, held.local, chunk)
        price = self._price(workspace, step, held)
        fired = fire(price, self.gates)
        waits = fired.ag and not last and self.patience > 0
        status: _Status = "accepted" if fired.dg else "held" if waits else "rejected"
        if silent and status != "accepted":
            return status
        reason, kept = _reason(price, self.gates, status), status == "accepted"
        more: dict[str, JSON] = {"edit": chunk.id, "reason": reason, "kept": kept}
        spans, best = (chunk.span,), round(price.g_min, 6)
        done.decisions += (Admission(chunk.id, status, best, reason, spans),)
        action = _ACTIONS[status]
        done.events += (priced(price, self.gauge, self.gates, action, spans, more),)
        if kept:
            done.add(step)
        return status

    def _price(self, workspace: Workspace, step: Step, held: HeldEdit) -> Price:
        chunk, local = held.chunk, held.local
        if self.chance:
            drawn = Random(chunk.id).uniform(-1, 1)
            return self.gauge.price(Edit(), [Terms(0.0, drawn, 0.0)])
        # 1. the drawn nouns of the chunk's chapter and the links between nouns
        graph: NxGraph = nx.Graph()
        for kind in (*_DRAWN, "relation"):
            chapter = chunk.chapter or 0 if kind == "relation" else chunk.chapter
            for noun in workspace.in_chapter(kind, chapter):
                if kind != "relation":
                    graph.add_node(noun.id)
                graph.add_edges_from(_edges(workspace, noun.id))
        # 2. what the step does to it, against all that was read: what it would cost if
        # nothing of that were known
        after = after_changes(workspace, step.changes)
        nouns = (local.actors, local.verb_phrases, local.links)
        ties = sum(len(phrase.arguments) for phrase in local.verb_phrases)
        ties += sum(len(link.actors) for link in local.links)
        edit = edit_of(workspace, after, step.changes)
        gain = edit_gain(workspace, after, chunk)
        return self.gauge(graph, edit, gain, sum(map(len, nouns)) + ties)


def _reason(price: Price, gates: Fixed, status: _Status) -> str:
    best, spot = f"{price.g_min:.2f}", f"{price.g0:.2f}"
    if status == "accepted":
        return f"Its price of {best} is at most {gates.dg:.2f}: the gain pays for it."
    if price.g0 > gates.ag:
        dear = f"On the spot it costs {spot}, above {gates.ag:.2f}, and pays nowhere"
        return f"{dear}; {'tried again' if status == 'held' else 'tried enough'}."
    return f"Between the gates at {best}: it tells too little to be worth its place."


@cache
def _parts() -> type:
    """What the journal has of a local map."""
    hints = get_type_hints(LocalMap)
    parts = {name: hint for name, hint in hints.items() if name not in _APART}
    made: Any = TypedDict("Parts", parts, total=False)  # type: ignore[misc]
    return cast(type, made)
