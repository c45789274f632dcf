"""A question about a plot beside what is told of the plot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gswlab.core.document import Language
from gswlab.core.nouns import Answer, Item
from gswlab.language.language import language_of
from gswlab.question.plots import Wanted
from gswlab.reader.plot.matching import best
from gswlab.reader.plot.story import Story


@dataclass(frozen=True)
class Asked:
    """A question, what it wants, whom it names, and what is told."""

    question: str
    wanted: Wanted
    names: Sequence[str]
    story: Story

    @property
    def language(self) -> Language:
        """The language of the question, whatever the plot's is."""
        return language_of(self.question)

    @property
    def pair(self) -> frozenset[str]:
        """The first two named, in no order; fewer where fewer are named."""
        return frozenset(self.names[:2])

    def event(self, words: str) -> int | None:
        """The event that words speak of."""
        return best(words, {n: event.text for n, event in self.story.events.items()})

    def said(self, items: Iterable[str], keys: Iterable[object], why: str) -> Answer:
        """An answer that rests on the items that tell of `keys`."""
        cited = dict.fromkeys(self.story.items(keys))
        spans = tuple(dict.fromkeys(span for item in cited for span in item.spans))
        return Answer(tuple(items), False, _chapters(cited), spans, why)


def _chapters(items: Iterable[Item]) -> tuple[int, ...]:
    found = (item.chapter for item in items if item.chapter is not None)
    return tuple(dict.fromkeys(found))
