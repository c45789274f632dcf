"""What a step asked a model, and what it said: from the journal and the cassette.

A journal keeps with which words a stage asked, by their hash. The words are files of
this package; what was filled in, and the reply, are in the cassette where there is one.
"""

from __future__ import annotations

import csv
import html
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gswlab.bench.folder import RunFolder
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk, visible
from gswlab.core.step import Step
from gswlab.models.cassette import Cassette
from gswlab.models.ledger import Ledger, entries
from gswlab.models.prompt import prompt
from gswlab.view.kit.spans import escape

MOST = 20_000  # characters of one turn that a page shows
_UNRECORDED = "What was filled in and what was said stand in no cassette at hand."


@dataclass(frozen=True)
class Conversation:
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
    found = cassette.about(chunk.text) if cassette and chunk else []
    asked = (event.data for event in step.events if event.kind == "asked")
    return tuple(_conversation(data, found) for data in asked)


def asked_html(asked: Iterable[Conversation]) -> str:
    """The conversations as a section; nothing where no model was asked."""
    told = "".join(map(_details, asked))
    if not told:
        return ""
    return f'<section class="asked"><h3>What a model was asked</h3>{told}</section>'


def _conversation(
    data: Any, found: list[tuple[dict[str, Any], dict[str, Any]]]
) -> Conversation:
    stage, model, words = (str(data.get(k, "")) for k in ("stage", "model", "prompt"))
    system = _words(words, str(data.get("hash", "")))
    named = f"{words}, {data.get('hash', '')}"
    for request, reply in found:
        turns = [(str(t["role"]), str(t["content"])) for t in request["messages"]]
        if request.get("model") == model and turns[0][1] == system:
            turns.append(("reply", str(reply.get("text", ""))))
            return Conversation(stage, model, named, tuple(turns), True)
    known = (("system", system),) if system else ()
    return Conversation(stage, model, named, known, False)


def _words(name: str, hashed: str) -> str:
    """The words of a prompt, where those of this package are still the same."""
    title, _, language = name.rpartition("/")
    try:
        words = prompt(title, language)
    except GswlabError:
        return ""
    return words.system if words.hash == hashed else ""


def _details(one: Conversation) -> str:
    head = f"{one.stage}: {one.words}, {one.model}"
    turns = "".join(_turns(one.turns))
    note = "" if one.whole else f'<p class="quiet">{_UNRECORDED}</p>'
    return f"<details><summary>{escape(head)}</summary>{turns}{note}</details>"


def _turns(turns: Iterable[tuple[str, str]]) -> Iterator[str]:
    for role, text in turns:
        # line breaks stay what they are: `escape` keeps them, `pre` shows them
        said = html.escape(visible(text[:MOST]))
        cut = f" … {len(text) - MOST:,} more characters" if len(text) > MOST else ""
        yield (
            f"<h4>{escape(role)}</h4><pre dir='auto' style='white-space:pre-wrap'>"
            f"{said}{cut}</pre>"
        )


# What a step cost, where a run has a ledger: calls, tokens, money, seconds.


def step_cost(folder: Path, step: Step) -> str:
    """The cost of a step in words; empty where nothing was counted of it.

    Calls and tokens are those about the step's chunk, from `ledger.jsonl`; seconds are
    the step's own, from `timings.csv`.
    """
    told = []
    ledger = Ledger()
    ledger.entries = entries(RunFolder(folder).ledger)
    if step.chunk and (cost := ledger.by("chunk").get(step.chunk)):
        told.append(cost.words())
    if (seconds := _seconds(folder / "timings.csv").get(step.index)) is not None:
        told.append(f"read in {seconds:.2f} s")
    return "; ".join(told)


def _seconds(file: Path) -> dict[int, float]:
    if not file.exists():
        return {}
    with file.open(encoding="utf-8", newline="") as lines:
        rows = [row for row in csv.reader(lines) if len(row) == 3 and row[0] == "step"]
    return {int(number): float(value) for _, number, value in rows}
