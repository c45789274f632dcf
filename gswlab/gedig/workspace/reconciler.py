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

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cache, reduce
from random import Random
from typing import Annotated, Any, Literal, TypeAlias, get_type_hints

import networkx as nx
from pydantic import Field
from typing_extensions import TypedDict

from gswlab.core.codec import canonical, decode
from gswlab.core.errors import checked
from gswlab.core.nouns import JSON, Chunk, Episode, LocalMap, Relation, TraceEvent
from gswlab.core.protocols import Reconciler
from gswlab.core.references import links
from gswlab.core.step import Admission, Change, Decision, NounKind, Put, Step
from gswlab.core.workspace import KIND as NOUN_KIND
from gswlab.core.workspace import Workspace
from gswlab.gedig.edit import Edge, Edit, Graph
from gswlab.gedig.entropy import clearing
from gswlab.gedig.gauge import Gauge, Price, Terms
from gswlab.gedig.record import KIND, priced
from gswlab.gedig.thresholds import Fixed, fire

# An edit that waits, and how a journal keeps it: the local map as canonical JSON.

_APART = ("chunk", "events")  # the events of a map are in the step that read it


@dataclass(frozen=True, slots=True)
class Held:
    """What was read off which chunk, and how often its edit was tried again."""

    local: LocalMap
    chunk: Chunk
    tries: int = 0


def written(local: LocalMap) -> str:
    """The parts of a local map as text.

    >>> written(LocalMap("book:1:0"))
    '{}'
    """
    parts = {f.name: getattr(local, f.name) for f in fields(local)}
    kept = {n: part for n, part in parts.items() if part and n not in _APART}
    return canonical(kept)


def read_back(text: str, chunk: str) -> LocalMap:
    """The local map that was written, without its events."""
    found: Any = decode(_parts(), text)
    return LocalMap(chunk, **found)


@cache
def _parts() -> type:
    hints = get_type_hints(LocalMap)
    parts = {name: hint for name, hint in hints.items() if name not in _APART}
    made: Any = TypedDict("Parts", parts, total=False)  # type: ignore[misc]
    found: type = made
    return found


# What a chunk's step does to the workspace as a graph: its edit, and what it tells.

DRAWN: tuple[NounKind, ...] = ("actor", "verb_phrase", "time", "place", "episode")
FIELDS = ("date", "place", "protagonist", "kind")
_UNKNOWN = 0.25  # weight of each reading, and of none, before any vote


def folded(workspace: Workspace, changes: Iterable[Change]) -> Workspace:
    """The workspace after changes that are no step yet; its version stays."""
    return reduce(Workspace.change, changes, workspace)


def chapter_graph(workspace: Workspace, chunk: Chunk) -> Graph:
    """The drawn nouns of a chunk's chapter and the links between nouns."""
    graph: Graph = nx.Graph()
    for kind in (*DRAWN, "relation"):
        chapter = chunk.chapter or 0 if kind == "relation" else chunk.chapter
        for noun in workspace.in_chapter(kind, chapter):
            if kind != "relation":
                graph.add_node(noun.id)
            graph.add_edges_from(_edges(workspace, noun.id))
    return graph


def edit_of(before: Workspace, after: Workspace, changes: Iterable[Change]) -> Edit:
    """What changes add to the graph and take from it."""
    ids = dict.fromkeys(c.item.id if isinstance(c, Put) else c.id for c in changes)
    ids = {i: None for i in ids if NOUN_KIND[i[:1]] != "question"}
    born = [i for i in ids if i not in before and i in after and i[0] != "r"]
    had, has = (
        {frozenset(edge): edge for i in ids if i in w for edge in _edges(w, i)}
        for w in (before, after)
    )
    gone = {i for i in ids if i in before and i not in after and i[0] != "r"}
    return Edit(
        tuple(born),
        tuple(edge for key, edge in has.items() if key not in had),
        tuple(e for key, e in had.items() if key not in has and not gone & key),
    )


def read_of(local: LocalMap) -> int:
    """Operations there would be if nothing of what was read were known."""
    nouns = (local.actors, local.verb_phrases, local.links)
    ties = sum(len(phrase.arguments) for phrase in local.verb_phrases)
    return sum(map(len, nouns)) + ties + sum(len(link.actors) for link in local.links)


def told(before: Workspace, after: Workspace, chunk: Chunk) -> float:
    """The gain of information, in [-1, 1]: of the four fields, and of the questions."""
    one, other = (_episode(w, chunk) for w in (before, after))
    fields = [_cleared(_readings(one, n), _readings(other, n)) for n in FIELDS]
    return (sum(fields) + _answered(before, after, chunk)) / (len(FIELDS) + 1)


def _cleared(before: Mapping[str, float], after: Mapping[str, float]) -> float:
    """How much sharper a field gets; with no vote every reading is as likely."""
    values = sorted({*before, *after})
    weights = (
        [_UNKNOWN, *(_UNKNOWN + found.get(value, 0.0) for value in values)]
        for found in (before, after)
    )
    return clearing(*weights) if values else 0.0


def _answered(before: Workspace, after: Workspace, chunk: Chunk) -> float:
    """The share of the chapter's open questions that are answered now."""
    asked = before.in_chapter("question", chunk.chapter or 0)
    waiting = [question.id for question in asked if question.status == "open"]
    done = sum(after.get(i).status == "answered" for i in waiting if i in after)
    return done / len(waiting) if waiting else 0.0


def _episode(workspace: Workspace, chunk: Chunk) -> Episode | None:
    """The chapter's episode as it stands: the last one."""
    found: list[Episode] = [
        episode
        for episode in workspace.in_chapter("episode", chunk.chapter)
        if episode.document == chunk.document
    ]
    return found[-1] if found else None


def _readings(episode: Episode | None, name: str) -> dict[str, float]:
    if episode is None:
        return {}
    best = getattr(episode, name)
    rest = episode.hypotheses.get(name, ())
    found = (*([best] if best else []), *rest)
    return {bound.value: bound.score for bound in found if bound.score > 0}


def _edges(workspace: Workspace, noun_id: str) -> Iterator[Edge]:
    """The edges of a noun's links; a relation is itself an edge, of its two ends."""
    noun = workspace.get(noun_id)
    source = noun.source if isinstance(noun, Relation) else noun.id
    for link in links(noun):
        ends = workspace.resolve(source), workspace.resolve(link.target)
        if all(end in workspace for end in ends) and ends[0] != ends[1]:
            yield ends


# A step of several edits: each is written on what the one before it left.

Status: TypeAlias = Literal["accepted", "held", "rejected"]


@dataclass(frozen=True, slots=True)
class Ruled:
    """What became of one edit."""

    step: Step
    decision: Admission
    event: TraceEvent

    @property
    def status(self) -> Status:
        """Whether the edit was accepted, held or rejected."""
        return self.decision.status


class Writing:
    """A step in the making, of several edits, each on what the one before left."""

    def __init__(self, workspace: Workspace) -> None:
        self.before = self.workspace = workspace
        self.changes: tuple[Change, ...] = ()
        self.decisions: tuple[Decision, ...] = ()
        self.events: list[TraceEvent] = []

    def take(self, ruled: Ruled) -> None:
        """Write an edit down if it was accepted, and what was decided of it."""
        self.decisions += (ruled.decision,)
        self.events.append(ruled.event)
        if ruled.status == "accepted":
            self.add(ruled.step)

    def add(self, step: Step) -> None:
        """Write down all of a step."""
        self.changes += step.changes
        self.decisions += step.decisions
        self.events += step.events
        self.workspace = folded(self.workspace, step.changes)

    def step(self, chunk: str | None, note: str = "") -> Step:
        """The step of all of it."""
        number, events = self.before.version, tuple(self.events)
        return Step(number, chunk, self.changes, self.decisions, events, note)


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
