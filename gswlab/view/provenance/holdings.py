"""What a memory without a workspace holds of its text, read off its steps' events.

An event that keeps something has spans. What `_told` does not know is told by its own
data, so that a memory of yours is seen as soon as its events have spans.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from gswlab.core.document import Document
from gswlab.core.errors import GswlabError
from gswlab.core.facts import Fact, name_of
from gswlab.core.journal import Journal
from gswlab.core.nouns import Chunk, Span, TraceEvent
from gswlab.core.step import Alignment, Step
from gswlab.language.language import language_of
from gswlab.text.sentences import sentences
from gswlab.view.kit.spans import brief
from gswlab.view.provenance.text import Holding, SpanIndex, cited, clipped, merged
from gswlab.view.run.events_as_graph import Pictured
from gswlab.view.run.history import History, Record, Scene
from gswlab.view.run.parts import Telling

_PASSING = frozenset({"evicted", "paged_in", "prefetched"})  # nothing new is held


def holdings(steps: Iterable[Step], chunks: Iterable[Chunk]) -> tuple[Holding, ...]:
    """What the events of a journal's steps hold, in the order they began to.

    >>> kept = TraceEvent("kept", {"tokens": 3}, (Span("b", 0, 9),))
    >>> holdings([Step(0, "b:0", events=(kept,))], [])[0].text
    '3 tokens, as it is'
    """
    fold = _Fold({chunk.id: chunk for chunk in chunks})
    for step in steps:
        fold.step(step)
    return tuple(fold.held)


@dataclass
class _Fold:
    """What is held after the steps so far; of those, the sentences that were read."""

    chunks: Mapping[str, Chunk]
    held: list[Holding] = field(default_factory=list)
    _read: dict[int, dict[Span, str]] = field(default_factory=dict)

    def step(self, step: Step) -> None:
        index = step.index
        if step.undoes is not None:
            taken = {h for h in self.held if h.step == step.undoes}
            self._end(index, "taken back", taken)
            self._read.pop(step.undoes, None)
        chunk = self.chunks.get(step.chunk or "")
        if chunk is not None:
            self._read[index] = dict(_sentences(chunk))
        for event in step.events:
            data: Mapping[str, Any] = event.data
            match event.kind:
                case "evicted":
                    out = {("queue", key) for key in data["ids"]}
                    gone = {h for h in self.held if (h.kind, h.name) in out}
                    self._end(index, "evicted from the window", gone)
                case "forgotten":
                    of = data["document"]
                    gone = {h for h in self.held if of in {s.document for s in h.spans}}
                    self._end(index, "forgotten", gone)
                case "summarised":
                    self._summary(index, data["text"])
                case "called":
                    self._block(index, data, chunk)
                case kind if kind not in _PASSING and event.spans:
                    self.held += _told(index, event)

    def _summary(self, index: int, text: str) -> None:
        """Sentences that an extractive summary has, word for word."""
        now = self._sentences_in(text)
        summed = {h.spans[0]: h for h in self.held if h.kind == "summary" and h.held}
        gone = {h for span, h in summed.items() if span not in now}
        self._end(index, "left out of the summary", gone)
        told = "summary", "recursive summary", "summarised"
        for span in sorted(now.keys() - summed.keys()):
            self.held.append(Holding(index, *told, now[span], (span,)))

    def _block(self, index: int, data: Mapping[str, Any], read: Chunk | None) -> None:
        """What was written into core memory: of the sentences it has word for word.

        Else of the message that the agent was about to answer.
        """
        before, after = str(data.get("before", "")), str(data.get("after", ""))
        new = after.removeprefix(before).strip()
        if data["status"] != "OK" or "block" not in data or not new:
            return
        if spans := (*self._sentences_in(new),) or ((read.span,) if read else ()):
            told = "block", str(data["block"]), "in core memory", new
            self.held.append(Holding(index, *told, spans))

    def _sentences_in(self, text: str) -> dict[Span, str]:
        known = (pair for each in self._read.values() for pair in each.items())
        return {span: said for span, said in known if said in text}

    def _end(self, index: int, fate: str, gone: Collection[Holding]) -> None:
        for at, holding in enumerate(self.held):
            if holding.held and holding in gone:
                self.held[at] = holding._replace(until=index, fate=fate)


def _sentences(chunk: Chunk) -> Iterator[tuple[Span, str]]:
    """Each sentence and its words with single spaces, as summaries have them."""
    base = chunk.span.start
    for a, b in sentences(chunk.text, language_of(chunk.text)):
        words = " ".join(chunk.text[a:b].split())
        yield Span(chunk.document, base + a, base + b), words


def _told(index: int, event: TraceEvent) -> Iterator[Holding]:
    """What an event that keeps something holds, by its kind."""
    data: Mapping[str, Any] = event.data
    spans, document = event.spans, event.spans[0].document
    match event.kind:
        case "kept" if node := data.get("node"):
            yield Holding(index, "node", str(node), "tells", "a node of it", spans)
        case "kept" if len(spans) == 1:
            said = f"{data.get('tokens')} tokens, as it is"
            yield Holding(index, "chunk", "chunk", "kept", said, spans)
        case "kept":
            for span in spans:
                told = "sentence", "sentence", "kept", "as it is"
                yield Holding(index, *told, (span,))
        case "extracted":
            for name, at in zip(data["entities"], data.get("named", ()), strict=False):
                if places := tuple(Span(document, a, b) for a, b in at):
                    yield Holding(index, "entity", name, "named", name, places)
            triples = zip(data["triples"], data.get("said", ()), strict=False)
            for (subject, predicate, other), place in triples:
                said, there = f"{predicate} {other}", (Span(document, *place),)
                yield Holding(index, "triple", subject, "says", said, there)
        case "reported":
            name, level = str(data["title"]), f"in a report of level {data['level']}"
            yield Holding(index, "community", name, "reported", level, spans)
        case "entered":
            name, many = str(data["id"]), f"{data['tokens']} tokens"
            yield Holding(index, "queue", name, "in the window", many, spans)
            yield Holding(index, "recall", name, "in recall storage", "whole", spans)
        case "inserted":
            name, where = ", ".join(data["ids"]), "in archival storage"
            yield Holding(index, "archival", name, where, "a passage", spans)
        case _:
            text = ", ".join(f"{key} {value}" for key, value in sorted(data.items()))
            kind = event.kind.replace("_", " ")
            yield Holding(index, kind, kind, "event", text[:200], spans)


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
        said = [*holdings(steps, self.journal.chunks())]
        if not any(isinstance(step, Pictured) for step in steps):
            said = [*_nouns(self.telling.history), *said]
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
    if record.id in scene.retired:
        into = scene.after.nouns.get(scene.after.resolve(record.id))
        return f"merged into {name_of(into)}" if into else "retired"
    gained = scene.gained.get(record.id, ())
    new = [each.text for each in gained if each.field == fact.field]
    return f"now {'; '.join(new)}" if new else "no longer said"
