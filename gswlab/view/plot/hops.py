"""A plot's graph with the seeds of a question and their k-neighbourhood lit.

- One page with the slider inside: k hides and shows, nothing moves. Events stand on a
  ring in their order, clockwise from the top, characters inside it.
- Hops are told in two channels: what is lit, and the number beside a node; a seed has
  a star.
- Without scripts the page shows every k from top to bottom.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gswlab.core.nouns import Evidence
from gswlab.hybridrag.outline import Outline
from gswlab.hybridrag.serial import Serial
from gswlab.hybridrag.stores.nouns import Edge
from gswlab.view.plot.ring import HIGH, MANY, WIDE, spots_of
from gswlab.view.run.page import Page
from gswlab.view.shell import asset, document, filled, sources
from gswlab.view.spans import escape

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
Spots = Mapping[str, tuple[float, float]]


@dataclass(frozen=True)
class Reach:
    """What a memory recalls of a question with one k."""

    k: int
    seeds: tuple[str, ...]
    reached: tuple[str, ...]
    evidence: Evidence


def reaches(
    memory: Serial, question: str, budget: int = 300, most: int = 3
) -> tuple[Reach, ...]:
    """The recalls of one question with k = 0 to `most`; the memory keeps its own k."""
    kept, found = memory.k, []
    try:
        for k in range(most + 1):
            memory.k = k
            evidence = memory.recall(question, budget)
            data = evidence.trace[0].data
            seeds, reached = data["seeds"], data["reached"]
            assert isinstance(seeds, list)
            assert isinstance(reached, list)
            entered, lit = tuple(map(str, seeds)), tuple(map(str, reached))
            found.append(Reach(k, entered, lit, evidence))
    finally:
        memory.k = kept
    return tuple(found)


def hops_page(memory: Serial, question: str, budget: int = 300, most: int = 3) -> Page:
    """The page of one question: `hops_page(memory, "Who left?").write("hops.html")`."""
    found = reaches(memory, question, budget, most)
    outline = memory.outlined()
    language, script = outline.language, asset("plot/hops.js")
    key = "".join(f"<li>{escape(text)}</li>" for text in _KEY[language])
    caption = _line(outline, found[min(1, most)])
    body = filled(
        "plot/hops.html",
        question=escape(question),
        last=most,
        first=min(memory.k, most),
        key=key,
        drawing=_drawing(outline, memory.store.graph().edges, found),
        sections="".join(_section(outline, each) for each in found),
        script=script,
    )
    style = "\n".join((asset("plot/hops.css"), *_lit(most)))
    html = document(question, style, body, sources((script,)), language)
    return Page(html, question, caption, height=660)


def _lit(most: int) -> Iterator[str]:
    """A rule a k: what lies within it is seen."""
    for k in range(most + 1):
        within = ", ".join(f'[data-hop="{hop}"]' for hop in range(k + 1))
        scope = f'svg[data-k="{k}"] :is({within})'
        yield f"{scope} {{ opacity: 1; }}"
        yield f"{scope} .label, {scope} .hop {{ display: inline; }}"
        yield f"{scope} .shape {{ fill: #9BD1F0; }}"
        yield f"{scope}.edge {{ opacity: .35; }}"


def _section(outline: Outline, reach: Reach) -> str:
    seeds = ", ".join(outline.name(id_) for id_ in reach.seeds)
    return (
        f'<section class="reach" data-k="{reach.k}">'
        f"<p><strong>{escape(_line(outline, reach))}</strong></p>"
        f"<p>{escape(_STARTED[outline.language].format(seeds))}</p>"
        f'<pre class="told" dir="auto">{escape(reach.evidence.text)}</pre></section>'
    )


def _line(outline: Outline, reach: Reach) -> str:
    return _REACHED[outline.language].format(
        k=reach.k,
        reached=len(reach.reached),
        all=len(outline.nodes),
        tokens=reach.evidence.tokens,
    )


def _drawing(outline: Outline, edges: Sequence[Edge], found: Sequence[Reach]) -> str:
    spots = spots_of(outline, edges)
    hops = _hops(found)
    seeds = found[0].seeds
    pairs = {
        (min(e.source, e.target), max(e.source, e.target))
        for e in edges
        if e.type != "NEXT"
    }
    ring = " ".join(
        f"{x:.0f},{y:.0f}" for x, y in map(spots.__getitem__, outline.order)
    )
    lines = [_line_between(pair, spots, hops) for pair in sorted(pairs)]
    nodes = [_node(id_, outline, spots, hops, id_ in seeds) for id_ in outline.nodes]
    label = escape(_line(outline, found[-1]))
    return (
        f'<svg viewBox="0 0 {WIDE} {HIGH}" role="img" aria-label="{label}" '
        f'data-k="1"><polyline class="order" points="{ring}"/>'
        f"{''.join(lines)}{''.join(nodes)}</svg>"
    )


def _hops(found: Sequence[Reach]) -> dict[str, int]:
    """By node, the least k whose neighbourhood has it."""
    hops: dict[str, int] = {}
    for reach in found:
        for id_ in reach.reached:
            hops.setdefault(id_, reach.k)
    return hops


def _line_between(pair: tuple[str, str], spots: Spots, hops: Mapping[str, int]) -> str:
    (x1, y1), (x2, y2) = (spots[id_] for id_ in pair)
    hop = max(hops.get(id_, _FAR) for id_ in pair)
    ends = f'x1="{x1:.0f}" y1="{y1:.0f}" x2="{x2:.0f}" y2="{y2:.0f}"'
    return f'<line class="edge" data-hop="{hop}" {ends}/>'


def _node(
    id_: str, outline: Outline, spots: Spots, hops: Mapping[str, int], seed: bool
) -> str:
    (x, y), hop = spots[id_], hops.get(id_, _FAR)
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
        f'transform="translate({x:.0f} {y:.0f})">'
        f"<title>{escape(outline.name(id_))}: {description}</title>"
        f"{shape}{star}{told}</g>"
    )
