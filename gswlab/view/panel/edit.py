"""One decision by hand: which actor of the step, and who it becomes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import short
from gswlab.core.step import Alignment

if TYPE_CHECKING:
    from gswlab.view.panel.stepper import Stepper

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
