"""What a task is: worlds that memories read, questions, what a row scores, figures.

A dataset that is a `Task` is one file; the one runner asks it for all of these. The
chunks alone are handed to a memory, and of a question its words alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from gswlab.bench.bill import Running
from gswlab.bench.coreference import pooled
from gswlab.bench.folder import ANSWERS
from gswlab.bench.measures import contained, found_in
from gswlab.bench.report import AnswerRow, grouped_figures, means, share
from gswlab.bench.statistics import clusters
from gswlab.core.document import Chapter, Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Answer, Chunk, Evidence, Span
from gswlab.core.protocols import Memory
from gswlab.core.workspace import Workspace


@dataclass(frozen=True, slots=True)
class TaskQuestion:
    """A question and its gold, of which no memory or reader gets more than `question`.

    `setting` is what figures are told apart by; `answers` are equally good; `gold` are
    the ids of the chunks that an answer rests on; with `absent` there is no answer and
    abstaining is right; `doubted` marks a label that an audit found wrong.
    """

    id: str
    question: str
    answers: tuple[str, ...]
    setting: str
    gold: frozenset[str] = frozenset()
    absent: bool = False
    doubted: bool = False


@dataclass(frozen=True)
class World:
    """What one memory reads, in order, and is asked; a question has its words."""

    name: str
    chunks: tuple[Chunk, ...]
    questions: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Exchange:
    """A question asked: what was recalled, what of it was handed over, the answer."""

    world: World
    question: Any
    recalled: Evidence
    handed: Evidence
    answer: Answer


class Task(ABC):
    """Worlds with questions, and what an answer to one is worth.

    Where nothing is `apart`, the journal of the run is of what its memory reads.
    """

    clocks: ClassVar = ("indexing", "querying", "answering")
    kept: ClassVar = ANSWERS  # the rows of a run, in its folder
    shown: ClassVar[Sequence[str]] = ()  # figures of a headline
    bounded: ClassVar = "accuracy"  # the one of them whose interval is shown

    @property
    @abstractmethod
    def worlds(self) -> Sequence[World]:
        """Each world with its questions and their gold: for scoring alone."""

    @property
    @abstractmethod
    def apart(self) -> bool:
        """Whether each world is read by a memory of its own, and stepped by none."""

    @abstractmethod
    def document(self) -> Document:
        """The text that every span points into."""

    def chunks(self) -> tuple[Chunk, ...]:
        """What the memory of the run reads; nothing where each world has its own."""
        return () if self.apart else self.worlds[0].chunks

    @abstractmethod
    def hashes(self) -> dict[str, str]:
        """The content hashes of what is scored against."""

    def keys(self, number: int, world: World, question: Any) -> tuple[object, Any]:
        """What a world's reading is timed under, and what names a question's row."""
        return world.name, number

    def told(self, memory: Memory, world: World) -> tuple[Document, Sequence[Chunk]]:
        """What a memory reads of a world, and the document that it is of."""
        return self.document(), world.chunks

    def wanted(self, memory: Memory, budget: int) -> int:
        """Tokens that a memory is asked for."""
        return budget

    def handed(self, question: Any, evidence: Evidence, budget: int) -> Evidence:
        """What of the evidence is handed to the reader."""
        return evidence

    @abstractmethod
    def scored(self, asked: Exchange) -> dict[str, Any]:
        """What a row says of an answer, beside the answer itself."""

    def named(self, lab: Running) -> dict[str, Any]:
        """What tells this run's figures from those of others."""
        return {**lab.names}

    @abstractmethod
    def figures(self, rows: Sequence[AnswerRow]) -> dict[str, Any]:
        """Every figure of the rows, with its interval."""

    def headline(self, scores: Mapping[str, Any]) -> dict[str, Any]:
        """The figures one looks at first, flat: what the last line of a run prints."""
        line = {key: scores[key] for key in ("config", "memory", "reader", "questions")}
        line |= {name: scores[name]["mean"] for name in self.shown if name in scores}
        bounds = [scores[self.bounded]["low"], scores[self.bounded]["high"]]
        return {**line, f"{self.bounded}_interval": bounds}


class Examination(Task):
    """Worlds that ask nothing: a row is what a memory holds once it has read one."""

    kept: ClassVar = "held.jsonl"

    @property
    def apart(self) -> bool:
        """Always: each world is read by a memory of its own."""
        return True

    @abstractmethod
    def examined(self, memory: Any, world: World) -> dict[str, Any]:
        """What a row says of a memory that has read a world to its end."""

    def scored(self, asked: Exchange) -> dict[str, Any]:
        """Nothing is answered."""
        return {}


def workspace_of(memory: Any, command: str) -> Workspace:
    """The workspace to examine; `GswlabError` where a memory keeps none."""
    if isinstance(workspace := getattr(memory, "workspace", None), Workspace):
        return workspace
    problem = f"{type(memory).__name__} keeps no workspace to look at"
    raise GswlabError(problem, "memory=gsw keeps one", command)


class MarkedTexts(Examination):
    """Texts whose rows are `shares` of what is marked in each: they add up."""

    texts: ClassVar = "texts"  # what the worlds are called

    def figures(self, rows: Sequence[AnswerRow]) -> dict[str, Any]:
        """Every figure of all texts, and its interval over texts in `intervals`."""
        found = pooled([row["shares"] for row in rows])
        told, bounds = dict[str, Any]({self.texts: len(rows)}), dict[str, Any]()
        for path, figure in found.items():
            values = figure.to_dict().values()
            mean, low, high, _ = (None if v != v else v for v in values)
            under: dict[str, Any] = told
            *groups, last = path.split(".")
            for group in groups:
                under = under.setdefault(group, {})
            under[last], bounds[path] = mean, [low, high]
        return {**told, "intervals": bounds}


# Worlds of chunks whose gold are chunks: by setting, means with their intervals.

MEASURES = (
    *("accuracy", "stale", "f1", "answer_in_window", "evidence_recall"),
    "evidence_tokens",
)


class Worlds(Task):
    """Worlds that one memory each reads; one alone is stepped through like any text."""

    clocks = ("reading", "recalling", "answering")
    measures: ClassVar[Sequence[str]] = MEASURES

    @cached_property
    @abstractmethod
    def laid(self) -> tuple[Document, tuple[World, ...]]:
        """All text as one document, and the worlds in it."""

    @property
    def worlds(self) -> tuple[World, ...]:
        """Each world with its questions and their gold: for scoring alone."""
        return self.laid[1]

    @property
    def apart(self) -> bool:
        """Where there are several worlds."""
        return len(self.worlds) > 1

    def document(self) -> Document:
        """The text that every span points into."""
        return self.laid[0]

    def worth(self, question: TaskQuestion, answer: Answer) -> dict[str, float]:
        """Right is an accepted answer, or to abstain where there is none."""
        if question.absent:
            return {"accuracy": float(answer.abstained)}
        return {"accuracy": contained(", ".join(answer.items), question.answers)}

    def scored(self, asked: Exchange) -> dict[str, Any]:
        """Whether the gold was handed over, and what the answer is worth."""
        question: TaskQuestion = asked.question
        held, wanted = found_in(asked.handed, asked.world.chunks, question.gold)
        counted, text = wanted and not question.absent, asked.handed.text
        there = None if question.absent else contained(text, question.answers)
        return {
            "id": question.id,
            "world": asked.world.name,
            "setting": question.setting,
            "doubted": question.doubted,
            "gold": sorted(question.gold),
            "held": held,
            "wanted": wanted,
            "evidence_recall": held / wanted if counted else None,
            "answer_in_window": there,
            **self.worth(question, asked.answer),
        }

    def named(self, lab: Running) -> dict[str, Any]:
        """The run's names, and its agent's policy where it has one."""
        policy = getattr(lab.blank(), "policy", None)
        return {**lab.names, **({"policy": policy.name} if policy else {})}

    def figures(self, rows: Sequence[AnswerRow]) -> dict[str, Any]:
        """By setting, and without doubted labels; those of one gold as one."""
        told = {"worlds": len(self.worlds), **self._by_setting(rows)}
        sure = [row for row in rows if not row["doubted"]]
        return {**told, "undoubted": self._by_setting(sure)} if sure != rows else told

    def headline(self, scores: Mapping[str, Any]) -> dict[str, Any]:
        """Means over all questions, and the accuracy of each setting."""
        names = ("config", "memory", "policy", "reader", "questions")
        line = {key: scores[key] for key in names if key in scores}
        line |= {n: scores[n]["all"]["mean"] for n in self.measures if n in scores}
        each = {s: f["mean"] for s, f in scores["accuracy"].items() if s != "all"}
        return {**line, "accuracy_by_setting": each}

    def _by_setting(self, rows: Sequence[AnswerRow]) -> dict[str, Any]:
        told: dict[str, Any] = {"questions": len(rows)}
        for name in self.measures:
            if known := [row for row in rows if row.get(name) is not None]:
                parts = {"all": known, **grouped_figures(known, "setting")}
                told[name] = {s: means(part, [name])[name] for s, part in parts.items()}
        if wanted := [row for row in rows if row.get("evidence_recall") is not None]:
            # Of all gold chunks together: a question with many counts for more.
            told["evidence_chunks"] = share(wanted, "held", "wanted", clusters(wanted))
        return told


@dataclass(frozen=True, slots=True)
class TextLine:
    """A chunk to be: its words, and what is known of them."""

    text: str
    title: str | None = None
    speaker: str | None = None
    time: str | None = None


def laid(
    name: str, groups: Sequence[Iterable[TextLine]]
) -> tuple[Document, list[list[Chunk]]]:
    """One document of all lines under their titles, and a chunk a line, a list a group.

    An empty line is between two, as a memory that keeps texts hands them over.
    """
    parts, found = list[str](), list[list[Chunk]]()
    at = index = 0
    for group in groups:
        chunks = []
        for line in group:
            head = f"{line.title}\n" if line.title else ""
            span = Span(name, at + len(head), at + len(head) + len(line.text))
            given = line.text, span, line.title, line.speaker, line.time
            chunks.append(Chunk(f"{name}:0:{index}", name, None, index, *given))
            parts.append(head + line.text)
            at, index = span.end + 2, index + 1
        found.append(chunks)
    text = "\n\n".join(parts)
    chapters = (Chapter(None, None, Span(name, 0, len(text))),)
    return Document(name, text, chapters), found


def number_range(said: str, key: str, command: str, least: int = 1) -> range:
    """Whole numbers from `least`, a number or a range with both ends in.

    >>> list(number_range("3-5", "dataset.conversations", "run"))
    [3, 4, 5]
    """
    first, _, last = said.partition("-")
    try:
        found = range(int(first), int(last or first) + 1)
    except ValueError:
        found = range(0)
    if not found or found[0] < least:
        rule = f"a number from {least}, or a range of them, the lower one first"
        raise GswlabError(f"{key} is {said!r}", rule, f"{command} {key}=1-5")
    return found
