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
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field, ValidationError

from gswlab.bench.epbench import problems
from gswlab.bench.hops.nouns import HopQuestion, Paragraph
from gswlab.core.errors import GswlabError

RULE = "a JSON list, or JSON lines, in one of the layouts that gswlab.bench.hops names"
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
