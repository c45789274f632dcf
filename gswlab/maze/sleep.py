"""Phase 2 in a maze: between two episodes the graph is rewired, nothing is seen anew.

What is known is replayed: the shortest way to the goal from every cell that is held,
loops that are not committed among the ways. By how often each edge is passed the
rewiring prices what goes and what comes; start, goal and open cues are kept.
"""

from __future__ import annotations

from dataclasses import replace

import networkx as nx

from gswlab.core.errors import GswlabError
from gswlab.gedig.edit import Edge, Graph
from gswlab.gedig.rewiring import Rewired, Rewiring, used
from gswlab.maze.grid import Cell
from gswlab.maze.ground import Ground

WALKABLE = Rewiring(kinds=("prune", "shortcut"))


def asleep(
    ground: Ground, start: Cell, goal: Cell, rewiring: Rewiring = WALKABLE
) -> Rewired:
    """The graph of a ground rewired; the ground is not touched."""
    offers: list[Edge] = [edge for loop in ground.loops() for edge in loop.edges]
    known: Graph = ground.graph.copy()
    known.add_edges_from(offers)
    replayed = nx.single_source_shortest_path(known, goal).values()
    keep = {start, goal, *ground.behind, *ground.loose}
    return rewiring(ground.graph, used(replayed), offers, keep)


def wake(ground: Ground, done: Rewired) -> None:
    """Go on with a rewired graph; a loop that it closed is no cue any more.

    Raises:
        GswlabError: it was folded: an edge of it is no step.
    """
    if done.count("consolidate"):
        rule = "who walks on leaves consolidate out of the kinds"
        raise GswlabError("a folded graph cannot be walked", rule)
    for change in done.changes:
        if change.kind == "shortcut":
            ground.commit(change.price.edit)
    ground.graph = done.graph


def folded(ground: Ground, start: Cell, goal: Cell) -> Rewired:
    """All three kinds: what has to be kept to go there again, and no cell between."""
    return asleep(ground, start, goal, replace(WALKABLE, kinds=Rewiring().kinds))
