"""Other orders of reading: chapters, or chunks, in a seeded order."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk

Unit = Literal["chapter", "chunk"]
UNITS = ("chapter", "chunk")


def shuffles(
    chunks: Sequence[Chunk], many: int, seed: int, by: Unit
) -> Iterator[tuple[Chunk, ...]]:
    """`many` orders of `chunks`; those of a chapter stay together and in order.

    Seeded by `seed` and the number of the shuffle, so that more shuffles begin with
    the same ones.

    >>> [*shuffles((), 1, 0, "chapter")]
    [()]
    """
    if many < 1:
        raise GswlabError(f"shuffles={many} is no number of orders", "1 or more")
    if by not in UNITS:
        raise GswlabError(f"by={by!r} is no unit", f"one of {', '.join(UNITS)}")
    units = _units(chunks) if by == "chapter" else [[chunk] for chunk in chunks]
    for number in range(many):
        order = list(units)
        random.Random(f"{seed}:{number}").shuffle(order)
        yield tuple(chunk for unit in order for chunk in unit)


def _units(chunks: Sequence[Chunk]) -> list[list[Chunk]]:
    chapters = groupby(chunks, key=lambda chunk: (chunk.document, chunk.chapter))
    return [list(group) for _, group in chapters]
