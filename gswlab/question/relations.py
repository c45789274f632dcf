"""What ties of two characters are called, in the languages of the workbench.

A plot's file may use any word; those known here are also told, and asked about, by
their other forms. A word that is not known here stays as the file has it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from gswlab.core.document import Language


class Relation(NamedTuple):
    """A kind of tie: its word in English, of many, in Japanese; what else says it."""

    word: str
    plural: str
    japanese: str
    pattern: re.Pattern[str]


def _relation(word: str, plural: str, japanese: str, pattern: str) -> Relation:
    return Relation(word, plural, japanese, re.compile(pattern, re.I))


RELATIONS = (
    _relation(
        "enemy",
        "enemies",
        "敵",
        r"\benem(?:y|ies)\b|\bhostil|\bfall(?:s|ing)? out\b|\bfell out\b"
        r"|\bbreaks? with\b"
        r"|\bturns? against\b|\bquarrel|敵(?!役)|決裂|決別|仲違|対立",
    ),
    _relation(
        "friend",
        "friends",
        "友人",
        r"\bfriend|\ball(?:y|ies)\b|\bpeace\b|\breconcil|\bmakes? up\b"
        r"|友人|友達|友に|友と|味方|仲間|和解|仲直",
    ),
    _relation("rival", "rivals", "好敵手", r"\brival|好敵手|ライバル"),
    _relation("family", "family", "家族", r"\bfamily\b|\bkin\b|家族|身内"),
)
_KNOWN = {name: r for r in RELATIONS for name in (r.word, r.plural, r.japanese)}


def told(relation: str, language: Language) -> str:
    """A relation as a language calls it.

    >>> told("enemy", "ja"), told("brother of", "ja")
    ('敵', 'brother of')
    """
    known = _KNOWN.get(relation.casefold())
    if known is None:
        return relation
    return known.japanese if language == "ja" else known.word


def same(one: str, other: str) -> bool:
    """Whether two words are one relation, whatever their language and number.

    >>> same("friends", "友人"), same("friend", "enemy")
    (True, False)
    """
    return told(one, "en").casefold() == told(other, "en").casefold()


def said(text: str) -> tuple[str, ...]:
    """The relations a text speaks of, in English words, as they come.

    >>> said("When do the two turn from enemies into friends?")
    ('enemy', 'friend')
    """
    # "好敵手" is no enemy: the longer word is taken, and what it covers is blanked.
    found: list[tuple[int, str]] = []
    for relation in sorted(RELATIONS, key=lambda r: -len(r.japanese)):
        hits = relation.pattern.finditer(text)
        found += [(hit.start(), relation.word) for hit in hits]
        text = relation.pattern.sub(lambda hit: " " * len(hit.group()), text)
    return tuple(dict.fromkeys(word for _, word in sorted(found)))
