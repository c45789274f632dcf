"""One step as one file: for an email, a review, a slide; offline and by the keyboard.

The page is a run's page, of this step and its neighbours: the slider, the text, what
changed, the decisions, the graph of what they touch. Below each step stand what a model
was asked, as far as the journal and the cassette know it, and where all of it is from.
"""

from __future__ import annotations

import csv
import html
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from gswlab.bench.folder import RunFolder
from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.core.nouns import Chunk, visible
from gswlab.core.step import Alignment, Step
from gswlab.models.cassette import Cassette
from gswlab.models.ledger import Ledger, entries
from gswlab.models.prompt import prompt
from gswlab.view.kit.chart import FORMATS
from gswlab.view.kit.page import Page
from gswlab.view.kit.spans import Ground, escape
from gswlab.view.run.events_as_graph import pictured
from gswlab.view.run.history import History, Scene
from gswlab.view.run.page import assembled, payload
from gswlab.view.run.parts import Parts
from gswlab.view.run.step_chart import step_chart
from gswlab.view.run.words import labels

_SHOWN = ("memory", "operator", "reconciler", "reader", "llm")  # of what was chosen
_MOST = 20_000  # characters of one turn that a page shows
_UNRECORDED = "What was filled in and what was said stand in no cassette at hand."


def moment(source: Any, k: int, around: int = 2) -> Page:
    """The page of step `k` (from 1, -1 is the last) and `around` steps on either side.

    The source is a `Lab` or a `Journal`; a lab's cassette has what a model was asked.

    Raises:
        GswlabError: the run has no such step.
    """
    journal: Journal = getattr(source, "journal", source)
    at = journal.index_of(k)
    first, stop = max(at - around, 0), min(at + around + 1, len(journal))
    chunks, documents = journal.chunks(), journal.documents()
    steps = pictured(journal.steps(), chunks)
    names, history = labels(steps), History.of(steps[:stop], chunks)
    ground = Ground.of(steps[:stop], chunks, documents)
    near = _near(history, history.scenes[first:])
    data = payload(near, ground, steps=stop - first, names=names, book=False)
    last = f"steps {first + 1} to {stop} of {len(journal)}"
    limit = f"This page shows {last}, and what they touch."
    data.run.update(limit=limit, start=at - first)
    for node in data.run["nodes"].values():
        # what can be seen from step `first` on
        node["facts"] = [
            fact
            for fact in node["facts"]
            if (fact[3] is None or fact[3] >= first)
            and (fact[0] != "mention" or any(step >= first for step, _ in fact[4]))
        ]
    known = {chunk.id: chunk for chunk in chunks}
    file = getattr(getattr(source, "llm", None), "cassette", None)
    cassette = Cassette(file) if file else None

    def below(k: int) -> str:
        chunk = known.get(steps[k].chunk or "")
        asked = asked_html(conversations(steps[k], chunk, cassette))
        return asked + _origin(k, chunk, journal)

    title = ", ".join(document.id for document in documents) or "a run"
    title = f"{title}, {names[at]}"
    return assembled(title, Parts(history, ground), data, names, below)


def write_moment(source: Any, k: int, path: str | Path) -> Path:
    """A step as a page, or as a figure where `path` ends as one (.svg, .pdf)."""
    if Path(path).suffix in FORMATS:
        return step_chart(source, k).save(path)
    return moment(source, k).write(path)


def _near(history: History, shown: Iterable[Scene]) -> History:
    """The part of a history that some scenes touch: their nouns, and who is tied."""
    near, fresh = set[str](), set[str]()
    for scene in shown:
        fresh |= {*scene.added, *scene.changed, *scene.retired}
        weighed = (d for d in scene.step.decisions if isinstance(d, Alignment))
        near |= {*scene.touched, *(c.actor for d in weighed for c in d.candidates)}
    near |= fresh
    near |= {r.face for i, r in history.records.items() if i in near and r.face}
    ties = [(r, {r.tie.source, r.tie.target}) for r in history.lines.values() if r.tie]
    near |= {end for _, ends in ties if fresh & ends for end in ends}
    records = {i: r for i, r in history.records.items() if i in near or r.face in near}
    lines = {record.id: record for record, ends in ties if ends <= near}
    deeds = {i: r for i, r in history.deeds.items() if r.tie and {*r.tie[1:3]} <= near}
    return History(records, lines, history.scenes, deeds)


def _origin(index: int, chunk: Chunk | None, journal: Journal) -> str:
    choices = journal.meta.get("settings", {}).get("choices", {})
    rows = {"step": str(index)}
    if chunk is not None:
        span = chunk.span
        rows |= {"chunk": chunk.id, "characters": f"{span.start:,} to {span.end:,}"}
    chosen = (f"{name}={choices[name]}" for name in _SHOWN if choices.get(name))
    rows["made by"] = " ".join(chosen)
    rows["configuration"] = str(journal.meta.get("config", ""))
    listed = "".join(
        f"<tr><th scope='row'>{name}</th><td><bdi>{escape(text)}</bdi></td></tr>"
        for name, text in rows.items()
        if text
    )
    head = '<section class="origin"><h3>Where this is from</h3>'
    return f"{head}<table>{listed}</table></section>"


class Conversation(NamedTuple):
    """One ask: the stage, the words by name and hash, and the turns as far as known."""

    stage: str
    model: str
    words: str
    turns: tuple[tuple[str, str], ...]
    whole: bool


def conversations(
    step: Step, chunk: Chunk | None, cassette: Cassette | None
) -> tuple[Conversation, ...]:
    """What the stages of a step asked, in the order they asked."""
    recorded = cassette.about(chunk.text) if cassette and chunk else []
    found = []
    for event in step.events:
        if event.kind != "asked":
            continue
        keys = ("stage", "model", "prompt", "hash")
        stage, model, name, hashed = (str(event.data.get(key, "")) for key in keys)
        title, _, language = name.rpartition("/")
        system = ""
        with suppress(GswlabError):  # the words of this package, if they are the same
            words = prompt(title, language)
            system = words.system if words.hash == hashed else ""
        turns, whole = [("system", system)] if system else [], False
        for request, reply in recorded:
            said = [(str(t["role"]), str(t["content"])) for t in request["messages"]]
            if request.get("model") == model and said[0][1] == system:
                turns, whole = [*said, ("reply", str(reply.get("text", "")))], True
                break
        named = f"{name}, {hashed}"
        found.append(Conversation(stage, model, named, tuple(turns), whole))
    return tuple(found)


def asked_html(asked: Iterable[Conversation]) -> str:
    """The conversations as a section; nothing where no model was asked."""
    shown = ""
    for one in asked:
        turns = ""
        for role, text in one.turns:
            # line breaks stay what they are: `escape` keeps them, `pre` shows them
            said, more = html.escape(visible(text[:_MOST])), len(text) - _MOST
            cut = f" … {more:,} more characters" if more > 0 else ""
            turns += (
                f"<h4>{escape(role)}</h4><pre dir='auto' style='white-space:pre-wrap'>"
                f"{said}{cut}</pre>"
            )
        head = escape(f"{one.stage}: {one.words}, {one.model}")
        note = "" if one.whole else f'<p class="quiet">{_UNRECORDED}</p>'
        shown += f"<details><summary>{head}</summary>{turns}{note}</details>"
    if not shown:
        return ""
    return f'<section class="asked"><h3>What a model was asked</h3>{shown}</section>'


def step_cost(folder: Path, step: Step) -> str:
    """The cost of a step in words; empty where nothing was counted of it.

    Calls and tokens are those about the step's chunk, from `ledger.jsonl`; seconds are
    the step's own, from `timings.csv`.
    """
    told, ledger = [], Ledger()
    ledger.entries = entries(RunFolder(folder).ledger)
    if step.chunk and (cost := ledger.by("chunk").get(step.chunk)):
        told.append(cost.words())
    timings = folder / "timings.csv"
    if timings.exists():
        with timings.open(encoding="utf-8", newline="") as lines:
            rows = [row for row in csv.reader(lines) if len(row) == 3]
        own = [row[2] for row in rows if row[:2] == ["step", str(step.index)]]
        told += [f"read in {float(seconds):.2f} s" for seconds in own[-1:]]
    return "; ".join(told)
