"""How a node, a tie and the history of a tie are told, in the language of their plot.

Text memories read the same wording as a graph memory hands over, so that a reader
meets one form whatever was recalled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gswlab.core.document import Language
from gswlab.memory.plot.ties import Pair, Run
from gswlab.question.relations import RELATIONS, told

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

    language: Language

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
