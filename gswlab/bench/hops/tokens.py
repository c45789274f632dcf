"""Recall against context tokens: points of a curve, and the area under it.

Evidence is taken from its front, item by item; after so many tokens, counted on exactly
the text handed over, some of the gold paragraphs are there. The area is of that curve
from 300 to 1,500 tokens on a logarithmic axis, 1 where all of the gold was there before
300: evidence that ends early keeps what it has.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from math import log

from gswlab.bench.hops.worlds import World
from gswlab.core.budget import tokens_of
from gswlab.core.nouns import Evidence

TOKENS = (300, 450, 670, 1000, 1500)
AREA = "area@300-1500"
FIGURES = (*(f"recall@{count}t" for count in TOKENS), AREA)


def by_tokens(
    evidence: Evidence, world: World, gold: Collection[int]
) -> dict[str, float]:
    """The figures of one question.

    >>> from gswlab.core.nouns import Evidence
    >>> by_tokens(Evidence((), 0), World(()), {3})["recall@300t"]
    0.0
    """
    found = list(_found(evidence, world, gold))
    share = 1 / len(gold) if gold else 0.0
    low, high = TOKENS[0], TOKENS[-1]
    points = {
        f"recall@{most}t": sum(share for at in found if at <= most) if gold else 1.0
        for most in TOKENS
    }
    width = log(high / low)
    under = sum(log(high / max(low, at)) for at in found if at < high)
    return {**points, AREA: share * under / width if gold else 1.0}


def _found(evidence: Evidence, world: World, gold: Collection[int]) -> Iterator[int]:
    """After how many tokens each gold paragraph that is found was there."""
    left = set(gold)
    for count, item in enumerate(evidence.items, 1):
        if not left:
            return
        new = {world.row(span) for span in item.spans} & left
        if new:
            left -= new
            at = tokens_of(evidence.items[:count])
            yield from (at for _ in new)
