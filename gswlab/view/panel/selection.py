"""What is selected in a page: nouns and lines, as ids and as what they stand for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from gswlab.core.errors import GswlabError
from gswlab.core.facts import kind_of, name_of
from gswlab.core.nouns import Noun
from gswlab.core.workspace import Workspace
from gswlab.view.run.history import History
from gswlab.view.tables import Table

if TYPE_CHECKING:
    import pandas as pd

HEADS = ("id", "kind", "name")


class Line(NamedTuple):
    """A line of the graph: what it says, and the ids of the nouns at its ends."""

    id: str
    label: str
    source: str
    target: str


@dataclass(frozen=True)
class Selection:
    """Nouns as they are at the step shown, and lines between nouns.

    A noun that is not there at that step has an id here and no object.

    >>> Selection(("a1",), (), ())
    Selection(a1: 0 nouns, 0 lines)
    """

    ids: tuple[str, ...]
    nouns: tuple[Noun, ...]
    lines: tuple[Line, ...]

    def __bool__(self) -> bool:
        return bool(self.ids)

    def to_frame(self) -> pd.DataFrame:
        """A row a noun or line."""
        import pandas as pd

        return pd.DataFrame(self._rows(), columns=list(HEADS)).set_index("id")

    def _rows(self) -> tuple[tuple[str, ...], ...]:
        nouns = ((noun.id, kind_of(noun), name_of(noun)) for noun in self.nouns)
        lines = (
            (line.id, "line", f"{line.source} {line.label} {line.target}")
            for line in self.lines
        )
        return (*nouns, *lines)

    def _repr_html_(self) -> str:
        return Table(HEADS, self._rows(), repr(self))._repr_html_()

    def __repr__(self) -> str:
        if not self.ids:
            return "Selection(nothing)"
        some = ", ".join(self.ids[:4]) + (", …" if len(self.ids) > 4 else "")
        return (
            f"Selection({some}: {len(self.nouns)} noun{'s' * (len(self.nouns) != 1)}, "
            f"{len(self.lines)} line{'s' * (len(self.lines) != 1)})"
        )


def selection(ids: Iterable[str], history: History, at: Workspace) -> Selection:
    """What ids of nouns and lines stand for in a workspace.

    Raises:
        GswlabError: no noun or line of the run has such an id.
    """
    chosen = tuple(dict.fromkeys(ids))
    for one in chosen:
        if one not in history.records and one not in history.lines:
            raise GswlabError(
                f"nothing in this run has the id {one!r}",
                "ids of nouns (a1) and of lines",
                "stepper.workspace.to_frame()",
            )
    nouns = tuple(at.nouns[one] for one in chosen if one in at.nouns)
    ties = ((one, history.lines[one].tie) for one in chosen if one in history.lines)
    lines = tuple(Line(i, t.label, t.source, t.target) for i, t in ties if t)
    return Selection(chosen, nouns, lines)
