"""GSW: the generative semantic workspace as a memory (arXiv 2511.07587).

- reading is `operator.extract`, then `reconciler.reconcile`; nothing else changes a
  workspace;
- recalling parses the question against the workspace: the episodes that fit its cues
  become items, or what happened to the actors it names when it asks for a plain fact;
- nothing that fits is empty evidence, so that a reader can abstain.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import groupby
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from gswlab.core.budget import count_tokens, cut, fitting, retrieved
from gswlab.core.cost import NOTHING, Cost
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError, checked
from gswlab.core.nouns import JSON, Chunk, Evidence, Span, TraceEvent
from gswlab.core.protocols import OF_TEXTS, Operator, Preparing, RecallGate, Reconciler
from gswlab.core.step import Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.recall.evidence import (
    ActorIndex,
    Fallback,
    Form,
    Kept,
    Match,
    Past,
    Rank,
    Selection,
    View,
)
from gswlab.gsw.recall.verbalise import Writer, record_of
from gswlab.gsw.reconciler.episodes import is_named
from gswlab.gsw.reconciler.event_types import Competition
from gswlab.gsw.reconciler.model.reconciler import AskingReconciler, RulesThenLLM
from gswlab.language.dates.basis import counts_on
from gswlab.models.model import Model
from gswlab.models.vectors.embedder import Embedder
from gswlab.qa.cue import Cue, EpisodeIndex
from gswlab.qa.passages import NearestSentences
from gswlab.qa.question.by_model import Entities, QuestionNames
from gswlab.qa.question.names import Names, parse_question
from gswlab.qa.question.wh_question import Tellings

# What rules over a parse may raise of a text they were not made for.
_SLIPS = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError),
    *(RecursionError, StopIteration, TypeError, ValueError),
)


@dataclass
class GSW:
    """The workspace memory: read with `partial_fit`, asked with `recall`.

    Start one from a stored workspace to resume, fork or ask a run. `match` says how
    names of a question find actors; `rank` orders the episodes that fit: as asked, by
    `similarity` to the question, or not at all (`none`); `fallback` says what is handed
    over when a question's cues fit none: `none`, or `summaries` of the actors it names.
    `evidence` is the form of what is handed over (`gsw.recall.evidence`); any but
    `episodes` needs the `past`.
    `chapters` is the most that evidence may be of. `model` says what a question names
    with `names=llm`, and writes anew the summaries handed over with `summaries=llm`.
    A `gate` says how much of it all is handed over.

        memory = GSW(SpacyOperator(), RulesReconciler())
        for chunk in chunks(document): memory.partial_fit(chunk)
        memory.finish()
        evidence = memory.recall("When was Ann Ray at the mill?", budget=1000)
    """

    experiments: ClassVar[Sequence[str]] = (*OF_TEXTS, "litbank", "propara")
    operator: Operator
    reconciler: Reconciler
    workspace: Workspace = field(default_factory=Workspace)
    match: Match = "exact"
    rank: Rank = "cue"
    fallback: Fallback = "none"
    evidence: Form = "episodes"
    embedder: Embedder | None = None
    names: Literal["rules", "llm"] = "rules"
    summaries: Literal["rules", "llm"] = "rules"
    chapters: int | None = None
    model: Model | None = None
    gate: RecallGate | None = None
    past: Past | None = field(default=None, repr=False)
    _view: View | None = field(default=None, init=False, repr=False)
    _of: Workspace | None = field(default=None, init=False, repr=False)
    _ended: int | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        checked(self.chapters, Annotated[int, Field(ge=1)] | None, "memory.chapters")
        if self.past is None and not self.workspace.version:
            self.past = Kept()  # no journal was handed over: nothing was read yet

    def partial_fit(self, chunk: Chunk) -> Step:
        """What one more chunk changes; the workspace has changed when this returns.

        A chunk that no rule was made for changes nothing: its step says what failed.
        """
        try:
            local = self.operator.extract(chunk, self.workspace)
            step = self.reconciler.reconcile(self.workspace, local, chunk)
            step = replace(step, events=(*local.events, *step.events))
        except _SLIPS as slip:
            said: dict[str, JSON] = {"error": f"{type(slip).__name__}: {slip}"}
            event = TraceEvent("unread", said, (chunk.span,))
            step = Step(self.workspace.version, chunk.id, events=(event,))
        self._take(step, chunk)
        return step

    def _take(self, step: Step, chunk: Chunk | None = None) -> None:
        self.workspace = self.workspace.apply(step)
        if isinstance(self.past, Kept):
            self.past.add(step, chunk)

    def prepare(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Ask ahead what these chunks, which are next, need of a model.

        A reconciler that asks one is heard chapter by chapter, as many at once as may
        be: each in a rehearsal of its own, of which the replies alone are kept.
        """
        if isinstance(self.operator, Preparing):
            self.operator.prepare(document, chunks)
        chapters = [list(own) for _, own in groupby(chunks, attrgetter("chapter"))]
        asked: Any = self.reconciler
        if isinstance(asked, RulesThenLLM) and asked.calls is not None:
            rules = replace(asked, calls=0, questions="rules")
            for own in chapters:
                asked.choose(self._rehearsed(rules, own)[0])
        if not self._apart or len(chapters) < 2:
            return
        with ThreadPoolExecutor(asked.model.concurrency) as pool:
            ends: list[Future[tuple[list[Step], Workspace]]] = []
            for own in chapters:
                after = ends[-1] if ends and counts_on(own[0]) else None
                ends.append(pool.submit(self._rehearsed, asked, own, after))
            for end in ends:
                end.result()

    def _rehearsed(
        self, asked: Any, chunks: Sequence[Chunk], after: Future[Any] | None = None
    ) -> tuple[list[Step], Workspace]:
        """A chapter's steps, and what is known then; `after` one that it counts on."""
        before = after.result()[1] if after else self.workspace
        twin = replace(self, reconciler=asked, workspace=before, past=None)
        return [twin.partial_fit(chunk) for chunk in chunks], twin.workspace

    @property
    def _apart(self) -> bool:
        """Whether what is asked of a chapter is the same without those before it."""
        asked = self.reconciler
        return isinstance(asked, AskingReconciler) and asked.scope == "chapter"

    @property
    def by_chapter(self) -> bool:
        """Whether a chapter gains from being announced whole: calls go to the best."""
        few = (getattr(s, "calls", None) for s in (self.operator, self.reconciler))
        return self._apart or any(calls is not None for calls in few)

    def finish(self) -> Step:
        """The step of the end of input; without changes it leaves the version alone."""
        step = self.reconciler.finish(self.workspace)
        if step.changes or step.decisions or step.events:
            self._take(step)
        self._ended = self.workspace.version
        return step

    def settled(self) -> None:
        """Take the workspace as settled: the run it is of is finished."""
        self._ended = self.workspace.version

    def clone(self) -> GSW:
        """The same settings, nothing read."""
        return replace(self, workspace=Workspace(), past=None)

    def expect(self, questions: Sequence[str]) -> None:
        """Ask at once what the questions to come name."""
        if self.names == "llm":
            self._namer.expect(questions)

    def recall(self, question: str, budget: int) -> Evidence:
        """Evidence for `question` within `budget` tokens; empty when nothing fits.

        Raises:
            StoppedError: a model was to be asked, and the run was stopped.
        """
        view, llm = self.view(), self.names == "llm"
        asked = self._namer.of(question) if llm else Entities(None, ())
        cue = parse_question(question, view.names, asked.names)
        chosen = self._selection(question, cue)
        items, events = fitting(chosen.forms(), budget), asked.events
        if self.summaries == "llm":
            new, came = self._writer.written(items, view.places)
            items, events = cut(chosen.ranked(new), budget), (*events, *came)
        named: dict[str, JSON] = {name: getattr(cue, name) for name in cue.fields}
        found = retrieved(items, {**named, "asked": cue.asked, "order": cue.order})
        found = replace(found, trace=(*found.trace, *events))
        return self.gate.passed(question, found, budget) if self.gate else found

    def _selection(self, question: str, cue: Cue) -> Selection:
        how = self.evidence, self.rank, self.fallback, self.chapters, self.embedder
        return Selection(self.view(), question, cue, *how)

    def near_by(self, question: str, budget: int = 300) -> list[str]:
        """What would be found if the question fixed one thing less than it does."""
        cue = parse_question(question, self.view().names)
        found: dict[str, None] = {}
        for name in cue.fields:
            left_out: Any = {name: None}
            chosen = self._selection(question, replace(cue, **left_out))
            for item in fitting(chosen.forms(), budget):
                told = [
                    record_of(e, ("date", "place", "protagonist")) for e in item.facts
                ]
                found |= dict.fromkeys([one.text for one in told] or [item.text])
        return [*found]

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that recalling costs: names of questions, summaries handed over."""
        cost = self._namer.most(questions) if self.names == "llm" else NOTHING
        if self.summaries == "llm":
            tokens = count_tokens(document.text)
            cost = cost.plus(self._writer.most(questions, budget, tokens))
        return cost

    @cached_property
    def _namer(self) -> QuestionNames:
        return QuestionNames(self._model("names"))

    @cached_property
    def _writer(self) -> Writer:
        return Writer(self._model("summaries"))

    def _model(self, setting: str) -> Model:
        if self.model is None:
            raise GswlabError(f"memory.{setting}=llm has no model", *Model.SHARED)
        return self.model

    def view(self) -> View:
        """The look-ups of the workspace as it stands, the end of input settled.

        Asking in the middle of a book settles a copy: the run itself is not touched.
        """
        if self._view is not None and self._of is self.workspace:
            return self._view
        self._of = settled = self.workspace
        if self._ended != settled.version:
            settled = settled.apply(self.reconciler.finish(settled))
        index = EpisodeIndex.of(settled)
        chunks: Sequence[Chunk] = ()
        if self.evidence != "episodes":
            if self.past is None:
                problem = f"memory.evidence={self.evidence} has no past"
                rule = "it looks up what was read in a journal"
                raise GswlabError(problem, rule, "memory.evidence=episodes")
            chunks = self.past.chunks()
        self._view = View(
            settled,
            index,
            Names.of(settled),
            ActorIndex(settled, self.match, self.embedder),
            Competition(settled.episodes, self.embedder),
            Tellings(settled),
            NearestSentences(partial(self._read, self.past), partial(_meant, settled)),
            {chunk.id: chunk for chunk in chunks},
        )
        return self._view

    def _read(self, past: Past | None) -> tuple[Chunk, ...]:
        """The chunks of the past that have been read; none where none is known."""
        read = {chunk for e in self.workspace.episodes for chunk in e.chunks}
        return tuple(c for c in past.chunks() if c.id in read) if past else ()


def _meant(workspace: Workspace) -> Iterator[tuple[Span, str]]:
    """Whom or what each mention of an actor means that does not say its name."""
    for actor in workspace.actors:
        forms = ("name",) if is_named(actor) else ("name", "nominal")
        yield from ((m.span, actor.name) for m in actor.mentions if m.form not in forms)
