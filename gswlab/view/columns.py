"""Views side by side, each under its name: two readings of one text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gswlab.view.run.page import stylesheet
from gswlab.view.spans import escape


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns in a notebook, in the order given; one below the other elsewhere.

    >>> Columns({"rules": 1, "model": 2})
    rules:
    1
    <BLANKLINE>
    model:
    2
    """

    views: Mapping[str, Any]

    def _repr_html_(self) -> str:
        return columns_html(
            {name: view._repr_html_() for name, view in self.views.items()}
        )

    def __repr__(self) -> str:
        return "\n\n".join(f"{name}:\n{view!r}" for name, view in self.views.items())


def columns_html(bodies: Mapping[str, str]) -> str:
    """HTML fragments beside each other, as wide as their place allows."""
    columns = "".join(
        f'<div style="flex:1;min-width:0"><h3>{escape(head)}</h3>{body}</div>'
        for head, body in bodies.items()
    )
    return (
        f'<div class="gswlab"><style>{stylesheet()}</style>'
        f'<div style="display:flex;gap:2rem">{columns}</div></div>'
    )
