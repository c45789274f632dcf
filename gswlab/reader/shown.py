"""Evidence as a model reads it: numbered items under the chapters they are from.

What an item says comes first, then which of its words are a date, a place, a
protagonist or what fills a slot: the graph behind it. Nothing is named that the item's
own text does not say, so that a budget of evidence stays one.

Source: arXiv 2511.07587, figure 11 (summaries under "Chapter N").
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

from gswlab.core.document import Language
from gswlab.core.nouns import Episode, Evidence, Item
from gswlab.language.dates.format import shown

_EPISODE = ("date", "place", "protagonist", "kind")
_JAPANESE: Mapping[str, str] = {
    "date": "日付",
    "place": "場所",
    "protagonist": "主人公",
    "kind": "出来事",
    "participant": "同席者",
    "predicate": "動作",
    "agent": "行為者",
    "patient": "対象",
    "recipient": "相手",
    "time": "時",
    "manner": "様子",
    "purpose": "目的",
    "instrument": "手段",
    "role": "役割",
    "state": "状態",
}


class Shown(NamedTuple):
    """Evidence as one text, and the items by their numbers in it."""

    text: str
    items: Mapping[int, Item]

    def of_chapter(self, chapter: int) -> tuple[Item, ...]:
        """The items under a chapter; none where the evidence has no such chapter."""
        return tuple(item for item in self.items.values() if item.chapter == chapter)


def as_read(evidence: Evidence, language: Language = "en") -> Shown:
    """Numbered items, chapter by chapter in the order of the book.

    >>> items = Item("Ann left.", (), 3, 1.0), Item("Bo is a cook.", (), None, 1.0)
    >>> print(as_read(Evidence(items, 0)).text)
    Chapter 3
    [1] Ann left.
    <BLANKLINE>
    No chapter
    [2] Bo is a cook.
    """
    ordered = sorted(evidence.items, key=_order)
    items = dict(enumerate(ordered, 1))
    blocks = []
    for chapter, own in groupby(items, key=lambda number: items[number].chapter):
        lines = [line for number in own for line in _lines(number, items, language)]
        blocks.append("\n".join([_heading(chapter, language), *lines]))
    return Shown("\n\n".join(blocks), items)


def _order(item: Item) -> tuple[bool, int]:
    return item.chapter is None, item.chapter or 0


def _heading(chapter: int | None, language: Language) -> str:
    if language == "ja":
        return "章なし" if chapter is None else f"第{chapter}章"
    return "No chapter" if chapter is None else f"Chapter {chapter}"


def _lines(number: int, items: Mapping[int, Item], language: Language) -> Iterator[str]:
    """An item on one line, which no heading inside it can break, and its graph."""
    item = items[number]
    yield f"[{number}] {' '.join(item.text.split())}"
    named = dict.fromkeys(pair for pair in _graph(item) if pair[1] in item.text)
    if named:
        names = _JAPANESE if language == "ja" else {}
        yield "    " + "; ".join(f"{names.get(n, n)}: {value}" for n, value in named)


def _graph(item: Item) -> Iterator[tuple[str, str]]:
    """What is behind an item: names of fields and slots, and what fills them."""
    for episode in item.facts:
        yield from _fields(episode)
    if item.told:
        yield "predicate", item.told.predicate
        yield from ((slot, shown(bound.value)) for slot, bound in item.told.slots)


def _fields(episode: Episode) -> Iterator[tuple[str, str]]:
    for name in _EPISODE:
        if (bound := getattr(episode, name)) is not None:
            yield name, shown(bound.value) if name == "date" else bound.value
    yield from (("participant", bound.value) for bound in episode.participants)
