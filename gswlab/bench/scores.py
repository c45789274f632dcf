"""The figures of a run: a mapping of their names, a line and a table for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from gswlab.workspace.frames import html_table

if TYPE_CHECKING:
    import pandas as pd

SOME = 5  # figures in one line


class Scores(dict[str, Any]):
    """What `lab.run()` returns: figures by name, intervals within.

    >>> Scores(questions=3, strict={"f1": 0.5})
    Scores(questions 3, strict.f1 0.5)
    """

    def to_frame(self) -> pd.DataFrame:
        """One row a figure, by its name and those it stands under."""
        import pandas as pd

        rows = list(flat(self))
        return pd.DataFrame(rows, columns=["figure", "value"]).set_index("figure")

    def __repr__(self) -> str:
        told = [f"{name} {value}" for name, value in flat(self)]
        rest = len(told) - SOME
        more = [f"and {rest} more"] if rest > 0 else []
        return f"Scores({', '.join([*told[:SOME], *more])})"

    def _repr_html_(self) -> str:
        return html_table("Figures of the run", ("figure", "value"), [*flat(self)])


def flat(found: Mapping[str, Any], under: str = "") -> Iterator[tuple[str, str]]:
    """Every figure by its path, in words; an interval is one figure.

    >>> list(flat({"strict": {"f1": 0.25}}))
    [('strict.f1', '0.25')]
    """
    for key, value in found.items():
        if isinstance(value, Mapping) and "mean" in value:
            mean, low, high = (value[name] for name in ("mean", "low", "high"))
            yield under + key, f"{mean} [{low}, {high}] n={value['n']}"
        elif isinstance(value, Mapping):
            yield from flat(value, f"{under}{key}.")
        else:
            yield under + key, str(value)
