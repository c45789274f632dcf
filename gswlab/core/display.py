"""How a noun looks in a notebook: `view` says so, the noun knows no HTML."""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import pandas as pd

DataFrame: TypeAlias = "pd.DataFrame"
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


class Live(Displayed):
    """What a notebook with widgets lets one use; without them it is as it is drawn."""

    __slots__ = ()

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        form = import_module(_drawer).widgets_of(self) if _drawer else {}
        return {**form, "text/plain": repr(self), "text/html": self._repr_html_()}


def framed(heads: Iterable[str], rows: Iterable[Any]) -> DataFrame:
    """A table with these columns; pandas is loaded when one is made."""
    import pandas as pd

    return pd.DataFrame([*rows], columns=[*heads])


def inert(value: Any) -> Any:
    """A cell of a table as text: what a spreadsheet would compute is quoted.

    >>> inert("=1+1"), inert("-0.5"), inert("gsw")
    ("'=1+1", '-0.5', 'gsw')
    """
    if not isinstance(value, str):
        return value
    value = value.replace("\r", " ")  # alone it ends a row, and nobody quotes it
    if value.lstrip()[:1] not in _COMPUTES:
        return value
    try:
        float(value)
    except ValueError:
        return f"'{value}"
    return value


# as they are, and as wide as a Japanese spreadsheet takes them as well
_COMPUTES = tuple("=+-@\uff1d\uff0b\uff0d\uff20")
