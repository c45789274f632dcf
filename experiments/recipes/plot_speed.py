"""The time of a recall, in milliseconds, every question's vector embedded anew.

    python recipes/plot_speed.py FOLDER [MOST_NODES] > results/plot_speed.csv

The plot of 200 nodes, k = 1, in memory and over Bolt (a server of the extra `graphdb`,
started here, its files in FOLDER); a generated plot of 100,000 nodes, k = 2, in memory,
its descriptions embedded. Seven passes over the questions, the first four left out: a
server in Java is slow until it has compiled what it runs often.
"""

from __future__ import annotations

import csv
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from random import Random

import numpy as np
from made_plot import made_plot
from table import commit

from gswlab.bench.plots import Plots
from gswlab.hybridrag.plot import Plot, plot_of
from gswlab.hybridrag.serial import Serial
from gswlab.hybridrag.stores.memory import InMemory
from gswlab.hybridrag.stores.neo4j import Neo4j
from gswlab.hybridrag.stores.nouns import GraphStore
from gswlab.models.vectors.minilm import MiniLM

BUDGET, PASSES, WARM = 300, 7, 4  # a server compiles what it runs often
HEADS = ("store", "nodes", "k", "figure", "median", "p95", "max", "n", "commit")


class Anew:
    """MiniLM that keeps no question: each recall pays for its own vector."""

    def __init__(self) -> None:
        self.kept = MiniLM()

    def embed(self, texts: Sequence[str]) -> object:
        """Texts of nodes, each once."""
        return self.kept.embed(texts)

    def embed_queries(self, texts: Sequence[str]) -> object:
        """Questions, as if for the first time."""
        return MiniLM().embed(texts)


@contextmanager
def server(folder: Path) -> Iterator[str]:
    """A Bolt server of our own, stopped afterwards."""
    os.environ |= {"NEO4J_USERNAME": "root", "NEO4J_PASSWORD": secrets.token_hex(8)}
    command = [
        sys.executable,
        "-m",
        "gswlab.hybridrag.stores.serve",
        str(folder.resolve()),
        "0",
    ]
    quiet = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen(command, **quiet) as process:  # type: ignore[call-overload]
        assert process.stdout is not None
        lines = (line for line in process.stdout if " at bolt://" in line)
        try:
            yield next(lines).split(" at ")[1].strip()
        finally:
            process.terminate()


def asked(plot: Plot, count: int = 60) -> Iterator[str]:
    """Questions about a generated plot: a pair at an event, one character, an event."""
    drawn, names = Random(0), {one.id: one.name for one in plot.characters}
    for event in drawn.sample(plot.events, count // 3):
        one, other = (names[id_] for id_ in event.appears[:2])
        yield f"What were {one} and {other} to each other at event {event.id}?"
        yield f"Who was ever an enemy of {one}?"
        yield f"What happens directly after {event.description.lower()[:-1]}?"


def rows(
    store: GraphStore, plot: Plot, questions: Sequence[str], **settings: object
) -> Iterator[tuple[object, ...]]:
    """Times and tokens of all recalls, as rows."""
    memory = Serial(store, Anew(), **settings)  # type: ignore[arg-type]
    memory.insert(plot)
    memory.finish()
    times, tokens = [], []
    for turn in range(PASSES):
        for question in questions:
            began = time.perf_counter()
            evidence = memory.recall(question, BUDGET)
            if turn >= WARM:
                times.append(1000 * (time.perf_counter() - began))
                tokens.append(evidence.tokens)
    memory.store.close()  # a server does not end while somebody is connected
    nodes = len(plot.characters) + len(plot.events)
    for figure, values in (("recall ms", times), ("evidence tokens", tokens)):
        told = [round(float(np.percentile(values, q)), 1) for q in (50, 95, 100)]
        yield type(store).__name__, nodes, memory.k, figure, *told, len(values)


def main(folder: str, nodes: str = "100000") -> None:
    """Print the table."""
    (world,) = (w for w in Plots().worlds if w.name == "river_en")
    plot, questions = world.plot, [q.question for q in world.questions]
    large = plot_of(made_plot(int(nodes)).encode(), "generated.xml")
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(HEADS)
    made = commit()
    found = [*rows(InMemory(), plot, questions)]
    with server(Path(folder, "served")) as uri:
        found += rows(Neo4j(uri), plot, questions)
    settings = {"k": 2, "embed": "descriptions"}
    found += rows(InMemory(), large, list(asked(large)), **settings)
    table.writerows((*row, made) for row in found)


if __name__ == "__main__":
    main(*sys.argv[1:])
