"""The lab: one experiment under your hands, the same from a notebook and a shell.

>>> import gswlab                                                  # doctest: +SKIP
>>> lab = gswlab.open("experiment=epbench20")                       # doctest: +SKIP
>>> lab.step()                                                      # doctest: +SKIP
>>> lab.ask("Where was Ann Ray on May 7, 2024?").items              # doctest: +SKIP
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast
from weakref import WeakValueDictionary

from pydantic import Field

from gswlab.bench.folder import RunFolder
from gswlab.core.budget import text_alone
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError, checked
from gswlab.core.journal import Journal
from gswlab.core.nouns import Answer, Chunk, Evidence
from gswlab.core.protocols import Resuming, Settling
from gswlab.core.step import FINISH, Step
from gswlab.core.workspace import Workspace
from gswlab.lab.experiment import Config
from gswlab.lab.settings import parameters, target
from gswlab.models.ask import StoppedError
from gswlab.models.ask_trace import open_asks
from gswlab.text.chunks import UNITS, chunks

if TYPE_CHECKING:
    from gswlab.bench.judge import Judging
    from gswlab.bench.report import Scores
    from gswlab.core.protocols import Reader
    from gswlab.models.model import Model


_WRITERS: WeakValueDictionary[Path, Journal] = WeakValueDictionary()
_LONGEST = 4000  # characters of a question
_Positive = Annotated[int, Field(ge=1)]


class Lab:
    """An experiment: its memory, its journal, and questions to both.

    Nothing is written before the first step. Opened again on the same folder, it goes
    on where it stopped.
    """

    def __init__(
        self,
        config: Config,
        document: Document,
        branch: Callable[..., Lab],
        mode: Literal["a", "r"] = "a",
    ) -> None:
        self.config, self.document, self.mode = config, document, mode
        self._branch = branch
        self.folder, self.data = RunFolder(config.folder), config.data
        sentences = config.settings["chunk"]["sentences"]
        self._sentences = checked(sentences, _Positive, "chunk.sentences")
        self.budget: int = checked(config.settings["budget"], _Positive, "budget")
        form = config.settings.get("evidence", "all")  # runs of before have none
        self.evidence: str = checked(form, Literal["all", "text"], "evidence")
        self.reader: Reader = config.build("reader")
        self._memory: Any = None
        self._at = 0
        self._announced: frozenset[str] = frozenset()
        self._ended: tuple[int, bool] = (0, False)
        self._running = False

    @cached_property
    def names(self) -> dict[str, str]:
        """What a run is called by: the hash of its settings, its memory and reader.

        Where there is a model: whether it reads for the memory, or rules do.
        """
        chosen = {key: self.config.choices[key] for key in ("memory", "reader")}
        reads = [g for g in ("extractor", "operator") if g in self.config.stages]
        if self.config.settings["llm"] and reads:
            asks = self.config.choices[reads[0]] == "llm"
            chosen["read_by"] = "model" if asks else "rules"
        return {"config": self.config.hash, **chosen}

    @cached_property
    def dataset(self) -> Any:
        """Where the text and the questions are."""
        return self.config.build("dataset")

    @cached_property
    def judge(self) -> Judging:
        """Who says which answers are right: the dataset's own rules, or a model."""
        model = self.config.build("judge", document=self.document)
        return cast("Judging", model or self.dataset.judge())

    @property
    def command(self) -> str:
        """The shell command that does what `run` does, and goes on where it stopped."""
        return self.config.command

    @cached_property
    def llm(self) -> Model | None:
        """The model that every stage of this lab asks; its `ledger` is the run's."""
        return cast("Model | None", self.config.build("llm"))

    @property
    def stages(self) -> dict[str, Any]:
        """What takes part in a run, by its group: some of it may ask the model."""
        return {group: self.config.build(group) for group in self.config.stages}

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """The chunks of the document, in order: a dataset's own where it has them."""
        if self.mode == "r":
            return self.journal.chunks()
        if hasattr(self.dataset, "chunks"):
            return tuple(self.dataset.chunks())
        unit = self.config.settings["memory"].get("unit")
        return chunks(self.document, self._sentences * UNITS.get(unit, 1))

    @cached_property
    def journal(self) -> Journal:
        """The run on disk; asking for it makes the run folder."""
        path, config = self.folder.journal, self.config
        if self.mode == "r":
            return Journal(path, "r")
        self.folder.make()
        if self.llm:
            self.llm.ledger.keep(self.folder.ledger)
        # One writer a file: a notebook cell that opens its lab again shares it.
        shared = _WRITERS.get(path.resolve())
        if shared is not None and not shared.closed and path.exists():
            Journal(path, "r", config=config.hash).close()
            return shared
        # A finished run is everybody's: it is locked when something is to be written.
        journal = Journal(path, config=config.hash, settings=config.record, shared=True)
        if not self._read_to_end(journal):
            journal.claim()
        journal.add(self.document, self.chunks)
        if journal.held:
            for name, text in config.files().items():
                self.folder.write(name, text)
        _WRITERS[path.resolve()] = journal
        return journal

    @property
    def memory(self) -> Any:
        """The memory, at the journal's last step (also after an undo)."""
        if self._memory is None or self._at != len(self.journal):
            self._memory, self._at = self.remembered(), len(self.journal)
            self._announced = frozenset()
        return self._memory

    def blank(self) -> Any:
        """The memory before it has read anything, beside the one of the journal."""
        return self.config.build("memory")

    def remembered(self) -> Any:
        """The memory at the journal's last step, built anew: yours to try things on."""
        journal, config = self.journal, self.config
        workspace = journal.workspace()
        if self.folds:  # a workspace may look up the past
            memory = config.build("memory", workspace=workspace, past=journal)
            reconciler = getattr(memory, "reconciler", None)
            if isinstance(reconciler, Resuming):
                reconciler.resumed(journal.steps(), journal.chunks())
            if isinstance(memory, Settling) and self.finished:
                memory.settled()
            return memory
        memory = config.build("memory")
        for chunk in journal.chunks()[: len(workspace.chunks)]:
            memory.partial_fit(chunk)
        return memory

    @property
    def folds(self) -> bool:
        """Whether the memory keeps a workspace, or only tells what it did."""
        memory = target(self.config.settings["memory"], "memory")
        return "workspace" in parameters(memory)

    @property
    def workspace(self) -> Workspace:
        """What the memory believes now."""
        return self.journal.workspace()

    @property
    def unread(self) -> tuple[Chunk, ...]:
        """The chunks still to be read: they are read, and undone, in order."""
        return self.chunks[len(self.workspace.chunks) :]

    @property
    def left(self) -> tuple[Chunk, ...]:
        """What a run has to read yet; looking makes no run folder."""
        return self.unread if self.folder.journal.exists() else self.chunks

    @property
    def finished(self) -> bool:
        """Whether the text was read to its end and the end itself recorded."""
        return self._read_to_end(self.journal)

    def _read_to_end(self, journal: Journal) -> bool:
        known = journal.workspace().chunks
        if len(known) < len(self.chunks):
            return False
        # Asked at every question: the last step of a long book is megabytes to decode.
        if self._ended[0] != len(journal):
            tail = list(journal.steps(max(known.values(), default=-1) + 1))
            undone = {step.undoes for step in tail}
            ends = any(s.note == FINISH and s.index not in undone for s in tail)
            self._ended = len(journal), ends
        return self._ended[1]

    def step(self, ahead: int = 1) -> Step | None:
        """Read the next chunk; the step is on disk when this returns.

        After the last chunk comes the step of the end of input, then None. Where a
        model is asked, what it says of the next `ahead` chunks is asked for at once.
        """
        from gswlab.bench import runner

        if self.finished:
            return None
        memory, read = self.memory, len(self.workspace.chunks)
        if coming := self.chunks[read : read + ahead]:
            if coming[0].id not in self._announced:
                self._announced = frozenset(chunk.id for chunk in coming)
                if ahead > 1 and self.folds:  # its steps make no cycles to be found
                    gc.freeze()
                runner.announce(memory, self.document, coming)
            step: Step = memory.partial_fit(coming[0])
        else:
            step = replace(memory.finish(), note=FINISH)
        step = self._appended(step)
        if not self._running:
            self._let_go()
        if self.folds:
            # The fold of the journal is the memory's: a book's nouns are held once.
            memory.workspace = self.workspace
        return step

    def again(self) -> None:
        """Drop the first step that rests on a failed ask, and those after it.

        What users asked meanwhile is asked again; without a model nothing is done.
        """
        if self.llm is None or self.llm.replay_only:
            return
        journal, before = self.journal, self.workspace
        first = next((n for n, s in enumerate(journal.steps()) if open_asks(s)), None)
        if first is not None:
            journal.shorten(first)
            self._ended, self._memory = (0, False), None
            for text in (q.text for q in before.questions if q.standing):
                kept = self.workspace.questions
                if not any(q.standing and q.text == text for q in kept):
                    self.standing(text)

    def read(self, chunk: Chunk) -> Step:
        """Read a chunk that the journal has and no dataset: a message of a chat."""
        return self._appended(self.memory.partial_fit(chunk))

    def _appended(self, step: Step) -> Step:
        step = replace(step, index=len(self.journal))
        self.journal.append(step)
        self._at = step.index + 1
        return step

    def run(self) -> Scores:
        """Read to the end, answer the dataset's questions, score; the headline.

        A run that its budget, or somebody, stopped keeps what it has; `stopped` is in
        the headline's place and says how to go on.
        """
        from gswlab.bench import report, runner

        scored = (self.folder.path / "scores.json").exists()
        if self.llm and not scored:
            self.llm.ready()
        if not (self.finished and scored):
            self.journal.claim()  # one process answers, too
        self._running = True
        try:
            return report.Scores(runner.run_lab(self))
        except StoppedError as stop:
            return report.Scores(runner.stopped(self, stop))
        finally:
            self._running = False
            self._let_go()

    def _let_go(self) -> None:
        """Let others write a finished run: a standing question, a step undone."""
        if self.finished:
            self.journal.release()

    def answer(self, question: str) -> tuple[Answer, Evidence]:
        """The reader's answer, and the evidence that the memory handed it."""
        _asked(question)
        if not self.workspace.chunks:
            problem = f"{self.folder.path} has read nothing yet"
            rule = "a question is about what was read"
            raise GswlabError(problem, rule, self.config.command)
        evidence = self.recall(question)
        return self.reader.answer(question, evidence), evidence

    def recall(self, question: str) -> Evidence:
        """What the memory hands a reader, as if the text ended where it was read to."""
        memory = self.memory
        if not self.finished:  # asking midway changes no journal
            memory = self.remembered()
            memory.finish()
        return self.given(memory.recall(question, self.budget))

    def given(self, found: Evidence) -> Evidence:
        """What of evidence the reader gets: with `evidence=text` its text alone."""
        return text_alone(found) if self.evidence == "text" else found

    def ask(self, question: str) -> Answer:
        """An answer from what was read so far; every item rests on spans."""
        return self.answer(question)[0]

    def standing(self, question: str) -> Step:
        """Register a question that every later chunk tries to answer.

        The step returned holds its answer so far, or why there is none.
        """
        _asked(question)
        reconciler: Any = getattr(self.memory, "reconciler", None)
        if not hasattr(reconciler, "register"):
            problem = f"memory={self.names['memory']} keeps no questions"
            raise GswlabError(problem, "standing questions need memory=gsw")
        step: Step = reconciler.register(self.workspace, question)
        self.journal.append(step)
        self._let_go()
        return step

    def at(self, k: int) -> Workspace:
        """The workspace after `k` steps."""
        return self.journal.at(k)

    def fork(self, k: int, *overrides: str, **own: Any) -> Lab:
        """Another future from step `k`: the steps before it are replayed, not redone.

        >>> lab.fork(3, "reconciler.scope=chapter").run()            # doctest: +SKIP
        """
        return self._branch(self, k, *overrides, **own)

    def __repr__(self) -> str:
        read = len(self.chunks) - len(self.left)
        return f"Lab({self.config.name}: {read} of {len(self.chunks)} chunks read)"


def _asked(question: str) -> None:
    """Fail unless it is a question that can be asked."""
    if not question.strip():
        command = 'python -m gswlab ask RUN "QUESTION"'
        raise GswlabError("the question is empty", "it is a sentence", command)
    if len(question) > _LONGEST:
        problem = f"the question has {len(question):,} characters"
        rule = f"a question has at most {_LONGEST:,}: a text is read, not asked"
        raise GswlabError(problem, rule, "python -m gswlab read FILE")
