"""A plot's graph with the seeds of a question and their k-neighbourhood lit.

- One page with the slider inside: k hides and shows, nothing moves. Events stand on a
  ring in their order, clockwise from the top, characters inside it.
- Hops are told in two channels: what is lit, and the number beside a node; a seed has
  a star.
- Without scripts the page shows every k from top to bottom.
"""

from __future__ import annotations

from cmath import phase, rect
from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import tau
from typing import TYPE_CHECKING, Any, NamedTuple

from gswlab.core.nouns import Evidence
from gswlab.hybridrag.outline import Outline
from gswlab.hybridrag.serial import Serial
from gswlab.hybridrag.stores.nouns import GraphEdge
from gswlab.hybridrag.ties import Run, relation_in, tie_histories, tie_runs
from gswlab.view.kit.chart import HATCHES, STYLES, Chart, chart
from gswlab.view.kit.page import Page, described
from gswlab.view.kit.tables import column_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


WIDE, HIGH = 760, 600
_MIDDLE = complex(WIDE / 2, HIGH / 2)
MANY = 50  # events from which on they stand closer
_BUDGET = 300  # tokens of a recall
_KNOWN = ("friend", "enemy", "rival", "family")  # one look each, in every plot


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


def ties_through_time(memory: Serial, most: int = 12) -> Chart:
    """A bar a pair from the event that states a relation to the next that changes it.

    A dot is an event that states the relation; a relation has its colour and hatch.
    Drawn are at most so many pairs, those that change most often first.
    """
    outline = memory.outlined()
    words = column_of("papers/hops.tsv", outline.language)
    drawn, axis = chart(words["title"])
    history = tie_histories(memory.store.graph().edges, outline.order)
    found = [(pair, tie_runs(stated)) for pair, stated in history.items()]
    chosen = sorted(found, key=lambda row: (-len(row[1]), row[0]))[:most]
    _bars(axis, outline, [parted for _, parted in chosen])
    labels, said = [], []
    for row, (pair, parted) in enumerate(chosen):
        stated = [event for _, events in parted for event in events]
        axis.plot(stated, [row] * len(stated), "o", color="black", markersize=3)
        labels.append(" – ".join(map(outline.name, pair)))
        since = ", ".join(f"{word} {events[0]}" for word, events in parted)
        said.append(f"{labels[-1]}: {since}")
    axis.set_yticks(range(len(chosen)), labels)
    axis.invert_yaxis()
    axis.set(xlim=(0.5, len(outline.order) + 1), xlabel=words["event"])
    done = drawn.done()
    done.alt = f"{done.title}. {'; '.join(said)}."
    return done


def _bars(axis: Axes, outline: Outline, chosen: Sequence[Sequence[Run]]) -> None:
    """A series a relation: where it held, until another is stated, or the end."""
    spells: defaultdict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for row, parted in enumerate(chosen):
        borders = [*(events[0] for _, events in parted), len(outline.order) + 1]
        for (relation, _), (since, until) in zip(
            parted, pairwise(borders), strict=True
        ):
            spells[relation].append((row, since, until - since))
    for n, kind in enumerate(sorted(spells, key=lambda kind: (_place(kind), kind))):
        place = max(_place(kind), n if _place(kind) == len(_KNOWN) else 0)
        rows, begins, lasts = zip(*spells[kind], strict=True)
        look = {
            "color": STYLES[place % len(STYLES)]["color"],
            "hatch": HATCHES[place % len(HATCHES)],
            "edgecolor": "white",
            "height": 0.55,
        }
        label = relation_in(kind, outline.language)
        axis.barh(rows, lasts, left=begins, label=label, **look)


def _place(kind: str) -> int:
    word = relation_in(kind, "en")
    return _KNOWN.index(word) if word in _KNOWN else len(_KNOWN)
