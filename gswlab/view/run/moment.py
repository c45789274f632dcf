"""One step as one file: for an email, a review, a slide; offline and by the keyboard.

It is a run's page, of this step and its neighbours. Below each step stand what a model
was asked, as far as journal and cassette know it, and where all of it is from.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from gswlab.bench.folder import RunFolder
from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.core.nouns import Chunk
from gswlab.core.step import Alignment, Step
from gswlab.models.cassette import Cassette
from gswlab.models.ledger import Ledger, entries
from gswlab.models.prompt import prompt
from gswlab.view.kit.chart import FORMATS
from gswlab.view.kit.page import Page, rendered
from gswlab.view.run.export import step_chart
from gswlab.view.run.history import History
from gswlab.view.run.page import assembled, payload
from gswlab.view.run.parts import Telling

_SHOWN = ("memory", "operator", "reconciler", "reader", "llm")  # of what was chosen
_MOST = 20_000  # characters of one turn that a page shows


def moment(source: Any, k: int, around: int = 2) -> Page:
    """The page of step `k` (from 1, -1 is the last) and `around` steps on either side.

    The source is a `Lab` or a `Journal`; a lab's cassette has what a model was asked.

    Raises:
        GswlabError: the run has no such step.
    """
    journal: Journal = getattr(source, "journal", source)
    at = journal.index_of(k)
    first, stop = max(at - around, 0), min(at + around + 1, len(journal))
    telling = Telling.of(journal, stop)
    near = _near(telling.history, first)
    data = payload(telling, steps=stop - first, near=near)
    last = f"steps {first + 1} to {stop} of {len(journal)}"
    limit = f"This page shows {last}, and what they touch."
    data.run.update(limit=limit, start=at - first)
    file = getattr(getattr(source, "llm", None), "cassette", None)
    cassette = Cassette(file) if file else None
    choices = journal.meta.get("settings", {}).get("choices", {})
    made = " ".join(f"{name}={choices[name]}" for name in _SHOWN if choices.get(name))
    config = str(journal.meta.get("config", ""))

    def below(k: int) -> str:
        read = telling.ground.by_step.get(k)
        chunk = read.chunk if read else None
        asked = conversations(telling.steps[k], chunk, cassette)
        origin = {"step": k, "chunk": chunk, "made by": made, "configuration": config}
        return asked_html(asked, origin)

    title = f"{telling.title}, {telling.labels[at]}"
    return assembled(replace(telling, title=title), data, below)


def write_moment(source: Any, k: int, path: str | Path) -> Path:
    """A step as a page, or as a figure where `path` ends as one (.svg, .pdf)."""
    if Path(path).suffix in FORMATS:
        return step_chart(source, k).save(path)
    return moment(source, k).write(path)


def _near(history: History, first: int) -> set[str]:
    """The nouns that the steps from `first` on touch, and those tied to what is new."""
    near, fresh = set[str](), set[str]()
    for scene in history.scenes[first:]:
        fresh |= {*scene.added, *scene.changed, *scene.retired}
        weighed = (d for d in scene.step.decisions if isinstance(d, Alignment))
        near |= {*scene.touched, *(c.actor for d in weighed for c in d.candidates)}
    near |= fresh
    near |= {r.face for i, r in history.records.items() if i in near and r.face}
    ties = ({r.tie.source, r.tie.target} for r in history.lines.values() if r.tie)
    return near | {end for ends in ties if fresh & ends for end in ends}


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
    for event in (event for event in step.events if event.kind == "asked"):
        keys = ("stage", "model", "prompt", "hash")
        stage, model, name, hashed = (str(event.data.get(key, "")) for key in keys)
        title, _, language = name.rpartition("/")
        system = ""
        with suppress(GswlabError):  # the words of this package, if they are the same
            words = prompt(title, language)
            system = words.system if words.hash == hashed else ""
        turns: tuple[tuple[str, str], ...] = (("system", system),) if system else ()
        whole = False
        for request, reply in recorded:
            said = [(str(t["role"]), str(t["content"])) for t in request["messages"]]
            if request.get("model") == model and said[0][1] == system:
                turns, whole = (*said, ("reply", str(reply.get("text", "")))), True
                break
        found.append(Conversation(stage, model, f"{name}, {hashed}", turns, whole))
    return tuple(found)


def asked_html(
    asked: Sequence[Conversation], origin: Mapping[str, Any] | None = None
) -> str:
    """The conversations as a section, nothing where no model was asked; the origin."""
    return rendered("run/asked.html", asked=asked, most=_MOST, origin=origin or {})


def step_cost(folder: Path, step: Step) -> str:
    """The cost of a step in words; empty where nothing was counted of it.

    Calls and tokens are those about the step's chunk, from `ledger.jsonl`; seconds are
    the step's own, from `timings.csv`.
    """
    told, ledger = [], Ledger()
    ledger.entries = entries(RunFolder(folder).ledger)
    if step.chunk and (cost := ledger.by("chunk").get(step.chunk)):
        told.append(cost.words())
    timed = RunFolder(folder).times()
    own = [s for what, n, s in timed if (what, n) == ("step", str(step.index))]
    told += [f"read in {seconds:.2f} s" for seconds in own[-1:]]
    return "; ".join(told)
