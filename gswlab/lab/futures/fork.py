"""Two futures of one run: as it was recorded, and as it goes on from a step otherwise.

- the shared steps are copied from the journal: nothing of them is read or asked again,
  and `shared` says so with the ledger's counts;
- both futures are labs: step, ask and fork them like any other;
- they are compared by what the text says, for their nouns have other numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, NamedTuple

from gswlab.bench import runner
from gswlab.core.codec import canonical, encode_step
from gswlab.core.cost import NOTHING, Cost
from gswlab.core.diff import Diff, diff
from gswlab.core.display import DataFrame, Displayed
from gswlab.core.facts import namer
from gswlab.core.nouns import Chunk, label, visible
from gswlab.core.step import FINISH, Alignment, Step
from gswlab.core.workspace import Workspace
from gswlab.lab import config
from gswlab.lab.futures.ask import Replies, ask_both, compare_scores, worth
from gswlab.lab.lab import Lab
from gswlab.lab.settings import overrides_of
from gswlab.text.sentences import own_questions

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


class Realigned(NamedTuple):
    """An alignment that came out otherwise: whose, in which chunks, and in words."""

    name: str
    chunks: tuple[int, ...]
    told: str
    because: str

    def words(self) -> str:
        """The turn as a sentence."""
        many, said = len(self.chunks) > 1, ", ".join(map(str, self.chunks))
        because = self.because.rstrip(".")
        return f"In chunk{'s' * many} {said} {self.told}: {because}."


class Parting(NamedTuple):
    """What two futures believe otherwise, where they part first, and which merges."""

    diff: Diff
    first: First | None
    turns: tuple[Realigned, ...]


def parting(left: Lab, right: Lab, at: int) -> Parting:
    """What became otherwise in two futures that share `at` steps.

    Memories that keep a workspace part where they believe something else, the others
    where they did something else.
    """
    folds = left.folds and right.folds
    both = left.workspace, right.workspace
    # 1. Which steps read each chunk, of those not shared; then which ended the text.
    ours, theirs = (each.chunks for each in both)
    pairs: list[tuple[int, Chunk | None, int, int]] = [
        (number, chunk, ours[chunk.id], theirs[chunk.id])
        for number, chunk in enumerate(left.chunks, 1)
        if theirs.get(chunk.id, -1) >= at and chunk.id in ours
    ]
    if left.finished and right.finished and (end := _end(right)) >= at:
        pairs.append((len(left.chunks), None, _end(left), end))
    # 2. What each pair of steps decided, until one differs.
    first: First | None = None
    news: list[Step] = []
    turns: dict[tuple[str, ...], list[int]] = {}
    for number, chunk, mine, yours in pairs:
        one, other = left.journal[mine], right.journal[yours]
        if folds:
            told = decided(both, one, other)
            news.append(replace(other, changes=(), decisions=tuple(told)))
            for now, (head, *_) in told.items():
                turns.setdefault((now.name, head, now.reason), []).append(number)
            # a threshold stands in every decision, and changes few of them
            alike = one.changes == other.changes
        else:
            bare = (replace(step, index=0, decisions=()) for step in (one, other))
            alike = len(set(map(encode_step, bare))) == 1
        if first is None and not alike:
            words = _believed(left, right, one, other) if folds else _done(one, other)
            said = tuple(words)
            first = First(chunk, number, one, other, said[:_MOST]) if said else None
    found = (Realigned(key[0], tuple(at), *key[1:]) for key, at in turns.items())
    return Parting(diff(*both, news, by="text"), first, tuple(found))


def _end(lab: Lab) -> int:
    last = max(lab.workspace.chunks.values(), default=-1)
    return next(s.index for s in lab.journal.steps(last + 1) if s.note == FINISH)


def _believed(left: Lab, right: Lab, one: Step, other: Step) -> Iterator[str]:
    versions = left.at(one.index + 1), right.at(other.index + 1)
    told = decided(versions, one, other)
    words = diff(*versions, [replace(other, decisions=tuple(told))], "text").words()
    if words:  # ids may differ where nothing that they stand for does
        yield from (line for lines in told.values() for line in lines)
    yield from words


def _done(one: Step, other: Step) -> Iterator[str]:
    for pair in zip(one.events, other.events, strict=False):
        if pair[0] != pair[1]:
            for where, event in zip(("recorded", "in the fork"), pair, strict=True):
                text = visible(canonical(event.data))
                text = text if len(text) < 200 else text[:200] + "…"
                yield f"{where}: {event.kind} {text}"
    if len(one.events) != len(other.events):
        yield f"{len(one.events)} events recorded, {len(other.events)} in the fork"


def decided(
    versions: tuple[Workspace, Workspace], one: Step, other: Step
) -> dict[Alignment, tuple[str, ...]]:
    """Alignments of `other` that came out otherwise than in `one`, in words.

    Both steps read one chunk; `versions` are the workspaces after them.
    """

    def outcome(workspace: Workspace, decision: Alignment) -> str:
        actor = visible(namer(workspace, label)(decision.actor))
        return (
            f"merged with {actor}" if decision.status == "merged" else decision.status
        )

    ours, theirs = (
        {(d.new, d.name): d for d in step.decisions if isinstance(d, Alignment)}
        for step in (one, other)
    )
    found: dict[Alignment, tuple[str, ...]] = {}
    for key in (key for key in ours if key in theirs):
        was, now = ours[key], theirs[key]
        before, after = map(outcome, versions, (was, now))
        if before != after:
            head = f"“{visible(was.name)}” was {before} and is {after}"
            why = f"recorded: {was.reason}", f"in the fork: {now.reason}"
            found[now] = (head, *why)
    return found


class Replayed(NamedTuple):
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

        >>> Replayed(3, 0, NOTHING, 5, NOTHING).words()
        '3 steps replayed from the journal, 0 calls; 5 chunks read again, 0 calls'
        """
        told = f"{_many(self.steps, 'step')} replayed from the journal"
        if self.anew:
            once_more = f"their {_many(self.anew, 'chunk')} read once more"
            told += f" ({once_more}: no workspace is kept)"
        asked, spent = (
            _many(cost.calls, "call")
            + (f" ({cost.cached} more from the cassette)" if cost.cached else "")
            for cost in (self.asked, self.spent)
        )
        return f"{told}, {asked}; {_many(self.chunks, 'chunk')} read again, {spent}"


def _many(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"


@dataclass(eq=False)
class Futures(Displayed):
    """What was recorded (`left`) beside what is so since step `at` (`right`).

    >>> two = fork(lab, 3, "reconciler.threshold=0.9")               # doctest: +SKIP
    >>> two.first.told, two.ask("Who was arrested?").equal           # doctest: +SKIP
    """

    left: Lab
    right: Lab
    at: int
    what: str

    def __post_init__(self) -> None:
        self.asked: Replies | None = None
        self.scored: DataFrame | None = None
        self._known: tuple[tuple[int, int], Parting] | None = None

    def run(self) -> Futures:
        """Let the fork read as far as what it is held against."""
        if self.left.finished:
            runner.read_all(self.right)
        while len(self.right.workspace.chunks) < len(self.left.workspace.chunks):
            if self.right.step() is None:
                break  # the left has read what no dataset has: messages of a chat
        return self

    @property
    def folds(self) -> bool:
        """Whether both keep a workspace, which can be compared."""
        return self.left.folds and self.right.folds

    @property
    def shared(self) -> Replayed:
        """What was replayed, and what was read and asked again."""
        fork = self.right
        before, after = fork.journal.at(self.at).chunks, fork.workspace.chunks
        since = [chunk for chunk in after if chunk not in before]
        anew = 0 if fork.folds else len(before)
        spent = fork.llm.ledger.by("chunk") if fork.llm else {}
        asked, read = (
            reduce(Cost.plus, (spent[name] for name in spent if name in each), NOTHING)
            for each in (before, since)
        )
        return Replayed(self.at, anew, asked, len(since), read)

    @property
    def diff(self) -> Diff:
        """What the fork believes otherwise; no rows where nothing keeps beliefs."""
        return self._parting.diff

    @property
    def first(self) -> First | None:
        """The first step at which they part."""
        return self._parting.first

    @property
    def turns(self) -> tuple[Realigned, ...]:
        """The merges that came out otherwise, as often as they did."""
        return self._parting.turns

    @property
    def _parting(self) -> Parting:
        read = len(self.left.journal), len(self.right.journal)
        if self._known is None or self._known[0] != read:
            self._known = read, parting(self.left, self.right, self.at)
        return self._known[1]

    def ask(self, *questions: str) -> Replies:
        """Put questions to both; the page and the table of this pair show the last.

        Without any, those that stand and those that the text itself asks.
        """
        if not questions:
            document = self.left.document
            standing = (q.text for q in self.left.workspace.questions if q.standing)
            own = own_questions(document.text, document.language)
            questions = tuple(dict.fromkeys((*standing, *own)))[:_MOST]
        self.asked = ask_both(self.left, self.right, questions)
        return self.asked

    def scores(self) -> DataFrame:
        """Figures of both on the dataset's own scorer, which answers every question.

        Empty where it asks nothing; the page shows them once they were asked for.
        """
        self.scored = compare_scores(worth(self.left), worth(self.right))
        return self.scored

    def words(self) -> tuple[str, ...]:
        """What is shared, where they part and in what, as sentences."""
        first = self.first
        alike = sum(row.alike for row in self.diff.rows)
        folded = f", {alike} more in ids or votes alone" if alike else ""
        counts = f"{len(self.diff.rows) - alike} that one would read{folded}"
        part = f"They part at {first.where}" if first else "They never part"
        asked = self.asked.replies if self.asked else ()
        otherwise = sum(not reply.equal for reply in asked)
        answers = (f"{otherwise} of {len(asked)} answers change.",) if asked else ()
        return (
            *answers,
            f"{self.what}, after step {self.at}: {self.shared.words()}.",
            f"{part}{': ' + first.told[0] if first else ''}.",
            f"Differences in the workspace: {counts}."
            if self.folds
            else "No workspace to compare: .ask(QUESTION) holds what each recalls.",
        )

    def to_frame(self) -> DataFrame:
        """A row a difference in the workspace."""
        return self.diff.to_frame()

    def __repr__(self) -> str:
        first = f"parting at {self.first.where}" if self.first else "never parting"
        return f"Futures({self.what} after step {self.at}: {first}, {self.diff!r})"


def fork(lab: Lab, k: int, *overrides: str, **own: Any) -> Futures:
    """Fork a lab at step `k` and read on as far as it has read.

    `overrides` are settings (`reconciler.threshold=0.9`, `reader=extractive`), `own`
    objects of yours by group (`memory=Mine()`).

    Raises:
        GswlabError: there is no such step or setting, or the fork cannot take it up.
    """
    what = ", ".join((*overrides, *overrides_of(own))) or "nothing changed"
    return Futures(lab, config.branch(lab, k, *overrides, **own), k, what).run()
