"""The stepper: any run under your hands, by buttons and by the same words in code.

>>> stepper = Stepper(lab)                                     # doctest: +SKIP
>>> stepper.until("a conflict").select("a3").selection         # doctest: +SKIP
Selection(a3: 1 noun, 0 lines)

In a notebook it shows itself as a panel around the run's page
(`gswlab.view.panel.buttons`); without a kernel, or without widgets, the step's own text
and tables remain. A memory that keeps no workspace is told by what it did
(`gswlab.view.run.events`).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.core.step import Step
from gswlab.core.workspace import Workspace
from gswlab.view.panel.conditions import Condition, condition
from gswlab.view.panel.selection import Selection, selection
from gswlab.view.run.costs import step_cost
from gswlab.view.run.page import stylesheet
from gswlab.view.run.telling import Telling
from gswlab.view.run.words import line
from gswlab.view.spans import escape

if TYPE_CHECKING:
    from gswlab.view.panel.buttons import Panel

Listener = Callable[[Selection], object]


class Stepper:
    """A run under your hands, one step at a time; every move returns the stepper.

    Args:
        run: a `Lab`, or its `Journal` alone: then nothing is read on and no future
            forked.
        world: which plot, conversation or question's paragraphs, where the dataset is
            made of such worlds: a memory reads it anew, into a journal of its own.
    """

    def __init__(self, run: Any, world: str | None = None) -> None:
        alone = world is not None or isinstance(run, Journal)
        self.lab: Any = None if alone else run
        self.journal: Journal = _journal(run, world)
        self.position = 0
        self.chosen: tuple[str, ...] = ()
        self._panel: Panel | None = None
        self._listeners: list[Listener] = []
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
        return self._show()

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
        """The step in one line: `chunk 3 of 12: 2 actors added`."""
        scene = self.telling.history.scenes[self.position]
        return line(scene, self.telling.labels[self.position])

    @property
    def cost(self) -> str:
        """What the step cost, where the run has a ledger of it; else empty."""
        return step_cost(self.journal.path.parent, self.step)

    def next(self) -> Stepper:
        """One step on, if there is one."""
        return self.jump(min(self.position + 1, self.last))

    def back(self) -> Stepper:
        """One step back, if there is one."""
        return self.jump(max(self.position - 1, 0))

    def jump(self, position: int) -> Stepper:
        """To the step with this index; the first is 0."""
        if not 0 <= position <= self.last:
            raise GswlabError(
                f"step {position} is out of range",
                f"0 to {self.last}",
                f"stepper.jump({self.last})",
            )
        self.position = position
        return self._show()

    def until(self, found: Condition | str) -> Stepper:
        """To the next step where a condition holds; stays when there is none.

        Args:
            found: a function of a `Step`, the name of a condition that is ready made
                (`gswlab.view.panel.conditions.READY`), or words that a step reads or
                says.
        """
        holds = condition(found, self.telling)
        later = self.telling.steps[self.position + 1 :]
        index = next((s.index for s in later if holds(s)), self.position)
        return self.jump(index)

    def play(self, seconds: float = 1.5) -> Stepper:
        """To the end, a step every so many seconds."""
        while self.position < self.last:
            time.sleep(seconds)
            self.next()
        return self

    def undo(self) -> Stepper:
        """Take back the last step that still holds, and show the step that does so."""
        self.journal.undo()
        return self.refresh().jump(self.last)

    def read(self) -> Stepper:
        """Read the next chunk, or the end of the text, and show the step of it."""
        if self._lab().step() is None:
            problem = "there is nothing left to read"
            raise GswlabError(problem, "a text is read once", "stepper.undo()")
        return self.refresh().jump(self.last)

    def fork(self, *overrides: str) -> Any:
        """The future from this step on under other settings, beside the one there is.

        The steps before it are replayed from the journal: nothing is asked again.
        """
        return self._lab().futures(self.position, *overrides)

    def edit(self, who: Any, becomes: str = "new", because: str = "") -> Any:
        """The future in which one actor of this step is decided by hand.

        Args:
            who: its name, or the alignment to decide anew.
            becomes: `new`, or the id of the actor that it is.
            because: why, kept in the decision.
        """
        return self._lab().edit(self.position, who, becomes, because)

    def _lab(self) -> Any:
        if self.lab is None:
            problem = "a journal alone is stepped through, not gone on with"
            raise GswlabError(problem, "a lab has the settings", "Stepper(lab)")
        return self.lab

    @property
    def selection(self) -> Selection:
        """What is selected in the page, as it is at the step shown."""
        scene = self.telling.history.scenes[self.position]
        return selection(self.chosen, self.telling.history, scene.after)

    def select(self, *ids: str) -> Stepper:
        """Select nouns and lines by their ids; the page lights them. None: nothing."""
        selection(ids, self.telling.history, self.workspace)
        return self.moved(self.position, tuple(dict.fromkeys(ids)))

    def on_select(self, listener: Listener) -> Stepper:
        """Call `listener(selection)` whenever something else is selected."""
        self._listeners.append(listener)
        return self

    def moved(self, position: int, chosen: tuple[str, ...]) -> Stepper:
        """Be where a page is: at this step, with these ids selected."""
        changed = chosen != self.chosen
        self.position, self.chosen = position, chosen
        self._show()
        for listener in self._listeners if changed else ():
            listener(self.selection)
        return self

    def to_html(self) -> str:
        """The current step's parts, readable without a widget."""
        return (
            f'<div class="gswlab"><style>{stylesheet()}</style>'
            f'<h2 aria-live="polite">{escape(self.line)}</h2>'
            f"{self.telling.parts.step(self.position)}</div>"
        )

    def widget(self) -> Any:
        """The panel, as one ipywidgets box."""
        return self._paneled().box

    def _paneled(self) -> Panel:
        if self._panel is None:
            from gswlab.view.panel.buttons import Panel

            self._panel = Panel(self)
        return self._panel

    def __repr__(self) -> str:
        return f"{self.line}\n{self.telling.parts.plain(self.position)}"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        shown = {"text/plain": repr(self), "text/html": self.to_html()}
        if find_spec("anywidget") is None or find_spec("ipywidgets") is None:
            return shown
        return {**self.widget()._repr_mimebundle_(), **shown}

    def _show(self) -> Stepper:
        if self._panel is not None:
            self._panel.show()
        return self


def _journal(run: Any, world: str | None) -> Journal:
    if isinstance(run, Journal):
        return run
    from gswlab.bench.recording import recorded, worlds

    if world is not None:
        return recorded(run, world)
    journal: Journal = run.journal
    if not len(journal) and (known := [*worlds(run)]):
        problem = f"this run reads {len(known)} worlds, each by itself"
        command = f"Stepper(lab, world={known[0]!r})"
        raise GswlabError(problem, "one world is stepped through", command)
    return journal
