"""EpBench: books with one episode a chapter, and questions with gold answers.

A questions file is data from outside: validated whole, every problem with its path.
Nothing but the scorer ever holds an `EpQuestion`: others get its `question` alone.

Source: Huet et al., EpBench (ahstat/episodic-memory-benchmark, MIT).
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, TypeAdapter, ValidationError

from gswlab.core.document import Document
from gswlab.core.errors import GswlabError, problems, shell_word
from gswlab.text.document import read_document

RetrievalType = Literal[
    "Times", "Spaces", "Entities", "Event contents", "Other entities",
    "Full event details", "Roles", "States",
]  # fmt: skip
Get = Literal["all", "latest", "chronological"]
BINS = ("0", "1", "2", "3-5", "6+")
_RULE = "a questions file is a JSON list, or df_qa.parquet, with EpBench's columns"
_COMMAND = "python -m gswlab run experiment=epbench dataset.questions=FILE"


@dataclass(frozen=True, slots=True)
class EpQuestion:
    """A question, what it asks for, and its gold answer.

    `gold` is a set for `get="all"`, ordered by story date for `chronological`, of
    length one for `latest`. `matching` chapters match the cue: tables are binned by it.
    """

    row: int
    question: str
    asked: RetrievalType
    get: Get
    gold: tuple[str, ...]
    chapters: tuple[int, ...]
    matching: int
    template: int | None = None
    cue: str = ""

    @property
    def bin(self) -> str:
        """The published bin of this question: 0, 1, 2, 3-5 or 6+."""
        if self.matching < 3:
            return str(self.matching)
        return "3-5" if self.matching < 6 else "6+"


def _literal(value: Any) -> Any:
    """A Python-literal string, as parquet exports write it, read as its value."""
    if not isinstance(value, str):
        return value
    try:
        return ast.literal_eval(value)
    except (ValueError, SyntaxError) as error:
        raise ValueError("is a string but no Python literal") from error


class _Row(BaseModel):
    """The columns of a published question that scoring needs; others are ignored."""

    question: Annotated[str, Field(min_length=1)]
    retrieval_type: RetrievalType
    get: Get = "all"
    correct_answer: Annotated[list[str], BeforeValidator(_literal)]
    correct_answer_chapters: Annotated[list[int], BeforeValidator(_literal)]
    correct_answer_detailed: Annotated[
        dict[int, str | list[str]], BeforeValidator(_literal)
    ] = Field(default_factory=dict)
    n_chapters_correct_answer: Annotated[int, Field(ge=0)] | None = None
    q_idx: int | None = None
    cue_completed: str = ""


def load_book(path: str | Path) -> Document:
    """A book of chapters, in either published layout."""
    document = read_document(path)
    if not any(chapter.number is not None for chapter in document.chapters):
        rule = 'a book is {"Chapter 1": text, ...} or one JSON string of chapters'
        problem = f"{path} has no numbered chapter"
        raise GswlabError(problem, rule, f"python -m gswlab read {shell_word(path)}")
    return document


def load_questions(path: str | Path) -> tuple[EpQuestion, ...]:
    """The questions of a published file, every problem of a bad one named."""
    path = Path(path)
    parquet = path.suffix == ".parquet"
    with refused(path, _RULE, _COMMAND, "parquet" if parquet else "JSON"):
        data = _of_parquet(path) if parquet else json.loads(path.read_bytes())
    return questions_of(data, path)


@contextmanager
def refused(
    source: str | Path, rule: str, command: str, kind: str = "JSON"
) -> Iterator[None]:
    """Say in one sentence what is wrong with data from outside."""
    try:
        yield
    except OSError as error:
        problem = f"{source} cannot be read: {error.strerror}"
        raise GswlabError(problem, rule, command) from error
    except ValidationError as error:
        raise GswlabError(f"{source} has {problems(error)}", rule, command) from None
    except (ValueError, RecursionError) as error:
        raise GswlabError(f"{source} is not {kind}: {error}", rule, command) from error


def _of_parquet(path: Path) -> Any:
    """The rows of EpBench's own `df_qa.parquet`, as its JSON exports have them."""
    import pandas as pd  # slow to import, and most commands read no questions

    if find_spec("pyarrow") is None:
        problem = f"{path} cannot be read without pyarrow"
        rule = "pandas reads parquet with it; a JSON export needs nothing"
        raise GswlabError(problem, rule, 'pip install "gswlab[parquet]"')
    # Sets and lists come as arrays: JSON makes lists of them.
    return json.loads(pd.read_parquet(path).to_json(orient="records"))


def questions_of(data: Any, source: str | Path) -> tuple[EpQuestion, ...]:
    """The questions of rows at hand, every problem of bad ones named."""
    with refused(source, _RULE, _COMMAND):
        rows = TypeAdapter(list[_Row]).validate_python(data)
    if not rows:
        raise GswlabError(f"{source} holds no question", _RULE, _COMMAND)
    found = []
    for number, row in enumerate(rows):
        gold, chapters = tuple(row.correct_answer), tuple(row.correct_answer_chapters)
        matching = row.n_chapters_correct_answer
        matching = len(set(chapters)) if matching is None else matching
        told = row.question, row.retrieval_type, row.get, gold, chapters, matching
        found.append(EpQuestion(number, *told, row.q_idx, row.cue_completed))
    return tuple(found)
