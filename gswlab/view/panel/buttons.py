"""The panel: buttons that move a stepper, and its page in a frame that moves with it.

What a button does is a method of the `Stepper` (`buttons.tsv` names it); what a method
cannot do is said in one sentence below the page.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from gswlab.core.nouns import short
from gswlab.core.step import Alignment
from gswlab.view.kit.spans import escape
from gswlab.view.kit.tables import column_of
from gswlab.view.panel.forms import WRAPPED, PageFrame, WidgetForm, w
from gswlab.view.panel.stepper import READY, Stepper
from gswlab.view.run.moment import step_cost
from gswlab.view.run.page import assembled, payload

_NEW = "new"
HEIGHT = 860
PLAY, PAUSE = "play", "pause"
PACE, SLOW = 1500, 4000  # milliseconds a step of `play`, and where motion is unwanted
_HINTS, _DOES, _SAYS = (
    column_of("panel/buttons.tsv", head) for head in ("hint", "does", "said")
)


class Panel(WidgetForm):
    """The widgets of one stepper; `box` is what a notebook shows."""

    def __init__(self, stepper: Stepper) -> None:
        super().__init__()
        self._stepper, self.frame = stepper, PageFrame()
        self.buttons = {
            label: self.button(label, hint, partial(self._press, label))
            for label, hint in _HINTS.items()
        }
        # It counts; its own buttons have no name for who does not see them.
        self.play = w.Play(interval=PACE, min=1, value=1, layout={"display": "none"})
        self.run = w.ToggleButton(description=PLAY, tooltip="A step after the other")
        self.run.layout.width = "auto"
        self.at = w.BoundedIntText(description="Step", min=1, value=1)
        self.at.continuous_update, self.at.layout.width = False, "150px"
        self.until = w.Combobox(placeholder="choose, or words to look for")
        self.until.description, self.until.options = "Until", tuple(READY)
        self.settings = w.Text(placeholder="reconciler.scope=chapter")
        self.settings.description = "Fork with"
        self.who = w.Dropdown(description="Decide")
        self.becomes = w.Combobox(placeholder="new, or an actor's id")
        self.becomes.description = "becomes"
        typed = (self.until, self.settings, self.who, self.becomes)
        for one, wide in zip(typed, (320, 420, 300, 280), strict=True):
            one.layout.width = f"{wide}px"
        self.cost, self.early, self.futures = w.HTML(), w.HTML(), w.HTML()
        self.futures.layout.width = "100%"
        self._lay_out()
        for one in (self.play, self.at):
            one.observe(self.does(self._jump), "value")
        self.run.observe(self.does(self._running), "value")
        self.play.observe(self.does(self._paused), "playing")
        self.who.observe(self.does(self._offer), "value")
        self.frame.on_msg(self.does(self._heard))
        self.renew()

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
        """Show a journal as it is now, or as it was read again."""
        self._data = payload(self._stepper.telling)
        page = assembled(self._stepper.telling, self._data)
        self.frame.show(page.html, f"Panel: {page.title}", HEIGHT)
        self.show()

    def show(self) -> None:
        """Bring every widget to where the stepper is."""
        stepper, at = self._stepper, self._stepper.position
        for one in (self.play, self.at):
            one.max = stepper.last + 1
            one.value = at + 1
        self.buttons["◀ back"].disabled = at == 0
        self.buttons["next ▶"].disabled = at == stepper.last
        self.cost.value = escape(step_cost(stepper.journal.path.parent, stepper.step))
        aligned = [d for d in stepper.step.decisions if isinstance(d, Alignment)]
        aligned.sort(key=lambda one: not one.candidates)  # those weighed first
        told = tuple((f"{short(a.name, 30)}: {a.status}", a) for a in aligned)
        if self.who.options != told:
            self.who.options = told
            self.who.index = 0 if told else None
        self.buttons["edit by hand"].disabled = not told
        early = at < self._data.run["first"]
        self.early.value = stepper.to_html() if early else ""
        # what is selected as the page knows it: nouns by id, lines by number
        nouns = [one for one in stepper.chosen if one in self._known]
        number = {line: f"l{n}" for n, line in enumerate(self._data.lines)}
        lines = [number[one] for one in stepper.chosen if one in number]
        self.state = {"gswlab": "panel", "step": at, "nouns": nouns, "lines": lines}
        self.frame.send(self.state)

    @property
    def _known(self) -> dict[str, Any]:
        return self._stepper.telling.history.records

    def _press(self, label: str) -> str:
        """Do what a button is for; what its row says of that is said."""
        stepper, at = self._stepper, self._stepper.position
        match _DOES[label]:
            case "until":
                found = self.until.value
                if stepper.until(found).position == at:
                    return f"No later step has {found or 'what you look for'}."
            case "fork":
                made = stepper.fork(*self.settings.value.split())
                self.futures.value = made._repr_html_()
            case "edit":
                becomes = (self.becomes.value.split() or [_NEW])[0]
                made = stepper.edit(self.who.value, becomes)
                self.futures.value = made._repr_html_()
            case moves:
                getattr(stepper, moves)()
        return _SAYS[label].format(at + 1)

    def _offer(self, _: Any) -> None:
        """Whom an alignment may become: those who were weighed."""
        weighed = self.who.value.candidates if self.who.value else ()
        ids = [one.actor for one in weighed if one.actor in self._known]
        named = [f"{one} {short(self._known[one].name, 40)}" for one in ids]
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
                if said == {**self.state, "gswlab": "page", "still": still}:
                    return
                numbered = {f"l{n}": line for n, line in enumerate(self._data.lines)}
                chosen = [one for one in nouns if one in self._known]
                chosen += [numbered[one] for one in lines if one in numbered]
                at = min(max(step, 0), self._stepper.last)
                self._stepper.moved(at, tuple(chosen))
