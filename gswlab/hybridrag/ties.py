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

from gswlab.hybridrag.stores.nouns import GraphEdge

# What the ties of a plot add up to: the history of a pair, and who was ever what.

NodePair: TypeAlias = tuple[str, str]
Run: TypeAlias = tuple[str, tuple[int, ...]]  # a relation, the events that state it
TieHistory: TypeAlias = Mapping[NodePair, Sequence[tuple[int, str]]]


def tie_histories(edges: Iterable[GraphEdge], order: Mapping[str, int]) -> TieHistory:
    """What is stated of each pair of nodes, by the place of the event that states it.

    Args:
        edges: of any type; those that relate two nodes at a known event count.
        order: places of events by id.

    >>> tie = GraphEdge("c2", "RELATES_TO", "c1", "enemy", "e3")
    >>> tie_histories([tie], {"e3": 3})
    {('c1', 'c2'): [(3, 'enemy')]}
    """
    found: defaultdict[NodePair, set[tuple[int, str]]] = defaultdict(set)
    for edge in edges:
        if edge.type == "RELATES_TO" and edge.at in order:
            ends = sorted((edge.source, edge.target))
            found[ends[0], ends[1]].add((order[edge.at], edge.name))
    return {pair: sorted(stated) for pair, stated in sorted(found.items())}


def tie_runs(stated: Sequence[tuple[int, str]]) -> list[Run]:
    """What is stated of a pair, parted where the relation changes.

    >>> tie_runs([(3, "enemy"), (4, "friend"), (5, "friend")])
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


def ever(history: TieHistory, node: str) -> dict[str, tuple[str, ...]]:
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


class TieKind(NamedTuple):
    """A kind of tie: its word in English, of many, in Japanese; what else says it."""

    word: str
    plural: str
    japanese: str
    pattern: str

    @property
    def whatever_number(self) -> dict[str, str]:
        """Its word in languages that have one for one and for many."""
        return {"ja": self.japanese}


TIE_KINDS = (
    TieKind(
        "enemy", "enemies", "敵",
        r"\benem(?:y|ies)\b|\bhostil|\bfall(?:s|ing)? out\b|\bfell out\b"
        r"|\bbreaks? with\b|\bturns? against\b|\bquarrel|敵(?!役)|決裂|決別|仲違|対立",
    ),
    TieKind(
        "friend", "friends", "友人",
        r"\bfriend|\ball(?:y|ies)\b|\bpeace\b|\breconcil|\bmakes? up\b"
        r"|友人|友達|友に|友と|味方|仲間|和解|仲直",
    ),
    TieKind("rival", "rivals", "好敵手", r"\brival|好敵手|ライバル"),
    TieKind("family", "family", "家族", r"\bfamily\b|\bkin\b|家族|身内"),
)  # fmt: skip
_KNOWN = {name: kind for kind in TIE_KINDS for name in kind[:3]}


def relation_in(relation: str, language: str) -> str:
    """A relation as a language calls it.

    >>> relation_in("enemy", "ja"), relation_in("brother of", "ja")
    ('敵', 'brother of')
    """
    known = _KNOWN.get(relation.casefold())
    return known.whatever_number.get(language, known.word) if known else relation


def same_relation(one: str, other: str) -> bool:
    """Whether two words are one relation, whatever their language and number.

    >>> same_relation("friends", "友人"), same_relation("friend", "enemy")
    (True, False)
    """
    return relation_in(one, "en").casefold() == relation_in(other, "en").casefold()


def relations_said(text: str) -> tuple[str, ...]:
    """The relations a text speaks of, in English words, as they come.

    >>> relations_said("When do the two turn from enemies into friends?")
    ('enemy', 'friend')
    """
    # "好敵手" is no enemy: the longer word is taken, and what it covers is blanked.
    found: list[tuple[int, str]] = []
    for kind in sorted(TIE_KINDS, key=lambda kind: -len(kind.japanese)):
        pattern = re.compile(kind.pattern, re.I)
        found += [(hit.start(), kind.word) for hit in pattern.finditer(text)]
        text = pattern.sub(lambda hit: " " * len(hit.group()), text)
    return tuple(dict.fromkeys(word for _, word in sorted(found)))


class _Words(NamedTuple):
    """What a plot is told with: patterns, and what stands between parts and at ends."""

    heading: str = "Event {}"
    space: str = " "
    comma: str = ", "
    stop: str = "."
    pair: str = "{} and {}"
    known: str = "{} are {}."  # a pair and a kind of tie
    at: str = " (event{s} {})"
    in_events: str = "{count} event{s} {numbers}"
    ever: str = "{} of {}"


_WORDS = {
    "en": _Words(),
    "ja": _Words(
        "出来事{}", "", "、", "。", "{}と{}", "{}は{}である。", "(出来事{})",
        "出来事{count}件{numbers}", "{}は{}",
    ),
}  # fmt: skip
_SHOWN = 12  # events listed by number; of more, only their number is told


@dataclass(frozen=True)
class PlotWording:
    r"""Texts of a plot in one language.

    >>> words = PlotWording("en")
    >>> words.event(3, "They fight.", [("Ann", "Bo", "enemy")])
    'Event 3\nThey fight. Ann and Bo are enemies.'
    >>> words.pair(("Ann", "Bo"), [("enemy", (3,)), ("friend", (4, 5))])
    'Ann and Bo: enemy (event 3), friend (events 4, 5).'
    """

    language: str

    @property
    def _words(self) -> _Words:
        return _WORDS.get(self.language, _WORDS["en"])

    def character(self, name: str, role: str, description: str) -> str:
        """A character under its name and role."""
        return f"{name} ({role})\n{description}"

    def heading(self, number: int) -> str:
        """What an event is called: its place in the plot, from 1."""
        return self._words.heading.format(number)

    def event(
        self, number: int, description: str, ties: Sequence[tuple[str, str, str]]
    ) -> str:
        """An event under its number, what ties hold at it after what happens."""
        return f"{self.heading(number)}\n{self.happening(description, ties)}"

    def happening(self, description: str, ties: Sequence[tuple[str, str, str]]) -> str:
        """What happens, then a sentence a tie, in the file's own word if need be."""
        words, parts = self._words, [description]
        for one, other, relation in ties:
            two = words.pair.format(one, other)
            if kind := _KNOWN.get(relation.casefold()):
                word = kind.whatever_number.get(self.language, kind.plural)
                parts.append(words.known.format(two, word))
            else:
                parts.append(f"{two}: {relation}{words.stop}")
        return words.space.join(parts)

    def pair(self, pair: NodePair, runs: Sequence[Run]) -> str:
        """What two characters were to each other, and at which events."""
        words, parts = self._words, []
        for relation, events in runs:
            listed = words.comma.join(map(str, events))
            at = words.at.format(listed, s="s" if len(events) > 1 else "")
            parts.append(relation_in(relation, self.language) + at)
        return f"{words.pair.format(*pair)}: {words.comma.join(parts)}{words.stop}"

    def cast(
        self, name: str, events: Sequence[int], ever: Mapping[str, Sequence[str]]
    ) -> str:
        """In which events a character appears, and who was ever what to it."""
        words, count = self._words, len(events)
        listed = words.comma.join(map(str, events))
        numbers = f"({listed})" if 0 < count <= _SHOWN else ""
        s = "s" if count != 1 else ""
        parts = [words.in_events.format(count=count, s=s, numbers=numbers).strip()]
        for relation, who in ever.items():
            word = relation_in(relation, self.language)
            parts.append(words.ever.format(word, words.comma.join(who)))
        return f"{name}: {'; '.join(parts)}{words.stop}"
