"""What a neighbourhood in a graph of 100,000 nodes takes in memory, and how much it is.

    python recipes/graph_store.py [MOST_NODES] > results/graph_store.csv

Three graphs: a generated plot; one with hubs (Barabasi and Albert, 4 edges a node); a
star, the worst there is. 200 seeds each, drawn alike, at k = 1 and 2, at most 200 and
1,000 nodes. Milliseconds are of the processor, so a busy machine tells the same.
"""

from __future__ import annotations

import csv
import random
import sys
import time
from collections.abc import Iterator

import networkx as nx
import numpy as np
from made_plot import made_plot
from table import commit

from gswlab.hybridrag.plot import plot_graph, plot_of
from gswlab.hybridrag.stores.memory import InMemory
from gswlab.hybridrag.stores.nouns import GraphEdge, GraphNode, PropertyGraph

SEEDS = 200
HEADS = (
    "graph", "nodes", "edges", "k", "limit", "ms_median", "ms_p95", "ms_max",
    "nodes_max", "edges_max", "n", "commit",
)  # fmt: skip


def graphs(nodes: int) -> Iterator[tuple[str, PropertyGraph]]:
    """The three, by name."""
    yield "plot", plot_graph(plot_of(made_plot(nodes).encode(), "generated.xml"))
    yield "hubs", plain(nx.barabasi_albert_graph(nodes, 4, seed=0))
    yield "star", plain(nx.star_graph(nodes - 1))


def plain(graph: nx.Graph) -> PropertyGraph:
    """Characters who know each other, as a graph has them."""
    ids = [f"c{number:06}" for number in graph]
    ties = [GraphEdge(ids[one], "RELATES_TO", ids[other]) for one, other in graph.edges]
    return PropertyGraph(tuple(GraphNode(id_, "Character") for id_ in ids), tuple(ties))


def rows(name: str, graph: PropertyGraph) -> Iterator[tuple[object, ...]]:
    """Figures of one graph."""
    store = InMemory(name)
    store.upsert(graph.nodes, graph.edges)
    drawn = random.Random(0).sample([node.id for node in graph.nodes], SEEDS)
    for k, limit in ((1, 200), (1, 1000), (2, 200), (2, 1000)):
        spent, sizes, ties = [], [], []
        for seed in drawn:
            began = time.process_time()
            near = store.neighbourhood([seed], k, limit=limit)
            spent.append(1000 * (time.process_time() - began))
            sizes.append(len(near.nodes))
            ties.append(len(near.edges))
        told = [round(float(np.percentile(spent, q)), 2) for q in (50, 95, 100)]
        yield name, *store.counts(), k, limit, *told, max(sizes), max(ties), SEEDS


def main(nodes: str = "100000") -> None:
    """Print the table."""
    table = csv.writer(sys.stdout, lineterminator="\n")
    table.writerow(HEADS)
    made = commit()
    for name, graph in graphs(int(nodes)):
        table.writerows((*row, made) for row in rows(name, graph))


if __name__ == "__main__":
    main(*sys.argv[1:])
