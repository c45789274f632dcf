"""Stepping in the kernel: next, back, jump, until; the page remains without it.

The widgets only move a number; what they show is the same `Parts` the page is made of.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

from gswlab.errors import GswlabError
from gswlab.view.ground import Ground
from gswlab.view.history import History
from gswlab.view.page import stylesheet
from gswlab.view.parts import Parts
from gswlab.view.spans import escape
from gswlab.view.words import labels, line
from gswlab.workspace.journal import Journal
from gswlab.workspace.step import Step
from gswlab.workspace.workspace import Workspace


class Stepper:
    """A run under your hands, one step at a time.

    >>> stepper = Stepper(journal)                                # doctest: +SKIP
    >>> stepper.next().jump(7).until(lambda step: step.decisions)  # doctest: +SKIP

    Args:
        journal: a `Journal`, or anything that has one as `.journal` (a `Lab`).
    """

    def __init__(self, journal: Any) -> None:
        self.journal: Journal = getattr(journal, "journal", journal)
        self.position = 0
        self._view: Any = None
        self.refresh()

    def refresh(self) -> Stepper:
        """Read the journal again: steps appended meanwhile can be stepped to."""
        self._history = History.of(self.journal.steps())
        if not self._history.scenes:
            raise GswlabError(
                "this run has no step yet", "a run of one chunk or more", "lab.run()"
            )
        steps = [scene.step for scene in self._history.scenes]
        ground = Ground.of(steps, self.journal.chunks(), self.journal.documents())
        self._parts, self._labels = Parts(self._history, ground), labels(steps)
        return self._show()

    @property
    def step(self) -> Step:
        """The step that is shown."""
        return self._history.scenes[self.position].step

    @property
    def workspace(self) -> Workspace:
        """The workspace after the step that is shown."""
        return self._history.scenes[self.position].after

    def next(self) -> Stepper:
        """One step on, if there is one."""
        return self.jump(min(self.position + 1, len(self._labels) - 1))

    def back(self) -> Stepper:
        """One step back, if there is one."""
        return self.jump(max(self.position - 1, 0))

    def jump(self, position: int) -> Stepper:
        """To the step with this index; the first is 0."""
        if not 0 <= position < len(self._labels):
            raise GswlabError(
                f"step {position} is out of range",
                f"0 to {len(self._labels) - 1}",
                f"stepper.jump({len(self._labels) - 1})",
            )
        self.position = position
        return self._show()

    def until(self, found: Callable[[Step], object]) -> Stepper:
        """To the next step for which `found(step)` holds; stays when there is none."""
        rest = self._history.scenes[self.position + 1 :]
        index = next((s.step.index for s in rest if found(s.step)), self.position)
        return self.jump(index)

    def to_html(self) -> str:
        """The current step's parts, readable without a widget."""
        scene, label = self._history.scenes[self.position], self._labels[self.position]
        return (
            f'<div class="gswlab"><style>{stylesheet()}</style>'
            f'<h2 aria-live="polite">{escape(line(scene, label))}</h2>'
            f"{self._parts.step(self.position)}</div>"
        )

    def widget(self) -> Any:
        """Buttons, a slider and the step, as one ipywidgets box."""
        if self._view is None:
            self._view = _box(self)
        return self._view

    def __repr__(self) -> str:
        scene = self._history.scenes[self.position]
        head = line(scene, self._labels[self.position])
        return f"{head}\n{self._parts.plain(self.position)}"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        shown = {"text/plain": repr(self), "text/html": self.to_html()}
        if find_spec("ipywidgets") is None:
            return shown
        return {**self.widget()._repr_mimebundle_(), **shown}

    def _show(self) -> Stepper:
        if self._view is not None:
            bar, body = self._view.children
            bar.children[1].value = self.position
            body.value = self.to_html()
        return self


def _widgets() -> Any:
    try:
        import ipywidgets
    except ImportError as error:
        raise GswlabError(
            "the stepper's buttons need ipywidgets, which is not installed",
            "the extra `notebook`",
            "pip install 'gswlab[notebook]'",
        ) from error
    return ipywidgets


def _box(stepper: Stepper) -> Any:
    w = _widgets()
    back = w.Button(description="◀ back", tooltip="One step back")
    on = w.Button(description="next ▶", tooltip="One step on")
    slider = w.IntSlider(
        value=stepper.position,
        max=len(stepper._labels) - 1,
        description="Step",
        continuous_update=False,
    )
    body = w.HTML(stepper.to_html())
    back.on_click(lambda _: stepper.back())
    on.on_click(lambda _: stepper.next())
    slider.observe(lambda change: stepper.jump(change["new"]), "value")
    return w.VBox([w.HBox([back, slider, on]), body])
