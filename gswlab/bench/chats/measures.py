"""What an answer and its evidence are worth.

Source of the first two: the evaluation of LoCoMo (Maharana et al. 2024): token F1 over
stems; several things asked for are parted by commas, and each has its best match.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import snowballstemmer

from gswlab.bench.hops.measures import set_f1
from gswlab.core.nouns import Chunk, Evidence, Span

_PORTER = snowballstemmer.stemmer("porter")
_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLE = re.compile(r"\b(?:a|an|the|and)\b")


def stem_f1(said: str, answer: str) -> float:
    """Token F1 of two texts over Porter stems.

    >>> stem_f1("The camping trips", "camping trip")
    1.0
    """
    return set_f1(Counter(_stems(said)), Counter(_stems(answer)))


def parted_f1(said: str, answer: str) -> float:
    """The mean, over what `answer` lists, of the best F1 of anything said.

    >>> parted_f1("a dog, a car", "car, boat")
    0.5
    """
    mine, gold = ([p.strip() for p in text.split(",")] for text in (said, answer))
    best = [max(stem_f1(one, other) for one in mine) for other in gold]
    return sum(best) / len(best)


def _stems(text: str) -> list[str]:
    bare = text.replace(",", "").lower().translate(_PUNCTUATION)
    return [str(s) for s in _PORTER.stemWords(_ARTICLE.sub(" ", bare).split())]


def contained(said: str, answers: Iterable[str]) -> float:
    """1.0 where one of the answers stands in what was said, word for word.

    >>> contained("It was Oslo.", ["oslo"]), contained("Oslofjord", ["Oslo"])
    (1.0, 0.0)
    """
    text = f" {_plain(said)} "
    return float(any(f" {plain} " in text for a in answers if (plain := _plain(a))))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def found_in(
    evidence: Evidence, chunks: Sequence[Chunk], gold: Collection[str]
) -> tuple[int, int]:
    """How many of the gold chunks stand whole in evidence, and how many there are."""
    wanted = [chunk.span for chunk in chunks if chunk.id in gold]
    spans = [span for item in evidence.items for span in item.spans]
    return sum(any(_inside(one, span) for span in spans) for one in wanted), len(wanted)


def _inside(one: Span, other: Span) -> bool:
    same = one.document == other.document
    return same and other.start <= one.start and one.end <= other.end
