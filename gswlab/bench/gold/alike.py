"""When something read is something annotated: spans and phrases.

The rules are those of `experiments/gold/README.md`, named before anything was scored.

>>> alike("an old fisherman", "fisherman"), alike("was tired", "was not tired")
(True, False)
>>> alike("まだ少し痛みます", "痛む"), alike("壊れている", "壊れていない")
(True, False)
"""

from __future__ import annotations

import re
from collections import Counter

from gswlab.bench.judge import content_stems, fold

_NOT = re.compile(r"\b(?:not?|never|nobody|nothing)\b|n't\b|ない|なかっ|ません|ずに?$")
_BE = frozenset(content_stems("is was are were be been being has had have"))
_JAPANESE = re.compile(r"[\u3040-\u30ff\u3400-\u9fff々]")
_CONTENT = re.compile(r"[a-z0-9\u30a0-\u30ff\u3400-\u9fff々]")
HALF = 0.5


def same_span(one: tuple[int, int], two: tuple[int, int]) -> bool:
    """Half of their union shared, or one inside the other and both end together.

    >>> same_span((0, 9), (5, 9)), same_span((0, 9), (0, 4)), same_span((0, 8), (0, 4))
    (True, False, True)
    """
    shared = min(one[1], two[1]) - max(one[0], two[0])
    union = max(one[1], two[1]) - min(one[0], two[0])
    return shared > 0 and (shared >= HALF * union or one[1] == two[1])


def overlap(one: tuple[int, int], two: tuple[int, int]) -> int:
    """How many characters two spans share."""
    return max(0, min(one[1], two[1]) - max(one[0], two[0]))


def denied(text: str) -> bool:
    """Whether a phrase is in the negative."""
    return bool(_NOT.search(text.casefold()))


def units(text: str) -> Counter[str]:
    """The content of a phrase: stems, or kanji and katakana; else what there is."""
    folded = fold(text)
    if _JAPANESE.search(folded):
        return Counter(_CONTENT.findall(folded)) or Counter(folded)
    stems = content_stems(_NOT.sub(" ", folded)) - _BE
    return Counter(stems) or Counter(folded.split())


def alike(one: str, two: str) -> bool:
    """Whether two phrases share half of the shorter one's content, and a polarity."""
    a, b = units(one), units(two)
    if denied(one) != denied(two) or not (a and b):
        return False
    return (a & b).total() >= HALF * min(a.total(), b.total())
