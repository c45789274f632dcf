"""The scorer of a book: its questions are opened after its last step.

All are answered before any is judged; where a dataset has gold tuples, they say which
were bound and whose fault a wrong answer is. A text without questions has the census
of its workspace, and what of it the text does not bear out.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

from tqdm.auto import tqdm

from gswlab.bench.anatomy import Anatomy, Stage, recovered, summed
from gswlab.bench.bill import Running, charge
from gswlab.bench.epbench import EpQuestion
from gswlab.bench.folder import ANSWERS, answer_data
from gswlab.bench.graded import GRADED, missed, of_book
from gswlab.bench.grounding import Checker, Printed, invented
from gswlab.bench.judge import judged_by
from gswlab.bench.scoring import scores
from gswlab.bench.texts import AskedText
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Answer, Evidence
from gswlab.core.protocols import Expecting
from gswlab.core.workspace import Workspace
from gswlab.models.ask_trace import EVENTS


@dataclass(frozen=True)
class Book:
    """A lab's text, and its questions where the dataset is an `AskedText`."""

    lab: Running
    apart: ClassVar = False

    def ready(self) -> None:
        """Fail, before the reading, where the questions could not be had after it."""
        if isinstance(self.lab.dataset, AskedText):
            self.lab.dataset.ready()

    def hashes(self) -> dict[str, str]:
        """The content hashes of what is scored against."""
        dataset = self.lab.dataset
        return dataset.hashes() if isinstance(dataset, AskedText) else {}

    def questions(self) -> tuple[EpQuestion, ...]:
        """The questions: their file is not opened before the book is read."""
        if not self.lab.finished:
            rule = "no question is read before the book is"
            raise GswlabError(f"{self.lab.folder.path} is not read to its end", rule)
        dataset = self.lab.dataset
        return dataset.load_questions() if isinstance(dataset, AskedText) else ()

    def figures(self) -> dict[str, Any]:
        """Answer, judge and score."""
        lab, questions = self.lab, self.questions()
        figures: dict[str, Any] = {**lab.names}
        printed: list[Printed] = []
        if questions:
            answers = _answered(lab, questions)
            with charging(lab, "judging"):
                pairs = zip(questions, (answer for answer, _ in answers), strict=True)
                verdicts = judged_by(lab.judge, list(pairs))
            judged = zip(questions, verdicts, strict=True)
            rows = ({"row": q.row, **verdict.to_dict()} for q, verdict in judged)
            lab.folder.write_lines("verdicts.jsonl", rows)
            figures["judge"] = lab.judge.name
            figures |= scores(questions, [(a, e.tokens) for a, e in answers], verdicts)
            facts = sum(any(item.facts for item in e.items) for _, e in answers)
            figures["evidence_form"] = {"facts": facts, "text": len(answers) - facts}
            told = zip(questions, answers, strict=True)
            printed = [Printed(*pair, q.asked == "Spaces") for q, pair in told]
            blamed: list[tuple[EpQuestion, Stage]] = []
            if lab.folds:
                gold, judge = lab.dataset.load_tuples(), lab.dataset.judge()
                bound = recovered(gold, lab.workspace.episodes, judge)
                figures["tuples"] = bound if gold else None
                if gold and not lab.llm:  # every wrong answer is read anew, thrice
                    anatomy = Anatomy(lab.workspace, gold, lab.reader, judge)
                    blamed += anatomy.blamed(questions, verdicts)
                    figures["anatomy"] = summed(blamed)
            else:
                blamed += missed(questions, verdicts, [e for _, e in answers])
            lab.folder.write_lines(GRADED, of_book(questions, verdicts, blamed))
        figures["invented"] = invented(Checker([lab.document], lab.workspace), printed)
        figures["workspace"] = census(lab.workspace)
        return figures

    def headline(self, figures: Mapping[str, Any]) -> dict[str, Any]:
        """The figures one looks at first, flat: what the last line of a run prints."""
        made_up = figures["invented"]["invented"]
        if "strict" not in figures:
            held = figures["workspace"]
            return {"config": figures["config"], **held, "invented": made_up}
        missed, f1 = figures["abstention"], figures["strict"]["overall"]["f1"]
        empty = f"{missed['empty_answered']} of {missed['empty']}"
        given_up = f"{missed['answerable_abstained']} of {missed['answerable']}"
        line: dict[str, Any] = {
            "config": figures["config"],
            "questions": figures["questions"],
            "strict_f1": _mean(f1),
            "strict_f1_interval": [f1["low"], f1["high"]],
            "lenient_f1": _mean(figures["lenient"]["overall"]["f1"]),
            "exact_match_f1": _mean(figures["exact_match"]["overall"]["f1"]),
            "simple_recall": _mean(figures["simple_recall"]),
            "chronological_awareness": _mean(figures["chronological_awareness"]),
            "empty_answered": empty,
            "answerable_abstained": given_up,
            "evidence_tokens": _mean(figures["evidence_tokens"]),
            "recall_by_cues": [_mean(f) for f in figures["recall_by_cues"].values()],
            "invented": made_up,
            "tokens_and_chapters": _mean(figures["tokens_and_chapters"]),
        }
        if any((failed := figures.get("failed", {})).values()):
            line["failed"] = failed
        if tuples := figures.get("tuples"):
            line["tuples"] = f"{tuples['complete']} of {tuples['chapters']}"
        return line


def _mean(figure: Mapping[str, Any] | None) -> float | None:
    return figure["mean"] if figure else None


@contextmanager
def charging(lab: Running, what: str) -> Iterator[None]:
    """Seconds and calls are in the ledger, however it ends."""
    started = time.perf_counter()
    try:
        yield
    finally:
        charge(lab, **{what: time.perf_counter() - started})


def _answered(
    lab: Running, questions: Sequence[EpQuestion]
) -> list[tuple[Answer, Evidence]]:
    """Every answer; what there is when something stops is on disk too."""
    answers: list[tuple[Answer, Evidence]] = []
    timings: list[tuple[str, object, float]] = []
    told = _told(lab, [question.question for question in questions])
    began = time.perf_counter()
    try:
        with charging(lab, "answering"):
            for pair in tqdm(told, total=len(questions), desc="answering"):
                now = time.perf_counter()
                timings.append(("question", questions[len(answers)].row, now - began))
                answers.append(pair)
                began = now
    finally:
        lab.folder.time(timings)
        pairs = zip(questions, answers, strict=False)
        rows = (answer_row(q.row, q.question, *pair) for q, pair in pairs)
        lab.folder.write_lines(ANSWERS, rows)
    return answers


def _told(lab: Running, questions: list[str]) -> Iterator[tuple[Answer, Evidence]]:
    """Answers in the order of their questions; a model is asked several at once."""
    if not lab.llm:
        yield from map(lab.answer, questions)
        return
    if isinstance(lab.memory, Expecting):
        lab.memory.expect(questions)
    evidence = [lab.recall(question) for question in questions]
    with ThreadPoolExecutor(lab.llm.concurrency) as pool:
        answers = pool.map(lab.reader.answer, questions, evidence)
        yield from zip(answers, evidence, strict=True)


def answer_row(
    row: int | str, question: str, answer: Answer, evidence: Evidence
) -> dict[str, Any]:
    """A line of `answers.jsonl`, and what was handed over: it can be recounted.

    `recall` says what a model did for the evidence.
    """
    events = [{"event": e.kind, **e.data} for e in evidence.trace if e.kind in EVENTS]
    told = {"row": row, **answer_data(question, answer, evidence)}
    spans = dict.fromkeys(span for item in evidence.items for span in item.spans)
    told["evidence_spans"] = [[s.document, s.start, s.end] for s in spans]
    return {**told, "recall": events} if events else told


def census(workspace: Workspace) -> dict[str, int]:
    """How much a workspace holds."""
    return {
        "steps": workspace.version,
        "chunks": len(workspace.chunks),
        "actors": len(workspace.actors),
        "verb_phrases": len(workspace.verb_phrases),
        "episodes": len(workspace.episodes),
        "open_questions": sum(q.status == "open" for q in workspace.questions),
    }
