"""FairytaleQA: stories in sections, questions by experts with two annotators' answers.

A folder is laid out as published (github.com/uci-soe/FairytaleQAData): `questions` and
`section-stories`, a folder a split in each and a file a story. A memory reads a story
once, sentence by sentence, and is told of no section.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

from gswlab.bench.folder import digest_of_files
from gswlab.bench.measures import contained, f1
from gswlab.bench.report import AnswerRow
from gswlab.bench.task import (
    MEASURES,
    Exchange,
    TaskQuestion,
    TextLine,
    World,
    Worlds,
    laid,
)
from gswlab.bench.texts import PATH, existing_file
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Answer, Chunk, Span
from gswlab.text.sentences import sentences

_COMMAND = "python -m gswlab run experiment=fairytale dataset.folder=DIR"
_RULE = "a folder laid out as github.com/uci-soe/FairytaleQAData is"
_SHOWN = ("token_f1", "section_hit", "abstained", "passage_only")
_ANSWERS = tuple(f"answer{number}" for number in range(1, 7))


def _rows(path: Path, *columns: str) -> list[dict[str, str]]:
    """The rows of a file, their line breaks made spaces."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
        return [{c: " ".join(row[c].split()) for c in columns} for row in rows]
    except (OSError, ValueError, LookupError, AttributeError, csv.Error) as error:
        problem = f"{path} cannot be read: {' '.join(str(error).split())}"
        raise GswlabError(problem, _RULE, _COMMAND) from error


@dataclass(frozen=True)
class _Story:
    """A story's file of questions, and that of its sections."""

    asked: Path
    told: Path

    @property
    def name(self) -> str:
        return self.told.stem.removesuffix("-story")

    @cached_property
    def sections(self) -> tuple[tuple[str, str], ...]:
        """The number of each section, and its text."""
        rows = _rows(self.told, "section", "text")
        return tuple((row["section"], row["text"]) for row in rows)

    def parts(self, many: int) -> list[list[TextLine]]:
        """Runs of so many sentences, section by section."""
        found = []
        for _, text in self.sections:
            cut = sentences(text)
            runs = [cut[at : at + many] for at in range(0, len(cut), many)]
            found.append([TextLine(text[r[0][0] : r[-1][1]]) for r in runs])
        return found

    def questions(self, held: Mapping[str, Sequence[Chunk]]) -> Iterator[TaskQuestion]:
        """Its questions; gold are the chunks of the sections that an answer is in."""
        columns = "question_id", "cor_section", "attribute1", "question"
        for row in _rows(self.asked, *columns, *_ANSWERS):
            numbers = (part.strip() for part in row["cor_section"].split(","))
            gold = (chunk.id for number in numbers for chunk in held.get(number, ()))
            answers = tuple(said for name in _ANSWERS if (said := row[name]))
            yield TaskQuestion(
                f"{self.name}/{row['question_id']}",
                row["question"],
                answers,
                row["attribute1"],
                frozenset(gold),
            )


@dataclass
class FairytaleQA(Worlds):
    """The stories of a `split` of `folder`, a world each, `sentences` a chunk.

    `token_f1` is with the best of both annotators' answers; `section_hit` whether the
    first citation is in a right section, which that of silence never is. The nearest
    passage is scored like an answer by both, is none to `accuracy`, and is counted.
    """

    folder: str | None = field(default=None, metadata=PATH)
    split: str = "val"
    sentences: int = 3
    measures: ClassVar = (*_SHOWN[:2], "silent", "passage_only", *MEASURES)

    @cached_property
    def _stories(self) -> tuple[_Story, ...]:
        """The stories of which both files are there, by name."""
        folder = existing_file(self.folder, "dataset.folder", _COMMAND)
        found = []
        for asked in sorted((folder / "questions" / self.split).glob("*.csv")):
            file = f"{asked.stem.removesuffix('-questions')}-story.csv"
            told = folder / "section-stories" / self.split / file
            found += [_Story(asked, told)] if told.exists() else []
        if not found:
            problem = f"{folder} holds no questions/{self.split}/*.csv with its story"
            raise GswlabError(problem, _RULE, _COMMAND)
        return tuple(found)

    @cached_property
    def laid(self) -> tuple[Document, tuple[World, ...]]:
        """All stories as one document, a world each."""
        parts = [story.parts(self.sentences) for story in self._stories]
        document, read = laid("fairytale", [p for story in parts for p in story])
        worlds, groups = [], iter(read)
        for story in self._stories:
            held = {number: next(groups) for number, _ in story.sections}
            chunks = tuple(chunk for own in held.values() for chunk in own)
            worlds.append(World(story.name, chunks, tuple(story.questions(held))))
        return document, tuple(worlds)

    def worth(self, question: TaskQuestion, answer: Answer) -> dict[str, float]:
        """Whether an answer is in what is said, and the words they share."""
        said = ", ".join(answer.items)
        return {
            "accuracy": contained(said, question.answers),
            "token_f1": f1(said or answer.passage, question.answers),
            "silent": answer.abstained and not answer.passage,
            "passage_only": bool(answer.passage),
        }

    def scored(self, asked: Exchange) -> dict[str, Any]:
        """What a row says of an answer; its first citation is in a right section."""
        gold = [c.span for c in asked.world.chunks if c.id in asked.question.gold]

        def right(span: Span) -> bool:
            return any(one.start <= span.start < one.end for one in gold)

        first = asked.answer.spans[:1]
        row = super().scored(asked)
        return {**row, "section_hit": not row["silent"] and any(map(right, first))}

    def figures(self, rows: Sequence[AnswerRow]) -> dict[str, Any]:
        """By kind of question; `abstained` is the share without even a passage."""
        told = super().figures(rows)
        return {**told, "abstained": told.pop("silent")}

    def hashes(self) -> dict[str, str]:
        """The SHA-256 of the files of the split."""
        files = [path for one in self._stories for path in (one.asked, one.told)]
        return {"questions": digest_of_files(*files)}

    def headline(self, scores: Mapping[str, Any]) -> dict[str, Any]:
        """The three figures over all questions."""
        line = {key: scores[key] for key in ("config", "memory", "reader", "questions")}
        line |= {name: scores[name]["all"]["mean"] for name in _SHOWN}
        return line
