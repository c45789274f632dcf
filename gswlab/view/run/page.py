"""A whole run as one page: offline, keyboard-operable, the time slider inside.

- A step is seen as its scene: who did what to whom (`stage`). All nouns are in the
  graph from the start, and each scene seats its own; "all" shows everything where the
  whole run keeps it. A step's difference is drawn in two channels and told in words.
- Without scripts the caption, every step's text, and the tables of nodes and edges
  still read from top to bottom. The same journal gives the same bytes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gswlab.core.facts import Tie
from gswlab.core.journal import Journal
from gswlab.core.nouns import Answer, short, visible
from gswlab.core.workspace import id_order
from gswlab.language.dates.format import shown
from gswlab.view.kit.looks import LOOKS
from gswlab.view.kit.page import Page, described
from gswlab.view.kit.spans import Ground
from gswlab.view.run.history import History, Record, Scene
from gswlab.view.run.parts import Telling, strips
from gswlab.view.run.stage import Seating, drawing, positions, stages
from gswlab.view.run.storyline import storyline
from gswlab.view.run.words import summary

_LONGEST = 400  # characters of a name or a fact: a page tells, the text has it all
NODES, STEPS = 1500, 500
FEW = 100  # nouns that one cell holds at most
Answers = Sequence[tuple[str, Answer]]
_QUIET = ("kind", "mention", "read as")  # what a noun's row does not say


class Payload(NamedTuple):
    """What a page embeds: `run` for its script, and where nouns stand in its graph.

    `lines` are the ids of the edges' records: edge `l3` of the page is `lines[3]`.
    """

    run: dict[str, Any]
    places: Mapping[str, tuple[int, int]]
    lines: tuple[str, ...]


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
    history, ground, whole = telling.history, telling.ground, near is None
    scenes = history.scenes[-steps:]
    first = len(history.scenes) - len(scenes)
    drawable = [r for r in history.records.values() if r.kind in LOOKS and not r.face]
    drawable = [r for r in drawable if near is None or r.id in near]
    seated = stages(history)[first:]
    seen = {i for stage in seated for i in stage.seats if i not in stage.before}
    drawn = _best_connected(history, drawable, nodes, seen)
    ties, lines = _tied(history.deeds, drawn), _tied(history.lines, drawn)
    deeds = {record.id: f"d{n}" for n, (record, _) in enumerate(ties)}
    edges: dict[str, dict[str, Any]] = {
        f"l{n}": {"from": tie.source, "to": tie.target, "label": short(tie.label),
                  "life": record.life, "kind": record.kind}
        for n, (record, tie) in enumerate(lines)
    }  # fmt: skip
    read = map(ground.by_step.get, range(first if whole else 0))
    run = {
        "first": first,
        "limit": _limit(history, len(drawable), len(drawn), steps),
        "nodes": _nodes(history, drawn, ground, 0 if whole else first),
        "faces": {r.id: r.face for r in history.records.values() if r.face in drawn},
        "edges": edges,
        "deeds": {
            deeds[r.id]: [*tie[1:], r.kind, r.id.partition(":")[0], r.life]
            for r, tie in ties
        },
        "steps": [
            _seen(scene, stage, drawn, deeds, telling)
            for scene, stage in zip(scenes, seated, strict=True)
        ],
        "book": storyline(history, ground) if whole else None,
        "texts": [one.chunk.text if one else "" for one in read],
        "start": next((k for k, stage in enumerate(seated) if stage.seats), 0),
    }
    born = {i: record.life[0][0] or 0 for i, record in drawn.items()}
    # a few that were there before share the cell of one step
    if sum(step < first for step in born.values()) <= FEW:
        born = {i: max(step, first - 1) for i, step in born.items()}
    places = positions(born, [(tie.source, tie.target) for _, tie in lines])
    return Payload(run, places, tuple(record.id for record, _ in lines))


def _tied(
    records: Mapping[str, Record], drawn: Mapping[str, Record]
) -> list[tuple[Record, Tie]]:
    """The lines between nouns that are drawn, each with its tie."""
    ties = ((record, record.tie) for record in records.values())
    return [(r, tie) for r, tie in ties if tie and {*tie[1:3]} <= drawn.keys()]


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
    for how in ("added", "changed", "retired", "touched"):
        met[how] = [i for i in getattr(scene, how) if i in drawn]
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
        for held in record.held:
            fact = held.fact
            found = [(ground.locate(s), s.start) for s in fact.spans]
            cites = sorted([r.step, r.sentence(start)] for r, start in found if r)
            seen = held.last is None or held.last >= first
            late = fact.field != "mention" or any(step >= first for step, _ in cites)
            if not first or (seen and late):
                text, why = short(fact.text, _LONGEST), short(fact.why, _LONGEST)
                row = [visible(fact.field), text, held.first, held.last, cites, why]
                told[record.face or record.id]["facts"].append(row)
    return told


def page(
    journal: Journal, nodes: int = NODES, steps: int = STEPS, asked: Answers = ()
) -> Page:
    """The page of a run, its newest `steps` steps and best connected `nodes` nouns.

    `asked` are questions and answers: they stand above, and it opens where the first
    answer rests.
    """
    telling, workspace = Telling.of(journal), journal.workspace()
    data = payload(telling, nodes, steps)
    lit = []
    for question, answer in asked:
        found = [(telling.ground.locate(span), span.start) for span in answer.spans]
        cites = dict.fromkeys((r.step, r.sentence(at)) for r, at in found if r)
        nouns = [a.id for item in answer.items for a in workspace.called(item)]
        lit.append((question, answer, [*cites], nouns))
    for step, _ in [place for *_, cites, _ in lit for place in cites][:1]:
        data.run["start"] = max(step - data.run["first"], 0)
    return assembled(telling, data, asked=lit)


def write_page(journal: Journal, path: str | Path, asked: Answers = ()) -> Path:
    """Write the page of a run to `path`: `write_page(journal, "run.html")`."""
    return page(journal, asked=asked).write(path)


def assembled(
    telling: Telling,
    data: Payload,
    more: Callable[[int], str] = lambda k: "",
    asked: Sequence[tuple[str, Answer, Sequence[tuple[int, int]], list[str]]] = (),
) -> Page:
    """A page of some steps; `more` is HTML below one.

    `asked` are questions, answers, and the sentences and nouns that these light.
    """
    history, run, first = telling.history, data.run, data.run["first"]
    return described(
        f"{telling.title}, step by step",
        "run/page.html",
        ("run/page.css",),
        (*drawing(run, data.places), "run/storyline.js", "run/page.js"),
        summary(history),
        data=run,
        run=run,
        title=telling.title,
        asked=asked,
        said=lambda answer: "; ".join(map(shown, answer.items)) or "no answer",
        strips=strips(telling.steps, telling.title, first),
        kinds=Counter(record.kind for record in history.records.values()),
        looks=LOOKS,
        steps=[
            {"step": k, "label": telling.labels[k], "html": telling.step(k) + more(k)}
            for k in range(first, len(history.scenes))
        ],
        names=telling.labels,
        quiet=_QUIET,
    )
