"""The first step at which two futures part, and which decisions differ there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from gswlab.core.codec import canonical, encode_step
from gswlab.core.diff import diff
from gswlab.core.nouns import Chunk, visible
from gswlab.core.references import label
from gswlab.core.step import FINISH, Alignment, Decision, Step
from gswlab.core.workspace import Workspace
from gswlab.lab import Lab

_MOST = 12  # sentences about one step


class First(NamedTuple):
    """Where two futures part: the chunk, None at the end of the text, and in words."""

    chunk: Chunk | None
    number: int
    left: Step
    right: Step
    told: tuple[str, ...]

    @property
    def where(self) -> str:
        """`chunk 4 (book:2:0)`, or the end of the text."""
        return f"chunk {self.number} ({self.chunk.id})" if self.chunk else "the end"


def parted(left: Lab, right: Lab, at: int) -> tuple[First | None, tuple[Step, ...]]:
    """Where two futures that share `at` steps part; and the steps of the right one
    since, each with the alignments alone that came out otherwise.

    Memories that keep a workspace part where they believe something else, the others
    where they did something else.
    """
    first: First | None = None
    news: list[Step] = []
    folds = left.folds and right.folds
    for number, chunk, pair in _pairs(left, right, at):
        one, other = (
            lab.journal[i] for lab, i in zip((left, right), pair, strict=True)
        )
        if folds:
            both = left.workspace, right.workspace
            told = tuple(decided(both, one, other))
            news.append(replace(other, changes=(), decisions=told))
        if first is None and not _alike(one, other, folds):
            said = tuple(_told(left, right, one, other))
            first = First(chunk, number, one, other, said[:_MOST]) if said else None
    return first, tuple(news)


def _pairs(
    left: Lab, right: Lab, at: int
) -> Iterator[tuple[int, Chunk | None, tuple[int, int]]]:
    """Which steps read each chunk, of those not shared; then which ended the text."""
    one, other = left.workspace.chunks, right.workspace.chunks
    for number, chunk in enumerate(left.chunks, 1):
        if other.get(chunk.id, -1) >= at and chunk.id in one:
            yield number, chunk, (one[chunk.id], other[chunk.id])
    if left.finished and right.finished and (end := _end(right)) >= at:
        yield len(left.chunks), None, (_end(left), end)


def _end(lab: Lab) -> int:
    last = max(lab.workspace.chunks.values(), default=-1)
    return next(s.index for s in lab.journal.steps(last + 1) if s.note == FINISH)


def _alike(one: Step, other: Step, folds: bool) -> bool:
    if folds:  # a threshold stands in every decision, and changes few of them
        return one.changes == other.changes
    plain = (replace(step, index=0, decisions=()) for step in (one, other))
    return len({encode_step(step) for step in plain}) == 1


def _told(left: Lab, right: Lab, one: Step, other: Step) -> Iterator[str]:
    if left.folds and right.folds:
        versions = left.at(one.index + 1), right.at(other.index + 1)
        told = decided(versions, one, other)
        words = diff(*versions, [replace(other, decisions=tuple(told))], "text").words()
        if words:  # ids may differ where nothing that they stand for does
            yield from (line for lines in told.values() for line in lines)
        yield from words
        return
    for ours, theirs in zip(one.events, other.events, strict=False):
        if ours != theirs:
            yield f"recorded: {_event(ours.kind, ours.data)}"
            yield f"in the fork: {_event(theirs.kind, theirs.data)}"
    if len(one.events) != len(other.events):
        yield f"{len(one.events)} events recorded, {len(other.events)} in the fork"


def _event(kind: str, data: object) -> str:
    text = visible(canonical(data))
    return f"{kind} {text if len(text) < 200 else text[:200] + '…'}"


def decided(
    versions: tuple[Workspace, Workspace], one: Step, other: Step
) -> dict[Alignment, tuple[str, ...]]:
    """Alignments of `other` that came out otherwise than in `one`, in words.

    Both steps read one chunk; `versions` are the workspaces after them.
    """
    found: dict[Alignment, tuple[str, ...]] = {}
    theirs = _alignments(other.decisions)
    for key, was in _alignments(one.decisions).items():
        now = theirs.get(key)
        if now is None:
            continue
        before, after = map(_outcome, versions, (was, now))
        if before != after:
            head = f"“{visible(was.name)}” was {before} and is {after}"
            why = f"recorded: {was.reason}", f"in the fork: {now.reason}"
            found[now] = (head, *why)
    return found


def _outcome(workspace: Workspace, decision: Alignment) -> str:
    if decision.status != "merged":
        return decision.status
    noun = workspace.nouns.get(workspace.resolve(decision.actor))
    return f"merged with {visible(label(noun)) if noun else decision.actor}"


def _alignments(decisions: tuple[Decision, ...]) -> dict[tuple[str, str], Alignment]:
    return {(d.new, d.name): d for d in decisions if isinstance(d, Alignment)}
