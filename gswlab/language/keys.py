"""Keys under which names, kinds of event and days are compared."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from gswlab.language.stems import content_stems

_CJK = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff々ー"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")

_TITLES = re.compile("the|mrs?|ms|miss|mx|dr|prof|professor|sir|lady|lord|captain")


class Word(NamedTuple):
    """A word of a text, folded, and where it stands."""

    text: str
    start: int
    end: int


def key_words(text: str) -> tuple[Word, ...]:
    """The words of `text`, folded; each character of an unspaced script is a word.

    >>> [word.text for word in key_words("St. Paul's 公園")]
    ['st', 'paul', 's', '公', '園']
    """
    return tuple(
        Word(unicodedata.normalize("NFKC", m[0]).casefold(), m.start(), m.end())
        for m in _WORD.finditer(text)
    )


@lru_cache(maxsize=65536)
def name_key(name: str) -> tuple[str, ...]:
    """The folded words under which a name is looked up, titles and articles cut."""
    found = tuple(word.text for word in key_words(unicodedata.normalize("NFKC", name)))
    while len(found) > 1 and _TITLES.fullmatch(found[0]):
        found = found[1:]
    return found


@lru_cache(maxsize=65536)
def kind_stems(label: str) -> frozenset[str]:
    """Stems of the content words of a label, by which kinds of event are compared.

    >>> kind_stems("The Pottery Classes") == kind_stems("a pottery class")
    True
    """
    return frozenset(content_stems(unicodedata.normalize("NFKC", label)))


def date_keys(value: str) -> tuple[str, ...]:
    """The date cues that hold for an ISO value: its prefixes, and these yearless."""
    prefixes = [value[:size] for size in (4, 7, 10) if len(value) >= size]
    full = [] if len(value) in (4, 7, 10) else [value]
    return (*prefixes, *full, *("-" + p[4:] for p in prefixes if len(p) > 4))
