"""The panel: buttons that move a stepper, and its page in a frame that moves with it.

What a button does is a method of the `Stepper`; what a method cannot do is said in one
sentence below the page.
"""

from __future__ import annotations

import asyncio
import gzip
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import short
from gswlab.core.step import Alignment
from gswlab.view.kit.page import asset
from gswlab.view.kit.spans import escape
from gswlab.view.panel.stepper import PANELS, READY, Stepper
from gswlab.view.run.page import Payload, assembled, payload

_NEW = "new"
HEIGHT = 860
PLAY, PAUSE = "play", "pause"
PACE, SLOW = 1500, 4000  # milliseconds a step of `play`, and where motion is unwanted


def frame(html: str, title: str, height: int) -> Any:
    """A widget with the traits `page`, `title` and `height`, and messages both ways.

    It says `{"gswlab": "ready"}` when a page is there, and a page's `step`, `nouns`,
    `lines` and `still` (reduced motion is asked for); sent to it, the first three move
    the page.

    Raises:
        GswlabError: the extra `notebook` is not installed.
    """
    return _frame_class()(page=packed(html), title=title, height=height)


def packed(html: str) -> bytes:
    """A page as its frame takes it: the same bytes for the same page."""
    return gzip.compress(html.encode(), mtime=0)


@cache
def _frame_class() -> Any:
    try:
        import anywidget
        import traitlets
    except ImportError as error:
        raise missing(error.name) from error

    class Frame(anywidget.AnyWidget):
        _esm = asset("panel/panel.js")
        page = traitlets.Bytes().tag(sync=True)
        title = traitlets.Unicode().tag(sync=True)
        height = traitlets.Int(900).tag(sync=True)

    return Frame


def missing(name: str | None) -> GswlabError:
    """The error that a library of the extra `notebook` is not there."""
    problem = f"the panel needs {name or 'ipywidgets'}, which is not installed"
    command = "pip install 'gswlab[notebook]'"
    return GswlabError(problem, "the extra `notebook`", command)


class Home:
    """The thread in which a panel was made: what it is of belongs to that thread.

    A notebook may hand over what its widgets say in another thread than it runs cells
    in, at the same time; a journal, as any SQLite file, is one thread's.
    """

    def __init__(self) -> None:
        self._thread = threading.get_ident()
        self._loop: asyncio.AbstractEventLoop | None = None
        with suppress(RuntimeError):  # no loop runs: this is no notebook
            self._loop = asyncio.get_running_loop()

    def call(self, action: Callable[..., object], *given: object) -> None:
        """Do something in this thread: at once, or when it has done what it does."""
        if self._loop is None or threading.get_ident() == self._thread:
            action(*given)
        else:
            self._loop.call_soon_threadsafe(action, *given)


def _field(kind: Any, says: str, hint: str, width: str) -> Any:
    """What one types into; the hint stands in it until then."""
    return kind(description=says, placeholder=hint, layout={"width": width})


class _Edit:
    """The row of a panel that edits an alignment; `widgets` are in their order."""

    def __init__(self, widgets: Any, stepper: Stepper) -> None:
        self._stepper = stepper
        self.who = widgets.Dropdown(description="Decide", layout={"width": "300px"})
        hint = "new, or an actor's id"
        self.becomes = _field(widgets.Combobox, "becomes", hint, "280px")
        self.go = widgets.Button(
            description="edit by hand",
            tooltip="Read on under your decision, beside what was decided",
            layout={"width": "auto"},
        )
        self.widgets = (self.who, self.becomes, self.go)
        self.who.observe(lambda _: self._offer(), "value")

    def show(self) -> None:
        """Offer the alignments of the step that is shown, those weighed first."""
        aligned = self._aligned().items()
        told = [(f"{short(a.name, 30)}: {a.status}", n) for n, a in aligned]
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
        aligned = self._aligned()
        if self.who.value not in aligned:
            problem = "no alignment is chosen"
            raise GswlabError(problem, "a step that decided who an actor is")
        becomes = (self.becomes.value.split() or [_NEW])[0]
        return self._stepper.edit(aligned[self.who.value], becomes)

    def _aligned(self) -> dict[int, Alignment]:
        decisions = self._stepper.step.decisions
        found = [one for one in decisions if isinstance(one, Alignment)]
        return dict(enumerate(sorted(found, key=lambda one: not one.candidates)))

    def _offer(self) -> None:
        chosen = self._aligned().get(self.who.value)
        known = self._stepper.telling.history.records
        ids = [one.actor for one in chosen.candidates] if chosen else []
        named = [f"{one} {short(known[one].name, 40)}" for one in ids if one in known]
        self.becomes.value, self.becomes.options = "", (_NEW, *named)


class Panel:
    """The widgets of one stepper; `box` is what a notebook shows."""

    def __init__(self, stepper: Stepper) -> None:
        try:
            import ipywidgets
        except ImportError as error:
            raise missing("ipywidgets") from error
        self._stepper, self._w, self._home = stepper, ipywidgets, Home()
        self._data, html, title = self._page()
        self.frame = frame(html, f"Panel: {title}", HEIGHT)
        self._make()
        for one in (self.play, self.at):
            one.observe(lambda change: self._home.call(self._jump, change), "value")
        self.run.observe(lambda _: self._home.call(self._running), "value")
        self.play.observe(lambda _: self._home.call(self._paused), "playing")
        self.frame.on_msg(lambda _, said, __: self._home.call(self._heard, said))
        self.show()

    def renew(self) -> None:
        """Show a journal that was read again."""
        self._data, html, _ = self._page()
        self.frame.page = packed(html)

    def show(self) -> None:
        """Bring every widget to where the stepper is."""
        at, last = self._stepper.position, self._stepper.last
        for one in (self.play, self.at):
            one.max = last + 1
            one.value = at + 1
        self.back.disabled, self.on.disabled = at == 0, at == last
        self.cost.value = escape(self._stepper.cost)
        self.edit.show()
        early = at < self._data.run["first"]
        self.early.value = self._stepper.to_html() if early else ""
        # what is selected as the page knows it: nouns by id, lines by number
        chosen, known = self._stepper.chosen, self._stepper.telling.history.records
        number = {line: f"l{n}" for n, line in enumerate(self._data.lines)}
        nouns = [one for one in chosen if one in known]
        lines = [number[one] for one in chosen if one in number]
        self.state = {"gswlab": "panel", "step": at, "nouns": nouns, "lines": lines}
        self.frame.send(self.state)

    def _page(self) -> tuple[Payload, str, str]:
        telling = self._stepper.telling
        data = payload(telling.history, telling.ground, names=telling.labels)
        page = assembled(telling.title, telling.parts, data, telling.labels)
        return data, page.html, page.title

    def _make(self) -> None:
        w, stepper, wide = self._w, self._stepper, {"width": "auto"}

        def button(says: str, does: str, action: Callable[[], object]) -> Any:
            made = w.Button(description=says, tooltip=does, layout=wide)
            made.on_click(lambda _: self._home.call(self._do, action))
            return made

        self.back = button("◀ back", "One step back", stepper.back)
        self.on = button("next ▶", "One step on", stepper.next)
        # It counts; its own buttons have no name for who does not see them.
        self.play = w.Play(interval=PACE, min=1, value=1, layout={"display": "none"})
        tip = "A step after the other"
        self.run = w.ToggleButton(description=PLAY, tooltip=tip, layout=wide)
        self.at = w.BoundedIntText(
            description="Step",
            min=1,
            value=1,
            continuous_update=False,
            layout={"width": "150px"},
        )
        hint = "choose, or words to look for"
        self.until = _field(w.Combobox, "Until", hint, "320px")
        self.until.options = tuple(READY)
        self.go = button("until ▶▶", "To the next such step", self._until)
        tip = "Take back the last step that still holds"
        self.undo = button("undo last", tip, self._undo)
        self.read = button("read on", "Read the next chunk", stepper.read)
        hint = "reconciler.scope=chapter"
        self.settings = _field(w.Text, "Fork with", hint, "420px")
        tip = "From this step on under other settings"
        self.fork = button("fork here", tip, self._fork)
        self.edit = _Edit(w, stepper)
        self.edit.go.on_click(lambda _: self._home.call(self._do, self._edit))
        self.cost, self.said, self.early = w.HTML(), w.HTML(), w.HTML()
        self.futures = w.HTML(layout={"width": "100%"})

        def row(*widgets: Any) -> Any:
            flow = {"flex_flow": "row wrap", "align_items": "center"}
            return w.HBox(widgets, layout=flow)

        moves = (self.back, self.run, self.play, self.on, self.at, self.until, self.go)
        ahead = (self.settings, self.fork, self.undo, self.read)
        page = (self.early, self.frame, row(self.said, self.cost))
        below = (row(*ahead), row(*self.edit.widgets), self.futures)
        self.box = w.VBox([row(*moves), *page, *below])
        self.box.add_class("gswlab-panel")

    def _do(self, action: Callable[[], object]) -> None:
        """Do what a button says; what went wrong, or was found, in one sentence."""
        try:
            said = action()
        except GswlabError as error:
            said = str(error)
        except Exception as error:
            self._say(f"{type(error).__name__}: {error}")
            raise
        self._say(said if isinstance(said, str) else "")

    def _say(self, said: str) -> None:
        self.said.value = f'<p role="status" style="margin:0">{escape(said)}</p>'

    def _jump(self, change: Any) -> None:
        number = change["new"]
        if number != self._stepper.position + 1:
            self._do(lambda: self._stepper.jump(number))

    def _running(self) -> None:
        """Play, or pause; from the end it begins again."""
        on, stepper = self.run.value, self._stepper
        if on and stepper.position == stepper.last:
            stepper.jump(1)
        self.play.playing, self.run.description = on, PAUSE if on else PLAY

    def _paused(self) -> None:
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
        self.futures.value = self.edit.made()._repr_html_()
        return "Decided by hand in a fork; what was decided before stays beside it."

    def _heard(self, said: Any) -> None:
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


PANELS.append(Panel)
