"""What a workspace tells of evidence that is text alone: the same reading for all.

The items' texts, in the order of the book and no character twice, are read into one
workspace by the run's own operator and reconciler, and asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any

from gswlab.core.nouns import Bound, Chunk, Episode, Evidence, Item, Occurrence, Span
from gswlab.core.protocols import Operator, Reconciler
from gswlab.gsw.memory import GSW
from gswlab.language.language import language_of
from gswlab.models.vectors.embedder import Embedder
from gswlab.text.sentences import sentences

_WHOLE = 10**9  # tokens: what is read off evidence was paid for when it was handed over


@dataclass
class Interpreter:
    """Text to facts: `CueReader(interpret=Interpreter(operator, reconciler))`.

    The workspaces of the last `kept` sets of items are held: questions share them.
    """

    operator: Operator
    reconciler: Reconciler
    embedder: Embedder | None = None
    sentences: int = 3
    kept: int = 64

    def __post_init__(self) -> None:
        self._read = lru_cache(self.kept)(self._memory)

    def __call__(self, question: str, evidence: Evidence) -> Evidence:
        """What the items tell of the question; every span is one of theirs."""
        ordered = sorted(
            dict.fromkeys(evidence.items),  # by chapter, what has none first
            key=lambda i: (-1 if i.chapter is None else i.chapter, i.spans[:1], i.text),
        )
        pieces = tuple(_piece(number, item) for number, item in enumerate(ordered))
        found = self._read(pieces).recall(question, _WHOLE)
        own = {f"{_OWN}{n}": item.spans for n, item in enumerate(ordered)}
        return replace(found, items=_cited(found.items, own))

    def _memory(self, pieces: tuple[Chunk, ...]) -> GSW:
        memory = GSW(self.operator, self.reconciler, embedder=self.embedder)
        for index, chunk in enumerate(self._cut(pieces)):
            name = f"{chunk.document}:{chunk.chapter or 0}:{index}"
            memory.partial_fit(replace(chunk, id=name, index=index))
        memory.finish()
        return memory

    def _cut(self, pieces: Sequence[Chunk]) -> Iterator[Chunk]:
        """Pieces as runs of sentences; of what overlaps, what was not read before."""
        last = Span("", 0, 0)
        for piece in pieces:
            span, text = piece.span, piece.text
            if span.document == last.document and span.start < last.end:
                text = text[last.end - span.start :].lstrip()
                span = replace(span, start=span.end - len(text))
            if not text:
                continue
            last, base = span, span.start
            bounds = sentences(text, language_of(text)) or [(0, len(text))]
            for first in range(0, len(bounds), self.sentences):
                run = bounds[first : first + self.sentences]
                start, end = run[0][0], run[-1][1]
                at = replace(span, start=base + start, end=base + end)
                yield replace(piece, text=text[start:end], span=at)


_OWN = "evidence:"  # a document of its own


def _piece(number: int, item: Item) -> Chunk:
    """An item as a chunk: characters of its document, maybe titled, or its own text."""
    span, text = Span(f"{_OWN}{number}", 0, len(item.text)), item.text
    title = None
    if len(item.spans) == 1:
        (cited,) = item.spans
        head = len(text) - (cited.end - cited.start)
        if head == 0 or (head > 0 and text[head - 1] == "\n"):
            span, title, text = cited, text[:head].strip() or None, text[head:]
    return Chunk("", span.document, item.chapter, 0, text, span, title)


def _cited(value: Any, own: Mapping[str, tuple[Span, ...]]) -> Any:
    """The same, with what cites a text of its own citing what its item cites."""
    if isinstance(value, tuple):
        if not any(isinstance(each, Span) for each in value):
            return tuple(_cited(each, own) for each in value)
        spans = (s for each in value for s in own.get(each.document, (each,)))
        return tuple(dict.fromkeys(spans))
    if isinstance(value, Item | Episode | Occurrence | Bound):
        parts = {f.name: _cited(getattr(value, f.name), own) for f in fields(value)}
        return replace(value, **parts)
    return value
