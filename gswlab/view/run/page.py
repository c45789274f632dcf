"""A whole run as one page: offline, keyboard-operable, the time slider inside.

- One file, no address in it is ever fetched: scripts run by the hash of their bytes
  under a content security policy that allows nothing else, so document text can be
  hostile and stays text.
- All nouns are in the graph from the start and keep their positions; a step only hides
  and shows. The step's difference is drawn in two channels and told in words.
- Without scripts, as on a sanitising host, the caption, every step's text, and the
  tables of nodes and edges still read from top to bottom.
- The same journal gives the same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gswlab.core.journal import Journal
from gswlab.core.nouns import short, visible
from gswlab.core.workspace import id_order
from gswlab.view.kit.ground import Ground
from gswlab.view.kit.looks import LOOKS
from gswlab.view.kit.page import (
    Page,
    asset,
    document,
    filled,
    json_text,
    sources,
    stylesheet,
)
from gswlab.view.kit.spans import escape
from gswlab.view.kit.tables import edge_table, node_table
from gswlab.view.papers.gedig_trace import gauge, gauge_strip
from gswlab.view.run.history import Held, History, Record, Scene
from gswlab.view.run.layout import drawing, legend, positions
from gswlab.view.run.parts import Parts
from gswlab.view.run.words import Telling, labels, line, summary

# The filmstrip: one small cell a step, its counts as bars and as figures.


def film(history: History, first: int, names: Sequence[str]) -> str:
    """Cells of the steps from `first` on, by their labels; bars share one scale."""
    scenes = history.scenes[first:]
    top = max((max(_counts(scene)) for scene in scenes), default=0) or 1
    return "".join(_cell(s, names[s.step.index], top) for s in scenes)


def _counts(scene: Scene) -> tuple[int, int, int]:
    groups = (scene.added, scene.changed, scene.retired)
    added, changed, retired = (sum(i[0] != "q" for i in ids) for ids in groups)
    return added, changed, retired


def _cell(scene: Scene, label: str, top: int) -> str:
    added, changed, retired = _counts(scene)
    bars = "".join(
        f'<i class="{name}" style="height:{max(round(34 * count / top), 1)}px"></i>'
        for name, count in (("add", added), ("change", changed), ("retire", retired))
        if count
    )
    signs = (("+", added), ("◎", changed), ("−", retired))
    figures = " ".join(f"{sign}{count}" for sign, count in signs if count) or "·"
    short = label.removeprefix("chunk ").split(" of ")[0]
    return (
        f'<li><button type="button" tabindex="-1" data-step="{scene.step.index}" '
        f'title="{escape(line(scene, label))}"><span class="bars">{bars}</span>'
        f'<span class="figures">{figures}</span>'
        f'<span class="number">{escape(short)}</span></button></li>'
    )


# The data of a page: what the graph draws and what its details tell, as plain JSON.

LONGEST = 400  # characters of a name or a fact: a page tells, the text has it all
NODES, STEPS = 1500, 500
FEW = 100  # nouns that one cell holds at most


@dataclass(frozen=True, slots=True)
class Payload:
    """What a page embeds: `run` for its script, nodes and edges for pyvis.

    `lines` are the ids of the edges' records: edge `l3` of the page is `lines[3]`.
    """

    run: dict[str, Any]
    nodes: list[dict[str, Any]]
    edges: list[dict[str, Any]]
    lines: tuple[str, ...] = ()


def payload(
    history: History,
    ground: Ground,
    nodes: int = NODES,
    steps: int = STEPS,
    names: Sequence[str] = (),
) -> Payload:
    """The data of the newest `steps` steps and the `nodes` best connected nouns.

    `names` are the labels of the steps where these are not all of the run.
    """
    drawn, scenes = _chosen(history, nodes), history.scenes[-steps:]
    names = names or labels([scene.step for scene in history.scenes])
    lines = [
        record
        for record in history.lines.values()
        if record.tie and {record.tie.source, record.tie.target} <= set(drawn)
    ]
    first = scenes[0].step.index if scenes else 0
    born = _born([history.records[i] for i in drawn], first)
    places = positions(born, [(r.tie.source, r.tie.target) for r in lines if r.tie])
    told = {i: [history.records[i]] for i in drawn}
    for record in history.records.values():
        if record.face in told:
            told[record.face].append(record)
    run = {
        "first": first,
        "limit": _limit(history, nodes, steps),
        "nodes": {i: _node(told[i], ground) for i in drawn},
        "faces": {r.id: r.face for r in history.records.values() if r.face},
        "edges": {f"l{n}": _edge(r) for n, r in enumerate(lines)},
        "steps": _steps(history, first, set(drawn), names),
    }
    return Payload(
        run,
        [_vis_node(history.records[i], places[i]) for i in drawn],
        [_vis_edge(f"l{n}", record) for n, record in enumerate(lines)],
        tuple(record.id for record in lines),
    )


def _born(drawn: Sequence[Record], first: int) -> dict[str, int]:
    """The step whose cell a noun has; a few that were there before share one."""
    steps = {record.id: record.life[0][0] or 0 for record in drawn}
    if sum(step < first for step in steps.values()) > FEW:
        return steps
    return {i: max(step, first - 1) for i, step in steps.items()}


def _drawable(history: History) -> list[Record]:
    return [r for r in history.records.values() if r.kind in LOOKS and not r.face]


def _chosen(history: History, most: int) -> list[str]:
    degree: Counter[str] = Counter()
    for record in history.lines.values():
        if record.tie:
            degree.update((record.tie.source, record.tie.target))
    found = _drawable(history)
    found.sort(key=lambda r: (-degree[r.id], -(r.life[0][0] or 0), id_order(r.id)))
    return sorted((r.id for r in found[:most]), key=id_order)


def _limit(history: History, nodes: int, steps: int) -> str:
    found, made = len(_drawable(history)), len(history.scenes)
    parts = []
    if made > steps:
        parts.append(f"the newest {steps} of {made} steps")
    if found > nodes:
        parts.append(f"the {nodes} best connected of {found} nouns")
    return f"This page shows {' and '.join(parts)}." if parts else ""


def _node(records: Sequence[Record], ground: Ground) -> dict[str, Any]:
    """A noun and the anchors drawn as it: its own names, all their facts."""
    own = records[0]
    return {
        "kind": own.kind,
        "names": [[step, short(name, LONGEST)] for step, name in own.names],
        "life": own.life,
        "facts": [_fact(held, ground) for r in records for held in r.held],
    }


def _fact(held: Held, ground: Ground) -> list[Any]:
    found = [(ground.locate(span), span) for span in held.fact.spans]
    cites = sorted([r.step, r.sentence(span.start)] for r, span in found if r)
    field, text = visible(held.fact.field), short(held.fact.text, LONGEST)
    why = short(held.fact.why, LONGEST)
    return [field, text, held.first, held.last, cites, why]


def _edge(record: Record) -> dict[str, Any]:
    assert record.tie is not None
    return {
        "from": record.tie.source,
        "to": record.tie.target,
        "label": short(record.tie.label),
        "life": record.life,
        "kind": record.kind,
    }


def _steps(
    history: History, first: int, drawn: set[str], names: Sequence[str]
) -> list[dict[str, Any]]:
    return [
        {
            "label": names[scene.step.index],
            "line": line(scene, names[scene.step.index]),
            "added": _only(scene.added, drawn),
            "changed": _only(scene.changed, drawn),
            "retired": _only(scene.retired, drawn),
            "touched": _only(scene.touched, drawn),
        }
        for scene in history.scenes[first:]
    ]


def _only(ids: Iterable[str], drawn: set[str]) -> list[str]:
    return [noun_id for noun_id in ids if noun_id in drawn]


def _vis_node(record: Record, place: Sequence[int]) -> dict[str, Any]:
    return {
        "id": record.id,
        "label": short(record.name),
        "kind": record.kind,
        "x": place[0],
        "y": place[1],
        "hidden": True,
    }


def _vis_edge(edge_id: str, record: Record) -> dict[str, Any]:
    assert record.tie is not None
    return {
        "id": edge_id,
        "from": record.tie.source,
        "to": record.tie.target,
        "hidden": True,
    }


def page(journal: Journal, nodes: int = NODES, steps: int = STEPS) -> Page:
    """The page of a run, its newest `steps` steps and best connected `nodes` nouns."""
    return told_page(Telling.of(journal), nodes, steps)


def told_page(telling: Telling, nodes: int = NODES, steps: int = STEPS) -> Page:
    """The page of a journal that was read already."""
    names = telling.labels
    data = payload(telling.history, telling.ground, nodes, steps, names)
    return assembled(telling.title, telling.parts, data, names)


def write_page(journal: Journal, path: str | Path) -> Path:
    """Write the page of a run to `path`: `write_page(journal, "run.html")`."""
    return page(journal).write(path)


def assembled(
    title: str,
    parts: Parts,
    data: Payload,
    names: Sequence[str],
    more: Callable[[int], str] = lambda k: "",
) -> Page:
    """A page of some steps; `names` are the labels of all, `more` is HTML below one."""
    graph, history = drawing(data.nodes, data.edges), parts.history
    scripts = (graph.library, graph.draw, asset("run/page.js"))
    first, caption = data.run["first"], summary(history)
    body = filled(
        "run/page.html",
        title=escape(title),
        caption=escape(caption),
        limit=escape(data.run["limit"]),
        last=max(len(history.scenes) - first - 1, 0),
        film=film(history, first, names),
        gauge=gauge_strip(gauge([s.step for s in history.scenes], title), first),
        legend=legend(history),
        steps=_sections(parts, first, names, more),
        node_table=node_table(data.run, first),
        edge_table=edge_table(data.run, first),
        data=json_text(data.run),
        scripts="".join(f"<script>{script}</script>\n" for script in scripts),
    )
    style, name = f"{stylesheet()}\n{asset('run/page.css')}", f"{title}, step by step"
    return Page(document(name, style, body, sources(scripts)), name, caption)


def _sections(
    parts: Parts, first: int, names: Sequence[str], more: Callable[[int], str]
) -> str:
    return "".join(
        f'<article class="step" data-step="{k}" aria-label="{escape(names[k])}">'
        f"<h2>{escape(names[k])}</h2>{parts.step(k)}{more(k)}</article>\n"
        for k in range(first, len(parts.history.scenes))
    )
