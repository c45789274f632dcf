"""A plot as memories read it: one chunk a character, one an event.

Several plots are one document, their files one after the other; a chunk's span is its
element in there. Its text is what the element says, told in the plot's language, and
its id is that of its node in a graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from gswlab.bench.plots.questions import PlotQuestion
from gswlab.core.document import Chapter, Document
from gswlab.core.nouns import Chunk, Span
from gswlab.hybridrag.plot import Character, Event, Plot
from gswlab.hybridrag.plot_graph import node_id
from gswlab.hybridrag.ties import Wording

NAME = "plots"


@dataclass(frozen=True)
class World:
    """One plot and its questions; `start` is where its file begins in the document."""

    plot: Plot
    questions: tuple[PlotQuestion, ...]
    document: str
    start: int

    @property
    def name(self) -> str:
        """The id of the plot's document."""
        return self.plot.document.id

    @property
    def nodes(self) -> int:
        """Characters and events."""
        return len(self.plot.characters) + len(self.plot.events)

    @cached_property
    def whole(self) -> Chunk:
        """The file as it is, in one chunk: what long context reads."""
        text = self.plot.document.text
        span = Span(self.document, self.start, self.start + len(text))
        return Chunk(f"{self.name}:whole", self.document, None, 0, text, span)

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """A chunk a character, then a chunk an event."""
        nouns: tuple[Character | Event, ...]
        nouns = (*self.plot.characters, *self.plot.events)
        told = zip(nouns, self._told(), strict=True)
        return tuple(
            Chunk(
                node_id(noun),
                self.document,
                None,
                index,
                text,
                self._span(noun.span),
                title,
            )
            for index, (noun, (title, text)) in enumerate(told)
        )

    def _told(self) -> Iterator[tuple[str, str]]:
        """Titles and texts, characters first."""
        words = Wording(self.plot.document.language)
        for one in self.plot.characters:
            title, _, text = words.character(
                one.name, one.role, one.description
            ).partition("\n")
            yield title, text
        names = {one.id: one.name for one in self.plot.characters}
        for number, event in enumerate(self.plot.events, 1):
            ties = dict.fromkeys(
                (*sorted((tie.source, tie.target)), tie.relation) for tie in event.ties
            )
            named = [(names[a], names[b], relation) for a, b, relation in ties]
            title, _, text = words.event(number, event.description, named).partition(
                "\n"
            )
            yield title, text

    def _span(self, span: Span) -> Span:
        return Span(self.document, self.start + span.start, self.start + span.end)


def document_of(plots: Sequence[Plot]) -> Document:
    """The document of one plot, or of several, their files one after the other."""
    if len(plots) == 1:
        return plots[0].document
    parts = [plot.document.text for plot in plots]
    chapters, at = [], 0
    for number, (plot, text) in enumerate(zip(plots, parts, strict=True), 1):
        span = Span(NAME, at, at + len(text))
        chapters.append(Chapter(number, plot.document.id, span))
        at = span.end + 1
    return Document(NAME, "\n".join(parts), tuple(chapters))


def worlds(
    plots: Sequence[Plot], questions: Sequence[tuple[PlotQuestion, ...]]
) -> tuple[World, ...]:
    """Each plot with its questions, placed in `document_of` them all."""
    document = document_of(plots)
    starts = [chapter.span.start for chapter in document.chapters]
    rows = zip(plots, questions, starts, strict=True)
    return tuple(World(plot, asked, document.id, at) for plot, asked, at in rows)
