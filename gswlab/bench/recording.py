"""One world of a dataset as a run of its own: a journal that can be stepped through.

Plots, chats and questions with paragraphs of their own are many small worlds, and a run
over them keeps rows, not journals. `recorded` reads one of them again, step by step.
"""

from __future__ import annotations

import tempfile
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gswlab.baselines.passages import LongContext
from gswlab.bench import runner
from gswlab.bench.hotpotqa import Hops
from gswlab.bench.plots_runner import Inserting
from gswlab.bench.rows import Asking
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.core.nouns import Chunk
from gswlab.core.step import FINISH
from gswlab.hybridrag.plot import Plot

SOME = 6  # names of worlds in a sentence


@dataclass(frozen=True)
class World:
    """What one memory reads: chunks of a document, and the plot they tell, if any."""

    document: Document
    chunks: Sequence[Chunk]
    whole: Sequence[Chunk]
    plot: Plot | None = None


def worlds(lab: Asking) -> Mapping[str, Any]:
    """The worlds of a lab's dataset by name; empty where all is one text."""
    dataset: Any = lab.dataset
    if isinstance(dataset, Hops):
        own = dataset.world != "pool"
        return {question.id: question for question in dataset.questions} if own else {}
    return {world.name: world for world in getattr(dataset, "worlds", ())}


def recorded(lab: Asking, name: str, path: str | Path | None = None) -> Journal:
    """The journal of a memory, new from its settings, that reads one world.

    Args:
        lab: whose dataset has worlds.
        name: of the world: a plot's, a conversation's, a question's id.
        path: where the journal is written; else in a folder that goes with it.

    Raises:
        GswlabError: there is no such world, or a file is at `path`.
    """
    world, memory = _world(lab, name), lab.blank()
    if world.plot is not None and isinstance(memory, Inserting):
        memory.insert(world.plot)
    chunks = world.whole if isinstance(memory, LongContext) else world.chunks
    journal = _journal(path)
    journal.add(world.document, chunks)
    runner.announce(memory, world.document, tuple(chunks))
    for chunk in chunks:
        step = memory.partial_fit(chunk)
        journal.append(replace(step, index=len(journal)))
    journal.append(replace(memory.finish(), index=len(journal), note=FINISH))
    return journal


def _world(lab: Asking, name: str) -> World:
    known = worlds(lab)
    if name not in known:
        some = ", ".join([*known][:SOME]) + (", ..." if len(known) > SOME else "")
        problem = f"there is no world {name!r}"
        rule = f"worlds of this dataset: {some}" if known else "all of it is one text"
        raise GswlabError(problem, rule, "lab.step()")
    found, dataset = known[name], lab.dataset
    if isinstance(dataset, Hops):
        searched = dataset.searched
        chunks = [searched.chunks[row] for row in searched.rows(found)]
        return World(searched.document, chunks, chunks)
    plot = getattr(found, "plot", None)
    whole = (found.whole,) if plot else found.chunks
    return World(lab.document, found.chunks, whole, plot)


def _journal(path: str | Path | None) -> Journal:
    if path is not None:
        return Journal(path, "x")
    folder = tempfile.TemporaryDirectory(prefix="gswlab-")
    journal = Journal(Path(folder.name) / "journal.sqlite", "x")
    weakref.finalize(journal, folder.cleanup)
    return journal
