"""The one run, from the first chunk to the last figure, resumable at any moment.

1) read the text, if one memory reads it all  2) else, for each world, a memory of its
own  3) each question: recall; read off an answer; a row, on disk before the next
question  4) score  5) write. What is on disk is not done again. A book is no `Task`:
its questions are opened after its last step (`book`).
"""

from __future__ import annotations

import tempfile
import time
import weakref
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from tqdm.auto import tqdm

from gswlab.bench.bill import Running, charge
from gswlab.bench.book import Book, answer_row, census, charging
from gswlab.bench.graded import GRADED, of_task
from gswlab.bench.task import Examination, Exchange, Task, World
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError, shell_word
from gswlab.core.journal import Journal
from gswlab.core.nouns import Chunk, Evidence
from gswlab.core.protocols import Preparing
from gswlab.core.step import FINISH
from gswlab.models.ask import StoppedError
from gswlab.models.ask_trace import open_asks

_TOGETHER = 64  # chunks announced at once where no model is asked
_AHEAD = 4  # chunks announced for each call that may be made at once


def run_lab(lab: Running) -> dict[str, Any]:
    """Read, answer, score and write; the headline, or `StoppedError`: all is kept."""
    task: Task | Book = lab.dataset if isinstance(lab.dataset, Task) else Book(lab)
    if isinstance(task, Book):
        task.ready()
    if not task.apart:
        read_all(lab)
    data = {"document": lab.data, **task.hashes()}
    scores = lab.folder.read_json("scores.json")
    held = scores.get("workspace")
    # a question put appends some
    steps = held.get("steps") if isinstance(held, dict) else None
    before = lab.llm.open if lab.llm else 0
    if (
        scores.get("data") != data
        or (steps is not None and steps != lab.workspace.version)
        or (scores.get("partial") and lab.llm)
    ):
        if isinstance(task, Book):
            figures = task.figures()
        else:
            rows = _rows(lab, task)
            lab.folder.write_lines(GRADED, of_task(task, rows))
            figures = {**task.named(lab), **task.figures(rows)}
        scores = {"data": data, **figures}
        if left := _left(lab, before):
            scores["partial"] = left
        charge(lab, scores)  # now it is known how many answers were correct
        # last, so that who was killed before it does all of this again
        lab.folder.write_json("scores.json", scores)
    try:
        line = {**task.headline(scores), "run": str(lab.folder.path)}
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        path, rule = lab.folder.path / "scores.json", "those that a run writes"
        raise GswlabError(
            f"{path} has other figures", rule, f"rm {shell_word(path)}"
        ) from error
    return {**line, **{name: scores[name] for name in ("partial",) if name in scores}}


def _left(lab: Running, before: int) -> int:
    """The asks without a usable reply, of the reading and since so many were open."""
    if lab.llm is None:
        return 0
    return lab.llm.open - before + sum(map(open_asks, lab.journal.steps()))


def stopped(lab: Running, stop: StoppedError) -> dict[str, Any]:
    """What a run has that was stopped, and in one sentence how it goes on."""
    again = f"{lab.command} {stop.command}".strip()
    said = str(StoppedError(stop.problem, stop.rule, again))
    known = {"config": lab.names["config"], **census(lab.workspace)}
    unread = len(lab.unread)
    return {**known, "unread": unread, "run": str(lab.folder.path), "stopped": said}


def announce(memory: Any, document: Document, chunks: Sequence[Chunk]) -> None:
    """Tell a memory that asks a model what comes next; any other need not know."""
    if isinstance(memory, Preparing):
        # A chunk for which the budget no longer sufficed says so when it is read.
        with suppress(StoppedError):
            memory.prepare(document, chunks)


def read_all(lab: Running) -> None:
    """Read whatever is unread, or rests on a failed ask, and the end of input."""
    lab.again()
    if lab.finished:
        if not lab.folder.read_json("ledger.json"):  # killed between step and bill
            charge(lab)
        return
    began = time.perf_counter()
    with (
        charging(lab, "reading"),
        tqdm(total=len(lab.unread), unit="chunk", desc="reading") as bar,
    ):
        while (step := lab.step(chunks_ahead(lab))) is not None:
            now = time.perf_counter()
            lab.folder.time([("step", step.index, now - began)])
            bar.update(step.chunk is not None)
            began = now


def chunks_ahead(lab: Running) -> int:
    """How many chunks are asked about at once: of chapters, where they are apart."""
    if not lab.llm:
        return _TOGETHER
    most, chapters = _AHEAD * lab.llm.concurrency, set[object]()
    if not getattr(lab.memory, "by_chapter", False):
        return most
    for number, chunk in enumerate(unread := lab.unread):
        chapters.add(chunk.chapter)
        if number >= most and len(chapters) > 2 * lab.llm.concurrency:
            return number
    return len(unread)


def read_world(task: Task, memory: Any, world: World) -> Any:
    """The memory after it has read a world to its end."""
    document, chunks = task.told(memory, world)
    announce(memory, document, chunks)
    for chunk in chunks:
        memory.partial_fit(chunk)
    memory.finish()
    return memory


def _rows(lab: Running, task: Task) -> list[dict[str, Any]]:
    """A row a question, or a world: those on disk are repeated, others are made."""
    lab.journal  # noqa: B018 - makes the run folder, the text beside the rows
    kept = lab.folder.read_lines(task.kept)
    rows = list(takewhile(lambda row: not (row.get("open") and lab.llm), kept))
    if len(rows) < len(kept):
        lab.folder.write_lines(task.kept, rows)
    count = lab.llm.open if lab.llm else 0
    asked = [(world, one) for world in task.worlds for one in world.questions]
    at: World | None = None
    with (
        _spending(lab) as spend,
        ExitStack() as opened,
        tqdm(total=len(asked), initial=len(rows), unit="question") as bar,
    ):
        for number in range(len(rows), len(asked)):
            world, question = asked[number]
            keys = task.keys(number, world, question)
            if world is not at:
                opened.close()  # the store of the world before
                at, began = world, time.perf_counter()
                if not task.apart:
                    memory = lab.memory
                else:  # a new one that reads this world alone
                    memory = read_world(task, lab.blank(), world)
                    if (store := getattr(memory, "store", None)) is not None:
                        opened.enter_context(closing(store))
                spend(keys[0], {task.clocks[0]: time.perf_counter() - began})
                held: dict[str, Evidence] = {}
            if isinstance(task, Examination):
                row = {"id": world.name, **task.examined(memory, world)}
                seconds: dict[str, float] = {}
            else:
                one, seconds = _exchange(lab, task, world, question, memory, held)
                row = answer_row(keys[1], question.question, one.answer, one.handed)
                row |= task.scored(one)
            if lab.llm and lab.llm.open > count:
                row["open"], count = lab.llm.open - count, lab.llm.open
            rows.append(row)
            lab.folder.append_line(task.kept, row)
            spend(keys[1], seconds)
            bar.update()
    return rows


@contextmanager
def _spending(lab: Running) -> Iterator[Callable[[object, Mapping[str, float]], None]]:
    """What writes the seconds of something; left, all are in the ledger."""
    spent: defaultdict[str, float] = defaultdict(float)

    def spend(key: object, seconds: Mapping[str, float]) -> None:
        lab.folder.time((what, key, value) for what, value in seconds.items())
        for what, value in seconds.items():
            spent[what] += value

    try:
        yield spend
    finally:
        charge(lab, **spent)


def _exchange(
    lab: Running,
    task: Task,
    world: World,
    question: Any,
    memory: Any,
    held: dict[str, Evidence],
) -> tuple[Exchange, dict[str, float]]:
    """A question asked, and its seconds; the same one twice in a row recalls once."""
    _, recalling, answering = task.clocks
    words: str = question.question
    seconds: dict[str, float] = {}
    before = dict(getattr(memory, "seconds", {}))  # a memory's own clocks go on
    began = time.perf_counter()
    if words not in held:
        held.clear()
        held[words] = lab.given(memory.recall(words, task.wanted(memory, lab.budget)))
        now = time.perf_counter()
        seconds[recalling], began = now - began, now
    own = getattr(memory, "seconds", {})
    handed = task.handed(question, held[words], lab.budget)
    answer = lab.reader.answer(words, handed)
    seconds[answering] = time.perf_counter() - began
    seconds |= {what: own[what] - before.get(what, 0.0) for what in own}
    return Exchange(world, question, held[words], handed, answer), seconds


# One world as a run of its own: a run over many keeps rows, not journals.


def worlds_of(lab: Running) -> Mapping[str, World]:
    """The worlds of a lab's dataset by name; empty where all is one text."""
    task = lab.dataset
    if not isinstance(task, Task) or not task.apart:
        return {}
    return {world.name: world for world in task.worlds}


def recorded(lab: Running, name: str, path: str | Path | None = None) -> Journal:
    """The journal of a memory, new from its settings, that reads the world `name`.

    It is written at `path`, else in a folder that goes with it; `GswlabError` where
    there is no such world, or a file.
    """
    known, memory = worlds_of(lab), lab.blank()
    if name not in known:
        some = ", ".join([*known][:6]) + (", ..." if len(known) > 6 else "")
        problem = f"there is no world {name!r}"
        rule = f"worlds of this dataset: {some}" if known else "all of it is one text"
        raise GswlabError(problem, rule, "lab.step()")
    document, chunks = lab.dataset.told(memory, known[name])
    if path is None:
        folder = tempfile.TemporaryDirectory(prefix="gswlab-")
        journal = Journal(Path(folder.name) / "journal.sqlite", "x")
        weakref.finalize(journal, folder.cleanup)
    else:
        journal = Journal(path, "x")
    journal.add(lab.document, chunks)
    announce(memory, document, tuple(chunks))
    for chunk in chunks:
        step = memory.partial_fit(chunk)
        journal.append(replace(step, index=len(journal)))
    journal.append(replace(memory.finish(), index=len(journal), note=FINISH))
    return journal
