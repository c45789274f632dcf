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
# What may follow a verb's stem, by the last character of its base form.
_ROWS = {
    "う": "わいえおっ",
    "く": "かきけこい",
    "ぐ": "がぎげごい",
    "す": "さしせそ",
    "つ": "たちてとっ",
    "ぬ": "なにねのん",
    "ぶ": "ばびべぼん",
    "む": "まみめもん",
    "る": "らりれろっまたてなよずち",
}


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


def inflects(predicate: str, text: str) -> bool:
    """Whether a text has a form of a verb written without spaces.

    >>> inflects("見る", "何を見ましたか"), inflects("見る", "何を見つけましたか")
    (True, False)
    """
    root = spaceless_root(predicate)
    if predicate.endswith("する"):
        return root in text
    ending = predicate[len(root) :]
    kana = _ROWS.get(ending[-1:], "") + ending[-1:]
    return bool(re.search(f"{re.escape(root + ending[:-1])}[{kana}]", text))


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
