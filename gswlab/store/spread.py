"""Breadth-first with a bound, hop by hop: the same steps whatever the store."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

Ids = Collection[str]
Reach = Callable[[Ids, Ids, int], list[str]]


def spread(
    seeds: Iterable[str], k: int, limit: int, reach: Reach
) -> tuple[dict[str, int], bool]:
    """Hops from the nearest seed by id, nearest first, and whether the limit cut some.

    A hub costs one sorted cut, not its neighbours' neighbours: what does not fit in is
    never followed.

    Args:
        seeds: ids that are in the graph.
        k: hops at most.
        limit: ids at most, the seeds among them; within a hop the smallest.
        reach: from ids, but for those seen, the smallest so many one edge away, in
            order.
    """
    known = sorted(set(seeds))
    level, cut = known[:limit], len(known) > limit
    distance = dict.fromkeys(level, 0)
    for hop in range(1, k + 1):
        if cut or not level:
            break
        room = limit - len(distance)
        level = reach(level, distance.keys(), room + 1)
        cut, level = len(level) > room, level[:room]
        distance.update(dict.fromkeys(level, hop))
    return distance, cut
