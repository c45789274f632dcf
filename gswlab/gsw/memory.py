"""GSW: the generative semantic workspace as a memory (arXiv 2511.07587).

Reading is `operator.extract`, then `reconciler.reconcile`. Recalling parses a question
against the workspace: the episodes that fit its cues become items, or what happened to
the actors it names when it asks for a plain fact; nothing that fits is empty evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from gswlab.core.budget import count_tokens, cut, fitting, retrieved
from gswlab.core.cost import NOTHING, Cost
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError, checked
from gswlab.core.journal import Journal
from gswlab.core.nouns import JSON, Chunk, Episode, Evidence, Item, TraceEvent
from gswlab.core.protocols import OF_TEXTS, Operator, Preparing, RecallGate, Reconciler
from gswlab.core.step import Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.recall.evidence import Form, Kept, Match, View, episode_forms
from gswlab.gsw.recall.verbalise import FIELDS, Writer, record_of
from gswlab.gsw.reconciler.model.reconciler import AskingReconciler
from gswlab.language.dates.basis import counts_on
from gswlab.models.model import Model
from gswlab.models.vectors.embedder import Embedder
from gswlab.models.vectors.nearest import VectorIndex
from gswlab.qa.cue import Cue, Order, text_order
from gswlab.qa.question import asked_for
from gswlab.qa.question.by_model import Entities, QuestionNames
from gswlab.qa.question.names import parse_question
from gswlab.qa.question.wh_question import told_occurrences
from gswlab.qa.readers.typed import is_of_a_sentence

# What rules over a parse may raise of a text they were not made for.
_SLIPS = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError),
    *(RecursionError, StopIteration, TypeError, ValueError),
)


@dataclass
class GSW:
    """The workspace memory: read with `partial_fit`, asked with `recall`.

    `match` says how names of a question find actors; `rank` orders the episodes that
    fit: as asked, by `similarity` to the question, or not at all (`none`); `fallback`
    is what is handed over when none fits: `none`, or `summaries` of the actors named.
    `evidence` is the form of what is handed over; any but `episodes` needs the `past`.
    `chapters` is the most that evidence may be of. `model` says what a question names
    with `names=llm`, and writes summaries anew with `summaries=llm`. A `gate` says how
    much of it all is handed over.
    """

    experiments: ClassVar[Sequence[str]] = (*OF_TEXTS, "litbank", "propara")
    operator: Operator
    reconciler: Reconciler
    workspace: Workspace = field(default_factory=Workspace)
    match: Match = "exact"
    rank: Literal["cue", "similarity", "none"] = "cue"
    fallback: Literal["none", "summaries"] = "none"
    evidence: Form = "episodes"
    embedder: Embedder | None = None
    names: Literal["rules", "llm"] = "rules"
    summaries: Literal["rules", "llm"] = "rules"
    chapters: int | None = None
    model: Model | None = None
    gate: RecallGate | None = None
    past: Journal | Kept | None = field(default=None, repr=False)
    _view: View | None = field(default=None, init=False, repr=False)
    _of: Workspace | None = field(default=None, init=False, repr=False)
    _ended: int | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        checked(self.chapters, Annotated[int, Field(ge=1)] | None, "memory.chapters")
        if self.past is None and not self.workspace.version:
            self.past = Kept()  # no journal was handed over: nothing was read yet
        if self.model is not None:
            self._namer, self._writer = QuestionNames(self.model), Writer(self.model)
        elif "llm" in (self.names, self.summaries):
            setting = "names" if self.names == "llm" else "summaries"
            raise GswlabError(f"memory.{setting}=llm has no model", *Model.SHARED)

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
            self.past.taken.append(step)
            self.past.read += [chunk] if chunk else []

    def prepare(self, document: Document, chunks: Sequence[Chunk]) -> None:
        """Ask ahead what these chunks, which are next, need of a model."""
        if isinstance(self.operator, Preparing):
            self.operator.prepare(document, chunks)
        # Chapters that are read apart are heard at once, each with those it counts its
        # days from: in rehearsals, of which the replies alone are kept.
        runs, asked = list[list[Chunk]](), self.reconciler
        for _, chapter in groupby(chunks, attrgetter("chapter")):
            own = list(chapter)
            runs += [] if runs and counts_on(own[0]) else [[]]
            runs[-1] += own
        if isinstance(asked, AskingReconciler) and self.by_chapter and len(runs) > 1:
            reads = [map(replace(self, past=None).partial_fit, run) for run in runs]
            with ThreadPoolExecutor(asked.model.concurrency) as pool:
                list(pool.map(list, reads))

    @property
    def by_chapter(self) -> bool:
        """Whether what is asked of a chapter is the same without those before it."""
        asked = self.reconciler
        return isinstance(asked, AskingReconciler) and asked.scope == "chapter"

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
        """Evidence for `question` within `budget` tokens; empty when nothing fits."""
        view, llm = self.view(), self.names == "llm"
        asked = self._namer.of(question) if llm else Entities(None, ())
        cue = parse_question(question, view.names, asked.names)
        items, events = fitting(self.forms(question, cue), budget), asked.events
        if self.summaries == "llm":
            new, came = self._writer.written(items, view.places)
            items, events = cut(self._ranked(question, new), budget), (*events, *came)
        named: dict[str, JSON] = {name: getattr(cue, name) for name in cue.fields}
        found = retrieved(items, {**named, "asked": cue.asked, "order": cue.order})
        found = replace(found, trace=(*found.trace, *events))
        return self.gate.passed(question, found, budget) if self.gate else found

    def forms(self, question: str, cue: Cue) -> Iterator[Sequence[Item]]:
        """Items from the fullest to the shortest form, of so many chapters at most."""
        for items in self._tells(question, cue):
            found = dict.fromkeys(i.chapter for i in items if i.chapter is not None)
            kept = {None, *list(found)[: self.chapters]}
            yield [item for item in items if item.chapter in kept]

    def _tells(self, question: str, cue: Cue) -> Iterable[Sequence[Item]]:
        """What the workspace tells, and the nearest sentences where that is nothing."""
        if asked_for.unread_language(question):
            return []
        view, plain = self.view(), asked_for.asks_plainly(question, cue)
        episodes = view.fitting(question, cue)
        fits = told_occurrences(view.tellings, question, cue, bool(episodes))
        # of a day that no episode has, no sentence is near, but for what was done then
        own, near = self.evidence == "episodes", tuple[Item, ...]()
        kind = asked_for.answer_type(question)
        of_a_day = kind == "place" and is_of_a_sentence(question)
        if plain and (not cue.date or of_a_day or (own and kind == "happening")):
            near = view.nearest.find(asked_for.unasked(question), cue.date)
        if fits:
            items = view.told_by(fits)
            # a told day has its year, a place its name, which no sentence has to say
            filled = [bound for fit in fits for bound in fit.fillers if bound.id]
            known = any(not bound.value.islower() for bound in filled)
            return [items if known else [*items, *near]]
        if asked_for.asks_account(question):
            actors = view.actors(question, cue)[:1]
            return [self._ranked(question, view.summaries(actors)) or near]
        found = list(self._known(question, cue, episodes))
        told = any(item.facts for form in found for item in form)
        if told and own:
            return [[*form, *near] for form in found]
        return found if told or not near else [near]

    def _known(
        self, question: str, cue: Cue, episodes: tuple[Episode, ...]
    ) -> Iterable[Sequence[Item]]:
        """The episodes, the fullest form first; else what is known of whom it names."""
        view, ranked = self.view(), partial(self._ranked, question)
        if not episodes:
            fixed = cue.date or cue.place or cue.content
            of_episodes = fixed or asked_for.lists(question, cue)
            if cue.fields and of_episodes and self.fallback == "none":
                return []
            return [ranked(view.summaries(view.actors(question, cue)))]
        ordered = tuple(sorted(episodes, key=text_order))
        if self.rank != "none":
            whole: Order = "all" if cue.order == "all" else "chronological"
            ordered = asked_for.arrange(episodes, whole)  # a budget cuts off the last
            ordered = ordered[::-1] if cue.order == "latest" else ordered
        if self.evidence != "episodes":
            return [ranked(view.told_in(self.evidence, ordered))]
        return map(ranked, episode_forms(ordered, cue))

    def _ranked(self, question: str, items: Sequence[Item]) -> Sequence[Item]:
        """Items as they are, or the nearest to the question first."""
        if self.rank != "similarity":
            return items
        if self.embedder is None:
            problem = "rank=similarity has no embedder"
            rule = "ranking by meaning needs one"
            raise GswlabError(problem, rule, "memory.rank=cue")
        near = VectorIndex.of([item.text for item in items], self.embedder)
        ranked = near.nearest(question, len(items))
        return [replace(items[row], score=score) for row, score in ranked]

    def near_by(self, question: str, budget: int = 300) -> list[str]:
        """What would be found if the question fixed one thing less than it does."""
        cue = parse_question(question, self.view().names)
        found: dict[str, None] = {}
        for name in cue.fields:
            left_out: dict[str, Any] = {name: None}
            forms = self.forms(question, replace(cue, **left_out))
            for item in fitting(forms, budget):
                told = [record_of(each, FIELDS[:3]).text for each in item.facts]
                found |= dict.fromkeys(told or [item.text])
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

    def view(self) -> View:
        """The look-ups of the workspace as it stands, the end of input settled.

        Asking in the middle of a book settles a copy: the run itself is not touched.
        """
        if self._view is not None and self._of is self.workspace:
            return self._view
        self._of = settled = self.workspace
        if self._ended != settled.version:
            settled = settled.apply(self.reconciler.finish(settled))
        if self.past is None and self.evidence != "episodes":
            problem = f"memory.evidence={self.evidence} has no past"
            rule = "it looks up what was read in a journal"
            raise GswlabError(problem, rule, "memory.evidence=episodes")
        past, ids = self.past or Kept(), {c for e in settled.episodes for c in e.chunks}
        self._view = View(
            *(settled, self.match, self.embedder),
            lambda: [chunk for chunk in past.chunks() if chunk.id in ids],
        )
        return self._view
