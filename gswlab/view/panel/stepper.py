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
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from gswlab.core.errors import GswlabError
from gswlab.core.facts import kind_of, name_of
from gswlab.core.journal import Journal
from gswlab.core.nouns import Noun, short
from gswlab.core.step import Alignment, Step
from gswlab.core.workspace import Workspace
from gswlab.lab.futures.edit import edit
from gswlab.lab.futures.fork import fork
from gswlab.view.kit.page import stylesheet
from gswlab.view.kit.spans import escape
from gswlab.view.kit.tables import Table
from gswlab.view.panel.conditions import Condition, condition
from gswlab.view.run.history import History
from gswlab.view.run.model_calls import step_cost
from gswlab.view.run.words import Telling, line

if TYPE_CHECKING:
    import pandas as pd

    from gswlab.view.panel.buttons import Panel


# One decision by hand: which actor of the step, and who it becomes.

NEW = "new"


class Edit:
    """The row of a panel that edits an alignment; `widgets` are in their order."""

    def __init__(self, widgets: Any, stepper: Stepper) -> None:
        self._stepper = stepper
        self.who = widgets.Dropdown(description="Decide", layout={"width": "300px"})
        self.becomes = widgets.Combobox(
            description="becomes",
            placeholder="new, or an actor's id",
            layout={"width": "280px"},
        )
        self.go = widgets.Button(
            description="edit by hand",
            tooltip="Read on under your decision, beside what was decided",
            layout={"width": "auto"},
        )
        self.widgets = (self.who, self.becomes, self.go)
        self.who.observe(lambda _: self._offer(), "value")

    def show(self) -> None:
        """Offer the alignments of the step that is shown, those weighed first."""
        told = [(f"{short(a.name, 30)}: {a.status}", n) for n, a in self._aligned()]
        if self.who.options != tuple(told):
            self.who.options = told
            self.who.index = 0 if told else None
            self._offer()
        self.go.disabled = not told

    def made(self) -> Any:
        """The two futures: what was decided, and what was typed.

        Raises:
            GswlabError: nothing was chosen, or nobody is called so.
        """
        aligned = dict(self._aligned())
        if self.who.value not in aligned:
            problem = "no alignment is chosen"
            raise GswlabError(problem, "a step that decided who an actor is")
        becomes = (self.becomes.value.split() or [NEW])[0]
        return self._stepper.edit(aligned[self.who.value], becomes)

    def _aligned(self) -> Iterator[tuple[int, Alignment]]:
        decisions = self._stepper.step.decisions
        found = [one for one in decisions if isinstance(one, Alignment)]
        found.sort(key=lambda one: not one.candidates)
        return iter(enumerate(found))

    def _offer(self) -> None:
        chosen = dict(self._aligned()).get(self.who.value)
        known = self._stepper.telling.history.records
        ids = [one.actor for one in chosen.candidates] if chosen else []
        named = [f"{one} {short(known[one].name, 40)}" for one in ids if one in known]
        self.becomes.value, self.becomes.options = "", (NEW, *named)


# What is selected in a page: nouns and lines, as ids and as what they stand for.

HEADS = ("id", "kind", "name")


class Line(NamedTuple):
    """A line of the graph: what it says, and the ids of the nouns at its ends."""

    id: str
    label: str
    source: str
    target: str


@dataclass(frozen=True)
class Selection:
    """Nouns as they are at the step shown, and lines between nouns.

    A noun that is not there at that step has an id here and no object.

    >>> Selection(("a1",), (), ())
    Selection(a1: 0 nouns, 0 lines)
    """

    ids: tuple[str, ...]
    nouns: tuple[Noun, ...]
    lines: tuple[Line, ...]

    def __bool__(self) -> bool:
        return bool(self.ids)

    def to_frame(self) -> pd.DataFrame:
        """A row a noun or line."""
        import pandas as pd

        return pd.DataFrame(self._rows(), columns=list(HEADS)).set_index("id")

    def _rows(self) -> tuple[tuple[str, ...], ...]:
        nouns = ((noun.id, kind_of(noun), name_of(noun)) for noun in self.nouns)
        lines = (
            (line.id, "line", f"{line.source} {line.label} {line.target}")
            for line in self.lines
        )
        return (*nouns, *lines)

    def _repr_html_(self) -> str:
        return Table(HEADS, self._rows(), repr(self))._repr_html_()

    def __repr__(self) -> str:
        if not self.ids:
            return "Selection(nothing)"
        some = ", ".join(self.ids[:4]) + (", …" if len(self.ids) > 4 else "")
        return (
            f"Selection({some}: {len(self.nouns)} noun{'s' * (len(self.nouns) != 1)}, "
            f"{len(self.lines)} line{'s' * (len(self.lines) != 1)})"
        )


def selection(ids: Iterable[str], history: History, at: Workspace) -> Selection:
    """What ids of nouns and lines stand for in a workspace.

    Raises:
        GswlabError: no noun or line of the run has such an id.
    """
    chosen = tuple(dict.fromkeys(ids))
    for one in chosen:
        if one not in history.records and one not in history.lines:
            raise GswlabError(
                f"nothing in this run has the id {one!r}",
                "ids of nouns (a1) and of lines",
                "stepper.workspace.to_frame()",
            )
    nouns = tuple(at.nouns[one] for one in chosen if one in at.nouns)
    ties = ((one, history.lines[one].tie) for one in chosen if one in history.lines)
    lines = tuple(Line(i, t.label, t.source, t.target) for i, t in ties if t)
    return Selection(chosen, nouns, lines)


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
        return fork(self._lab(), self.position, *overrides)

    def edit(self, who: Any, becomes: str = "new", because: str = "") -> Any:
        """The future in which one actor of this step is decided by hand.

        Args:
            who: its name, or the alignment to decide anew.
            becomes: `new`, or the id of the actor that it is.
            because: why, kept in the decision.
        """
        return edit(self._lab(), self.position, who, becomes, because)

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
    from gswlab.bench.runner import recorded, worlds_of

    if world is not None:
        return recorded(run, world)
    journal: Journal = run.journal
    if not len(journal) and (known := [*worlds_of(run)]):
        problem = f"this run reads {len(known)} worlds, each by itself"
        command = f"Stepper(lab, world={known[0]!r})"
        raise GswlabError(problem, "one world is stepped through", command)
    return journal
