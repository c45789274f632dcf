"""The stepper: any run under your hands, by buttons and by the same words in code.

>>> Stepper(lab).until("a conflict").select("a3").selection    # doctest: +SKIP

In a notebook it shows itself as a panel around the run's page
(`gswlab.view.panel.buttons`); without a kernel, or without widgets, the step's own text
and tables remain. A memory that keeps no workspace is told by what it did
(`gswlab.view.run.words`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from gswlab.bench.judge import fold
from gswlab.bench.runner import recorded, worlds_of
from gswlab.core.display import Live
from gswlab.core.errors import GswlabError
from gswlab.core.facts import kind_of, name_of
from gswlab.core.journal import Journal
from gswlab.core.nouns import visible
from gswlab.core.step import Step
from gswlab.core.workspace import Workspace
from gswlab.gedig import PRICED
from gswlab.lab.futures.edit import edit
from gswlab.lab.futures.fork import fork
from gswlab.view.kit.page import embedded
from gswlab.view.kit.spans import escape
from gswlab.view.run.parts import Telling
from gswlab.view.run.words import told, worded

if TYPE_CHECKING:
    import pandas as pd


Condition = Callable[[Step], object]


def _has(things: Iterable[object], **said: str) -> bool:
    """Whether one of some things has all these values in fields of these names."""
    return any(
        all(getattr(one, name, None) == value for name, value in said.items())
        for one in things
    )


READY: Mapping[str, Condition] = {
    "a conflict": lambda step: _has(step.decisions, type="conflict"),
    "an ambiguous alignment": lambda step: _has(
        step.decisions, type="alignment", status="ambiguous"
    ),
    "a merge": lambda step: (
        any(getattr(change, "into", None) for change in step.changes)
        or _has(step.decisions, type="alignment", status="merged")
    ),
    "a gate fired": lambda step: any(
        event.data.get("ag") or event.data.get("dg")
        for event in step.events
        if event.kind == PRICED
    ),
    "something evicted": lambda step: _has(step.events, kind="evicted"),
    "a question answered": lambda step: (
        _has(step.decisions, type="resolution", status="answered")
        or _has(step.changes, kind="question", field="status", value="answered")
        or _has((getattr(c, "item", None) for c in step.changes), status="answered")
    ),
}


def condition(found: Condition | str, telling: Telling) -> Condition:
    """What a condition is: a function as it is, one of `READY`, or words to look for.

    Words are looked for in what a step reads, does, decides and is about, in any case.
    """
    if callable(found):
        return found
    if found in READY:
        return READY[found]
    wanted = fold(found)
    if not wanted:
        return lambda _: False
    return lambda step: any(wanted in fold(s) for s in _said(telling, step.index))


def _said(telling: Telling, k: int) -> Iterator[str]:
    scene = telling.history.scenes[k]
    if read := telling.ground.by_step.get(k):
        yield from (read.chunk.text, read.chunk.title or "")
    yield from map(told, scene.step.events)
    for decision in scene.step.decisions:
        yield decision.reason
        yield from (str(getattr(decision, n, "")) for n in ("name", "kept", "other"))
    for noun_id in (*scene.added, *scene.changed, *scene.retired):
        yield telling.history.records[noun_id].name_at(k)
        yield from (worded(fact.text) for fact in scene.gained.get(noun_id, ()))


class Stepper(Live):
    """A run under your hands, one step at a time; every move returns the stepper.

    Args:
        run: a `Lab`, or its `Journal` alone: then nothing is read on and no future
            forked.
        world: which plot, conversation or question's paragraphs, where the dataset is
            made of such worlds: a memory reads it anew, into a journal of its own.
    """

    def __init__(self, run: Any, world: str | None = None) -> None:
        self.lab: Any = None
        if isinstance(run, Journal):
            self.journal = run
        elif world is not None:
            self.journal = recorded(run, world)
        else:
            self.lab, self.journal = run, run.journal
        if self.lab and not len(self.journal) and (known := [*worlds_of(run)]):
            problem = f"this run reads {len(known)} worlds, each by itself"
            command = f"Stepper(lab, world={known[0]!r})"
            raise GswlabError(problem, "one world is stepped through", command)
        self.position = 0
        self.chosen: tuple[str, ...] = ()
        self._panel: Any = None
        self.refresh()

    def refresh(self) -> Stepper:
        """Read the journal again: steps appended meanwhile can be stepped to."""
        telling = Telling.of(self.journal)
        if not telling.steps:
            problem, rule = "this run has no step yet", "a run of one chunk or more"
            raise GswlabError(problem, rule, "lab.run()")
        self.telling = telling
        if self._panel is not None:
            self._panel.renew()
        return self

    @property
    def last(self) -> int:
        """The index of the last step."""
        return len(self.telling.steps) - 1

    @property
    def step(self) -> Step:
        """The step that is shown, as the journal has it."""
        return self.journal[self.position]

    @property
    def workspace(self) -> Workspace:
        """The workspace after the step that is shown."""
        return self.journal.at(self.position + 1)

    @property
    def line(self) -> str:
        """The step in one line: `step 4, chunk 3 of 12: 2 actors added`."""
        return self.telling.line(self.position)

    def next(self) -> Stepper:
        """One step on, if there is one."""
        return self.jump(min(self.position + 1, self.last) + 1)

    def back(self) -> Stepper:
        """One step back, if there is one."""
        return self.jump(max(self.position, 1))

    def jump(self, number: int) -> Stepper:
        """To the step of this number; the first is 1, -1 the last."""
        return self.moved(self.journal.index_of(number), self.chosen)

    def until(self, found: Condition | str) -> Stepper:
        """To the next step where a condition holds; stays when there is none.

        It is a function of a `Step`, one of `READY`, or words that a step says.
        """
        holds = condition(found, self.telling)
        later = self.telling.steps[self.position + 1 :]
        return self.jump(next((s.index for s in later if holds(s)), self.position) + 1)

    def undo(self) -> Stepper:
        """Take back the last step that still holds, and show the step that does so."""
        self.journal.undo()
        return self.refresh().jump(-1)

    def read(self) -> Stepper:
        """Read the next chunk, or the end of the text, and show the step of it."""
        if self._lab().step() is None:
            problem = "there is nothing left to read"
            raise GswlabError(problem, "a text is read once", "stepper.undo()")
        return self.refresh().jump(-1)

    def fork(self, *overrides: str) -> Any:
        """The future from this step on under other settings, beside the one there is.

        The steps before it are replayed from the journal: nothing is asked again.
        """
        return fork(self._lab(), self.position, *overrides)

    def edit(self, who: Any, becomes: str = "new", because: str = "") -> Any:
        """The future in which an actor (or alignment) of this step is decided by hand.

        It becomes `new`, or the actor of that id; `because` is kept in the decision.
        """
        return edit(self._lab(), self.position + 1, who, becomes, because)

    def _lab(self) -> Any:
        if self.lab is None:
            problem = "a journal alone is stepped through, not gone on with"
            raise GswlabError(problem, "a lab has the settings", "Stepper(lab)")
        return self.lab

    @property
    def selection(self) -> pd.DataFrame:
        """What is selected in the page, a row each, as it is at the step shown.

        `chosen` has the ids, also of what is not there at that step.
        """
        import pandas as pd

        history, rows = self.telling.history, list[tuple[str, str, str]]()
        at = history.scenes[self.position].after
        for one in self.chosen:
            if noun := at.nouns.get(one):
                rows.append((one, kind_of(noun), visible(name_of(noun))))
            elif one in history.lines and (tie := history.lines[one].tie):
                said = visible(f"{tie.source} {tie.label} {tie.target}")
                rows.append((one, "line", said))
        return pd.DataFrame(rows, columns=["id", "kind", "name"]).set_index("id")

    def select(self, *ids: str) -> Stepper:
        """Select nouns and lines by their ids; the page lights them. None: nothing."""
        history = self.telling.history
        for one in ids:
            if one not in history.records and one not in history.lines:
                problem = f"nothing in this run has the id {one!r}"
                rule = "ids of nouns (a1) and of lines"
                raise GswlabError(problem, rule, "stepper.workspace.to_frame()")
        return self.moved(self.position, tuple(dict.fromkeys(ids)))

    def moved(self, position: int, chosen: tuple[str, ...]) -> Stepper:
        """Be where a page is: at this step, with these ids selected."""
        self.position, self.chosen = position, chosen
        if self._panel is not None:
            self._panel.show()
        return self

    def to_html(self) -> str:
        """The current step's parts, readable without a widget."""
        return embedded(
            f'<h2 aria-live="polite">{escape(self.line)}</h2>'
            f"{self.telling.step(self.position)}"
        )

    _repr_html_ = to_html

    @property
    def panel(self) -> Any:
        """The panel around the run's page; it moves with the stepper.

        Raises:
            GswlabError: the extra `notebook` is not installed.
        """
        if self._panel is None:
            self._panel = import_module("gswlab.view.panel.buttons").Panel(self)
        return self._panel

    def widget(self) -> Any:
        """The panel, as one ipywidgets box."""
        return self.panel.box

    def __repr__(self) -> str:
        return f"{self.line}\n{self.telling.plain(self.position)}"
