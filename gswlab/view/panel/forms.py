"""Forms of a notebook: an experiment's settings, a first text of one's own.

What a form does is a method of what it is of; what cannot be done is said in one
sentence below it.
"""

from __future__ import annotations

import asyncio
import gzip
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from gswlab.core.errors import GswlabError
from gswlab.lab.config import composed, conf_groups
from gswlab.lab.experiment import Config
from gswlab.view.kit.page import asset, rendered
from gswlab.view.kit.spans import escape
from gswlab.view.panel.start import Start
from gswlab.view.panel.stepper import Stepper

try:
    import anywidget
    import ipywidgets
    import traitlets
except ImportError as error:
    problem = f"widgets need {error.name}, which is not installed"
    command = "pip install 'gswlab[notebook]'"
    raise GswlabError(problem, "the extra `notebook`", command) from error

w = ipywidgets
_TEXTS = Path("runs", "texts")  # where a file that was dropped is kept
WRAPPED = {"flex_flow": "row wrap", "align_items": "center"}


class PageFrame(anywidget.AnyWidget):
    """A page in a frame, and messages both ways.

    It says `{"gswlab": "ready"}` when a page is there, and a page's `step`, `nouns`,
    `lines` and `still` (reduced motion is asked for); sent to it, the first three move
    the page.
    """

    _esm = asset("panel/panel.js")
    page = traitlets.Bytes().tag(sync=True)
    title = traitlets.Unicode().tag(sync=True)
    height = traitlets.Int(900).tag(sync=True)

    def show(self, html: str, title: str, height: int) -> None:
        """Show a page; the same page is the same bytes."""
        self.title, self.height = title, height
        self.page = gzip.compress(html.encode(), mtime=0)


class _Drop(anywidget.AnyWidget):
    """A place to drop a file."""

    _esm = asset("panel/drop.js")


class WidgetForm:
    """A box of widgets, and a line that says what could not be done.

    What it is of belongs to the thread it was made in. A notebook may hand over what
    its widgets say in another thread than it runs cells in, at the same time; a
    journal, as any SQLite file, is one thread's.
    """

    box: Any

    def __init__(self) -> None:
        self.said = w.HTML()
        self._thread = threading.get_ident()
        self._loop: asyncio.AbstractEventLoop | None = None
        with suppress(RuntimeError):  # no loop runs: this is no notebook
            self._loop = asyncio.get_running_loop()

    def say(self, said: str) -> None:
        """Say something below the widgets."""
        self.said.value = f'<p role="status" style="margin:0">{escape(said)}</p>'

    def does(self, action: Callable[..., object]) -> Callable[..., None]:
        """What a widget calls: `action`, in this thread.

        What it returns is said, and what went wrong, in one sentence; None is no news.
        """

        def done(*given: object) -> None:
            try:
                found = action(*given)
            except GswlabError as error:
                found = str(error)
            except Exception as error:
                self.say(f"{type(error).__name__}: {error}")
                raise
            if found is not None:
                self.say(found if isinstance(found, str) else "")

        def called(*given: object) -> None:
            if self._loop is None or threading.get_ident() == self._thread:
                done(*given)
            else:
                self._loop.call_soon_threadsafe(done, *given)

        return called

    def button(self, says: str, hint: str, action: Callable[[], object]) -> Any:
        """A button that does something."""
        made = w.Button(description=says, tooltip=hint, layout={"width": "auto"})
        does = self.does(action)
        made.on_click(lambda _: does())
        return made

    def line(self, says: str, hint: str, action: Callable[[str], object]) -> Any:
        """A line that acts on Enter, and the button beside it that does the same."""
        line = w.Text(placeholder=hint, layout={"width": "480px"})
        button = self.button(says, "", lambda: action(line.value.strip()))
        line.on_msg(lambda _, said, __: button.click() if said.get("event") else None)
        return w.HBox([line, button])


class _Settings(WidgetForm):
    """An experiment as a form: what is changed becomes an override."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config, self._made, self._showing = config, dict[str, Any](), False
        self.choices, self.fields = w.HBox(layout=WRAPPED), w.HBox(layout=WRAPPED)
        self.of, self.equal = w.Dropdown(description="settings of"), w.HTML()
        self.of.observe(self.does(lambda _: self._show()), "value")
        parts = self.choices, self.of, self.fields, self.said, self.equal
        self.box = w.VBox(parts)
        self._show()

    def _show(self) -> None:
        """Bring every widget to what the settings are."""
        if self._showing:  # a widget tells what it is given here
            return
        self._showing, config, groups = True, self.config, conf_groups()
        self.choices.children = [
            self._field(key, name, list(dict.fromkeys([*groups[key], name])))
            for key, name in sorted(config.choices.items())
        ]
        rows = {k: v for k, v, _ in config.rows() if k not in config.choices}
        parts = {key: key.rpartition(".")[0] or "all" for key in rows}
        if self.of.options != (found := tuple(sorted({*parts.values()}))):
            kept = self.of.value if self.of.value in found else "memory"
            self.of.options, self.of.value = found, kept
        self.fields.children = [
            self._field(key, rows[key].strip('"'))
            for key, part in parts.items()
            if part == self.of.value and "${" not in rows[key]
        ]
        said = {"cell": config.cell, "command": config.command}
        self.equal.value = rendered("panel/equal.html", **said)
        self._showing = False

    def _field(self, key: str, value: str, options: Sequence[str] = ()) -> Any:
        if (made := self._made.get(key)) is None:
            made = w.Dropdown(options=options) if options else w.Text()
            made.description, made.tooltip = key.rpartition(".")[2], key
            made.continuous_update, made.style.description_width = False, "110px"
            made.value, self._made[key] = value, made
            changed = self.does(lambda change: self._set(key, change["new"]))
            made.observe(changed, "value")
        made.value = value
        return made

    def _set(self, key: str, text: str) -> str | None:
        """Another value, or with no text the one it has by itself."""
        if self._showing:
            return None
        # What was set of another choice of a group is not of this one.
        was = (f"{key}=", f"{key}." if key in self.config.choices else f"{key}=")
        kept = [t for t in self.config.overrides if not t.lstrip("+").startswith(was)]
        try:
            self.config = composed(*kept, *([f"{key}={text}"] if text else ()))
        finally:
            self._show()
        return ""


class _First(WidgetForm):
    """A first page as a form: a file, what is in it, a question, an answer."""

    def __init__(self, start: Start) -> None:
        super().__init__()
        self._start, self.drop = start, _Drop()
        self.drop.on_msg(self.does(self._dropped))
        self.file = self.line("read", "or name a file: path/to/it", self._read)
        self.asked = self.line("ask", "a question, in its language", self._ask)
        self.holds, self.answer = w.HTML(start._repr_html_()), w.HTML()
        parts = self.drop, self.file, self.said, self.holds, self.asked, self.answer
        self.box = w.VBox(parts)

    def _dropped(self, _: object, said: Any, buffers: Sequence[Any]) -> str:
        name = Path(str(said.get("name"))).name
        if not name or not buffers:
            problem = f"{name or 'a file'} is too large to be dropped"
            raise GswlabError(problem, "8 MB at most", "gswlab.view.start('FILE')")
        _TEXTS.mkdir(parents=True, exist_ok=True)
        (_TEXTS / name).write_bytes(bytes(buffers[0]))
        return self._read(str(_TEXTS / name))

    def _read(self, path: str) -> str:
        self._start.read(Path(path).expanduser(), self.say)
        self.holds.value, self.answer.value = self._start._repr_html_(), ""
        return ""

    def _ask(self, question: str) -> str:
        self.answer.value = self._start.ask(question)._repr_html_()
        return ""


NOTEBOOK_FORMS: dict[type, Callable[[Any], Any]] = {
    Config: _Settings,
    Start: _First,
    Stepper: lambda stepper: stepper.panel,
}
