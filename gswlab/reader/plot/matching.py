"""Which event or person words speak of, by the rare words or letters in common."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from gswlab.language.keys import kind_stems
from gswlab.language.language import JAPANESE, language_of

Key = TypeVar("Key")
_RUN = re.compile(f"[{JAPANESE}]+")


@lru_cache(maxsize=4096)
def features(text: str) -> frozenset[str]:
    """Stems of content words; of Japanese, pairs of letters."""
    if language_of(text) != "ja":
        return kind_stems(text)
    found = _RUN.findall(text)
    pairs = {run[at : at + 2] for run in found for at in range(len(run) - 1)}
    # A kanji means something alone; a kana hardly does.
    alone = {letter for run in found for letter in run if letter >= "㐀"}
    return frozenset(pairs | alone)


def ranked(words: str, texts: Mapping[Key, str]) -> list[tuple[float, Key]]:
    """Keys by what their texts share with `words`, most first; ties keep the order.

    A shared feature is worth more the fewer texts have it.

    >>> ranked("the sunken boat", {1: "A boat sank.", 2: "A cat sat."})[0][1]
    1
    """
    held = {key: features(text) for key, text in texts.items()}
    counts = Counter(feature for found in held.values() for feature in found)
    asked, total = features(words), len(held)
    scored: list[tuple[float, Key]] = []
    for key, found in held.items():
        common = (math.log(1 + total / counts[f]) for f in sorted(found & asked))
        scored.append((sum(common), key))
    return sorted(scored, key=lambda pair: -pair[0])


def best(words: str, texts: Mapping[Key, str]) -> Key | None:
    """The key whose text shares most; None where nothing is shared."""
    found = ranked(words, texts)
    return found[0][1] if found and found[0][0] > 0 else None


def named_in(text: str, names: Sequence[str]) -> list[str]:
    """Names that a text says, in its order; a longer name hides those inside it."""
    found: list[tuple[int, str]] = []
    for name in names:
        word = rf"\b{re.escape(name)}\b" if name.isascii() else re.escape(name)
        hits = list(re.finditer(word, text))
        if hits:
            found.append((hits[0].start(), name))
            text = re.sub(word, lambda hit: "\0" * len(hit.group()), text)
    return [name for _, name in sorted(found)]
