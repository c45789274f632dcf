"""What each answer of a run is worth, and whose fault a wrong one is: `graded.jsonl`.

It is written after the last answer, for people alone: no memory reads gold, worth or
blame. Where no gold tuples tell the stages apart, an answer that was not handed all its
gold is recall's fault, any other is reading's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gswlab.bench.anatomy import Stage
from gswlab.bench.epbench import EpQuestion
from gswlab.bench.folder import RunFolder
from gswlab.bench.judge import Verdict, fold
from gswlab.bench.report import AnswerRow
from gswlab.bench.scoring import Scored, strict_of, worth_of
from gswlab.bench.task import Task
from gswlab.core.errors import GswlabError, problems, shell_word
from gswlab.core.nouns import Evidence

GRADED = "graded.jsonl"
_NAMES = ("Spaces", "Entities", "Other entities")


class Graded(BaseModel):
    """A question's kind and gold, its answer's worth and the stage to blame."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    asked: str = ""
    gold: tuple[str, ...]
    worth: float = Field(ge=0, le=1)
    blame: Stage | None = None


def missed(
    questions: Sequence[EpQuestion], verdicts: Sequence[Verdict], handed: list[Evidence]
) -> Iterator[tuple[EpQuestion, Stage]]:
    """The stage to blame for each answer of a memory that keeps no workspace.

    All was handed over where an item is of each gold chapter and every gold name is in
    the text: days and kinds of events are told in many words.
    """
    for question, verdict, evidence in zip(questions, verdicts, handed, strict=True):
        if strict_of(Scored(question, verdict)).f1 < 1:
            there = {item.chapter for item in evidence.items} >= {*question.chapters}
            if question.asked in _NAMES:
                text = fold(evidence.text)
                there = there and all(fold(name) in text for name in question.gold)
            yield question, "reading" if there else "recall"


def of_book(
    questions: Sequence[EpQuestion],
    verdicts: Sequence[Verdict],
    blamed: Sequence[tuple[EpQuestion, Stage]],
) -> Iterator[dict[str, Any]]:
    """A row a question of a book."""
    stages = {question.row: stage for question, stage in blamed}
    for question, verdict in zip(questions, verdicts, strict=True):
        worth = strict_of(Scored(question, verdict)).f1
        yield {
            "asked": question.asked,
            "gold": list(question.gold),
            "worth": worth,
            "blame": stages.get(question.row),
        }


def of_task(task: Task, rows: Sequence[AnswerRow]) -> Iterator[dict[str, Any]]:
    """A row a question of a task; any spelling of an item counts as its gold."""
    questions = (question for world in task.worlds for question in world.questions)
    asked = [(q, row) for q, row in zip(questions, rows, strict=True) if q]
    for question, row in asked:
        # where nobody judges, the share of the evidence that was handed over
        worth = row.get("accuracy", row.get("f1", row.get("evidence_recall")))
        held, wanted = row.get("held", row.get("recall@5")), row.get("wanted", 1)
        stage = None if held is None else "recall" if held < wanted else "reading"
        yield {
            "asked": row.get("setting") or row.get("kind") or "",
            "gold": [
                t if isinstance(t, str) else " / ".join(t) for t in question.answers
            ],
            "worth": worth,
            "blame": stage if worth < 1 else None,
        }


def graded(folder: RunFolder) -> list[Graded]:
    """What is known of each answer, in their order; of a folder without, its verdicts.

    Raises:
        GswlabError: a row is none that a run wrote.
    """
    try:
        if rows := folder.read_lines(GRADED, mend=False):
            return [Graded.model_validate(row) for row in rows]
        return [_of_verdict(row) for row in folder.read_lines("verdicts.jsonl", False)]
    except ValidationError as error:
        problem, rule = f"{folder.path / GRADED} has {problems(error)}", "rows of a run"
        raise GswlabError(
            problem, rule, f"rm {shell_word(folder.path / GRADED)}"
        ) from None
    except (LookupError, TypeError):
        path = folder.path / "verdicts.jsonl"
        problem, rule = (
            f"{path} has a row without gold, items or scores",
            "as runs write",
        )
        raise GswlabError(problem, rule, f"rm {shell_word(path)}") from None


def _of_verdict(row: Mapping[str, Any]) -> Graded:
    return Graded(gold=row["gold"], worth=worth_of(row))
