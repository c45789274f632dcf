"""The answers that a run has given, as its folder keeps them: `answers.jsonl`.

A run folder may be anybody's: a row is checked before anything is shown of it.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gswlab.bench.folder import ANSWERS
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Answer, Evidence, Span, visible


class Asked(NamedTuple):
    """A question, its answer, and the evidence where it was asked just now."""

    question: str
    answer: Answer
    evidence: Evidence | None = None


class _Span(BaseModel):
    document: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)


class _Row(BaseModel):
    model_config = ConfigDict(extra="ignore")

    question: str
    items: list[str]
    abstained: bool = False
    chapters: list[int] = []
    spans: list[_Span] = []
    reason: str = ""

    def asked(self) -> Asked:
        spans = tuple(Span(s.document, s.start, s.end) for s in self.spans)
        said = tuple(self.items), self.abstained, tuple(self.chapters)
        return Asked(self.question, Answer(*said, spans, self.reason))


def answers_of(of: Any) -> tuple[Asked, ...]:
    """The answers in the folder of a lab; none where nothing was asked.

    Raises:
        GswlabError: a row is no answer; the path of what is wrong is in it.
    """
    folder = getattr(getattr(of, "folder", None), "path", None)
    path = Path(folder, ANSWERS) if folder else None
    if path is None or not path.is_file():
        return ()
    lines = path.read_bytes().splitlines()
    return tuple(_read(number, line, path) for number, line in enumerate(lines, 1))


def _read(number: int, line: bytes, path: Path) -> Asked:
    try:
        return _Row.model_validate_json(line).asked()
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        at = ".".join(map(str, first["loc"]))
        said = visible(f"{at}: {first['msg']}" if at else first["msg"])
        problem = f"line {number} of {path} is no answer: {said}"
        raise GswlabError(problem, "a row that a run wrote", f"rm {path}") from error


def asked_of(of: Any, what: Iterable[Any]) -> tuple[Asked, ...]:
    """Questions, asked now, and answers, as they are.

    Raises:
        GswlabError: a question to what cannot be asked: a journal alone.
    """
    return tuple(_asked(of, one) for one in what)


def _asked(of: Any, what: Any) -> Asked:
    if isinstance(what, Asked):
        return what
    if isinstance(what, Answer):
        return Asked("", what)
    if not hasattr(of, "answer"):
        problem = f"{type(of).__name__} cannot be asked {what!r:.80}"
        raise GswlabError(problem, "a lab answers", 'ink(gswlab.reopen(RUN), "...")')
    return Asked(str(what), *of.answer(str(what)))
