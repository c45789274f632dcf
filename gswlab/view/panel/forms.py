"""Forms of a notebook: an experiment's settings, a talk, a first text of one's own.

What a form does is a method of what it is of; what cannot be done is said in one
sentence below it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import ipywidgets as w

from gswlab.core.errors import GswlabError
from gswlab.lab.chat import Chat
from gswlab.lab.config import composed, conf_groups
from gswlab.lab.experiment import Config
from gswlab.view.kit.page import asset
from gswlab.view.kit.spans import escape
from gswlab.view.panel.buttons import Home, missing
from gswlab.view.panel.start import Start

_TEXTS = Path("runs", "texts")  # where a file that was dropped is kept
_WRAPPED = {"flex_flow": "row wrap"}
_EQUAL = "<p>The equal cell:</p><pre>{}</pre><p>In a shell:</p><pre>{}</pre>"


class _Form:
    """A box of widgets, and a line that says what could not be done."""

    box: Any

    def __init__(self) -> None:
        self._home, self.said = Home(), w.HTML()

    def _say(self, said: str) -> None:
        self.said.value = f'<p role="status" style="margin:0">{escape(said)}</p>'

    def _does(self, action: Callable[..., str | None]) -> Callable[..., None]:
        """What a widget calls: in this thread, an error said in one sentence."""

        def done(*given: object) -> None:
            try:
                self._say(action(*given) or "")
            except GswlabError as error:
                self._say(str(error))

        return lambda *given: self._home.call(done, *given)

    def _row(self, says: str, hint: str, action: Callable[[], str | None]) -> Any:
        """A line that acts on Enter, and the button beside it that does the same."""
        line = w.Text(placeholder=hint, layout={"width": "480px"})
        button, does = w.Button(description=says), self._does(action)
        line.on_msg(lambda _, said, __: does() if said.get("event") else None)
        button.on_click(lambda _: does())
        return w.HBox([line, button])


class _Settings(_Form):
    """An experiment as a form: what is changed becomes an override."""

    def __init__(self, config: Config) -> None:
        super().__init__()
        self.config, self._made, self._showing = config, dict[str, Any](), False
        self.choices, self.fields = w.HBox(layout=_WRAPPED), w.HBox(layout=_WRAPPED)
        self.of, self.equal = w.Dropdown(description="settings of"), w.HTML()
        self.of.observe(lambda _: self._home.call(self._show), "value")
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
        self.equal.value = _EQUAL.format(escape(config.cell), escape(config.command))
        self._showing = False

    def _field(self, key: str, value: str, options: Sequence[str] = ()) -> Any:
        if (made := self._made.get(key)) is None:
            made = w.Dropdown(options=options) if options else w.Text()
            made.description, made.tooltip = key.rpartition(".")[2], key
            made.continuous_update, made.style.description_width = False, "110px"
            made.value, self._made[key] = value, made
            changed = self._does(lambda change: self._set(key, change["new"]))
            made.observe(changed, "value")
        made.value = value
        return made

    def _set(self, key: str, text: str) -> None:
        """Another value, or with no text the one it has by itself."""
        if self._showing:
            return
        # What was set of another choice of a group is not of this one.
        was = (f"{key}=", f"{key}." if key in self.config.choices else f"{key}=")
        kept = [t for t in self.config.overrides if not t.lstrip("+").startswith(was)]
        try:
            self.config = composed(*kept, *([f"{key}={text}"] if text else ()))
        finally:
            self._show()


class _Talk(_Form):
    """A chat as a form: a line in, the reply and what it did to the window out."""

    def __init__(self, chat: Chat) -> None:
        super().__init__()
        self._chat, self.told = chat, w.HTML(chat._repr_html_())
        self.time = w.Text(placeholder="when: 2024-05-08, or nothing")
        self.row = self._row("send", "say something", self._send)
        self.box = w.VBox([self.told, self.said, self.row, self.time])

    def _send(self) -> str:
        line = self.row.children[0]
        if not line.value.strip():
            return ""
        turn = self._chat.send(line.value.strip(), self.time.value.strip() or None)
        line.value, self.told.value = "", self._chat._repr_html_()
        return turn.told(self._chat.context())


class _First(_Form):
    """A first page as a form: a file, what is in it, a question, an answer."""

    def __init__(self, start: Start) -> None:
        super().__init__()
        self._start, self.drop = start, _drop_class()()
        self.drop.on_msg(self._does(self._dropped))
        self.file = self._row("read", "or name a file: path/to/it", self._named)
        self.line = self._row("ask", "a question, in its language", self._ask)
        self.holds, self.answer = w.HTML(start._repr_html_()), w.HTML()
        parts = self.drop, self.file, self.said, self.holds, self.line, self.answer
        self.box = w.VBox(parts)

    def _named(self) -> None:
        self._read(Path(self.file.children[0].value.strip()).expanduser())

    def _dropped(self, _: object, said: Any, buffers: Sequence[Any]) -> None:
        name = Path(str(said.get("name"))).name
        if not name or not buffers:
            problem = f"{name or 'a file'} is too large to be dropped"
            raise GswlabError(problem, "8 MB at most", "gswlab.view.start('FILE')")
        _TEXTS.mkdir(parents=True, exist_ok=True)
        (_TEXTS / name).write_bytes(bytes(buffers[0]))
        self._read(_TEXTS / name)

    def _read(self, path: Path) -> None:
        self._start.read(path, self._say)
        self.holds.value, self.answer.value = self._start._repr_html_(), ""

    def _ask(self) -> None:
        asked = self._start.ask(self.line.children[0].value)
        self.answer.value = asked._repr_html_()


@cache
def _drop_class() -> Any:
    try:
        import anywidget
    except ImportError as error:
        raise missing(error.name) from error
    return type("Drop", (anywidget.AnyWidget,), {"_esm": asset("panel/drop.js")})


NOTEBOOK_FORMS: dict[type, Any] = {Config: _Settings, Chat: _Talk, Start: _First}
