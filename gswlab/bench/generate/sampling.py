"""Which events a book has: EpBench's own sampling, over indexes of a universe.

Huet et al., EpBench: every index is drawn from a geometric distribution with p = 0.1,
drawn again where it exceeds the universe; 3, 5 or 3000 candidates an event; repeats of
a person's day, then of a place's day, are dropped; the first ones are kept.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gswlab.core.errors import GswlabError

SIZE = 100  # values of each field in a universe
P = 0.1
DATE, LOCATION, ENTITY, CONTENT = range(4)
Rows = NDArray[np.int16]


def sampled(events: int, rng: np.random.Generator) -> Rows:
    """Indexes of date, place, person and kind: `events` rows of four.

    >>> sampled(20, np.random.default_rng(1)).shape
    (20, 4)

    Raises:
        GswlabError: the universe has fewer such events.
    """
    count = events * _candidates(events)
    rows = np.stack([_geometric(count, rng) for _ in range(4)], axis=1)
    for pair in ((DATE, ENTITY), (DATE, LOCATION)):
        rows = _first_of_each(rows, pair)
    if len(rows) < events:
        raise GswlabError(
            f"there are {len(rows)} different events, not {events}",
            f"a universe has {SIZE} dates, places, persons and kinds of event",
            f"python -m gswlab run experiment=generated dataset.chapters={len(rows)}",
        )
    return rows[:events]


def _candidates(events: int) -> int:
    return 3 if events <= 200 else 5 if events <= 800 else 3000


def _geometric(count: int, rng: np.random.Generator) -> Rows:
    """Indexes from 0, the first the most frequent (one in ten)."""
    drawn: Rows = rng.geometric(P, count).astype(np.int16) - np.int16(1)
    while (over := np.flatnonzero(drawn >= SIZE)).size:
        drawn[over] = rng.geometric(P, over.size) - 1
    return drawn


def _first_of_each(rows: Rows, pair: tuple[int, int]) -> Rows:
    keys = rows[:, pair[0]].astype(np.int32) * SIZE + rows[:, pair[1]]
    first: NDArray[np.intp] = np.unique(keys, return_index=True)[1]
    kept: Rows = rows[np.sort(first)]
    return kept
