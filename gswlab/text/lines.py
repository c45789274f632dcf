"""Lines of a text as spans, whatever its line breaks are (LF, CRLF, CR, ...)."""

from __future__ import annotations


def lines(text: str) -> list[tuple[int, int]]:
    r"""Start and end of each line, its own line break left out.

    >>> lines("one\r\n\ntwo")
    [(0, 3), (5, 5), (6, 9)]
    """
    spans, start = [], 0
    for line in text.splitlines(keepends=True):
        spans.append((start, start + len(line.splitlines()[0])))
        start += len(line)
    return spans
