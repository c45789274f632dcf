"""The panel: buttons that move a stepper, and its page in a frame that moves with it.

What a button does is a method of the `Stepper`; what a method cannot do is said in one
sentence below the page.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gswlab.core.nouns import short
from gswlab.core.step import Alignment
from gswlab.view.kit.spans import escape
from gswlab.view.panel.forms import WRAPPED, PageFrame, WidgetForm, w
from gswlab.view.panel.stepper import READY, Stepper
from gswlab.view.run.page import Payload, assembled, payload

_NEW = "new"
HEIGHT = 860
PLAY, PAUSE = "play", "pause"
PACE, SLOW = 1500, 4000  # milliseconds a step of `play`, and where motion is unwanted
_WIDE = {"width": "100%"}


class Panel(WidgetForm):
    """The widgets of one stepper; `box` is what a notebook shows."""

    def __init__(self, stepper: Stepper) -> None:
        super().__init__()
        self._stepper, self.frame = stepper, PageFrame()
        self._data = self._page()
        # What it does by itself, a label and a hint for each.
        self.buttons = {
            label: self.button(label, hint, action)
            for label, hint, action in self._actions()
        }
        # It counts; its own buttons have no name for who does not see them.
        self.play = w.Play(interval=PACE, min=1, value=1, layout={"display": "none"})
        self.run = w.ToggleButton(description=PLAY, tooltip="A step after the other")
        self.run.layout.width = "auto"
        self.at = w.BoundedIntText(description="Step", min=1, value=1)
        self.at.continuous_update, self.at.layout.width = False, "150px"
        hint = "choose, or words to look for"
        self.until = _field(w.Combobox, "Until", hint, "320px")
        self.until.options = tuple(READY)
        hint = "reconciler.scope=chapter"
        self.settings = _field(w.Text, "Fork with", hint, "420px")
        self.who = w.Dropdown(description="Decide", layout={"width": "300px"})
        hint = "new, or an actor's id"
        self.becomes = _field(w.Combobox, "becomes", hint, "280px")
        self.cost, self.early, self.futures = w.HTML(), w.HTML(), w.HTML(layout=_WIDE)
        self._lay_out()
        for one in (self.play, self.at):
            one.observe(self.does(self._jump), "value")
        self.run.observe(self.does(self._running), "value")
        self.play.observe(self.does(self._paused), "playing")
        self.who.observe(self.does(self._offer), "value")
        self.frame.on_msg(self.does(self._heard))
        self.show()

    def _actions(self) -> tuple[tuple[str, str, Callable[[], object]], ...]:
        """What is done at a press: the label, the hint, the call."""
        stepper, undo = self._stepper, "Take back the last step that still holds"
        by_hand = "Read on under your decision, beside what was decided"
        return (
            ("◀ back", "One step back", stepper.back),
            ("next ▶", "One step on", stepper.next),
            ("until ▶▶", "To the next such step", self._until),
            ("fork here", "From this step on under other settings", self._fork),
            ("undo last", undo, self._undo),
            ("read on", "Read the next chunk", stepper.read),
            ("edit by hand", by_hand, self._edit),
        )

    def _lay_out(self) -> None:
        back, on, go, fork, undo, read, by_hand = self.buttons.values()
        rows = (
            (back, self.run, self.play, on, self.at, self.until, go),
            (self.said, self.cost),
            (self.settings, fork, undo, read),
            (self.who, self.becomes, by_hand),
        )
        moves, said, *ahead = (w.HBox(row, layout=WRAPPED) for row in rows)
        self.box = w.VBox([moves, self.early, self.frame, said, *ahead, self.futures])
        self.box.add_class("gswlab-panel")

    def renew(self) -> None:
        """Show a journal that was read again."""
        self._data = self._page()
        self.show()

    def _page(self) -> Payload:
        data = payload(self._stepper.telling)
        page = assembled(self._stepper.telling, data)
        self.frame.show(page.html, f"Panel: {page.title}", HEIGHT)
        return data

    def show(self) -> None:
        """Bring every widget to where the stepper is."""
        at, last = self._stepper.position, self._stepper.last
        for one in (self.play, self.at):
            one.max = last + 1
            one.value = at + 1
        self.buttons["◀ back"].disabled = at == 0
        self.buttons["next ▶"].disabled = at == last
        self.cost.value = escape(self._stepper.cost)
        decisions = self._stepper.step.decisions
        aligned = [one for one in decisions if isinstance(one, Alignment)]
        aligned.sort(key=lambda one: not one.candidates)  # those weighed first
        told = tuple((f"{short(a.name, 30)}: {a.status}", a) for a in aligned)
        if self.who.options != told:
            self.who.options = told
            self.who.index = 0 if told else None
        self.buttons["edit by hand"].disabled = not told
        early = at < self._data.run["first"]
        self.early.value = self._stepper.to_html() if early else ""
        # what is selected as the page knows it: nouns by id, lines by number
        chosen, known = self._stepper.chosen, self._stepper.telling.history.records
        number = {line: f"l{n}" for n, line in enumerate(self._data.lines)}
        nouns = [one for one in chosen if one in known]
        lines = [number[one] for one in chosen if one in number]
        self.state = {"gswlab": "panel", "step": at, "nouns": nouns, "lines": lines}
        self.frame.send(self.state)

    def _offer(self, _: Any) -> None:
        """Whom an alignment may become: those who were weighed."""
        chosen = self.who.value
        known = self._stepper.telling.history.records
        ids = [one.actor for one in chosen.candidates] if chosen else []
        named = [f"{one} {short(known[one].name, 40)}" for one in ids if one in known]
        self.becomes.value, self.becomes.options = "", (_NEW, *named)

    def _jump(self, change: Any) -> Stepper | None:
        number = change["new"]
        there = number == self._stepper.position + 1
        return None if there else self._stepper.jump(number)

    def _running(self, _: Any) -> None:
        """Play, or pause; from the end it begins again."""
        on, stepper = self.run.value, self._stepper
        if on and stepper.position == stepper.last:
            stepper.jump(1)
        self.play.playing, self.run.description = on, PAUSE if on else PLAY

    def _paused(self, _: Any) -> None:
        if not self.play.playing:
            self.run.value = False

    def _until(self) -> str:
        found, before = self.until.value, self._stepper.position
        self._stepper.until(found)
        if self._stepper.position == before:
            return f"No later step has {found or 'what you look for'}."
        return ""

    def _undo(self) -> str:
        self._stepper.undo()
        return "Taken back by a step of its own; nothing is erased."

    def _fork(self) -> str:
        forked = self._stepper.fork(*self.settings.value.split())
        self.futures.value = forked._repr_html_()
        at = self._stepper.position
        return f"Steps before {at + 1} were replayed from the journal, 0 calls."

    def _edit(self) -> str:
        becomes = (self.becomes.value.split() or [_NEW])[0]
        made = self._stepper.edit(self.who.value, becomes)
        self.futures.value = made._repr_html_()
        return "Decided by hand in a fork; what was decided before stays beside it."

    def _heard(self, _: Any, said: Any, __: Any) -> None:
        """What somebody did in the page; what is of another type was not said."""
        match said:
            case {"gswlab": "ready"}:
                self.frame.send(self.state)
            case {
                "gswlab": "page",
                "step": int(step),
                "nouns": [*nouns],
                "lines": [*lines],
                "still": bool(still),
            } if all(isinstance(one, str) for one in (*nouns, *lines)):
                self.play.interval = SLOW if still else PACE
                if said != {**self.state, "gswlab": "page", "still": still}:
                    self._follow(step, nouns, lines)

    def _follow(self, step: int, nouns: list[str], lines: list[str]) -> None:
        known = self._stepper.telling.history.records
        chosen = [one for one in nouns if one in known]
        numbered = {f"l{n}": line for n, line in enumerate(self._data.lines)}
        chosen += [numbered[one] for one in lines if one in numbered]
        at = min(max(step, 0), self._stepper.last)
        self._stepper.moved(at, tuple(chosen))


def _field(kind: Any, says: str, hint: str, width: str) -> Any:
    """What one types into; the hint stands in it until then."""
    return kind(description=says, placeholder=hint, layout={"width": width})
