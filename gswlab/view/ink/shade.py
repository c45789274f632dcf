"""A text shaded by what rests on it, in a notebook; the key of its levels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from gswlab.view.ink.text import Line
from gswlab.view.run.page import stylesheet
from gswlab.view.shell import asset
from gswlab.view.spans import Mark, escape, html_text
from gswlab.view.tables import Table

NAMES = ("no trace", "1 or 2", "3 to 5", "6 or more")
SHOWN = 400  # sentences of a text in a notebook
Marks = Callable[[Line], Iterable[Mark]]


def shaded_html(lines: Sequence[Line], marks: Marks, table: Table) -> str:
    """The first `SHOWN` sentences, shaded by their marks, above the table."""
    more = len(lines) - SHOWN
    left = f"<p>and {more} sentences more: .to_frame()</p>" if more > 0 else ""
    return (
        f'<div class="gswlab ink" data-heat><style>{stylesheet()}\n'
        f"{asset('ink/ink.css')}</style>{legend()}"
        f"{''.join(_text(lines[:SHOWN], marks))}"
        f"{left}{table._repr_html_()}</div>"
    )


def _text(lines: Sequence[Line], marks: Marks) -> Iterator[str]:
    before = None
    for line in lines:
        if line.part != before:
            yield f"{'' if before is None else '</p>'}<h3>{escape(line.part)}</h3>"
            yield '<p class="text" dir="auto">'
        before = line.part
        yield escape(line.gap) + html_text(line.text, marks(line), line.span.start)
    yield "" if before is None else "</p>"


def legend() -> str:
    """The levels in both channels, and in words."""
    keys = "".join(
        f'<span><mark class="k-h{level}">{name}</mark></span> '
        for level, name in enumerate(NAMES)
    )
    return f'<p class="key">Holdings on a character: {keys}</p>'
