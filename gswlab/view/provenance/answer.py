"""Answers with their spans lit, and those a run has given: `answers.jsonl` of a folder.

A run folder may be anybody's: a row is checked before anything is shown of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from gswlab.bench.folder import ANSWERS
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError, problems, shell_word
from gswlab.core.nouns import Answer, Evidence, Span, visible
from gswlab.text.sentences import sentences
from gswlab.view.kit.page import embedded, rendered
from gswlab.view.kit.spans import Mark, plain_text
from gswlab.view.provenance.text import clipped, merged


class Quote(NamedTuple):
    """A cited sentence: where it is, its text from `offset` on, what is lit in it."""

    where: str
    text: str
    offset: int
    marks: tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class AnswerView:
    """An answer and its quotes: HTML in a notebook, text anywhere."""

    answer: Answer
    quotes: tuple[Quote, ...]

    @property
    def because(self) -> str:
        """Why it is the answer, or why there is none."""
        said = self.answer.reason
        return said if self.answer.items else f"No answer: {said}"

    def _repr_html_(self) -> str:
        return embedded(rendered("provenance/answer.html", it=self))

    def __repr__(self) -> str:
        lines = [visible(said) for said in (*self.answer.items, self.because)]
        for where, text, offset, marks in self.quotes:
            lines.append(f"  {where}: {plain_text(text, marks, offset)}")
        return "\n".join(filter(None, lines))


def answer_view(answer: Answer, documents: Iterable[Document]) -> AnswerView:
    """Every sentence an answer cites, with its spans lit.

    >>> from gswlab.text.document import document_of
    >>> document = document_of("Rain fell. Ann Ray left Kobe.", "note")
    >>> cited = Answer(("Kobe",), False, (), (Span("note", 24, 28),), "")
    >>> answer_view(cited, [document])
    Kobe
      note: Ann Ray left [Kobe].
    """
    named = sorted(documents, key=lambda document: document.id)
    quotes = (quote for one in named for quote in _quotes(one, sorted({*answer.spans})))
    return AnswerView(answer, tuple(quotes))


def _quotes(document: Document, spans: Sequence[Span]) -> Iterator[Quote]:
    for chapter in document.chapters:
        area, label = chapter.span, document.id
        if not clipped(spans, area):
            continue
        if chapter.number is not None:
            label += f", chapter {chapter.number}"
        for a, b in sentences(document.text[area.start : area.end], document.language):
            said = Span(document.id, area.start + a, area.start + b)
            if lit := [span for span in spans if clipped([span], said)]:
                page = document.page(lit[0])
                where = f"{label}, page {page}" if page else label
                marks = tuple(Mark(s.start, s.end, "") for s in merged(lit))
                yield Quote(
                    where, document.text[said.start : said.end], said.start, marks
                )


class SavedAnswer(NamedTuple):
    """A question, its answer, and the evidence where it was asked just now."""

    question: str
    answer: Answer
    evidence: Evidence | None = None


class _Span(BaseModel):
    model_config = ConfigDict(defer_build=True)

    document: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore", defer_build=True)

    question: str
    items: list[str]
    abstained: bool = False
    chapters: list[int] = []
    spans: list[_Span] = []
    reason: str = ""

    def asked(self) -> SavedAnswer:
        spans = tuple(Span(s.document, s.start, s.end) for s in self.spans)
        said = tuple(self.items), self.abstained, tuple(self.chapters)
        return SavedAnswer(self.question, Answer(*said, spans, self.reason))


def answers_of(of: Any) -> tuple[SavedAnswer, ...]:
    """The answers in the folder of a lab; none where nothing was asked.

    Raises:
        GswlabError: a row is no answer; the path of what is wrong is in it.
    """
    folder = getattr(getattr(of, "folder", None), "path", None)
    path = Path(folder or "", ANSWERS)
    if not folder or not path.is_file():
        return ()
    lines = b",".join(path.read_bytes().splitlines())
    try:
        rows = TypeAdapter(list[_Row]).validate_json(b"[%b]" % lines)
    except ValidationError as error:
        problem = visible(f"{path} has {problems(error)}")
        raise GswlabError(
            problem, "rows that a run wrote", f"rm {shell_word(path)}"
        ) from error
    return tuple(row.asked() for row in rows)


def saved_answers_of(of: Any, what: Iterable[Any]) -> tuple[SavedAnswer, ...]:
    """Questions, asked now, and answers, as they are.

    Raises:
        GswlabError: a question to what cannot be asked: a journal alone.
    """
    found = []
    for one in what:
        if isinstance(one, SavedAnswer):
            found.append(one)
        elif isinstance(one, Answer):
            found.append(SavedAnswer("", one))
        elif hasattr(of, "answer"):
            found.append(SavedAnswer(str(one), *of.answer(str(one))))
        else:
            problem = f"{type(of).__name__} cannot be asked {one!r:.80}"
            command = 'ink(gswlab.reopen(RUN), "...")'
            raise GswlabError(problem, "a lab answers", command)
    return tuple(found)
