"""Exact match, token F1, supporting facts and paragraph recall, as published.

Source: the evaluation of HotpotQA (Yang et al. 2018), which normalises as SQuAD does.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import snowballstemmer

from gswlab.core.nouns import Chunk, Evidence

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_CLOSED = frozenset({"yes", "no", "noanswer"})  # answers that no share of is right


def normalised(text: str) -> str:
    """Lower case, without punctuation, articles and double spaces.

    >>> normalised("The  U.S., an ally!")
    'us ally'
    """
    return " ".join(_ARTICLE.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def exact(said: str, answers: Iterable[str]) -> float:
    """1.0 where `said` is one of the answers, normalised."""
    return float(normalised(said) in {normalised(answer) for answer in answers})


def f1(said: str, answers: Iterable[str]) -> float:
    """Token F1 with the best of the answers."""
    mine, best = normalised(said), []
    for gold in map(normalised, answers):
        closed = mine != gold and not _CLOSED.isdisjoint((mine, gold))
        shared = set_f1(Counter(mine.split()), Counter(gold.split()))
        best.append(0.0 if closed else shared)
    return max(best)


def set_f1(said: Counter[str], gold: Counter[str]) -> float:
    """F1 of two bags; nothing in common is 0."""
    same = (said & gold).total()
    return 2 * same / (said.total() + gold.total()) if same else 0.0


def recall(ranked: Sequence[int], gold: Collection[int], k: int) -> float:
    """The share of the gold paragraphs among the first `k`."""
    return len(set(ranked[:k]) & set(gold)) / len(gold) if gold else 1.0


_PORTER = snowballstemmer.stemmer("porter")

_ARTICLE_AND = re.compile(r"\b(?:a|an|the|and)\b")


def stem_f1(said: str, answer: str) -> float:
    """Token F1 of two texts over Porter stems."""
    return set_f1(Counter(_stems(said)), Counter(_stems(answer)))


def parted_f1(said: str, answer: str) -> float:
    """The mean, over what `answer` lists, of the best F1 of anything said."""
    mine, gold = ([p.strip() for p in text.split(",")] for text in (said, answer))
    best = [max(stem_f1(one, other) for one in mine) for other in gold]
    return sum(best) / len(best)


def _stems(text: str) -> list[str]:
    bare = text.replace(",", "").lower().translate(_PUNCTUATION)
    return [str(s) for s in _PORTER.stemWords(_ARTICLE_AND.sub(" ", bare).split())]


def contained(said: str, answers: Iterable[str]) -> float:
    """1.0 where one of the answers stands in what was said, word for word."""
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
    whole = sum(any(span.holds(one) for span in spans) for one in wanted)
    return whole, len(wanted)
