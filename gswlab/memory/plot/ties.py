"""What the ties of a plot add up to: the history of a pair, and who was ever what."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from gswlab.store.nouns import Edge

Pair: TypeAlias = tuple[str, str]
Run: TypeAlias = tuple[str, tuple[int, ...]]  # a relation, the events that state it
History: TypeAlias = Mapping[Pair, Sequence[tuple[int, str]]]


def histories(edges: Iterable[Edge], order: Mapping[str, int]) -> History:
    """What is stated of each pair of nodes, by the place of the event that states it.

    Args:
        edges: of any type; those that relate two nodes at a known event count.
        order: places of events by id.

    >>> tie = Edge("c2", "RELATES_TO", "c1", "enemy", "e3")
    >>> histories([tie], {"e3": 3})
    {('c1', 'c2'): [(3, 'enemy')]}
    """
    found: defaultdict[Pair, set[tuple[int, str]]] = defaultdict(set)
    for edge in edges:
        if edge.type == "RELATES_TO" and edge.at in order:
            ends = sorted((edge.source, edge.target))
            found[ends[0], ends[1]].add((order[edge.at], edge.name))
    return {pair: sorted(stated) for pair, stated in sorted(found.items())}


def runs(stated: Sequence[tuple[int, str]]) -> list[Run]:
    """What is stated of a pair, parted where the relation changes.

    >>> runs([(3, "enemy"), (4, "friend"), (5, "friend")])
    [('enemy', (3,)), ('friend', (4, 5))]
    """
    parted: list[Run] = []
    for event, relation in stated:
        if parted and parted[-1][0] == relation:
            parted[-1] = (relation, (*parted[-1][1], event))
        else:
            parted.append((relation, (event,)))
    return parted


def holding(parted: Sequence[Run], event: int) -> list[Run]:
    """The run that holds at an event: the last stated by then, else the first.

    >>> holding([("enemy", (3,)), ("friend", (4, 9))], 6)
    [('friend', (4, 9))]
    """
    begun = [run for run in parted if run[1][0] <= event]
    return [begun[-1] if begun else parted[0]] if parted else []


def ever(history: History, node: str) -> dict[str, tuple[str, ...]]:
    """By relation, which nodes were ever that to a node, in the order they became so.

    >>> ever({("a", "b"): [(3, "enemy"), (4, "friend")]}, "a")
    {'enemy': ('b',), 'friend': ('b',)}
    """
    stated = sorted(
        (event, relation, one if other == node else other)
        for (one, other), told in history.items()
        if node in (one, other)
        for event, relation in told
    )
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for _, relation, other in stated:
        found[relation][other] = None
    return {relation: tuple(others) for relation, others in found.items()}
