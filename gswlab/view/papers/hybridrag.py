"""A plot's graph with the seeds of a question and their k-neighbourhood lit.

- One page with the slider inside: k hides and shows, nothing moves. Events stand on a
  ring in their order, clockwise from the top, characters inside it.
- Hops are told in two channels: what is lit, and the number beside a node; a seed has
  a star.
- Without scripts the page shows every k from top to bottom.
"""

from __future__ import annotations

from cmath import phase, rect
from collections.abc import Mapping, Sequence
from math import tau
from typing import Any, NamedTuple

from gswlab.core.nouns import Evidence
from gswlab.hybridrag.outline import Outline
from gswlab.hybridrag.serial import Serial
from gswlab.hybridrag.stores.nouns import GraphEdge
from gswlab.view.kit.page import Page, described
from gswlab.view.kit.tables import column_of

WIDE, HIGH = 760, 600
_MIDDLE = complex(WIDE / 2, HIGH / 2)
MANY = 50  # events from which on they stand closer
_BUDGET = 300  # tokens of a recall


def spots_of(outline: Outline, edges: Sequence[GraphEdge]) -> dict[str, complex]:
    """Events on a ring in their order; characters on inner ones, near their own."""
    count, spots = len(outline.order), dict[str, complex]()
    # Of many events three stand abreast, so that their numbers can be read.
    deep = 3 if count > MANY else 1
    for n, (id_, place) in enumerate(outline.order.items()):
        spots[id_] = _spot((place - 1) / count, 0.98 - 0.07 * (n % deep))
    middle = {id_: 0j for id_ in outline.nodes if id_ not in outline.order}
    for edge in edges:
        if edge.type == "APPEARS_IN":
            middle[edge.source] += spots[edge.target] - _MIDDLE
    turns = {id_: (phase(at) / tau + 0.25) % 1.0 for id_, at in middle.items()}
    for n, id_ in enumerate(sorted(turns, key=lambda id_: (turns[id_], id_))):
        # Two inner rings, so that names have room.
        spots[id_] = _spot(n / len(turns), 0.6 if n % 2 else 0.36)
    return spots


def _spot(turn: float, radius: float) -> complex:
    """Where an ellipse is after so many turns from the top, clockwise."""
    at, wide, high = rect(1, tau * turn - tau / 4), WIDE / 2 - 30, HIGH / 2 - 26
    return _MIDDLE + complex(radius * wide * at.real, radius * high * at.imag)


class Reach(NamedTuple):
    """What a memory recalls of a question with one k, and that in two lines."""

    k: int
    seeds: tuple[str, ...]
    reached: tuple[str, ...]
    evidence: Evidence
    line: str
    started: str


def reaches(memory: Serial, question: str, most: int = 3) -> tuple[Reach, ...]:
    """The recalls of one question with k = 0 to `most`; the memory keeps its own k."""
    kept, found, outline = memory.k, [], memory.outlined()
    words = column_of("papers/hops.tsv", outline.language)
    try:
        for k in range(most + 1):
            memory.k = k
            evidence = memory.recall(question, _BUDGET)
            data: Mapping[str, Any] = evidence.trace[0].data
            seeds, lit = (tuple(map(str, data[key])) for key in ("seeds", "reached"))
            many = {"k": k, "reached": len(lit), "all": len(outline.nodes)}
            told = words["reached"].format(tokens=evidence.tokens, **many)
            names = words["started"].format(", ".join(map(outline.name, seeds)))
            found.append(Reach(k, seeds, lit, evidence, told, names))
    finally:
        memory.k = kept
    return tuple(found)


def hops_page(memory: Serial, question: str, most: int = 3) -> Page:
    """The page of one question: `hops_page(memory, "Who left?").write("hops.html")`."""
    found, outline = reaches(memory, question, most), memory.outlined()
    edges = memory.store.graph().edges
    tied = ((e.source, e.target) for e in edges if e.type != "NEXT")
    return described(
        question,
        "papers/hops.html",
        ("papers/hops.css",),
        ("papers/slides.js",),
        found[min(1, most)].line,
        660,
        outline.language,
        first=min(memory.k, most),
        key=column_of("papers/hops.tsv", outline.language)["key"].split("; "),
        found=found,
        outline=outline,
        spots={i: (at.real, at.imag) for i, at in spots_of(outline, edges).items()},
        tied=sorted({(min(pair), max(pair)) for pair in tied}),
        many=MANY,
        size=(WIDE, HIGH),
    )
