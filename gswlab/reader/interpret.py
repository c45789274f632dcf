"""Reading evidence that has no facts: the run's operator and rules, on the items alone.

So a memory that returns bare text is read with the same eyes as one that returns
episodes. Nothing but the returned items is seen, each chapter's by themselves; spans
lead back to the items' own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from gswlab.core.nouns import Bound, Chunk, Episode, Evidence, Item, Span
from gswlab.core.protocols import Operator, Reconciler
from gswlab.core.workspace import Workspace


@dataclass
class Interpreter:
    """Items to episodes: `CueReader(interpret=Interpreter(operator, reconciler))`.

    A chapter's texts are read once: answers to many questions share their evidence.
    """

    operator: Operator
    reconciler: Reconciler
    _read: dict[str, tuple[Episode, ...]] = field(default_factory=dict, repr=False)

    def __call__(self, evidence: Evidence) -> tuple[Episode, ...]:
        """Every chapter's episodes, by chapter; items without one come first."""
        items = sorted(evidence.items, key=_order)
        chapters = groupby(items, key=lambda item: item.chapter)
        return tuple(e for _, own in chapters for e in self._chapter(tuple(own)))

    def _chapter(self, items: Sequence[Item]) -> tuple[Episode, ...]:
        key = _key(items)
        if key not in self._read:
            self._read[key] = self._episodes(items)
        return self._read[key]

    def _episodes(self, items: Sequence[Item]) -> tuple[Episode, ...]:
        workspace = Workspace()
        starts: list[int] = []
        for index, item in enumerate(items):
            starts.append(sum(len(before.text) for before in items[:index]))
            chunk = _chunk(item, index, starts[-1])
            local = self.operator.extract(chunk, workspace)
            step = self.reconciler.reconcile(workspace, local, chunk)
            workspace = workspace.apply(step)
        workspace = workspace.apply(self.reconciler.finish(workspace))
        return tuple(_respanned(e, items, starts) for e in workspace.episodes)


def _order(item: Item) -> tuple[int, tuple[Span, ...]]:
    return -1 if item.chapter is None else item.chapter, item.spans


def _key(items: Sequence[Item]) -> str:
    texts = "\0".join(f"{item.chapter}\1{item.text}\1{item.spans}" for item in items)
    return hashlib.sha256(texts.encode()).hexdigest()


def _chunk(item: Item, index: int, start: int) -> Chunk:
    span = Span("evidence", start, start + len(item.text))
    name = f"evidence:{item.chapter or 0}:{index}"
    return Chunk(name, "evidence", item.chapter, index, item.text, span)


def _respanned(
    episode: Episode, items: Sequence[Item], starts: Sequence[int]
) -> Episode:
    """An episode whose fields cite what the items cite."""

    def cited(bound: Bound) -> Bound:
        found = [items[_item(span, starts)].spans for span in bound.spans]
        spans = tuple(dict.fromkeys(span for group in found for span in group))
        return replace(bound, spans=spans)

    return replace(
        episode,
        date=cited(episode.date) if episode.date else None,
        place=cited(episode.place) if episode.place else None,
        protagonist=cited(episode.protagonist) if episode.protagonist else None,
        kind=cited(episode.kind) if episode.kind else None,
        participants=tuple(cited(bound) for bound in episode.participants),
    )


def _item(span: Span, starts: Sequence[int]) -> int:
    return max(index for index, start in enumerate(starts) if start <= span.start)
