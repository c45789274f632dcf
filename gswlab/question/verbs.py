"""Verbs by the stem of their base form: "stole", "stolen" and "steals" are "steal".

Stems are the Snowball stemmer's; what it cannot know is a list, `irregular.txt`. Verbs
of a script without spaces are known by what stands before their ending: 逮捕, 盗.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache
from importlib.resources import files

import snowballstemmer

_STEMMER = snowballstemmer.stemmer("english")
_ENDING = re.compile("[\u3041-\u3096]+$")


@cache
def verb_stems(word: str) -> frozenset[str]:
    """Stems of the base forms a word may be a form of.

    >>> sorted(verb_stems("found")), sorted(verb_stems("arrested"))
    (['find', 'found'], ['arrest'])
    """
    return frozenset(map(stem, (word, *_bases().get(word, ()))))


@cache
def stem(word: str) -> str:
    """The stem of a folded word."""
    return str(_STEMMER.stemWord(word))


def spaceless_root(predicate: str) -> str:
    """What a verb written without spaces keeps in every form; "" in other scripts.

    >>> spaceless_root("逮捕する"), spaceless_root("盗む"), spaceless_root("steal")
    ('逮捕', '盗', '')
    """
    if predicate.isascii():
        return ""
    return _ENDING.sub("", predicate.removesuffix("する")) or predicate[:-1]


@cache
def _bases() -> dict[str, tuple[str, ...]]:
    text = files("gswlab.question").joinpath("irregular.txt").read_text("utf-8")
    found: dict[str, list[str]] = defaultdict(list)
    for row in text.splitlines():
        if not row.startswith("#"):
            base, *forms = row.split()
            for form in forms:
                found[form].append(base)
    return {form: tuple(bases) for form, bases in found.items()}
