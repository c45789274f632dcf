"""Plots and questions about them: a world a plot."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Protocol, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field

from gswlab.baselines.passages import LongContext
from gswlab.bench.epbench import refused
from gswlab.bench.folder import digest_of_files
from gswlab.bench.report import AnswerRow, grouped_figures, means
from gswlab.bench.runner import read_world
from gswlab.bench.task import Exchange, Task, World
from gswlab.bench.texts import PATH, existing_file
from gswlab.core.document import Chapter, Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk, Span
from gswlab.core.protocols import Memory
from gswlab.hybridrag.parallel import Parallel
from gswlab.hybridrag.plot import Character, Plot, PlotEvent, node_id, read_plot
from gswlab.hybridrag.stores.common import Update
from gswlab.hybridrag.ties import PlotWording
from gswlab.language.language import language_of, of
from gswlab.language.numbers import WORDS

# Questions about a plot: a JSON line each, described in `data/plots/README.md`.

_COMMAND = "python -m gswlab run experiment=plot"
_Kind = Literal["description", "relation", "change", "order", "aggregate"]
_Text = Annotated[str, Field(min_length=1)]
_Spellings = Annotated[tuple[_Text, ...], Field(min_length=1)]
_RULE = (
    'a JSON object a line: {"id": ..., "kind": ..., "question": ..., "answers": ...}'
)


class PlotQuestion(BaseModel):
    """A question and its gold. No memory or reader ever gets more than `question`.

    `answers` are the items of the answer, each a list of equally good spellings; with
    `within` an answer need only hold one. `check` says how it follows from the plot.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: _Text
    kind: _Kind
    question: _Text
    answers: Annotated[tuple[_Spellings, ...], Field(min_length=1)]
    within: bool = False
    check: dict[str, Any] = Field(default_factory=dict)


def load_plot_questions(path: Path) -> tuple[PlotQuestion, ...]:
    """The questions in a file; `GswlabError` for a bad line, or an id given twice."""
    with refused(path, _RULE, _COMMAND, "text"):
        lines = path.read_text(encoding="utf-8").splitlines()
    found, twice = dict[str, PlotQuestion](), set[str]()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        with refused(f"line {number} of {path.name}", _RULE, _COMMAND):
            question = PlotQuestion.model_validate(json.loads(line))
        twice |= {question.id} & found.keys()
        found[question.id] = question
    if twice:
        problem = f"{path.name} has {min(twice)!r} twice"
        raise GswlabError(problem, "each question has an id of its own", _COMMAND)
    if not found:
        raise GswlabError(f"{path.name} holds no question", _RULE, _COMMAND)
    return tuple(found.values())


# A plot as memories read it: one chunk a character, one an event.

_NAME = "plots"


@dataclass(frozen=True)
class PlotWorld(World):
    """A plot, its questions, and its file as one chunk: what long context reads."""

    plot: Plot
    whole: Chunk


def plots_document(plots: Sequence[Plot]) -> Document:
    """The document of one plot, or of several, their files one after the other."""
    if len(plots) == 1:
        return plots[0].document
    parts = [plot.document.text for plot in plots]
    chapters, at = [], 0
    for number, (plot, text) in enumerate(zip(plots, parts, strict=True), 1):
        span = Span(_NAME, at, at + len(text))
        chapters.append(Chapter(number, plot.document.id, span))
        at = span.end + 1
    return Document(_NAME, "\n".join(parts), tuple(chapters))


def plot_worlds(
    plots: Sequence[Plot], questions: Sequence[tuple[PlotQuestion, ...]]
) -> tuple[PlotWorld, ...]:
    """Each plot with its questions, placed in `plots_document` of them all."""
    document = plots_document(plots)
    worlds = []
    for plot, asked, chapter in zip(plots, questions, document.chapters, strict=True):
        own, at = plot.document, chapter.span.start
        words, names = PlotWording(own.language), dict[str, str]()
        # A line of title and a text of each node, characters first.
        nouns: list[tuple[Character | PlotEvent, str]] = []
        for one in plot.characters:
            names[one.id] = one.name
            nouns.append((one, words.character(one.name, one.role, one.description)))
        for number, event in enumerate(plot.events, 1):
            ties = ((*sorted((t.source, t.target)), t.relation) for t in event.ties)
            named = [(names[a], names[b], how) for a, b, how in dict.fromkeys(ties)]
            nouns.append((event, words.event(number, event.description, named)))
        chunks = []
        for row, (noun, told) in enumerate(nouns):
            title, _, text = told.partition("\n")
            span = Span(document.id, at + noun.span.start, at + noun.span.end)
            told_by = node_id(noun), document.id, None, row
            chunks.append(Chunk(*told_by, text, span, title))
        span = Span(document.id, at, at + len(own.text))
        whole = Chunk(f"{own.id}:whole", document.id, None, 0, own.text, span)
        worlds.append(PlotWorld(own.id, tuple(chunks), asked, plot, whole))
    return tuple(worlds)


def read_into(memory: Memory, world: PlotWorld) -> Memory:
    """A memory that has read one plot: its graph, its text, or the file as it is."""
    read: Memory = read_world(Plots(), memory, world)
    return read


@runtime_checkable
class Inserting(Protocol):
    """A memory that reads a plot's graph, not its text alone."""

    @property
    def store(self) -> Any:
        """Where the graph is; an agent has none, and inserts texts."""

    def insert(self, plot: Plot) -> Update:
        """Make the graph hold exactly this plot; returns what was written."""


BUNDLED = Path(__file__).parents[1] / "hybridrag" / "plots"
PLOT_FIGURES = ("evidence_tokens", "accuracy")
LARGE = 40  # nodes of a plot that counts as large
_PUBLISHED = (LongContext, Parallel)  # measured as published: no budget cuts them


@dataclass
class Plots(Task):
    """A plot and its questions; without a file, the five plots of the package.

    `documents` is how many tokens a memory may hand over that is measured as it was
    published, without a budget: long context, and parallel beside its graph.
    """

    file: str | None = field(default=None, metadata=PATH)
    questions: str | None = field(default=None, metadata=PATH)
    documents: int = 100_000
    shown: ClassVar = PLOT_FIGURES
    bounded: ClassVar = "accuracy"

    def __post_init__(self) -> None:
        if self.questions and not self.file:
            command = f"{_COMMAND} dataset.file=PLOT.xml dataset.questions=FILE"
            raise GswlabError("there is no plot to ask about", "both are set", command)

    def document(self) -> Document:
        """The files of all plots: the text that every span points into."""
        return plots_document(self._plots)

    @property
    def apart(self) -> bool:
        """Always: one plot too is a world of its own."""
        return True

    @cached_property
    def worlds(self) -> tuple[PlotWorld, ...]:
        """Each plot with its questions and their gold: for scoring alone."""
        return plot_worlds(self._plots, [*map(load_plot_questions, self._asked)])

    @cached_property
    def _plots(self) -> tuple[Plot, ...]:
        return tuple(map(read_plot, self._files))

    @property
    def _files(self) -> tuple[Path, ...]:
        if self.file is None:
            return tuple(sorted(BUNDLED.glob("*.xml")))
        command = f"{_COMMAND} dataset.file=PLOT.xml"
        return (existing_file(self.file, "dataset.file", command),)

    @property
    def _asked(self) -> tuple[Path, ...]:
        if self.file is None:
            return tuple(file.with_suffix(".jsonl") for file in self._files)
        command = f"{_COMMAND} dataset.file={self.file} dataset.questions=FILE"
        return (existing_file(self.questions, "dataset.questions", command),)

    def hashes(self) -> dict[str, str]:
        """The content hash of the questions."""
        return {"questions": digest_of_files(*self._asked)}

    def keys(self, number: int, world: World, question: Any) -> tuple[object, Any]:
        """A plot's reading by its name, a question by its id."""
        return world.name, question.id

    def told(self, memory: Memory, world: World) -> tuple[Document, Sequence[Chunk]]:
        """A plot's graph is put in; then its text is read, or the file as it is."""
        assert isinstance(world, PlotWorld)
        if isinstance(memory, Inserting):
            memory.insert(world.plot)
        whole = isinstance(memory, LongContext)
        return world.plot.document, (world.whole,) if whole else world.chunks

    def wanted(self, memory: Memory, budget: int) -> int:
        """Tokens that a memory is asked for."""
        return self.documents if isinstance(memory, _PUBLISHED) else budget

    def scored(self, asked: Exchange) -> dict[str, Any]:
        """The plot, the gold, and whether the answer is right."""
        question, world, answer = asked.question, asked.world, asked.answer
        assert isinstance(world, PlotWorld)
        return {
            "id": question.id,
            "plot": world.name,
            "nodes": len(world.plot.characters) + len(world.plot.events),
            "kind": question.kind,
            "gold": [list(item) for item in question.answers],
            "accuracy": float(not answer.abstained and right(answer.items, question)),
        }

    def figures(self, rows: Sequence[AnswerRow]) -> dict[str, Any]:
        """Over all questions, by kind, by plot, and of the large plots."""
        of = partial(means, names=PLOT_FIGURES, shared=False)  # resamples questions
        large = [row for row in rows if row["nodes"] >= LARGE]
        kinds, plots = (grouped_figures(rows, key) for key in ("kind", "plot"))
        return {
            "questions": len(rows),
            "correct": sum(row["accuracy"] for row in rows),
            **of(rows),
            "by_kind": {kind: of(own) for kind, own in kinds.items()},
            "by_plot": {plot: of(own) for plot, own in plots.items()},
            **({f"plots_of_{LARGE}_nodes": of(large)} if large else {}),
        }


# Words, and thrice as many Japanese letters, of an answer that may hold more.
_MOST = 40
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_EVENT = re.compile(r"^(?:events?|出来事|第)\s*(?=\d)")
_COUNTER = re.compile(
    r"(?<=\d)\s*(?:events?|times?|characters?|people|件|人|回|番|つ|目)+$"
)
_ENDING = re.compile(r"(?:です|でした|だった|だ|である|ます)$")
_PARTS = re.compile(r"\s*(?:[,、;・]|\band\b|\bと(?=\S))\s*")


def normalised_answer(text: str) -> str:
    """Lower case, without articles, punctuation, counters and polite endings.

    >>> normalised_answer("Event 4."), normalised_answer("出来事４です。")
    ('4', '4')
    """
    folded = unicodedata.normalize("NFKC", text).casefold()
    plain = "".join(
        " " if unicodedata.category(letter)[0] in "PSZ" else letter for letter in folded
    )
    plain = " ".join(_ARTICLE.sub(" ", plain).split())
    first, _, rest = _ENDING.sub("", plain).strip().partition(" ")
    plain = f"{WORDS.get(first, first)} {rest}".strip()
    return _COUNTER.sub("", _EVENT.sub("", plain)).strip()


def right(said: Sequence[str], question: PlotQuestion) -> bool:
    """Whether the items said and those of the answer match one to one."""
    wanted = [{normalised_answer(text) for text in item} for item in question.answers]
    if question.within:
        return all(_holds(" ".join(said), item) for item in wanted)
    items = [normalised_answer(text) for text in said]
    if len(wanted) > 1 and len(items) == 1:
        items = [normalised_answer(part) for part in _PARTS.split(said[0]) if part]
    held = all(any(item in known for item in items) for known in wanted)
    return len(items) == len(wanted) and held


def _holds(said: str, spellings: set[str]) -> bool:
    """Whether one of the spellings is said as a whole phrase, and not much else."""
    text = normalised_answer(said)
    if not of(language_of(said)).space:
        return len(text) <= 3 * _MOST and any(s in text for s in spellings)
    short = len(text.split()) <= _MOST
    return short and any(f" {s} " in f" {text} " for s in spellings)
