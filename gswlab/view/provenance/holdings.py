"""What a run held of its text: each fact of its nouns that cites something.

A memory without a workspace has the nouns that its events name (`pictured`); any other
event with spans is told by its own data, so that a memory of yours is seen as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

from gswlab.core.document import Document
from gswlab.core.errors import GswlabError
from gswlab.core.facts import Fact, name_of
from gswlab.core.journal import Journal
from gswlab.core.nouns import Span
from gswlab.core.step import Alignment, Step
from gswlab.view.kit.spans import brief
from gswlab.view.provenance.text import Holding, SpanIndex, cited, clipped, merged
from gswlab.view.run.history import History, Record, Scene
from gswlab.view.run.parts import Telling
from gswlab.view.run.words import worded

# what `pictured` draws, and what passes: nothing new is held
_DRAWN = (
    *("kept", "inserted", "extracted", "forgotten"),
    *("entered", "evicted", "paged_in", "prefetched"),
)


class Line(NamedTuple):
    """Sentence `number` of a run, from 0, of the `part` of a document; `step` read it.

    `gap` is what stands between it and the sentence before it in its part.
    """

    number: int
    span: Span
    text: str
    gap: str
    part: str
    chapter: int | None
    step: int


class Holdings:
    """A run's sentences, the steps that read them, and all that it held of them.

    It is of a `Journal`, or of anything that has one as `.journal` (a `Lab`).
    """

    def __init__(self, of: Any) -> None:
        self.journal: Journal = getattr(of, "journal", of)
        self.documents: tuple[Document, ...] = self.journal.documents()
        self.telling = Telling.of(self.journal)
        self.title, self.labels = self.telling.title, self.telling.labels

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Every sentence that was read, in the order of the text."""
        found: list[Line] = []
        for document in self.documents:
            end, before, text = 0, "", document.text
            for read in self.telling.ground.by_document.get(document.id, ()):
                chunk, area = read.chunk, read.chunk.span
                part = ", ".join((document.id, *read.headed))
                # a chunk that is told in other words is one sentence, all of it
                as_read = text[area.start : area.end] == chunk.text
                whole = ((0, area.end - area.start),)
                for a, b in read.sentences if as_read else whole:
                    span = Span(document.id, area.start + a, area.start + b)
                    gap = text[end : span.start] if part == before else ""
                    said = text[span.start : span.end], gap, part, chunk.chapter
                    found.append(Line(len(found), span, *said, read.step))
                    end, before = span.end, part
        return tuple(found)

    @cached_property
    def index(self) -> SpanIndex[Line]:
        """Sentences by their characters."""
        return SpanIndex((line.span, line) for line in self.lines)

    def words(self, span: Span, most: int = 160) -> str:
        """The characters of a span, shortened in the middle where they are many."""
        text = next((d.text for d in self.documents if d.id == span.document), "")
        return brief(text[span.start : span.end], most)

    def find(self, words: str) -> tuple[Span, ...]:
        """Where some words stand; every place of them.

        Raises:
            GswlabError: the text does not have them.
        """
        words = words.strip()
        found = tuple(
            Span(document.id, *place.span())
            for document in self.documents
            for place in (re.finditer(re.escape(words), document.text) if words else ())
        )
        if found:
            return found
        from rapidfuzz import process

        texts: Sequence[str] = [line.text for line in self.lines]
        near = process.extract(words, texts, limit=1) if words else []
        best = near[0][0] if near else (texts[0] if texts else "SENTENCE")
        problem = f"{words[:80]!r} is not in {self.title}"
        rule = "words that stand in the text, to the character"
        raise GswlabError(problem, rule, f"became(lab, {best[:120]!r})")

    @cached_property
    def all(self) -> tuple[Holding, ...]:
        """All that was held, by the step that began it."""
        steps = self.telling.steps
        said = [*_nouns(self.telling.history), *chain(*map(_events, steps))]
        undone = {step.undoes: step.index for step in steps}
        for at, one in enumerate(said):
            if one.held and one.step in undone:
                said[at] = one._replace(until=undone[one.step], fate="taken back")
        return tuple(sorted(said, key=lambda holding: holding.step))

    @cached_property
    def spans(self) -> SpanIndex[Holding]:
        """Holdings by the characters they rest on."""
        return SpanIndex((span, h) for h in self.all for span in h.spans)

    def over(self, *spans: Span) -> tuple[Holding, ...]:
        """What rests on any character of these spans, each once, by step."""
        found = dict.fromkeys(h for span in spans for h in self.spans.over(span))
        return tuple(sorted(found, key=lambda holding: holding.step))

    def grouped(self, span: Span) -> list[list[Holding]]:
        """The same by what is said of one noun, or of one name."""
        by: dict[tuple[str, str], list[Holding]] = {}
        for holding in self.over(span):
            by.setdefault(holding.about, []).append(holding)
        return [*by.values()]

    def quoted(self, holding: Holding, area: Span, most: int = 80) -> str:
        """The words of an area that a holding rests on."""
        own = clipped(holding.spans, area)
        return " … ".join(self.words(span, most) for span in own)

    @cached_property
    def cited(self) -> tuple[Span, ...]:
        """Every stretch that a noun, a decision or an event has ever cited."""
        return merged(span for step in self.journal.steps() for span in cited(step))

    def _alignments(self, holding: Holding) -> list[Alignment]:
        """The decisions that made somebody the noun of a holding, in its step.

        A mention has the decision on its own words alone.
        """
        if not holding.noun:
            return []
        scene = self.telling.history.scenes[holding.step]
        noun = scene.after.resolve(holding.noun)
        weighed = (d for d in scene.step.decisions if isinstance(d, Alignment))
        made = [d for d in weighed if scene.after.resolve(d.actor) == noun]
        own = [d for d in made if d.name.casefold() == holding.text.casefold()]
        return own or made

    def whys(self, holdings: Iterable[Holding]) -> tuple[str, ...]:
        """Why holdings were said of their nouns, each decision once."""
        made = (d for holding in holdings for d in self._alignments(holding))
        return tuple(dict.fromkeys(f"{d.name} {d.status}: {d.reason}" for d in made))

    def because(self, holding: Holding) -> str:
        """The same of one, without its name."""
        said = (f"{d.status}: {d.reason}" for d in self._alignments(holding))
        return "; ".join(dict.fromkeys(said))


def _events(step: Step) -> Iterator[Holding]:
    """What events held that no noun says, in their own words."""
    for event in step.events:
        if event.kind not in _DRAWN and event.spans:
            kind, text = event.kind.replace("_", " "), worded(event.data)
            yield Holding(step.index, kind, kind, "event", text, event.spans)


def _nouns(history: History) -> Iterator[Holding]:
    """What the nouns of a workspace said, each fact that cites something."""
    for record in history.records.values():
        for held in (held for held in record.held if held.fact.spans):
            fact, last = held.fact, held.last
            if last is None:  # a fact goes with its noun
                ends = (end for _, end in record.life if end and end > held.first)
                last = next(ends, None)
            fate = "" if last is None else _fate(history.scenes[last], record, fact)
            said = record.kind, record.name_at(held.first), fact.field, fact.text
            yield Holding(held.first, *said, fact.spans, record.id, last, fate)


def _fate(scene: Scene, record: Record, fact: Fact) -> str:
    if record.id in scene.retired and record.kind == "message":
        return "left the window"
    if record.id in scene.retired:
        into = scene.after.nouns.get(scene.after.resolve(record.id))
        return f"merged into {name_of(into)}" if into else "retired"
    gained = scene.gained.get(record.id, ())
    new = [each.text for each in gained if each.field == fact.field]
    return f"now {'; '.join(new)}" if new else "no longer said"
