"""Order sensitivity: read the same text in other orders, and see which facts survive.

- a noun's stability is the share of its facts that the other orders end with, too; a
  fact's the share of orders that do;
- a memory without a workspace is compared by what it recalls for given questions, and
  any memory by its answers to them.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Literal, NamedTuple, TypeAlias, get_args

from tqdm.auto import tqdm

from gswlab.core.display import DataFrame, Displayed, framed
from gswlab.core.errors import GswlabError
from gswlab.core.facts import Namer, facts, kind_of, name_of, namer
from gswlab.core.nouns import Answer, Chunk, Episode, Evidence, Noun, Relation
from gswlab.core.workspace import Workspace
from gswlab.lab.futures.ask import said, shared_spans
from gswlab.lab.lab import Lab

ReadingUnit = Literal["chapter", "chunk"]


def shuffled(
    chunks: Sequence[Chunk], many: int, seed: int, by: ReadingUnit
) -> Iterator[tuple[Chunk, ...]]:
    """`many` orders of `chunks`; those of a chapter stay together and in order.

    Seeded by `seed` and the number of the shuffle, so that more shuffles begin with
    the same ones.

    >>> [*shuffled((), 1, 0, "chapter")]
    [()]
    """
    if many < 1:
        raise GswlabError(f"shuffles={many} is no number of orders", "1 or more")
    if by not in (units := get_args(ReadingUnit)):
        raise GswlabError(f"by={by!r} is no unit", f"one of {', '.join(units)}")
    chapters = groupby(chunks, key=lambda chunk: (chunk.document, chunk.chapter))
    groups = [list(group) for _, group in chapters]
    if by == "chunk":
        groups = [[chunk] for chunk in chunks]
    for number in range(many):
        order = list(groups)
        random.Random(f"{seed}:{number}").shuffle(order)
        yield tuple(chunk for unit in order for chunk in unit)


# What two readings of one text have in common, noun by noun and fact by fact.

_Told: TypeAlias = tuple[str, str]
_Replies: TypeAlias = tuple[tuple[Answer, Evidence], ...]


class NounFacts(NamedTuple):
    """A noun at the end of a reading: where it stands, and what is told of it."""

    id: str
    kind: str
    name: str
    ink: frozenset[Hashable]
    told: tuple[_Told, ...]


def noun_facts(workspace: Workspace) -> tuple[NounFacts, ...]:
    """Every noun of a workspace with its facts, each fact once."""
    called = namer(workspace, name_of)
    return tuple(_facts_of(noun, called) for noun in workspace.all)


def _facts_of(noun: Noun, called: Namer) -> NounFacts:
    said, kept = list(facts(noun, called)), dict[_Told, None]()
    for fact in said:
        text = fact.text
        if fact.field == "mention":  # whom one means is another fact at each place
            text = f"“{text}” at {fact.spans[0].start}"
        if fact.field != "reason":  # scores stand in reasons
            kept[fact.field, text] = None
    ink: Iterable[Hashable] = (span for fact in said for span in fact.spans)
    if isinstance(noun, Episode):
        ink = [(noun.document, noun.chapter, noun.order)]
    name = name_of(noun)
    if isinstance(noun, Relation):
        ends = said[0].text
        ink, name = [*ink, ends], f"{name}: {ends}"
    return NounFacts(noun.id, kind_of(noun), name, frozenset(ink), tuple(kept))


def survived(
    mine: Iterable[NounFacts], theirs: Iterable[NounFacts]
) -> dict[str, set[_Told]]:
    """By id of `mine`, the facts that its counterpart among `theirs` has as well.

    A noun without a counterpart has no entry.
    """
    known = list(theirs)
    at: dict[tuple[str, Hashable], list[int]] = defaultdict(list)
    for n, noun in enumerate(known):
        for mark in noun.ink:
            at[noun.id[:1], mark].append(n)
    found: dict[str, set[_Told]] = {}
    for noun in mine:
        shared = Counter(n for mark in noun.ink for n in at[noun.id[:1], mark])
        if shared:
            alike = {n: k / len(noun.ink | known[n].ink) for n, k in shared.items()}
            best = min(shared, key=lambda n: (-alike[n], n))
            found[noun.id] = set(noun.told) & set(known[best].told)
    return found


class OrderRead(NamedTuple):
    """One order read: what its nouns kept of ours, and what it says and recalls."""

    survived: dict[str, set[_Told]]
    told: _Replies


class Band(NamedTuple):
    """A noun, how many facts it has, and which share of them survives an order."""

    id: str
    kind: str
    name: str
    facts: int
    mean: float
    least: float
    most: float


@dataclass(frozen=True, eq=False)
class Orders(Displayed):
    """What is so in whatever order the text is read, and what is not."""

    nouns: tuple[NounFacts, ...]
    questions: tuple[str, ...]
    own: _Replies
    reads: tuple[OrderRead, ...]
    by: ReadingUnit
    calls: int

    @property
    def stability(self) -> float:
        """The mean share of a noun's facts that survive another order, over nouns."""
        shares = [band.mean for band in self.bands]
        return sum(shares) / len(shares) if shares else float("nan")

    @property
    def bands(self) -> tuple[Band, ...]:
        """The stability of each noun over the orders, the least stable first."""
        found = []
        for noun in self.nouns:
            if many := len(noun.told):
                kept = (read.survived.get(noun.id, ()) for read in self.reads)
                shares = [len(each) / many for each in kept]
                worth = sum(shares) / len(shares), min(shares), max(shares)
                found.append(Band(noun.id, noun.kind, noun.name, many, *worth))
        return tuple(sorted(found, key=lambda band: (band.mean, band.least)))

    def to_frame(self) -> DataFrame:
        """A row a noun: its facts, and the mean and least share that survive."""
        rows = [band[:-1] for band in self.bands]
        return framed(("id", "kind", "noun", "facts", "stability", "least"), rows)

    def facts(self) -> DataFrame:
        """A row a fact: in which share of the orders it is so."""
        rows = []
        for noun in self.nouns:
            for told in noun.told:
                kept = sum(told in r.survived.get(noun.id, ()) for r in self.reads)
                share = kept / len(self.reads)
                rows.append((noun.id, noun.kind, noun.name, *told, share))
        found = framed(("id", "kind", "noun", "field", "fact", "stability"), rows)
        return found.sort_values("stability", kind="stable", ignore_index=True)

    def answers(self) -> DataFrame:
        """A row a question: how often it is answered so, and how alike the evidence."""
        rows = []
        for n, question in enumerate(self.questions):
            answer, evidence = self.own[n]
            told = [read.told[n] for read in self.reads]
            same = sum(said(a) == said(answer) for a, _ in told) / len(told)
            shared = (shared_spans(evidence, other) for _, other in told)
            # nothing twice is alike
            alike = sum(both / all_ if all_ else 1.0 for both, all_ in shared)
            rows.append((question, said(answer), same, alike / len(told)))
        return framed(("question", "answer", "same_answer", "same_evidence"), rows)

    def words(self) -> tuple[str, ...]:
        """How much survives, and what survives least."""
        asked = f"{self.calls} call{'' if self.calls == 1 else 's'}"
        told = [f"{len(self.reads)} other orders of {self.by}s read, {asked}."]
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

    def __repr__(self) -> str:
        read = f"{len(self.reads)} orders of {self.by}s"
        if not self.nouns:
            return f"Orders({read}, {len(self.questions)} asked)"
        return f"Orders({read}, stability {self.stability:.3f})"


def orders(
    lab: Lab,
    shuffles: int = 10,
    seed: int = 0,
    by: ReadingUnit = "chapter",
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

    def end(order: Sequence[Chunk]) -> tuple[_Replies, tuple[NounFacts, ...]]:
        memory = lab.blank()
        for chunk in order:
            memory.partial_fit(chunk)
        memory.finish()
        recalled = [(q, memory.recall(q, lab.budget)) for q in questions]
        told = tuple((lab.reader.answer(q, found), found) for q, found in recalled)
        return told, noun_facts(memory.workspace) if lab.folds else ()

    before = lab.llm.ledger.total().calls if lab.llm else 0
    own, nouns = end(read)
    reads = []
    others = [*shuffled(read, shuffles, seed, by)]
    for order in tqdm(others, desc="orders", leave=False):
        told, theirs = end(order)
        reads.append(OrderRead(survived(nouns, theirs), told))
    calls = lab.llm.ledger.total().calls - before if lab.llm else 0
    return Orders(nouns, tuple(questions), own, tuple(reads), by, calls)
