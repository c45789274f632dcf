"""Texts cut for archival storage: at sentence ends, inside only where one is longer."""

from __future__ import annotations

from collections.abc import Iterator

from gswlab.core.budget import count_tokens
from gswlab.core.nouns import Span
from gswlab.text.sentences import sentences

PIECE = 300  # tokens of a passage (the paper's code)


def pieces(text: str, most: int = PIECE) -> list[tuple[int, int]]:
    """Where a text is cut: runs of sentences of at most `most` tokens, in order.

    >>> pieces("Rain fell. Mara ran.", most=4)
    [(0, 10), (11, 20)]
    """
    if count_tokens(text) <= most:
        inside = text.strip()
        start = text.find(inside)
        return [(start, start + len(inside))] if inside else []
    runs: list[tuple[int, int]] = []
    for start, end in _short(text, most):
        if runs and count_tokens(text[runs[-1][0] : end]) <= most:
            runs[-1] = runs[-1][0], end
        else:
            runs.append((start, end))
    return runs


def _short(text: str, most: int) -> Iterator[tuple[int, int]]:
    """Sentences; one of more than `most` tokens halved, at a space where it has one."""
    waiting = list(reversed(sentences(text)))
    while waiting:
        start, end = waiting.pop()
        if count_tokens(text[start:end]) <= most or end - start < 2:
            yield start, end
            continue
        half = text.rfind(" ", start + 1, (start + end) // 2)
        half = half if half > start else (start + end) // 2
        waiting += [(half, end), (start, half)]


def inside(span: Span | None, start: int, end: int, length: int) -> Span | None:
    """The part of a span that a piece is of, where the text is the span's own."""
    if span is None or span.end - span.start != length:
        return span
    return Span(span.document, span.start + start, span.start + end)
