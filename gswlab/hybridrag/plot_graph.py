"""A plot as a property graph.

A character and an event is a node each; `APPEARS_IN` leads from a character to an
event, `RELATES_TO` from a character to another by the name of their tie, at the event
at which it holds, `NEXT` from an event to the one after it. A node says nothing about
its place in the file, so only what was edited is another node.
"""

from __future__ import annotations

from itertools import pairwise

from gswlab.hybridrag.plot import Character, Event, Plot
from gswlab.hybridrag.stores.nouns import (
    Edge,
    EdgePattern,
    Graph,
    GraphStore,
    Node,
    NodePattern,
    Pattern,
)


def node_id(noun: Character | Event) -> str:
    """The id of its node: `c1` for the character 1, `e1` for the event 1."""
    return f"{'c' if isinstance(noun, Character) else 'e'}{noun.id}"


def graph_of(plot: Plot) -> Graph:
    """The graph of a plot.

    Characters have `name`, `role` and `description`, events a `description`.
    """
    people = [
        Node(
            node_id(one),
            "Character",
            {"name": one.name, "role": one.role, "description": one.description},
        )
        for one in plot.characters
    ]
    events = [
        Node(node_id(event), "Event", {"description": event.description})
        for event in plot.events
    ]
    edges = [edge for event in plot.events for edge in _edges(event)]
    edges += [Edge(a.id, "NEXT", b.id) for a, b in pairwise(events)]
    return Graph(
        tuple(sorted((*people, *events), key=lambda node: node.id)),
        tuple(sorted(edges, key=lambda edge: edge.key)),
    )


def _edges(event: Event) -> list[Edge]:
    at = node_id(event)
    appears = [Edge(f"c{one}", "APPEARS_IN", at) for one in event.appears]
    return appears + [
        Edge(f"c{tie.source}", "RELATES_TO", f"c{tie.target}", tie.relation, at)
        for tie in event.ties
    ]


def event_order(store: GraphStore) -> dict[str, int]:
    """Events by id with their place in the plot, from 1: along `NEXT`."""
    event = NodePattern("Event")
    events = [node.id for node in store.find(event.label)]
    chain = Pattern((event, event), (EdgePattern(("NEXT",)),))
    found = store.match(chain, limit=len(events))
    after = {path.nodes[0].id: path.nodes[1].id for path in found}
    first = next(iter(set(events) - set(after.values())), None)
    order: dict[str, int] = {}
    while first is not None and first not in order:
        order[first] = len(order) + 1
        first = after.get(first)
    return order
