"""How a noun looks in a notebook: `view` says so, the noun knows no HTML."""

from __future__ import annotations

from importlib import import_module
from typing import Any

_drawer = ""  # the module whose `draw` is asked: loaded when asked


def drawn_by(module: str) -> None:
    """Name the module whose `draw` makes HTML of a thing, or None."""
    global _drawer
    _drawer = module


class Displayed:
    """What a notebook shows drawn where something draws it, else by its `repr`."""

    __slots__ = ()

    def _repr_html_(self) -> str | None:
        drawn: str | None = import_module(_drawer).draw(self) if _drawer else None
        return drawn


def inert(value: Any) -> Any:
    """A cell of a table as text: what a spreadsheet would compute is quoted.

    >>> inert("=1+1"), inert("-0.5"), inert("gsw")
    ("'=1+1", '-0.5', 'gsw')
    """
    if not isinstance(value, str) or value[:1] not in _COMPUTES or not value:
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value


_COMPUTES = tuple("=+-@\t\r\n")
