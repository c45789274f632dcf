"""Tables of nouns: one row each, one column a field, ids as the index.

Everything plural has a table. Cells are what a person reads (labels, counts of long
tuples stay tuples); `Workspace.to_frame()` lists all nouns by id, kind and label.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields
from html import escape
from typing import TYPE_CHECKING, Any

from gswlab.core.codec import NOUNS
from gswlab.core.nouns import Noun, visible
from gswlab.core.references import label
from gswlab.core.step import NounKind
from gswlab.core.workspace import KIND, Workspace

if TYPE_CHECKING:
    import pandas as pd

GLANCE = ("id", "kind", "label", "chapter", "chunk")
ROWS = 30  # a table in a notebook is a glance; `to_frame` has everything


def to_frame(
    nouns: Workspace | Iterable[Any], kind: NounKind | None = None
) -> pd.DataFrame:
    """A table of a workspace, of its nouns of one kind, or of any dataclasses.

    >>> list(to_frame(Workspace()).columns)
    ['kind', 'label', 'chapter', 'chunk']
    """
    import pandas as pd

    if isinstance(nouns, Workspace):
        if kind is None:
            return _overview(nouns)
        columns = [f.name for f in fields(NOUNS[kind])]
        rows = [_row(noun) for noun in nouns.of(kind)]
        return pd.DataFrame(rows, columns=columns).set_index("id")
    frame = pd.DataFrame([_row(noun) for noun in nouns])
    return frame.set_index("id") if "id" in frame.columns else frame


def _row(noun: Any) -> dict[str, Any]:
    return {f.name: getattr(noun, f.name) for f in fields(noun)}


def _overview(workspace: Workspace) -> pd.DataFrame:
    import pandas as pd

    nouns = [noun for kind in NOUNS for noun in workspace.of(kind)]
    rows = [(noun.id, *_glance(noun)) for noun in nouns]
    return pd.DataFrame(rows, columns=list(GLANCE)).set_index("id")


def _glance(noun: Noun) -> tuple[str, str, Any, Any]:
    where = getattr(noun, "chapter", None), getattr(noun, "chunk", None)
    return KIND[noun.id[:1]], label(noun), *where


def html_table(
    caption: str, header: Sequence[str], rows: Sequence[Sequence[object]]
) -> str:
    """A small HTML table, every cell escaped; what is left out is said.

    >>> html_table("two < three", ["n"], [["<1>"]])[:40]
    '<table><caption>two &lt; three</caption>'
    """
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in header)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(_text(cell))}</td>" for cell in row) + "</tr>"
        for row in rows[:ROWS]
    )
    if (left := len(rows) - ROWS) > 0:
        body += (
            f'<tr><td colspan="{len(header)}">and {left} more: .to_frame()</td></tr>'
        )
    return (
        f"<table><caption>{escape(visible(caption))}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _text(cell: object) -> str:
    return "" if cell is None else visible(str(cell))


def workspace_html(workspace: Workspace) -> str:
    """The glance at a workspace that notebooks show."""
    nouns = [noun for kind in NOUNS for noun in workspace.of(kind)]
    rows = [(noun.id, *_glance(noun)) for noun in nouns]
    return html_table(
        repr(workspace), ["id", "kind", "label", "chapter", "chunk"], rows
    )
