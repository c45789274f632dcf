"""Order sensitivity: read the same text in other orders, and see which facts survive.

- a noun's stability is the share of its facts that the other orders end with, too; a
  fact's the share of orders that do;
- a memory without a workspace is compared by what it recalls for given questions, and
  any memory by its answers to them.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from tqdm.auto import tqdm

from gswlab.core.codec import NOUNS
from gswlab.core.errors import GswlabError
from gswlab.core.facts import Fact, facts, kind_of, name_of
from gswlab.core.nouns import Answer, Chunk, Episode, Evidence, Noun, Relation, Span
from gswlab.core.workspace import Workspace
from gswlab.lab.futures.ask import said, spans_of
from gswlab.lab.lab import Lab
from gswlab.view.run.futures import Band, bands, fragment, futures_page, stability_chart

if TYPE_CHECKING:
    import pandas as pd

    from gswlab.view.kit.chart import Chart


# Other orders of reading: chapters, or chunks, in a seeded order.

Unit = Literal["chapter", "chunk"]
UNITS = ("chapter", "chunk")


def shuffles(
    chunks: Sequence[Chunk], many: int, seed: int, by: Unit
) -> Iterator[tuple[Chunk, ...]]:
    """`many` orders of `chunks`; those of a chapter stay together and in order.

    Seeded by `seed` and the number of the shuffle, so that more shuffles begin with
    the same ones.

    >>> [*shuffles((), 1, 0, "chapter")]
    [()]
    """
    if many < 1:
        raise GswlabError(f"shuffles={many} is no number of orders", "1 or more")
    if by not in UNITS:
        raise GswlabError(f"by={by!r} is no unit", f"one of {', '.join(UNITS)}")
    units = _units(chunks) if by == "chapter" else [[chunk] for chunk in chunks]
    for number in range(many):
        order = list(units)
        random.Random(f"{seed}:{number}").shuffle(order)
        yield tuple(chunk for unit in order for chunk in unit)


def _units(chunks: Sequence[Chunk]) -> list[list[Chunk]]:
    chapters = groupby(chunks, key=lambda chunk: (chunk.document, chunk.chapter))
    return [list(group) for _, group in chapters]


# What two readings of one text have in common, noun by noun and fact by fact.

Told: TypeAlias = tuple[str, str]
_UNTOLD = ("reason",)  # scores stand in reasons


class Held(NamedTuple):
    """A noun at the end of a reading: where it stands, and what is told of it."""

    id: str
    kind: str
    name: str
    ink: frozenset[Hashable]
    told: tuple[Told, ...]
    spans: Mapping[Told, tuple[Span, ...]]


def held(workspace: Workspace) -> tuple[Held, ...]:
    """Every noun of a workspace with its facts, each fact once."""
    called = partial(_called, workspace)
    nouns = (noun for kind in NOUNS for noun in workspace.of(kind))
    return tuple(_held(noun, list(facts(noun, called))) for noun in nouns)


def _held(noun: Noun, said: list[Fact]) -> Held:
    kept: dict[Told, tuple[Span, ...]] = {}
    for fact in said:
        if fact.field not in _UNTOLD:
            kept.setdefault((fact.field, _words(fact)), fact.spans)
    ink: Iterable[Hashable] = (span for fact in said for span in fact.spans)
    if isinstance(noun, Episode):
        ink = [(noun.document, noun.chapter, noun.order)]
    name = name_of(noun)
    if isinstance(noun, Relation):
        ends = said[0].text
        ink, name = [*ink, ends], f"{name}: {ends}"
    return Held(noun.id, kind_of(noun), name, frozenset(ink), tuple(kept), kept)


def _words(fact: Fact) -> str:
    """A fact's words; whom a mention means is another fact at each place."""
    if fact.field == "mention":
        return f"“{fact.text}” at {fact.spans[0].start}"
    return fact.text


def _called(workspace: Workspace, noun_id: str) -> str:
    noun = workspace.nouns.get(workspace.resolve(noun_id))
    return name_of(noun) if noun else noun_id


def survived(mine: Iterable[Held], theirs: Iterable[Held]) -> dict[str, set[Told]]:
    """By id of `mine`, the facts that its counterpart among `theirs` has as well.

    A noun without a counterpart has no entry.
    """
    known = list(theirs)
    at: dict[tuple[str, Hashable], list[int]] = defaultdict(list)
    for n, noun in enumerate(known):
        for mark in noun.ink:
            at[noun.id[:1], mark].append(n)
    found: dict[str, set[Told]] = {}
    for noun in mine:
        shared = Counter(n for mark in noun.ink for n in at[noun.id[:1], mark])
        if shared:
            best = min(shared, key=lambda n: (-_overlap(shared[n], noun, known[n]), n))
            found[noun.id] = set(noun.told) & set(known[best].told)
    return found


def _overlap(shared: int, one: Held, other: Held) -> float:
    return shared / len(one.ink | other.ink)


class Read(NamedTuple):
    """One order read: what its nouns kept of ours, and what it says and recalls."""

    survived: dict[str, set[Told]]
    told: tuple[tuple[Answer, Evidence], ...]


@dataclass(frozen=True, eq=False)
class Orders:
    """What is so in whatever order the text is read, and what is not."""

    nouns: tuple[Held, ...]
    questions: tuple[str, ...]
    own: tuple[tuple[Answer, Evidence], ...]
    reads: tuple[Read, ...]
    by: Unit
    calls: int

    @property
    def stability(self) -> float:
        """The mean share of a noun's facts that survive another order, over nouns."""
        shares = [band.mean for band in self.bands]
        return sum(shares) / len(shares) if shares else float("nan")

    @property
    def bands(self) -> tuple[Band, ...]:
        """The stability of each noun over the orders, the least stable first."""
        found = [self._band(noun) for noun in self.nouns if noun.told]
        return tuple(sorted(found, key=lambda band: (band.mean, band.least)))

    def _band(self, noun: Held) -> Band:
        shares = [
            len(read.survived.get(noun.id, ())) / len(noun.told) for read in self.reads
        ]
        return Band(noun.id, noun.kind, noun.name, len(noun.told), tuple(shares))

    def to_frame(self) -> pd.DataFrame:
        """A row a noun: its facts, and the mean and least share that survive."""
        import pandas as pd

        rows = [(b.id, b.kind, b.name, b.facts, b.mean, b.least) for b in self.bands]
        names = ["id", "kind", "noun", "facts", "stability", "least"]
        return pd.DataFrame(rows, columns=names)

    def facts(self) -> pd.DataFrame:
        """A row a fact: in which share of the orders it is so."""
        import pandas as pd

        rows = [
            (noun.id, noun.kind, noun.name, *told, self._share(noun, told))
            for noun in self.nouns
            for told in noun.told
        ]
        names = ["id", "kind", "noun", "field", "fact", "stability"]
        found = pd.DataFrame(rows, columns=names)
        return found.sort_values("stability", kind="stable", ignore_index=True)

    def _share(self, noun: Held, told: Told) -> float:
        kept = sum(told in read.survived.get(noun.id, ()) for read in self.reads)
        return kept / len(self.reads)

    def answers(self) -> pd.DataFrame:
        """A row a question: how often it is answered so, and how alike the evidence."""
        import pandas as pd

        rows = []
        for n, question in enumerate(self.questions):
            answer, evidence = self.own[n]
            told = [read.told[n] for read in self.reads]
            same = sum(said(a) == said(answer) for a, _ in told) / len(told)
            alike = sum(_alike(evidence, e) for _, e in told) / len(told)
            rows.append((question, said(answer), same, alike))
        names = ["question", "answer", "same_answer", "same_evidence"]
        return pd.DataFrame(rows, columns=names)

    def chart(self, most: int = 24) -> Chart:
        """The least stable nouns as a figure: mean, and the range over the orders."""
        return stability_chart(self.bands, most)

    def words(self) -> tuple[str, ...]:
        """How much survives, and what survives least."""
        unit = "chapters" if self.by == "chapter" else "chunks"
        asked = f"{self.calls} call{'' if self.calls == 1 else 's'}"
        told = [f"{len(self.reads)} other orders of {unit} read, {asked}."]
        if found := self.bands:
            all_ = sum(band.mean == 1 for band in found)
            told.append(
                f"{self.stability:.1%} of what is told of a noun survives on average; "
                f"{all_} of {len(found)} nouns are the same in every order."
            )
            if (worst := found[0]).mean < 1:
                told.append(f"Least stable: {worst.name} ({worst.mean:.0%}).")
        if len(frame := self.answers()):
            same, alike = frame["same_answer"].mean(), frame["same_evidence"].mean()
            told.append(f"{same:.1%} of the answers are the same, and {alike:.1%} of")
            told[-1] += " what is recalled for them."
        return tuple(told)

    def to_html(self, path: str | Path) -> Path:
        """Write the bands and tables as one page that needs nothing else."""
        title = "What does not depend on the order of reading"
        return futures_page(title, self.words(), self._sections()).write(path)

    def _sections(self) -> dict[str, str]:
        sections = {}
        if found := self.bands:
            sections["Stability of each noun, the least stable first"] = bands(found)
        if len(frame := self.answers()):
            sections["Answers"] = frame.to_html(index=False, border=0, escape=True)
        return sections

    def _repr_html_(self) -> str:
        return fragment(self.words(), self._sections())

    def __repr__(self) -> str:
        read = f"{len(self.reads)} orders of {self.by}s"
        if not self.nouns:
            return f"Orders({read}, {len(self.questions)} asked)"
        return f"Orders({read}, stability {self.stability:.3f})"


def _alike(one: Evidence, other: Evidence) -> float:
    """The share of the spans of either that both rest on; nothing twice is alike."""
    mine, theirs = spans_of(one), spans_of(other)
    return len(mine & theirs) / len(mine | theirs) if mine | theirs else 1.0


# Reading a text again in other orders, each with a memory of its own.


def orders(
    lab: Lab,
    shuffles: int = 10,
    seed: int = 0,
    by: Unit = "chapter",
    questions: Sequence[str] = (),
) -> Orders:
    """Read what a lab has read in other orders, and hold the ends against its own.

    Args:
        lab: a run; what it has read so far is what is read again.
        shuffles: how many orders.
        seed: the same seed, the same orders.
        by: `"chapter"` keeps the chunks of a chapter together and in order.
        questions: what to ask every end; needed where no workspace is kept.

    Raises:
        GswlabError: nothing was read, or there is nothing to compare.
    """
    known = lab.workspace.chunks if lab.folder.journal.exists() else ()
    read = [chunk for chunk in lab.chunks if chunk.id in known]
    if not read:
        rule = "orders are of what was read"
        raise GswlabError(f"{lab.folder.path} has read nothing", rule, "lab.run()")
    if not lab.folds and not questions:
        problem = f"memory={lab.names['memory']} keeps no workspace to compare"
        command = 'orders(lab, questions=["Who was arrested?"])'
        raise GswlabError(problem, "it is compared by what it recalls", command)
    return _Reading(lab, tuple(questions)).all(read, shuffles, seed, by)


@dataclass(frozen=True)
class _Reading:
    """Reads a lab's chunks in any order, with a memory of its own each time."""

    lab: Lab
    questions: tuple[str, ...]

    def all(self, read: list[Chunk], many: int, seed: int, by: Unit) -> Orders:
        before = self._calls()
        own, nouns = self._end(tuple(read))
        reads = []
        for order in tqdm(
            [*shuffles(read, many, seed, by)], desc="orders", leave=False
        ):
            told, theirs = self._end(order)
            reads.append(Read(survived(nouns, theirs), told))
        calls = self._calls() - before
        return Orders(nouns, self.questions, own, tuple(reads), by, calls)

    def _end(
        self, chunks: tuple[Chunk, ...]
    ) -> tuple[tuple[tuple[Answer, Evidence], ...], tuple[Held, ...]]:
        memory: Any = self.lab.blank()
        for chunk in chunks:
            memory.partial_fit(chunk)
        memory.finish()
        told = tuple(self._asked(memory, question) for question in self.questions)
        return told, held(memory.workspace) if self.lab.folds else ()

    def _asked(self, memory: Any, question: str) -> tuple[Answer, Evidence]:
        evidence: Evidence = memory.recall(question, self.lab.budget)
        return self.lab.reader.answer(question, evidence), evidence

    def _calls(self) -> int:
        return self.lab.llm.ledger.total().calls if self.lab.llm else 0
