"""How a node, a tie and the history of a tie are told, in the language of their plot.

Text memories read the same wording as a graph memory hands over, so that a reader
meets one form whatever was recalled.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from gswlab.hybridrag.stores.nouns import Edge

# What the ties of a plot add up to: the history of a pair, and who was ever what.

Pair: TypeAlias = tuple[str, str]
Run: TypeAlias = tuple[str, tuple[int, ...]]  # a relation, the events that state it
History: TypeAlias = Mapping[Pair, Sequence[tuple[int, str]]]


def histories(edges: Iterable[Edge], order: Mapping[str, int]) -> History:
    """What is stated of each pair of nodes, by the place of the event that states it.

    Args:
        edges: of any type; those that relate two nodes at a known event count.
        order: places of events by id.

    >>> tie = Edge("c2", "RELATES_TO", "c1", "enemy", "e3")
    >>> histories([tie], {"e3": 3})
    {('c1', 'c2'): [(3, 'enemy')]}
    """
    found: defaultdict[Pair, set[tuple[int, str]]] = defaultdict(set)
    for edge in edges:
        if edge.type == "RELATES_TO" and edge.at in order:
            ends = sorted((edge.source, edge.target))
            found[ends[0], ends[1]].add((order[edge.at], edge.name))
    return {pair: sorted(stated) for pair, stated in sorted(found.items())}


def runs(stated: Sequence[tuple[int, str]]) -> list[Run]:
    """What is stated of a pair, parted where the relation changes.

    >>> runs([(3, "enemy"), (4, "friend"), (5, "friend")])
    [('enemy', (3,)), ('friend', (4, 5))]
    """
    parted: list[Run] = []
    for event, relation in stated:
        if parted and parted[-1][0] == relation:
            parted[-1] = (relation, (*parted[-1][1], event))
        else:
            parted.append((relation, (event,)))
    return parted


def holding(parted: Sequence[Run], event: int) -> list[Run]:
    """The run that holds at an event: the last stated by then, else the first.

    >>> holding([("enemy", (3,)), ("friend", (4, 9))], 6)
    [('friend', (4, 9))]
    """
    begun = [run for run in parted if run[1][0] <= event]
    return [begun[-1] if begun else parted[0]] if parted else []


def ever(history: History, node: str) -> dict[str, tuple[str, ...]]:
    """By relation, which nodes were ever that to a node, in the order they became so.

    >>> ever({("a", "b"): [(3, "enemy"), (4, "friend")]}, "a")
    {'enemy': ('b',), 'friend': ('b',)}
    """
    stated = sorted(
        (event, relation, one if other == node else other)
        for (one, other), told in history.items()
        if node in (one, other)
        for event, relation in told
    )
    found: defaultdict[str, dict[str, None]] = defaultdict(dict)
    for _, relation, other in stated:
        found[relation][other] = None
    return {relation: tuple(others) for relation, others in found.items()}


# What ties of two characters are called, in the languages of the workbench.


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


def told(relation: str, language: str) -> str:
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


_SHOWN = 12  # events listed by number; of more, only their number is told
_PLURAL = {relation.word: relation.plural for relation in RELATIONS}
_SENTENCE = {relation.japanese for relation in RELATIONS}


@dataclass(frozen=True)
class Wording:
    r"""Texts of a plot in one language.

    >>> words = Wording("en")
    >>> words.event(3, "They fight.", [("Ann", "Bo", "enemy")])
    'Event 3\nThey fight. Ann and Bo are enemies.'
    >>> words.pair(("Ann", "Bo"), [("enemy", (3,)), ("friend", (4, 5))])
    'Ann and Bo: enemy (event 3), friend (events 4, 5).'
    """

    language: str

    def character(self, name: str, role: str, description: str) -> str:
        """A character under its name and role."""
        return f"{name} ({role})\n{description}"

    def heading(self, number: int) -> str:
        """What an event is called: its place in the plot, from 1."""
        return f"出来事{number}" if self.language == "ja" else f"Event {number}"

    def event(
        self, number: int, description: str, ties: Sequence[tuple[str, str, str]]
    ) -> str:
        """An event under its number, what ties hold at it after what happens."""
        return f"{self.heading(number)}\n{self.happening(description, ties)}"

    def happening(self, description: str, ties: Sequence[tuple[str, str, str]]) -> str:
        """What happens, and what ties hold then."""
        parts = [description, *(self.tie(*three) for three in ties)]
        return ("" if self.language == "ja" else " ").join(parts)

    def tie(self, one: str, other: str, relation: str) -> str:
        """A tie as a sentence; in the file's own word where the language has none."""
        word = told(relation, self.language)
        if self.language == "ja":
            known = word in _SENTENCE
            return (
                f"{one}と{other}は{word}である。"
                if known
                else f"{one}と{other}: {word}。"
            )
        if word in _PLURAL:
            return f"{one} and {other} are {_PLURAL[word]}."
        return f"{one} and {other}: {word}."

    def pair(self, pair: Pair, runs: Sequence[Run]) -> str:
        """What two characters were to each other, and at which events."""
        ja = self.language == "ja"
        name = f"{pair[0]}と{pair[1]}" if ja else f"{pair[0]} and {pair[1]}"
        parts = [f"{told(r, self.language)}{self._at(at)}" for r, at in runs]
        return f"{name}: {('、' if ja else ', ').join(parts)}{'。' if ja else '.'}"

    def cast(
        self, name: str, events: Sequence[int], ever: Mapping[str, Sequence[str]]
    ) -> str:
        """In which events a character appears, and who was ever what to it."""
        ja, count = self.language == "ja", len(events)
        listed = (", " if not ja else "、").join(map(str, events[:_SHOWN]))
        numbers = f"({listed})" if 0 < count <= _SHOWN else ""
        if ja:
            ties = [f"{told(r, 'ja')}は{'、'.join(who)}" for r, who in ever.items()]
            return f"{name}: {'; '.join([f'出来事{count}件{numbers}', *ties])}。"
        many = f"{count} event{'s' if count != 1 else ''} {numbers}".strip()
        ties = [f"{told(r, 'en')} of {', '.join(who)}" for r, who in ever.items()]
        return f"{name}: {'; '.join([many, *ties])}."

    def _at(self, events: Sequence[int]) -> str:
        if self.language == "ja":
            return f"(出来事{'、'.join(map(str, events))})"
        return f" (event{'s' if len(events) > 1 else ''} {', '.join(map(str, events))})"
