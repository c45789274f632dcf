"""A whole run as one page: offline, keyboard-operable, the time slider inside.

- One file, no address in it is ever fetched: scripts run by the hash of their bytes
  under a content security policy that allows nothing else, so document text can be
  hostile and stays text.
- A step is seen as its scene: who did what to whom (`stage`). All nouns are in the
  graph from the start, and each scene seats its own; "all" shows everything where the
  whole run keeps it. A step's difference is drawn in two channels and told in words.
- Without scripts, as on a sanitising host, the caption, every step's text, and the
  tables of nodes and edges still read from top to bottom.
- The same journal gives the same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gswlab.core.journal import Journal
from gswlab.core.nouns import Answer, short, visible
from gswlab.core.workspace import Workspace, id_order
from gswlab.language.dates.format import shown
from gswlab.view.kit.looks import LOOKS
from gswlab.view.kit.page import Page, described
from gswlab.view.kit.spans import Ground
from gswlab.view.run.history import Held, History, Record, Scene
from gswlab.view.run.layout import OUTLINES, drawing, positions
from gswlab.view.run.parts import Telling, strips
from gswlab.view.run.stage import Seating, stages
from gswlab.view.run.storyline import storyline
from gswlab.view.run.words import summary

_LONGEST = 400  # characters of a name or a fact: a page tells, the text has it all
NODES, STEPS = 1500, 500
FEW = 100  # nouns that one cell holds at most
Answers = Sequence[tuple[str, Answer]]
_QUIET = ("kind", "mention", "read as")  # what a noun's row does not say


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
    telling: Telling,
    nodes: int = NODES,
    steps: int = STEPS,
    near: Collection[str] | None = None,
) -> Payload:
    """The data of the newest `steps` steps and the `nodes` best connected nouns.

    Of a whole run there is the storyline too, and the text of steps that have no scene
    on the page; where only nouns `near` some steps are wanted, there is not.
    """
    history, ground = telling.history, telling.ground
    scenes = history.scenes[-steps:]
    first = scenes[0].step.index if scenes else 0
    drawable = [r for r in history.records.values() if r.kind in LOOKS and not r.face]
    if near is not None:
        drawable = [record for record in drawable if record.id in near]
    shown = stages(history)[first:] if scenes else []
    seen = {i for stage in shown for i in stage.seats if i not in stage.before}
    drawn = _best_connected(history, drawable, nodes, seen)
    ties = [
        r for r in history.deeds.values() if r.tie and {*r.tie[1:3]} <= drawn.keys()
    ]
    deeds = {record.id: f"d{n}" for n, record in enumerate(ties)}
    edges, lines = _lines(history, drawn)
    places = _places(drawn, edges, first)
    run = {
        "first": first,
        "limit": _limit(history, len(drawable), len(drawn), steps),
        "nodes": _nodes(history, drawn, ground, 0 if near is None else first),
        "faces": {r.id: r.face for r in history.records.values() if r.face in drawn},
        "edges": edges,
        "deeds": {deeds[record.id]: _deed(record) for record in ties},
        "steps": [
            _seen(scene, stage, drawn, deeds, telling)
            for scene, stage in zip(scenes, shown, strict=True)
        ],
        "book": storyline(history, ground) if near is None else None,
        "texts": _texts(ground, first if near is None else 0),
        "start": next((k for k, stage in enumerate(shown) if stage.seats), 0),
    }
    return Payload(
        run,
        [
            {"id": i, "label": short(record.name), "kind": record.kind,
             "x": places[i][0], "y": places[i][1], "hidden": True}
            for i, record in drawn.items()
        ],
        [
            {"id": key, "from": one["from"], "to": one["to"], "hidden": True}
            for key, one in edges.items()
        ],
        tuple(lines),
    )  # fmt: skip


def _places(
    drawn: Mapping[str, Record], edges: Mapping[str, Mapping[str, Any]], first: int
) -> Mapping[str, tuple[int, int]]:
    """Where nouns stand when all are shown."""
    born = {i: record.life[0][0] or 0 for i, record in drawn.items()}
    # a few that were there before share the cell of one step
    if sum(step < first for step in born.values()) <= FEW:
        born = {i: max(step, first - 1) for i, step in born.items()}
    return positions(born, [(one["from"], one["to"]) for one in edges.values()])


def _texts(ground: Ground, first: int) -> list[str]:
    """What the steps before the first of a page read."""
    read = map(ground.by_step.get, range(first))
    return [one.chunk.text if one else "" for one in read]


def _lines(
    history: History, drawn: Collection[str]
) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """The lines between nouns that are drawn, by their ids here; and their own ids."""
    edges: dict[str, dict[str, Any]] = {}
    lines: list[str] = []
    for record in history.lines.values():
        if (tie := record.tie) and tie.source in drawn and tie.target in drawn:
            ends = {"from": tie.source, "to": tie.target, "label": short(tie.label)}
            edges[f"l{len(lines)}"] = {**ends, "life": record.life, "kind": record.kind}
            lines.append(record.id)
    return edges, lines


def _deed(record: Record) -> list[Any]:
    assert record.tie is not None
    return [*record.tie[1:], record.kind, record.id.partition(":")[0], record.life]


def _seen(
    scene: Scene,
    seating: Seating,
    drawn: Collection[str],
    deeds: Mapping[str, str],
    telling: Telling,
) -> dict[str, Any]:
    """A step in words, what it did to nouns that are drawn, and its scene."""
    k = scene.step.index
    met: dict[str, Any] = {"label": telling.labels[k], "line": telling.line(k)}
    ways = ("added", "changed", "retired", "touched")
    met |= {how: [i for i in getattr(scene, how) if i in drawn] for how in ways}
    seats = {i: [s.real, s.imag] for i, s in seating.seats.items() if i in drawn}
    ties = [deeds[key] for key in seating.ties if key in deeds]
    return {**met, "seats": seats, "ties": ties, "before": seating.before}


def _best_connected(
    history: History, drawable: Sequence[Record], most: int, seen: Collection[str]
) -> dict[str, Record]:
    """The nouns that are drawn, by id: the `seen`, then those with most lines."""
    degree: Counter[str] = Counter()
    for record in history.lines.values():
        if record.tie:
            degree.update((record.tie.source, record.tie.target))
    found = sorted(
        drawable,
        key=lambda r: (
            r.id not in seen, -degree[r.id], -(r.life[0][0] or 0), id_order(r.id),
        ),
    )  # fmt: skip
    kept = found[: max(most, len(seen))]
    return {r.id: r for r in sorted(kept, key=lambda r: id_order(r.id))}


def _limit(history: History, found: int, nodes: int, steps: int) -> str:
    made, parts = len(history.scenes), []
    if made > steps:
        parts.append(f"the newest {steps} of {made} steps")
    if found > nodes:
        parts.append(f"the {nodes} best connected of {found} nouns")
    return f"This page shows {' and '.join(parts)}." if parts else ""


def _nodes(
    history: History, drawn: dict[str, Record], ground: Ground, first: int
) -> dict[str, dict[str, Any]]:
    """Nouns and the anchors drawn as them: their own names, the facts of all.

    What cannot be seen from step `first` on is left out.
    """
    told: dict[str, dict[str, Any]] = {
        i: {
            "kind": own.kind,
            "names": [[step, short(name, _LONGEST)] for step, name in own.names],
            "life": own.life,
            "facts": [],
        }
        for i, own in drawn.items()
    }
    anchors = [r for r in history.records.values() if r.face in told]
    for record in (*drawn.values(), *anchors):
        for fact in (_fact(held, ground) for held in record.held):
            seen = fact[3] is None or fact[3] >= first
            late = fact[0] != "mention" or any(step >= first for step, _ in fact[4])
            if not first or (seen and late):
                told[record.face or record.id]["facts"].append(fact)
    return told


def _fact(held: Held, ground: Ground) -> list[Any]:
    fact, found = held.fact, [(ground.locate(s), s.start) for s in held.fact.spans]
    cites = sorted([r.step, r.sentence(start)] for r, start in found if r)
    text, why = short(fact.text, _LONGEST), short(fact.why, _LONGEST)
    return [visible(fact.field), text, held.first, held.last, cites, why]


def page(
    journal: Journal, nodes: int = NODES, steps: int = STEPS, asked: Answers = ()
) -> Page:
    """The page of a run, its newest `steps` steps and best connected `nodes` nouns.

    `asked` are questions and answers: they stand above, and it opens where the first
    answer rests.
    """
    telling = Telling.of(journal)
    data = payload(telling, nodes, steps)
    for step, _ in [p for _, a in asked for p in _cited(a, telling.ground)][:1]:
        data.run["start"] = max(step - data.run["first"], 0)
    top = _opening(asked, telling.ground, journal.workspace())
    return assembled(telling, data, asked=top)


def _opening(
    asked: Answers, ground: Ground, workspace: Workspace
) -> list[dict[str, Any]]:
    """What a run was asked, and what each answer lights."""
    return [
        {
            "question": question,
            "said": "; ".join(shown(item) for item in answer.items) or "no answer",
            "because": answer.reason,
            "cites": [f"s{step}-{n}" for step, n in _cited(answer, ground)],
            "nouns": [a.id for item in answer.items for a in workspace.called(item)],
        }
        for question, answer in asked
    ]


def _cited(answer: Answer, ground: Ground) -> list[tuple[int, int]]:
    """Step and sentence of everything an answer cites, each once."""
    found = [(ground.locate(span), span.start) for span in answer.spans]
    return list(dict.fromkeys((r.step, r.sentence(at)) for r, at in found if r))


def write_page(journal: Journal, path: str | Path, asked: Answers = ()) -> Path:
    """Write the page of a run to `path`: `write_page(journal, "run.html")`."""
    return page(journal, asked=asked).write(path)


def assembled(
    telling: Telling,
    data: Payload,
    more: Callable[[int], str] = lambda k: "",
    asked: Sequence[Mapping[str, Any]] = (),
) -> Page:
    """A page of some steps; `more` is HTML below one.

    `asked` are questions, their answers and what those light, above all of them.
    """
    history, run, first = telling.history, data.run, data.run["first"]
    return described(
        f"{telling.title}, step by step",
        "run/page.html",
        ("run/page.css",),
        (*drawing(data.nodes, data.edges), "run/storyline.js", "run/page.js"),
        summary(history),
        data=run,
        run=run,
        title=telling.title,
        asked=asked,
        strips=strips(telling.steps, telling.title, first),
        kinds=Counter(record.kind for record in history.records.values()),
        looks=LOOKS,
        shapes=OUTLINES,
        steps=[
            {"step": k, "label": telling.labels[k], "html": telling.step(k) + more(k)}
            for k in range(first, len(history.scenes))
        ],
        names=telling.labels,
        quiet=_QUIET,
    )
