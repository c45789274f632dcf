"""One step as one file: for an email, a review, a slide; offline and by the keyboard.

The page is a run's page, of this step and its neighbours: the slider, the text, what
changed, the decisions, the graph of what they touch. Below each step stand what a model
was asked, as far as the journal and the cassette know it, and where all of it is from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.core.nouns import Chunk
from gswlab.core.step import Alignment
from gswlab.models.cassette import Cassette
from gswlab.view.kit.chart import FORMATS
from gswlab.view.kit.ground import Ground
from gswlab.view.kit.page import Page
from gswlab.view.kit.spans import escape
from gswlab.view.run.events_as_graph import pictured
from gswlab.view.run.history import History, Scene
from gswlab.view.run.model_calls import asked_html, conversations
from gswlab.view.run.page import assembled, payload
from gswlab.view.run.parts import Parts
from gswlab.view.run.step_chart import step_chart
from gswlab.view.run.words import labels

AROUND = 2
_SHOWN = ("memory", "operator", "reconciler", "reader", "llm")  # of what was chosen


def moment(source: Any, k: int, around: int = AROUND) -> Page:
    """The page of step `k` (from 0, -1 is the last) and `around` steps on either side.

    >>> moment(lab, 14).write("moment.html")  # doctest: +SKIP

    Args:
        source: a `Lab`, or a `Journal`; a lab's cassette has what a model was asked.
        k: the step's number.
        around: how many neighbours.

    Raises:
        GswlabError: the run has no such step.
    """
    journal: Journal = getattr(source, "journal", source)
    at = _checked(k, len(journal))
    first, stop = max(at - around, 0), min(at + around + 1, len(journal))
    chunks = journal.chunks()
    steps = pictured(journal.steps(), chunks)
    history, names = History.of(steps[:stop]), labels(steps)
    ground = Ground.of(steps[:stop], chunks, journal.documents())
    shown = history.scenes[first:]
    data = payload(_near(history, shown), ground, steps=stop - first, names=names)
    last = f"steps {first} to {stop - 1} of {len(journal)}"
    data.run["limit"] = f"This page shows {last}, counted from 0, and what they touch."
    data.run.update(start=at - first, focused=True)
    for node in data.run["nodes"].values():
        node["facts"] = [fact for fact in node["facts"] if _told(fact, first)]
    known = {chunk.id: chunk for chunk in chunks}
    more = partial(_below, history, known, journal.meta, _cassette(source))
    title = ", ".join(document.id for document in journal.documents()) or "a run"
    return assembled(f"{title}, {names[at]}", Parts(history, ground), data, names, more)


def write_moment(source: Any, k: int, path: str | Path) -> Path:
    """A step as a page, or as a figure where `path` ends as one (.svg, .pdf)."""
    if Path(path).suffix in FORMATS:
        steps = len(getattr(source, "journal", source))
        return step_chart(source, _checked(k, steps)).save(path)
    return moment(source, k).write(path)


def _checked(k: int, steps: int) -> int:
    at = k + steps if k < 0 else k
    if 0 <= at < steps:
        return at
    if not steps:
        rule = "a run of one chunk or more"
        raise GswlabError("this run has no step yet", rule, "lab.run()")
    rule = f"0 to {steps - 1}, or -1 for the last"
    raise GswlabError(f"step {k} is out of range", rule, f"moment(lab, {steps - 1})")


def _near(history: History, shown: Iterable[Scene]) -> History:
    """The part of a history that some scenes touch: their nouns, and who is tied."""
    there: set[str] = set()
    fresh: set[str] = set()
    for scene in shown:
        fresh |= {*scene.added, *scene.changed, *scene.retired}
        weighed = (d for d in scene.step.decisions if isinstance(d, Alignment))
        there |= {*scene.touched, *(c.actor for d in weighed for c in d.candidates)}
    there |= fresh
    there |= {r.face for i, r in history.records.items() if i in there and r.face}
    pairs = [(r.tie.source, r.tie.target) for r in history.lines.values() if r.tie]
    ends = {end for pair in pairs if fresh & {*pair} for end in pair}
    near = there | ends
    records = {i: r for i, r in history.records.items() if i in near or r.face in near}
    lines = {
        key: record
        for key, record in history.lines.items()
        if record.tie and {record.tie.source, record.tie.target} <= near
    }
    return History(records, lines, history.scenes)


def _told(fact: list[Any], first: int) -> bool:
    """Whether a fact of the payload can be seen from step `first` on."""
    field, _, _, end, cites, _ = fact
    seen = field != "mention" or any(step >= first for step, _ in cites)
    return seen and (end is None or end >= first)


def _cassette(source: Any) -> Cassette | None:
    file = getattr(getattr(source, "llm", None), "cassette", None)
    return Cassette(file) if file else None


def _below(
    history: History,
    chunks: Mapping[str, Chunk],
    meta: Mapping[str, Any],
    cassette: Cassette | None,
    k: int,
) -> str:
    step = history.scenes[k].step
    chunk = chunks.get(step.chunk or "")
    told = asked_html(conversations(step, chunk, cassette))
    return told + _origin(step.index, chunk, meta)


def _origin(index: int, chunk: Chunk | None, meta: Mapping[str, Any]) -> str:
    choices = meta.get("settings", {}).get("choices", {})
    rows = {"step": str(index)}
    if chunk is not None:
        span = chunk.span
        rows |= {"chunk": chunk.id, "characters": f"{span.start:,} to {span.end:,}"}
    chosen = (f"{name}={choices[name]}" for name in _SHOWN if choices.get(name))
    rows |= {"made by": " ".join(chosen), "configuration": str(meta.get("config", ""))}
    listed = "".join(
        f"<tr><th scope='row'>{name}</th><td><bdi>{escape(text)}</bdi></td></tr>"
        for name, text in rows.items()
        if text
    )
    table = f"<table>{listed}</table>"
    return f'<section class="origin"><h3>Where this is from</h3>{table}</section>'
