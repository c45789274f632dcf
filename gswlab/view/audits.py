"""An audit as a table: a chunk a line, what is expected beside what was held."""

from __future__ import annotations

from gswlab.bench.audit import Audit
from gswlab.core.nouns import visible
from gswlab.view.tables import Table

_TIMES, _PLACES = ("time expected", "time held"), ("place expected", "place held")
HEADS = ("chunk", *_TIMES, *_PLACES, "missed")


def audit_table(audit: Audit) -> Table:
    """Every chunk that speaks of the actor; in brackets what was named before it."""
    rows = (
        (
            row.chunk,
            _carried(row.expected.time, row.expected.time_named),
            row.held.time,
            _carried(row.expected.place, row.expected.place_named),
            row.held.place,
            ", ".join(row.missed),
        )
        for row in audit.rows
    )
    cells = tuple(tuple(visible(cell or "-") for cell in row) for row in rows)
    missed = f"{audit.missed} missed update{'' if audit.missed == 1 else 's'}"
    caption = visible(f"{audit.name} ({audit.actor}): {missed}; (...) named before")
    return Table(HEADS, cells, caption)


def transitions_table(audit: Audit) -> Table:
    """The transitions that no story allows; no row is the good case."""
    rows = ((t.kind, t.chunk or "-", visible(t.text)) for t in audit.transitions)
    caption = f"{len(audit.transitions)} inconsistent transition(s)"
    return Table(("kind", "chunk", "what the run held"), tuple(rows), caption)


def _carried(value: str | None, named: bool) -> str | None:
    return value if named or value is None else f"({value})"
