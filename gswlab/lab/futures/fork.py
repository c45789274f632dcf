"""Two futures of one run: as it was recorded, and as it goes on from a step otherwise.

- the shared steps are copied from the journal: nothing of them is read or asked again,
  and `shared` says so with the ledger's counts;
- both futures are labs: step, ask and fork them like any other;
- they are compared by what the text says, for their nouns have other numbers.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gswlab.bench import runner
from gswlab.core.codec import canonical, encode_step
from gswlab.core.cost import NOTHING, Cost
from gswlab.core.diff import Diff, diff
from gswlab.core.nouns import Chunk, visible
from gswlab.core.references import label
from gswlab.core.step import FINISH, Alignment, Decision, Step
from gswlab.core.workspace import Workspace
from gswlab.lab import config
from gswlab.lab.futures.ask import Replies, asked, held, worth
from gswlab.lab.lab import Lab
from gswlab.lab.settings import overrides as overrides_of
from gswlab.view.run.futures import (
    Row,
    both_steps,
    difference,
    fragment,
    futures_page,
    listed,
    marked_table,
)

if TYPE_CHECKING:
    import pandas as pd


# The first step at which two futures part, and which decisions differ there.

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


# What a fork replayed from the journal, and what it read and asked again.


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


@dataclass(eq=False)
class Futures:
    """What was recorded (`left`) beside what is so since step `at` (`right`).

    >>> two = fork(lab, 3, "reconciler.threshold=0.9")               # doctest: +SKIP
    >>> two.first.told, two.ask("Who was arrested?").equal           # doctest: +SKIP
    """

    left: Lab
    right: Lab
    at: int
    what: str

    def __post_init__(self) -> None:
        self._asked: Replies | None = None
        self._scores: pd.DataFrame | None = None
        self._known: tuple[Any, Any] = ((), None)

    def run(self) -> Futures:
        """Let the fork read as far as what it is held against."""
        if self.left.finished:
            runner.read_all(self.right)
        while len(self.right.workspace.chunks) < len(self.left.workspace.chunks):
            if self.right.step() is None:
                break  # the left has read what no dataset has: messages of a chat
        return self

    @property
    def shared(self) -> Shared:
        """What was replayed, and what was read and asked again."""
        return shared(self.right, self.at)

    @property
    def diff(self) -> Diff:
        """What the fork believes otherwise; no rows where nothing keeps beliefs."""
        return self._compared[0]

    @property
    def first(self) -> First | None:
        """The first step at which they part."""
        return self._compared[1]

    @property
    def _compared(self) -> tuple[Diff, First | None]:
        read = len(self.left.journal), len(self.right.journal)
        if self._known[0] != read:
            first, news = parted(self.left, self.right, self.at)
            both = self.left.workspace, self.right.workspace
            self._known = read, (diff(*both, news, by="text"), first)
        found: tuple[Diff, First | None] = self._known[1]
        return found

    def ask(self, *questions: str) -> Replies:
        """Put questions to both; the page and the table of this pair show the last."""
        self._asked = asked(self.left, self.right, questions)
        return self._asked

    def scores(self) -> pd.DataFrame:
        """Figures of both on the dataset's own scorer, which answers every question.

        Empty where it asks nothing; the page shows them once they were asked for.
        """
        both = worth(self.left), worth(self.right)
        self._scores = held(*both, ("recorded", "fork"))
        return self._scores

    def words(self) -> tuple[str, ...]:
        """What is shared, where they part and in what, as sentences."""
        first = self.first
        part = f"They part at {first.where}" if first else "They never part"
        return (
            f"{self.what}, from step {self.at} on: {self.shared.words()}.",
            f"{part}{': ' + first.told[0] if first else ''}.",
            self._differing(),
        )

    def _differing(self) -> str:
        if not (self.left.folds and self.right.folds):
            return "No workspace to compare: .ask(QUESTION) holds what each recalls."
        counts = repr(self.diff).removeprefix("Diff(").removesuffix(")")
        return f"Difference in the workspace: {counts}."

    def to_frame(self) -> pd.DataFrame:
        """A row a difference in the workspace."""
        return self.diff.to_frame()

    def to_html(self, path: str | Path) -> Path:
        """Write both futures side by side as one page that needs nothing else."""
        title = f"Two futures: {self.what}"
        return futures_page(title, self.words(), self._sections()).write(path)

    def _sections(self) -> dict[str, str]:
        sections = {}
        if first := self.first:
            sections[f"Where they part: {first.where}"] = listed(
                first.told
            ) + both_steps(
                {
                    "recorded": (self.left.journal, first.left.index),
                    f"in the fork: {self.what}": (
                        self.right.journal,
                        first.right.index,
                    ),
                }
            )
        if self.left.folds and self.right.folds:
            sections["What the fork believes otherwise"] = difference(self.diff)
        if self._asked is not None:
            sections["Answers of both futures"] = self._asked.to_html()
        if self._scores is not None and len(self._scores):
            title = "Scores of both, on the dataset's own scorer"
            sections[title] = _scored(self._scores)
        return sections

    def _repr_html_(self) -> str:
        return fragment(self.words(), self._sections())

    def __repr__(self) -> str:
        first = f"parting at {self.first.where}" if self.first else "never parting"
        return f"Futures({self.what} from step {self.at}: {first}, {self.diff!r})"


def fork(lab: Lab, k: int, *overrides: str, **own: Any) -> Futures:
    """Fork a lab at step `k` and read on as far as it has read.

    `overrides` are settings (`reconciler.threshold=0.9`, `reader=extractive`), `own`
    objects of yours by group (`memory=Mine()`).

    Raises:
        GswlabError: there is no such step or setting, or the fork cannot take it up.
    """
    handed = (text for group in own for text in overrides_of(group, own[group]))
    what = ", ".join((*overrides, *handed)) or "nothing changed"
    return Futures(lab, config.fork(lab, k, *overrides, **own), k, what).run()


def _scored(frame: pd.DataFrame) -> str:
    rows = []
    for figure, was, now, gap, low, high in frame.itertuples(index=False):
        ends = "" if low != low or low is None else f" [{low:+.3f}, {high:+.3f}]"
        told = (str(figure), f"{was:.4g}", f"{now:.4g}", f"{gap:+.4g}{ends}")
        rows.append(Row("changed" if gap else "same", told))
    heads = ("figure", "recorded", "in the fork", "difference")
    return marked_table("with the interval of the paired difference", heads, rows)
