"""Files of multi-hop questions: five layouts, one noun.

========== ================================================ ========================
layout     context                                          gold
========== ================================================ ========================
HotpotQA   [[title, [sentence, ...]], ...]                  [[title, sentence], ...]
its table  {title: [...], sentences: [[...], ...]}          {title: [], sent_id: []}
titled     [[title, text], ...]                             gold_titles
MuSiQue    paragraphs: title, paragraph_text                is_supporting
ours       paragraphs: [{title, text}, ...]                 gold: [row, ...]
========== ================================================ ========================

A file is a JSON list or JSON lines. Ours has `question`, `answers` (a list), and may
have `id` and `kind`; rows of `gold` count paragraphs from 0.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, ValidationError

from gswlab.bench import folder as digest
from gswlab.bench.epbench import problems
from gswlab.bench.texts import PATH, given
from gswlab.core.document import Chapter, Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk, Evidence, Span
from gswlab.language.language import language_of

# Questions whose answer takes several paragraphs, whatever file they came from.


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A titled paragraph; one sentence where the file keeps no split.

    >>> Paragraph.of("Rain", ["It rained.", "It poured."]).text
    'It rained. It poured.'
    """

    title: str
    sentences: tuple[str, ...]

    @classmethod
    def of(cls, title: str, sentences: Sequence[str]) -> Paragraph:
        """Joined without loss: a space is put only where no sentence brings one."""
        parts = list(sentences[:1])
        for before, text in pairwise(sentences):
            parted = not text or before[-1:].isspace() or text[0].isspace()
            parts.append(text if parted else f" {text}")
        return cls(title, tuple(parts))

    @property
    def text(self) -> str:
        """All sentences in one string; the title is not in it."""
        return "".join(self.sentences)

    def bounds(self) -> Iterator[tuple[int, int]]:
        """Where each sentence of the file lies in the text."""
        return pairwise(accumulate(map(len, self.sentences), initial=0))


@dataclass(frozen=True, slots=True)
class HopQuestion:
    """A question, its paragraphs and its gold.

    `answers` are equally good; `gold` are rows of `paragraphs`; `facts` are gold
    (paragraph, sentence) rows where the file has them. No memory or reader ever gets
    more of it than `question`.
    """

    id: str
    question: str
    answers: tuple[str, ...]
    paragraphs: tuple[Paragraph, ...]
    gold: frozenset[int]
    kind: str = ""
    facts: frozenset[tuple[int, int]] | None = None


RULE = "a JSON list, or JSON lines, in one of the layouts that gswlab.bench names"
COMMAND = "python -m gswlab run experiment=hotpotqa dataset.file=FILE"
Text = Annotated[str, Field(min_length=1)]


class _Row(BaseModel):
    question: Text
    answer: Text
    id: Annotated[str, Field(alias="_id")] = ""
    type: str = ""


class _Official(_Row):
    context: list[tuple[str, list[str]]]
    supporting_facts: list[tuple[str, int]]

    def noun(self) -> HopQuestion:
        paragraphs = [Paragraph.of(*pair) for pair in self.context]
        return _by_title(self, paragraphs, self.supporting_facts)


class _Titles(BaseModel):
    title: list[str]
    sentences: list[list[str]]


class _Facts(BaseModel):
    title: list[str]
    sent_id: list[int]


class _Table(_Row):
    context: _Titles
    supporting_facts: _Facts

    def noun(self) -> HopQuestion:
        pairs = zip(self.context.title, self.context.sentences, strict=True)
        paragraphs = [Paragraph.of(title, texts) for title, texts in pairs]
        facts = self.supporting_facts
        return _by_title(self, paragraphs, zip(facts.title, facts.sent_id, strict=True))


class _Titled(_Row):
    context: list[tuple[str, str]]
    gold_titles: list[str]

    def noun(self) -> HopQuestion:
        paragraphs = tuple(Paragraph(title, (text,)) for title, text in self.context)
        gold = _rows(paragraphs, self.gold_titles)
        answers = (self.answer,)
        return HopQuestion(self.id, self.question, answers, paragraphs, gold, self.type)


class _Musique(BaseModel):
    class Part(BaseModel):
        title: str
        paragraph_text: str
        is_supporting: bool

    id: str
    question: Text
    answer: Text
    answer_aliases: list[str] = []
    paragraphs: list[Part]

    def noun(self) -> HopQuestion:
        paragraphs = [Paragraph(p.title, (p.paragraph_text,)) for p in self.paragraphs]
        gold = frozenset(n for n, p in enumerate(self.paragraphs) if p.is_supporting)
        answers = (self.answer, *self.answer_aliases)
        kind = self.id.partition("__")[0]  # "2hop", "3hop1", ...
        return HopQuestion(
            self.id, self.question, answers, tuple(paragraphs), gold, kind
        )


class _Ours(BaseModel):
    class Part(BaseModel):
        title: str = ""
        text: Text

    question: Text
    answers: Annotated[list[Text], Field(min_length=1)]
    paragraphs: list[Part]
    gold: list[Annotated[int, Field(ge=0)]]
    id: str = ""
    kind: str = ""

    def noun(self) -> HopQuestion:
        paragraphs = tuple(Paragraph(p.title, (p.text,)) for p in self.paragraphs)
        if strange := [row for row in self.gold if row >= len(paragraphs)]:
            raise ValueError(f"gold names paragraph {strange[0]}, which is not there")
        gold, answers = frozenset(self.gold), tuple(self.answers)
        return HopQuestion(self.id, self.question, answers, paragraphs, gold, self.kind)


Layout = type[_Official] | type[_Table] | type[_Titled] | type[_Musique] | type[_Ours]


def load_hops(path: str | Path) -> tuple[HopQuestion, ...]:
    """The questions of a file in any of the layouts; a bad row is named.

    >>> load_hops("dev_first500.json")[0].kind                # doctest: +SKIP
    'comparison'
    """
    path = Path(path)
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        problem = f"{path} cannot be read: {error}"
        raise GswlabError(problem, RULE, COMMAND) from error
    try:
        whole = text.lstrip().startswith("[")
        rows = json.loads(text) if whole else [json.loads(t) for t in _lines(text)]
    except (ValueError, RecursionError) as error:
        raise GswlabError(f"{path} is not JSON: {error}", RULE, COMMAND) from error
    if not rows:
        raise GswlabError(f"{path} holds no question", RULE, COMMAND)
    return tuple(_question(row, number, path) for number, row in enumerate(rows))


def _lines(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip()]


def _question(row: Any, number: int, path: Path) -> HopQuestion:
    where = f"question {number} of {path}"
    try:
        return _layout(row).model_validate(row).noun()
    except ValidationError as error:
        raise GswlabError(f"{where} has {problems(error)}", RULE, COMMAND) from None
    except ValueError as error:
        raise GswlabError(f"{where}: {error}", RULE, COMMAND) from None


def _layout(row: Any) -> Layout:
    """The layout of a row, by the fields that only it has."""
    if not isinstance(row, dict):
        raise ValueError("is no object")
    if "paragraphs" in row:
        return _Ours if "gold" in row else _Musique
    if "gold_titles" in row:
        return _Titled
    return _Table if isinstance(row.get("context"), dict) else _Official


def _by_title(
    row: _Row, paragraphs: Sequence[Paragraph], facts: Iterable[tuple[str, int]]
) -> HopQuestion:
    """Gold is named by title; a fact beyond a paragraph's end is a slip of the file."""
    facts, first = list(facts), _first(paragraphs)
    gold = _rows(paragraphs, [title for title, _ in facts])
    known = frozenset(
        (first[title], sentence)
        for title, sentence in facts
        if title in first and sentence < len(paragraphs[first[title]].sentences)
    )
    texts, answers = tuple(paragraphs), (row.answer,)
    return HopQuestion(row.id, row.question, answers, texts, gold, row.type, known)


def _rows(paragraphs: Sequence[Paragraph], titles: Iterable[str]) -> frozenset[int]:
    first = _first(paragraphs)
    if lost := sorted(set(titles) - first.keys()):
        raise ValueError(f"gold title {lost[0]!r} is none of its paragraphs")
    return frozenset(first[title] for title in titles)


def _first(paragraphs: Sequence[Paragraph]) -> dict[str, int]:
    rows = [(paragraph.title, row) for row, paragraph in enumerate(paragraphs)]
    return dict(reversed(rows))


# What is searched: each question's own paragraphs, or one pool of all of them.

NAME = "paragraphs"


@dataclass(frozen=True)
class World:
    """Distinct paragraphs of questions, in order, as one document and its chunks."""

    paragraphs: tuple[Paragraph, ...]

    @classmethod
    def of(cls, questions: Sequence[HopQuestion]) -> World:
        """All paragraphs, each once; those without text are left out."""
        every = (p for q in questions for p in q.paragraphs if p.text.strip())
        return cls(tuple(dict.fromkeys(every)))

    @cached_property
    def document(self) -> Document:
        """The paragraphs under their titles, an empty line between two."""
        parts = (f"{_head(p)}{p.text}" for p in self.paragraphs)
        text = "\n\n".join(parts)
        pairs = enumerate(zip(self.paragraphs, self._spans, strict=True), 1)
        chapters = tuple(Chapter(n, p.title or None, span) for n, (p, span) in pairs)
        return Document(NAME, text, chapters, None, language_of(text))

    @cached_property
    def _spans(self) -> tuple[Span, ...]:
        return tuple(self._laid())

    def _laid(self) -> Iterator[Span]:
        at = 0
        for paragraph in self.paragraphs:
            start = at + len(_head(paragraph))
            at = start + len(paragraph.text) + 2
            yield Span(NAME, start, at - 2)

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """A chunk a paragraph, in order."""
        pairs = enumerate(zip(self.paragraphs, self._spans, strict=True))
        return tuple(_chunk(row, p, span) for row, (p, span) in pairs)

    @cached_property
    def _rows(self) -> dict[Paragraph, int]:
        return {paragraph: row for row, paragraph in enumerate(self.paragraphs)}

    def rows(self, question: HopQuestion) -> tuple[int, ...]:
        """A question's own paragraphs, each once, in its order."""
        known = (p for p in question.paragraphs if p in self._rows)
        return tuple(self._rows[p] for p in dict.fromkeys(known))

    def gold(self, question: HopQuestion) -> frozenset[int]:
        """The paragraphs the answer takes; -1 is one without text."""
        own = question.paragraphs
        return frozenset(self._rows.get(own[n], -1) for n in question.gold)

    def row(self, span: Span) -> int:
        """The paragraph a span lies in; a title is its paragraph's."""
        ends = self._ends
        return min(bisect_right(ends, span.start), len(ends) - 1)

    @cached_property
    def _ends(self) -> list[int]:
        return [span.end for span in self._spans]

    def ranked(self, evidence: Evidence) -> tuple[int, ...]:
        """The paragraphs that evidence cites, each once, in its order."""
        cited = (self.row(span) for item in evidence.items for span in item.spans)
        return tuple(dict.fromkeys(cited))


def _head(paragraph: Paragraph) -> str:
    return f"{paragraph.title}\n" if paragraph.title else ""


def _chunk(row: int, paragraph: Paragraph, span: Span) -> Chunk:
    name = f"{NAME}:{row + 1}:{row}"
    title = paragraph.title or None
    return Chunk(name, NAME, row + 1, row, paragraph.text, span, title)


# A file of multi-hop questions as what a run reads and is asked.


@dataclass
class Hops:
    """Questions over paragraphs: HotpotQA, MuSiQue, or a file of one's own.

    In the world `own` every question has a memory of its own paragraphs, and nothing
    is stepped through; in `pool` one memory reads them all. A reader is handed the
    first `paragraphs` that a memory recalls. With `first`, only so many questions of
    the file are asked, and only their paragraphs read.
    """

    file: str | None = field(default=None, metadata=PATH)
    world: Literal["own", "pool"] = "own"
    paragraphs: int = 5
    first: int | None = None

    def __post_init__(self) -> None:
        for name in ("paragraphs", "first"):
            if (count := getattr(self, name)) is not None and count < 1:
                problem = f"dataset.{name} cannot be {count}"
                raise GswlabError(problem, "1 or more", f"{COMMAND} dataset.{name}=5")

    def document(self) -> Document:
        """All paragraphs, each once: the text that every span points into."""
        return self.searched.document

    def chunks(self) -> tuple[Chunk, ...]:
        """What one memory reads; nothing where every question has its own."""
        return self.searched.chunks if self.world == "pool" else ()

    @cached_property
    def questions(self) -> Sequence[HopQuestion]:
        """The questions, with their gold: for scoring alone."""
        return load_hops(self._path)[: self.first]

    @cached_property
    def searched(self) -> World:
        """The paragraphs of all questions."""
        return World.of(self.questions)

    @property
    def _path(self) -> Path:
        return given(self.file, "dataset.file", COMMAND)

    def hashes(self) -> dict[str, str]:
        """The content hash of the file."""
        return {"questions": digest.of_files(self._path)}
