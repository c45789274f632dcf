"""Exact match, token F1, supporting facts and paragraph recall, as published.

Source: the evaluation of HotpotQA (Yang et al. 2018), which normalises as SQuAD does.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from gswlab.bench.hops.nouns import HopQuestion
from gswlab.bench.hops.worlds import World
from gswlab.core.nouns import Span
from gswlab.text.sentences import sentences

_PUNCTUATION = str.maketrans("", "", string.punctuation)
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_CLOSED = frozenset({"yes", "no", "noanswer"})  # answers that no share of is right
Sentence = tuple[int, int]  # paragraph and sentence, or first and last character


def normalised(text: str) -> str:
    """Lower case, without punctuation, articles and double spaces.

    >>> normalised("The  U.S., an ally!")
    'us ally'
    """
    bare = text.lower().translate(_PUNCTUATION)
    return " ".join(_ARTICLE.sub(" ", bare).split())


def exact(said: str, answers: Iterable[str]) -> float:
    """1.0 where `said` is one of the answers, normalised."""
    return float(normalised(said) in {normalised(answer) for answer in answers})


def f1(said: str, answers: Iterable[str]) -> float:
    """Token F1 with the best of the answers.

    >>> round(f1("the old stone bridge", ["stone bridge"]), 2)
    0.8
    """
    return max(_f1(normalised(said), normalised(answer)) for answer in answers)


def _f1(said: str, gold: str) -> float:
    if said != gold and (said in _CLOSED or gold in _CLOSED):
        return 0.0
    return set_f1(Counter(said.split()), Counter(gold.split()))


def set_f1(said: Counter[str], gold: Counter[str]) -> float:
    """F1 of two bags; nothing in common is 0."""
    same = (said & gold).total()
    return 2 * same / (said.total() + gold.total()) if same else 0.0


def recall(ranked: Sequence[int], gold: Collection[int], k: int) -> float:
    """The share of the gold paragraphs among the first `k`.

    >>> recall([7, 3, 5], {3, 9}, 2)
    0.5
    """
    return len(set(ranked[:k]) & set(gold)) / len(gold) if gold else 1.0


def fact_f1(
    question: HopQuestion, world: World, spans: Sequence[Span], *, own_split: bool
) -> float | None:
    """F1 of the sentences an answer cites with the supporting facts, where known.

    With `own_split` sentences are ours and a gold one is any that shares characters
    with a supporting fact; else they are the file's.
    """
    if question.facts is None:
        return None
    gold: set[Sentence] = set()
    cited: set[Sentence] = set()
    for row in world.rows(question):
        paragraph, base = world.paragraphs[row], world.chunks[row].span.start
        known, home = list(paragraph.bounds()), question.paragraphs.index(paragraph)
        split = sentences(paragraph.text) if own_split else known
        facts = [known[s] for p, s in question.facts if p == home]
        said = [(s.start - base, s.end - base) for s in spans if world.row(s) == row]
        gold |= {(row, n) for n, part in enumerate(split) if _meets(part, facts)}
        cited |= {(row, n) for n, part in enumerate(split) if _meets(part, said)}
    same = len(gold & cited)
    return 2 * same / (len(gold) + len(cited)) if same else 0.0


def _meets(part: Sentence, others: Iterable[Sentence]) -> bool:
    return any(part[0] < end and start < part[1] for start, end in others)
