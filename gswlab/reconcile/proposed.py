"""What a chunk's step does to the workspace as a graph: its edit, and what it tells.

- The edit is that of the drawn nouns (no questions): those that appear, and the links
  that appear or go.
- What it costs is held against what the operator read: were nothing known, all of it
  would be new.
- What it tells is read off the chapter's episode: how much clearer its date, place,
  protagonist and kind of event get, each a distribution by votes; and what share of the
  chapter's open questions it answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce

import networkx as nx

from gswlab.core.nouns import Chunk, Episode, LocalMap, Relation
from gswlab.core.references import links
from gswlab.core.step import Change, NounKind, Put
from gswlab.core.workspace import KIND, Workspace
from gswlab.gedig.edit import Edge, Edit, Graph
from gswlab.gedig.entropy import clearing

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
    ids = {i: None for i in ids if KIND[i[:1]] != "question"}
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
