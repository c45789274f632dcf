"""A run from the first chunk to the last figure, resumable at any moment.

1) read the book to its end  2) only then open the questions  3) answer  4) score
5) write. What is already on disk is not done again: a finished folder repeats its last
line, and an interrupted one goes on at the next chunk.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from tqdm.auto import tqdm

from gswlab.bench.anatomy import Anatomy, summed
from gswlab.bench.bill import Charged, charge
from gswlab.bench.epbench import EpQuestion
from gswlab.bench.folder import ANSWERS
from gswlab.bench.grounding import Checker, Printed, invented
from gswlab.bench.judge import Judging, Verdict
from gswlab.bench.report import headline, scores, tuple_recovery
from gswlab.bench.texts import Asked, Text
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Answer, Chunk, Evidence, Span
from gswlab.core.protocols import Expecting, Preparing, Reader
from gswlab.core.step import Step
from gswlab.core.workspace import Workspace
from gswlab.models.ask import StoppedError
from gswlab.models.ask_trace import EVENTS

_AHEAD = 4  # chunks announced for each call that may be made at once


class Reading(Charged, Protocol):
    """What the runner needs of a `Lab`."""

    @property
    def dataset(self) -> Text | Asked:
        """The text, and the questions where it is an `Asked`."""

    @property
    def judge(self) -> Judging:
        """Who says which answers are right, offline or a model."""

    @property
    def document(self) -> Document:
        """The text whose chunks are read."""

    @property
    def data(self) -> str:
        """The content hash of the text: figures hold for this one alone."""

    @property
    def names(self) -> Mapping[str, str]:
        """The hash of the configuration, and the chosen memory and reader."""

    @property
    def folds(self) -> bool:
        """Whether the memory keeps a workspace, from which tuples are scored."""

    @property
    def finished(self) -> bool:
        """Whether the text was read to its end and the end itself recorded."""

    @property
    def workspace(self) -> Workspace:
        """The workspace after the last step of the journal."""

    @property
    def unread(self) -> Sequence[Chunk]:
        """The chunks still to be read, in order."""

    @property
    def reader(self) -> Reader:
        """Who turns evidence into an answer."""

    @property
    def memory(self) -> Any:
        """The memory at the journal's last step."""

    @property
    def command(self) -> str:
        """The shell command that goes on with this run."""

    def step(self, ahead: int = 1) -> Step | None:
        """Read one chunk, or the end of input; None when nothing is left."""

    def recall(self, question: str) -> Evidence:
        """What the memory hands a reader for a question, within the budget."""

    def answer(self, question: str) -> tuple[Answer, Evidence]:
        """The reader's answer and the evidence it was given."""


def run(lab: Reading) -> dict[str, Any]:
    """Read, answer, score and write; returns the headline figures.

    Raises:
        StoppedError: its budget is spent, or somebody cancelled; what it has is kept.
    """
    if isinstance(lab.dataset, Asked):
        lab.dataset.ready()
    read_all(lab)
    figures = lab.folder.read_json("scores.json")
    steps = figures.get("workspace", {}).get("steps")  # a second pass appends some
    if figures.get("data") != _data(lab) or steps != lab.workspace.version:
        figures = _scored(lab)
    return {**headline(figures), "run": str(lab.folder.path)}


def stopped(lab: Reading, stop: StoppedError) -> dict[str, Any]:
    """What a run has that was stopped, and in one sentence how it goes on."""
    again = f"{lab.command} {stop.command}".strip()
    said = str(StoppedError(stop.problem, stop.rule, again))
    known = {"config": lab.names["config"], **_census(lab.workspace)}
    unread = len(lab.unread)
    return {**known, "unread": unread, "run": str(lab.folder.path), "stopped": said}


def announce(memory: Any, document: Document, chunks: Sequence[Chunk]) -> None:
    """Tell a memory that asks a model what comes next; any other need not know."""
    if isinstance(memory, Preparing):
        # A chunk for which the budget no longer sufficed says so when it is read.
        with suppress(StoppedError):
            memory.prepare(document, chunks)


def read_all(lab: Reading) -> None:
    """Read whatever is unread, and the end of input."""
    if lab.finished:
        return
    began = time.perf_counter()
    ahead = _AHEAD * lab.llm.concurrency if lab.llm else 1
    with (
        _charged(lab, "reading"),
        tqdm(total=len(lab.unread), unit="chunk", desc="reading") as bar,
    ):
        while (step := lab.step(ahead)) is not None:
            now = time.perf_counter()
            lab.folder.time([("step", step.index, now - began)])
            bar.update(step.chunk is not None)
            began = now


@contextmanager
def _charged(lab: Reading, what: str) -> Iterator[None]:
    """Seconds and calls are in the ledger, however it ends."""
    started = time.perf_counter()
    try:
        yield
    finally:
        charge(lab, **{what: time.perf_counter() - started})


def _questions(lab: Reading) -> tuple[EpQuestion, ...]:
    """The questions: their file is not opened before the book is read to its end."""
    if not lab.finished:
        rule = "no question is read before the book is"
        raise GswlabError(f"{lab.folder.path} is not read to its end", rule)
    return lab.dataset.load_questions() if isinstance(lab.dataset, Asked) else ()


def _scored(lab: Reading) -> dict[str, Any]:
    questions, dataset = _questions(lab), lab.dataset
    figures: dict[str, Any] = {"data": _data(lab), **lab.names}
    printed: list[Printed] = []
    if questions and isinstance(dataset, Asked):
        answers = _answered(lab, questions)
        verdicts = _judged(lab, questions, [answer for answer, _ in answers])
        figures["judge"] = lab.judge.name
        figures |= scores(questions, [(a, e.tokens) for a, e in answers], verdicts)
        facts = sum(any(item.facts for item in e.items) for _, e in answers)
        figures["evidence_form"] = {"facts": facts, "text": len(answers) - facts}
        pairs = zip(questions, answers, strict=True)
        printed = [Printed(*told, q.asked == "Spaces") for q, told in pairs]
        if lab.folds:
            gold, judge = dataset.load_tuples(), dataset.judge()
            figures["tuples"] = tuple_recovery(gold, lab.workspace.episodes, judge)
            if gold and not lab.llm:  # every wrong answer is read anew, up to thrice
                anatomy = Anatomy(lab.workspace, gold, lab.reader, judge)
                figures["anatomy"] = summed([*anatomy.blamed(questions, verdicts)])
    checker = Checker([lab.document], lab.workspace)
    figures["invented"] = invented(checker, printed)
    figures["workspace"] = _census(lab.workspace)
    lab.folder.write_json("scores.json", figures)
    charge(lab)  # once more: now it is known how many answers were correct
    return figures


def _answered(
    lab: Reading, questions: Sequence[EpQuestion]
) -> list[tuple[Answer, Evidence]]:
    answers: list[tuple[Answer, Evidence]] = []
    timings: list[tuple[str, object, float]] = []
    told = _told(lab, [question.question for question in questions])
    began = time.perf_counter()
    try:
        with _charged(lab, "answering"):
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


def _told(lab: Reading, questions: list[str]) -> Iterator[tuple[Answer, Evidence]]:
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


def _judged(
    lab: Reading, questions: Sequence[EpQuestion], answers: Sequence[Answer]
) -> Sequence[Verdict]:
    """What the judge says of every answer, and where: `verdicts.jsonl`."""
    with _charged(lab, "judging"):
        verdicts = lab.judge.verdicts(list(zip(questions, answers, strict=True)))
    pairs = zip(questions, verdicts, strict=True)
    rows = ({"row": q.row, **verdict.to_dict()} for q, verdict in pairs)
    lab.folder.write_lines("verdicts.jsonl", rows)
    return verdicts


def answer_row(
    row: int | str, question: str, answer: Answer, evidence: Evidence
) -> dict[str, Any]:
    """A line of `answers.jsonl`; `recall` says what a model did for the evidence."""
    events = [{"event": e.kind, **e.data} for e in evidence.trace if e.kind in EVENTS]
    return {
        "row": row,
        "question": question,
        "items": list(answer.items),
        "abstained": answer.abstained,
        "chapters": list(answer.chapters),
        "spans": [span_json(span) for span in answer.spans],
        "evidence_tokens": evidence.tokens,
        "reason": answer.reason,
        **({"recall": events} if events else {}),
    }


def span_json(span: Span) -> dict[str, Any]:
    """A span as it is written in `answers.jsonl`."""
    return {"document": span.document, "start": span.start, "end": span.end}


def _data(lab: Reading) -> dict[str, str]:
    """The content hashes of what the figures are about."""
    dataset = lab.dataset
    scored = dataset.hashes() if isinstance(dataset, Asked) and lab.finished else {}
    return {"document": lab.data, **scored}


def _census(workspace: Workspace) -> dict[str, int]:
    return {
        "steps": workspace.version,
        "chunks": len(workspace.chunks),
        "actors": len(workspace.actors),
        "verb_phrases": len(workspace.verb_phrases),
        "episodes": len(workspace.episodes),
        "open_questions": sum(q.status == "open" for q in workspace.questions),
    }
