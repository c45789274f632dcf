"""A plot's graph with the seeds of a question and their k-neighbourhood lit.

- One page with the slider inside: k hides and shows, nothing moves. Events stand on a
  ring in their order, clockwise from the top, characters inside it.
- Hops are told in two channels: what is lit, and the number beside a node; a seed has
  a star.
- Without scripts the page shows every k from top to bottom.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from gswlab.core.nouns import Evidence
from gswlab.hybridrag.outline import Outline
from gswlab.hybridrag.serial import Serial
from gswlab.hybridrag.stores.nouns import GraphEdge
from gswlab.hybridrag.ties import NodePair, Run, relation_in, tie_histories, tie_runs
from gswlab.view.kit.chart import HATCHES, STYLES, Chart, chart
from gswlab.view.kit.page import Page, described
from gswlab.view.kit.spans import escape

if TYPE_CHECKING:
    from matplotlib.axes import Axes


WIDE, HIGH = 760, 600
MANY = 50  # events from which on they stand closer
_BUDGET = 300  # tokens of a recall
_FAR = 99  # hops of a node that no k shown reaches
_KEY = {
    "en": ("★ seed", "○ character", "□ event, by its number", "1, 2, …: hops"),
    "ja": ("★ 起点", "○ 登場人物", "□ 出来事(番号)", "1, 2, …: 距離"),
}
_REACHED = {
    "en": "k = {k}: {reached} of {all} nodes reached, {tokens} tokens handed over",
    "ja": "k = {k}: {all}節点のうち{reached}節点に到達、{tokens}トークンを渡す",
}
_STARTED = {"en": "Seeds: {}", "ja": "起点: {}"}
_KNOWN = ("friend", "enemy", "rival", "family")  # one look each, in every plot
_TITLE = {"en": "Relations through time", "ja": "関係の移り変わり"}
_EVENT = {"en": "event", "ja": "出来事"}
_Told = Mapping[NodePair, Sequence[Run]]


def spots_of(
    outline: Outline, edges: Sequence[GraphEdge]
) -> dict[str, tuple[float, float]]:
    """Events on a ring in their order; characters on an inner one, near their own."""
    count = len(outline.order)
    turn = {id_: (place - 1) / count for id_, place in outline.order.items()}
    # Of many events three stand abreast, so that their numbers can be read.
    deep = 3 if count > MANY else 1
    spots = {}
    for n, (id_, part) in enumerate(turn.items()):
        spots[id_] = _at(part, 0.98 - 0.07 * (n % deep))
    people = [id_ for id_ in outline.nodes if id_ not in outline.order]
    own: dict[str, list[str]] = {id_: [] for id_ in people}
    for edge in edges:
        if edge.type == "APPEARS_IN":
            own[edge.source].append(edge.target)
    middle = {id_: _middle([spots[e] for e in own[id_]]) for id_ in people}
    ordered = sorted(people, key=lambda id_: (middle[id_], id_))
    for n, id_ in enumerate(ordered):
        # Two inner rings, so that names have room.
        spots[id_] = _at(n / len(ordered), 0.6 if n % 2 else 0.36)
    return spots


def _at(turn: float, radius: float) -> tuple[float, float]:
    angle = 2 * math.pi * turn - math.pi / 2
    across, down = WIDE / 2 - 30, HIGH / 2 - 26
    x = WIDE / 2 + radius * across * math.cos(angle)
    return x, HIGH / 2 + radius * down * math.sin(angle)


def _middle(spots: Sequence[tuple[float, float]]) -> float:
    """Where on the ring, in turns from the top, the middle of some spots points."""
    x = sum(x - WIDE / 2 for x, _ in spots)
    y = sum(y - HIGH / 2 for _, y in spots)
    return (math.atan2(y, x) / (2 * math.pi) + 0.25) % 1.0


@dataclass(frozen=True)
class Reach:
    """What a memory recalls of a question with one k."""

    k: int
    seeds: tuple[str, ...]
    reached: tuple[str, ...]
    evidence: Evidence


def reaches(memory: Serial, question: str, most: int = 3) -> tuple[Reach, ...]:
    """The recalls of one question with k = 0 to `most`; the memory keeps its own k."""
    kept, found = memory.k, []
    try:
        for k in range(most + 1):
            memory.k = k
            evidence = memory.recall(question, _BUDGET)
            data: Mapping[str, Any] = evidence.trace[0].data
            seeds, lit = (tuple(map(str, data[key])) for key in ("seeds", "reached"))
            found.append(Reach(k, seeds, lit, evidence))
    finally:
        memory.k = kept
    return tuple(found)


def hops_page(memory: Serial, question: str, most: int = 3) -> Page:
    """The page of one question: `hops_page(memory, "Who left?").write("hops.html")`."""
    found = reaches(memory, question, most)
    outline = memory.outlined()
    language = outline.language
    lit, sections = [], ""
    for k in range(most + 1):  # a rule a k: what lies within it is seen
        within = ", ".join(f'[data-hop="{hop}"]' for hop in range(k + 1))
        scope = f'svg[data-k="{k}"] :is({within})'
        lit += [
            f"{scope} {{ opacity: 1; }}",
            f"{scope} .label, {scope} .hop {{ display: inline; }}",
            f"{scope} .shape {{ fill: #9BD1F0; }}",
            f"{scope}.edge {{ opacity: .35; }}",
        ]
    for reach in found:
        seeds = ", ".join(map(outline.name, reach.seeds))
        sections += (
            f'<section class="reach" data-k="{reach.k}">'
            f"<p><strong>{escape(_line(outline, reach))}</strong></p>"
            f"<p>{escape(_STARTED[language].format(seeds))}</p>"
            f'<pre class="told" dir="auto">{escape(reach.evidence.text)}</pre>'
            "</section>"
        )
    return described(
        question,
        "papers/hops.html",
        ("papers/hops.css", *lit),
        ("papers/hops.js",),
        _line(outline, found[min(1, most)]),
        660,
        language,
        question=escape(question),
        last=most,
        first=min(memory.k, most),
        key="".join(f"<li>{escape(text)}</li>" for text in _KEY[language]),
        drawing=_drawing(outline, memory.store.graph().edges, found),
        sections=sections,
    )


def _line(outline: Outline, reach: Reach) -> str:
    many = {"reached": len(reach.reached), "all": len(outline.nodes)}
    told = _REACHED[outline.language]
    return told.format(k=reach.k, tokens=reach.evidence.tokens, **many)


def _drawing(
    outline: Outline, edges: Sequence[GraphEdge], found: Sequence[Reach]
) -> str:
    spots = spots_of(outline, edges)
    hops: dict[str, int] = {}  # by node, the least k whose neighbourhood has it
    for reach in found:
        for id_ in reach.reached:
            hops.setdefault(id_, reach.k)
    events = map(spots.__getitem__, outline.order)
    ring = " ".join(f"{x:.0f},{y:.0f}" for x, y in events)
    drawn = f'<polyline class="order" points="{ring}"/>'
    tied = ((e.source, e.target) for e in edges if e.type != "NEXT")
    for one, other in sorted({(min(pair), max(pair)) for pair in tied}):
        (x1, y1), (x2, y2) = spots[one], spots[other]
        hop = max(hops.get(one, _FAR), hops.get(other, _FAR))
        ends = f'x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}"'
        drawn += f'<line class="edge" data-hop="{hop}" {ends}/>'
    seeds = found[0].seeds
    for id_ in outline.nodes:
        drawn += _node(id_, outline, spots[id_], hops.get(id_, _FAR), id_ in seeds)
    label = escape(_line(outline, found[-1]))
    return (
        f'<svg viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{label}" '
        f'data-k="1">{drawn}</svg>'
    )


def _node(
    id_: str, outline: Outline, spot: tuple[float, float], hop: int, seed: bool
) -> str:
    is_event = id_ in outline.order
    shape = (
        '<rect class="shape" x="-9" y="-8" width="18" height="16" rx="2"/>'
        f'<text class="number" y="3">{outline.order[id_]}</text>'
        if is_event
        else '<circle class="shape" r="9"/>'
        f'<text class="label" y="22">{escape(outline.name(id_))}</text>'
    )
    star = '<text class="star" y="-10">★</text>' if seed else ""
    close = is_event and len(outline.order) > MANY  # no room for the hop of each
    known = hop < _FAR and not close
    told = f'<text class="hop" x="11" y="-5">{hop}</text>' if known else ""
    description = escape(str(outline.nodes[id_].properties.get("description", "")))
    return (
        f'<g class="node{" seed" if seed else ""}" data-hop="{hop}" '
        f'transform="translate({spot[0]:.0f} {spot[1]:.0f})">'
        f"<title>{escape(outline.name(id_))}: {description}</title>"
        f"{shape}{star}{told}</g>"
    )


def ties_through_time(memory: Serial, *names: str, most: int = 12) -> Chart:
    """A bar a pair from the event that states a relation to the next that changes it.

    A dot is an event that states the relation; a relation has its colour and hatch.

    Drawn are the ties of the characters `names` with one another (of one alone all its
    ties, of none all), at most so many pairs, those that change most often first.
    """
    outline = memory.outlined()
    drawn, axis = chart(_TITLE[outline.language])
    history = tie_histories(memory.store.graph().edges, outline.order)
    found = {}
    for pair, told_of in history.items():
        inside = sum(outline.name(id_) in names for id_ in pair)
        if not names or inside == min(len(names), 2):
            found[pair] = tie_runs(told_of)
    order = sorted(found, key=lambda pair: (-len(found[pair]), pair))[:most]
    chosen = {pair: found[pair] for pair in order}  # from top to bottom
    _bars(axis, outline, chosen)
    labels, said = [], []
    for row, (pair, parted) in enumerate(chosen.items()):
        stated = [event for _, events in parted for event in events]
        axis.plot(stated, [row] * len(stated), "o", color="black", markersize=3)
        labels.append(" – ".join(map(outline.name, pair)))
        since = ", ".join(f"{word} {events[0]}" for word, events in parted)
        said.append(f"{labels[-1]}: {since}")
    axis.set_yticks(range(len(chosen)), labels)
    axis.invert_yaxis()
    axis.set(xlim=(0.5, len(outline.order) + 1), xlabel=_EVENT[outline.language])
    done = drawn.done()
    done.alt = f"{done.title}. {'; '.join(said)}."
    return done


def _bars(axis: Axes, outline: Outline, chosen: _Told) -> None:
    """A series a relation: where it held, until another is stated, or the end."""
    spells: defaultdict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for row, parted in enumerate(chosen.values()):
        borders = [*(events[0] for _, events in parted), len(outline.order) + 1]
        for (relation, _), spell in zip(parted, pairwise(borders), strict=True):
            spells[relation].append((row, *spell))
    for n, kind in enumerate(sorted(spells, key=lambda kind: (_place(kind), kind))):
        place = max(_place(kind), n if _place(kind) == len(_KNOWN) else 0)
        rows, begins, ends = zip(*spells[kind], strict=True)
        axis.barh(
            rows,
            [last - first for first, last in zip(begins, ends, strict=True)],
            left=begins,
            height=0.55,
            label=relation_in(kind, outline.language),
            color=STYLES[place % len(STYLES)]["color"],
            hatch=HATCHES[place % len(HATCHES)],
            edgecolor="white",
        )


def _place(kind: str) -> int:
    word = relation_in(kind, "en")
    return _KNOWN.index(word) if word in _KNOWN else len(_KNOWN)
