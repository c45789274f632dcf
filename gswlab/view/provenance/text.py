"""The text of a run sentence by sentence, and what a run holds of its characters.

- a `Holding` is one thing that a run held of its text: a fact of a noun, a chunk, a
  triple, a message; made by a step, perhaps ended by a later one, resting on spans;
- a `SpanIndex` finds what touches a span; `cited` lists the spans of anything;
- what nobody cites left no trace: `bare`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any, Generic, NamedTuple, TypeVar

from gswlab.core.document import Document
from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.core.nouns import Span, Term
from gswlab.core.step import Step
from gswlab.view.kit.page import stylesheet
from gswlab.view.kit.spans import Ground, Mark, escape, html_text
from gswlab.view.kit.tables import Table
from gswlab.view.run.words import labels

_T = TypeVar("_T")


class Holding(NamedTuple):
    """One thing that a run held from step `step` until before step `until`.

    `noun` is the id of the noun that says it ("" in a run without a workspace), `kind`
    and `name` are what it is and what it is called, `field` and `text` what it says;
    `fate` says what ended it, None as `until` that nothing did.
    """

    step: int
    kind: str
    name: str
    field: str
    text: str
    spans: tuple[Span, ...]
    noun: str = ""
    until: int | None = None
    fate: str = ""

    @property
    def held(self) -> bool:
        """Whether it holds at the end of the run."""
        return self.until is None


class SpanIndex(Generic[_T]):
    """Things by the characters they rest on.

    >>> index = SpanIndex([(Span("b", 0, 3), "Ann"), (Span("b", 0, 8), "left")])
    >>> [*index.over(Span("b", 4, 6))]
    ['left']
    """

    def __init__(self, placed: Iterable[tuple[Span, _T]]) -> None:
        self._placed: dict[str, list[tuple[Span, _T]]] = {}
        for span, thing in placed:
            self._placed.setdefault(span.document, []).append((span, thing))
        for each in self._placed.values():
            each.sort(key=lambda pair: pair[0])
        # The furthest end so far: where to stop when walking back from a start.
        self._ends = {
            name: [*accumulate((span.end for span, _ in each), max)]
            for name, each in self._placed.items()
        }

    def over(self, span: Span) -> Iterator[_T]:
        """What shares a character with `span`, in the order of the text, each once."""
        return (thing for _, thing in self.placed(span))

    def placed(self, span: Span) -> Iterator[tuple[Span, _T]]:
        """The same with where it stands."""
        each = self._placed.get(span.document, [])
        ends = self._ends.get(span.document, [])
        stop = bisect_left(each, span.end, key=lambda pair: pair[0].start)
        first = stop
        while first and ends[first - 1] > span.start:
            first -= 1
        return (pair for pair in each[first:stop] if pair[0].end > span.start)


def cited(value: object) -> Iterator[Span]:
    """Every span inside a noun, a step or evidence, at any depth.

    Left out are the words that an episode is counted by (`Term`): they say nothing.

    >>> from gswlab.core.nouns import Role
    >>> [*cited((Role("a clerk", (Span("b", 0, 7),), "b:0"),))]
    [Span(document='b', start=0, end=7)]
    """
    if isinstance(value, Span):
        yield value
    elif isinstance(value, Term | str):
        return
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from cited(item)
    elif isinstance(value, tuple | list):
        for item in value:
            yield from cited(item)
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from cited(getattr(value, each.name))


def merged(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Spans as stretches that neither overlap nor touch, in order.

    >>> [(s.start, s.end) for s in merged([Span("b", 4, 9), Span("b", 0, 4)])]
    [(0, 9)]
    """
    found: list[Span] = []
    for span in sorted(set(spans)):
        last = found[-1] if found else None
        if last and last.document == span.document and span.start <= last.end:
            found[-1] = Span(span.document, last.start, max(last.end, span.end))
        elif span.start < span.end:
            found.append(span)
    return tuple(found)


def clipped(spans: Iterable[Span], area: Span) -> tuple[Span, ...]:
    """What of some spans lies inside an area."""
    return tuple(
        Span(area.document, max(s.start, area.start), min(s.end, area.end))
        for s in spans
        if s.document == area.document and s.start < area.end and s.end > area.start
    )


def bare(area: Span, spans: Iterable[Span]) -> tuple[Span, ...]:
    """The stretches of an area that no span covers.

    >>> [(s.start, s.end) for s in bare(Span("b", 0, 9), [Span("b", 2, 4)])]
    [(0, 2), (4, 9)]
    """
    found, at = [], area.start
    for span in merged(clipped(spans, area)):
        if span.start > at:
            found.append(Span(area.document, at, span.start))
        at = span.end
    if at < area.end:
        found.append(Span(area.document, at, area.end))
    return tuple(found)


class Line(NamedTuple):
    """One sentence that was read: `number` counts those of the run, from 0.

    `gap` is what stands in the text between it and the sentence before it, "" at the
    beginning of a part; `part` names the document and the chapter, `step` read it.
    """

    number: int
    span: Span
    text: str
    gap: str
    part: str
    chapter: int | None
    step: int


class Told:
    """The sentences of a journal and the steps that read them.

    >>> Told(lab).lines[0].text                                   # doctest: +SKIP
    'Ann Ray left Kobe on May 7, 2024.'

    Args:
        of: a `Journal`, or anything that has one as `.journal` (a `Lab`).
    """

    def __init__(self, of: Any) -> None:
        self.journal: Journal = getattr(of, "journal", of)
        self.steps: list[Step] = list(self.journal.steps())
        self.documents: tuple[Document, ...] = self.journal.documents()
        self.labels = labels(self.steps)

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Every sentence that was read, in the order of the text."""
        ground = Ground.of(self.steps, self.journal.chunks(), self.documents)
        found: list[Line] = []
        for document in self.documents:
            end, before, text = 0, "", document.text
            for read in ground.by_document.get(document.id, ()):
                chunk, area = read.chunk, read.chunk.span
                number = f"chapter {chunk.chapter}" if chunk.chapter is not None else ""
                if chunk.title and chunk.title.casefold().startswith(number):
                    number = ""  # "Chapter 3. The Concert" says it
                names = document.id, number, chunk.title
                part = ", ".join(name for name in names if name)
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

    @property
    def title(self) -> str:
        """What the text is called."""
        names = [document.id for document in self.documents]
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        return ", ".join(names[:3]) + more or "an empty run"

    def label(self, step: int) -> str:
        """What a step was: `step 4, chunk 3 of 12`."""
        return self.labels[step] if 0 <= step < len(self.labels) else f"step {step + 1}"

    def words(self, span: Span, most: int = 160) -> str:
        """The characters of a span, shortened in the middle where they are many."""
        text = next((d.text for d in self.documents if d.id == span.document), "")
        return brief(text[span.start : span.end], most)

    def find(self, where: str | tuple[int, int] | Span) -> tuple[Span, ...]:
        """Where some words stand; every place of them. A span stands where it says.

        Raises:
            GswlabError: the text does not have them, or has no such characters.
        """
        if isinstance(where, Span):
            return (self._there(where),)
        if not isinstance(where, str):
            first = self.documents[0].id if self.documents else ""
            return (self._there(Span(first, *where)),)
        words = where.strip()
        found = []
        for document in self.documents:
            at = document.text.find(words) if words else -1
            while at >= 0:
                found.append(Span(document.id, at, at + len(words)))
                at = document.text.find(words, at + len(words))
        if not found:
            from rapidfuzz import process

            texts: Sequence[str] = [line.text for line in self.lines]
            near = process.extract(words, texts, limit=1) if words else []
            best = near[0][0] if near else (texts[0] if texts else "SENTENCE")
            problem = f"{words[:80]!r} is not in {self.title}"
            rule = "words that stand in the text, to the character"
            raise GswlabError(problem, rule, f"became(lab, {best[:120]!r})")
        return tuple(found)

    def _there(self, span: Span) -> Span:
        sizes = {document.id: len(document.text) for document in self.documents}
        size = sizes.get(span.document)
        if size is None:
            problem = f"there is no document {span.document!r} in this run"
            raise GswlabError(problem, f"one of {', '.join(sizes) or 'none'}")
        if not 0 <= span.start < span.end <= size:
            asked = f"characters {span.start} to {span.end}"
            problem = f"{asked} are not in {span.document}"
            raise GswlabError(problem, f"it has {size} characters, counted from 0")
        return span


def brief(text: str, most: int = 200) -> str:
    """Words in one line, without their middle where they are many.

    >>> brief("to be or not to be", 11)
    'to b...o be'
    """
    said, half = " ".join(text.split()), (most - 3) // 2
    return said if len(said) <= most else f"{said[:half]}...{said[-half:]}"


NAMES = ("no trace", "1 or 2", "3 to 5", "6 or more")
SHOWN = 400  # sentences of a text in a notebook


def shaded_html(
    lines: Sequence[Line], marks: Callable[[Line], Iterable[Mark]], table: Table
) -> str:
    """The first `SHOWN` sentences, shaded by their marks, above the table."""
    more = len(lines) - SHOWN
    left = f"<p>and {more} sentences more: .to_frame()</p>" if more > 0 else ""
    first = lines[:SHOWN]
    text = paragraphs(first, lambda s: html_text(s.text, marks(s), s.span.start))
    return (
        '<div class="gswlab ink" data-heat><style>'
        f"{stylesheet('provenance/ink.css')}</style>{ink_legend()}"
        f"{text}{left}{table._repr_html_()}</div>"
    )


def paragraphs(lines: Sequence[Line], drawn: Callable[[Line], str]) -> str:
    """Sentences as they stand in the text, a paragraph under the name of each part."""
    text, before = "", None
    for line in lines:
        if line.part != before:
            text += f"{'' if before is None else '</p>'}<h3>{escape(line.part)}</h3>"
            text += '<p class="text" dir="auto">'
        before = line.part
        text += escape(line.gap) + drawn(line)
    return f"{text}</p>" if text else ""


def ink_legend() -> str:
    """The levels in both channels, and in words."""
    keys = "".join(
        f'<span><mark class="k-h{level}">{name}</mark></span> '
        for level, name in enumerate(NAMES)
    )
    return f'<p class="key">Holdings on a character: {keys}</p>'
