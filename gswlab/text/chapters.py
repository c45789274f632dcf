"""Where a text's chapters begin: headings found, the text between them left alone.

- Markdown: `#` and underlined headings of the level that makes chapters;
- plain text: lines of their own such as `Chapter 3: Salt`, `CHAPTER IV`, `第三章`;
- a chapter keeps the number its heading states as long as the numbers rise; else
  chapters are counted; text before the first heading has no number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from gswlab.language.language import languages
from gswlab.language.numbers import to_number
from gswlab.text.sentences import lines


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading line: its span, its title without marks, and the number it states."""

    start: int
    end: int
    title: str
    level: int
    number: int | None


@dataclass(frozen=True, slots=True)
class Section:
    """The text under a heading, as offsets; the heading itself is outside."""

    start: int
    end: int
    title: str | None
    number: int | None


_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = re.compile(r" {0,3}(=+|-{2,})[ \t]*")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_LONGEST = 120
_GOES_ON = ("。", ",", "、")


def sections(text: str, markdown: bool = False) -> tuple[Section, ...]:
    r"""The chapters of a text, or the whole text as one without number.

    >>> [(s.number, s.title) for s in sections("Chapter 7\n\nRain.")]
    [(7, 'Chapter 7')]
    """
    headings = _markdown_headings(text) if markdown else []
    headings = headings or _plain_headings(text)
    edges = [*headings, Heading(len(text), len(text), "", 0, None)]
    found = [Section(0, edges[0].start, None, None)]
    for heading, following in pairwise(edges):
        section = Section(heading.end, following.start, heading.title, heading.number)
        found.append(section)
    kept = [s for s in found if s.number is not None or text[s.start : s.end].strip()]
    return tuple(_numbered(kept))


def stated_number(title: str) -> int | None:
    """The number a heading states, None for any other line.

    >>> stated_number("CHAPTER IV. The Ferry"), stated_number("第三章　手紙")
    (4, 3)
    """
    tried = (one.heading.fullmatch(title.strip()) for one in languages().values())
    match = next(filter(None, tried), None)
    return to_number(match["number"]) if match else None


def _numbered(found: list[Section]) -> Iterator[Section]:
    # 1. stated numbers; an epilogue without one is taken to follow what stands before
    stated: list[int | None] = []
    for section in found:
        last = stated[-1] if stated else None
        following = None if last is None else last + 1
        stated.append(following if section.number is None else section.number)
    # 2. those, as long as they rise; else a count
    known = [number for number in stated if number is not None]
    rising = bool(known) and all(a < b for a, b in pairwise(known))
    distinct = rising and len(stated) - len(known) <= 1
    count = 0
    for section, number in zip(found, stated, strict=True):
        count += section.title is not None
        if not distinct:
            number = None if section.title is None else count
        yield Section(section.start, section.end, section.title, number)


def _plain_headings(text: str) -> list[Heading]:
    spans, headings = lines(text), []
    lined = ["", *(text[start:end].strip() for start, end in spans), "", ""]
    for i, (start, end) in enumerate(spans, 1):
        number = (
            None if lined[i - 1] or not _short(lined[i]) else stated_number(lined[i])
        )
        if number is None:
            continue
        # A short line right below, alone as well, is the rest of the heading.
        rest = "" if lined[i + 2] or not _short(lined[i + 1]) else lined[i + 1]
        rest = "" if rest.endswith((".", "!", "?", "！", "？", "」")) else rest
        title = f"{lined[i]} {rest}".strip()
        headings.append(Heading(start, spans[i][1] if rest else end, title, 1, number))
    return headings


def _short(line: str) -> bool:
    return len(line) <= _LONGEST and not line.endswith(_GOES_ON)


def _markdown_headings(text: str) -> list[Heading]:
    found = list(_all_markdown_headings(text))
    stated = [h.level for h in found if h.number is not None]
    levels = Counter(h.level for h in found)
    repeated = [level for level in sorted(levels) if levels[level] > 1]
    top = min(stated or repeated or sorted(levels), default=0)
    return [h for h in found if h.level <= top]


def _all_markdown_headings(text: str) -> Iterator[Heading]:
    fenced, alone = False, True  # alone: the line above is blank
    above: tuple[int, int] | None = None
    for start, end in lines(text):
        line = text[start:end]
        if _FENCE.match(line):
            fenced = not fenced
        if fenced:
            continue
        if match := _ATX.fullmatch(line):
            yield _heading(start, end, match[2], len(match[1]))
        elif above and (match := _UNDERLINE.fullmatch(line)):
            yield _heading(above[0], end, text[slice(*above)], 1 + (match[1][0] == "-"))
        above = (start, end) if alone and line.strip() and not match else None
        alone = not line.strip()


def _heading(start: int, end: int, title: str, level: int) -> Heading:
    title = title.strip()
    return Heading(start, end, title, level, stated_number(title))
