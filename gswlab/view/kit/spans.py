"""Text with its cited characters lit, as HTML and as plain text.

Spans nest and cross, so a text is cut at every border and each `Segment` knows all the
marks that cover it. Document text is untrusted: `visible` turns control characters and
bidirectional overrides into one visible character each (offsets stay true, a terminal
or a page cannot be rewritten), and everything is escaped on its way into HTML.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from gswlab.core.nouns import visible


class Mark(NamedTuple):
    """Characters that noun `id` cites; `form` is the form of a mention."""

    start: int
    end: int
    id: str
    kind: str = ""
    form: str = ""


class Segment(NamedTuple):
    """A stretch of text under the same marks, the shortest mark first."""

    text: str
    marks: tuple[Mark, ...]


def escape(text: str) -> str:
    """Document text for HTML, in an element or in an attribute.

    >>> escape('<a href="javascript:x">')
    '&lt;a href=&quot;javascript:x&quot;&gt;'
    """
    return html.escape(visible(text), quote=True)


def isolated(name: str) -> str:
    """A name for HTML whose direction of writing stays its own affair."""
    return f"<bdi>{escape(name)}</bdi>"


def segments(text: str, marks: Iterable[Mark], offset: int = 0) -> tuple[Segment, ...]:
    """`text` cut at every border of `marks`; `offset` is where it starts.

    >>> [s.text for s in segments("Ann left.", [Mark(0, 3, "a1"), Mark(0, 8, "v1")])]
    ['Ann', ' left', '.']
    """
    inside = [
        m._replace(start=max(m.start - offset, 0), end=min(m.end - offset, len(text)))
        for m in marks
        if m.start - offset < len(text) and m.end > offset
    ]
    cuts = sorted({0, len(text), *(c for m in inside for c in (m.start, m.end))})
    inside.sort(key=lambda m: (m.end - m.start, m.id))
    return tuple(
        Segment(text[a:b], tuple(m for m in inside if m.start <= a and b <= m.end))
        for a, b in pairwise(cuts)
    )


def html_text(text: str, marks: Iterable[Mark], offset: int = 0) -> str:
    """Text with its marks as `<mark>` elements, each naming the ids it belongs to.

    >>> html_text("Ann left.", [Mark(0, 3, "a1", "person", "name")])
    '<mark class="k-person f-name" data-ids="a1">Ann</mark> left.'
    """
    return "".join(_segment_html(s) for s in segments(text, marks, offset))


def plain_text(text: str, marks: Iterable[Mark], offset: int = 0) -> str:
    """The same for a terminal: `[Ann](a1) left.`; a mark without id is `[Ann]`.

    >>> plain_text("Ann left.", [Mark(0, 3, "a1")])
    '[Ann](a1) left.'
    """
    parts = []
    for segment in segments(text, marks, offset):
        ids = " ".join(mark.id for mark in segment.marks if mark.id)
        lit = f"[{visible(segment.text)}]" if segment.marks else visible(segment.text)
        parts.append(lit + (f"({ids})" if ids else ""))
    return "".join(parts)


def _segment_html(segment: Segment) -> str:
    if not segment.marks:
        return escape(segment.text)
    # The shortest mention speaks for the stretch; other marks only wait to be lit.
    first = next((mark for mark in segment.marks if mark.kind), segment.marks[0])
    quiet = "lit" if not any(mark.id for mark in segment.marks) else "cited"
    classes = [f"k-{first.kind.replace(' ', '-')}" if first.kind else quiet]
    classes += [f"f-{first.form}"] if first.form else []
    ids = " ".join(dict.fromkeys(mark.id for mark in segment.marks if mark.id))
    data = f' data-ids="{escape(ids)}"' if ids else ""
    return f'<mark class="{" ".join(classes)}"{data}>{escape(segment.text)}</mark>'
