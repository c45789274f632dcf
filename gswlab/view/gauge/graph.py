"""The graph that priced edits make, for a trace that is not about a maze."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gswlab.core.nouns import short
from gswlab.gedig.record import Priced
from gswlab.view.run.layout import positions

# actions after which the edit is no part of what is held
LEFT_OUT = frozenset(
    {"hold", "reject", "answer", "stop", "leave", "search", "back", "known way"}
)
NODES = 400  # that a graph draws at most, the first ones
LONGEST = 400  # characters of a name


def graph_of(prices: Sequence[tuple[int, Priced]]) -> dict[str, Any]:
    """The graph that priced edits make: nodes with a place, edges from a beat on.

    An edit that was held or rejected is drawn dashed while it is the one looked at.
    """
    names: dict[str, str] = {}
    born: dict[str, int] = {}
    edges: dict[tuple[str, str], int] = {}
    for beat, priced in prices:
        data = priced.data
        added = [named(node) for node in data.get("nodes", ())]
        names |= dict(zip(added, map(str, data.get("labels", ())), strict=False))
        pairs = [(named(a), named(b)) for a, b in data.get("edges", ())]
        for node in (*added, *(end for pair in pairs for end in pair)):
            born.setdefault(node, beat)
        for pair in pairs if kept(priced) else ():
            edges.setdefault(pair, beat)
    drawn = dict(list(born.items())[:NODES])
    lines = {pair: n for pair, n in edges.items() if {*pair} <= {*drawn}}
    places = positions(drawn, lines) if drawn else {}
    nodes = {
        node: [*places[node], short(names.get(node, node)), drawn[node]]
        for node in drawn
    }
    return {
        "kind": "graph",
        "nodes": nodes,
        "edges": [[a, b, n] for (a, b), n in lines.items()],
        "left_out": len(born) - len(drawn),
    }


def named(node: object) -> str:
    """A node by the name that a page may show; it is its id there too."""
    return short(str(node), LONGEST)


def kept(priced: Priced) -> bool:
    """Whether the edit became a part of what its user holds."""
    return bool(priced.data.get("kept", priced.action not in LEFT_OUT))
