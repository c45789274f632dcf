"""Where a text's chapters begin: headings found, the text between them left alone.

- Markdown: `#` headings of the level that makes chapters;
- plain text: lines of their own such as `Chapter 3: Salt`, `CHAPTER IV`, `第三章`;
- a chapter keeps the number its heading states as long as the numbers rise; else
  chapters are counted; text before the first heading has no number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate, pairwise
from typing import NamedTuple

from gswlab.language.language import languages
from gswlab.language.numbers import to_number
from gswlab.text.sentences import lines


class Section(NamedTuple):
    """A heading line, or the text under it: offsets, title without marks, and number.

    `number` is what the heading states, and then what the chapter is counted as.
    """

    start: int
    end: int
    title: str | None = None
    number: int | None = None
    level: int = 1


_ATX = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t]*")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_SHORT = re.compile(".{0,120}(?<![。,、])")
_REST = re.compile(".{0,120}(?<![。,、.!?！？」])")


def sections(text: str, markdown: bool = False) -> tuple[Section, ...]:
    """The chapters of a text, or the whole text as one without number."""
    headings = (_markdown_headings(text) if markdown else []) or _plain_headings(text)
    ends = [*(heading.start for heading in headings), len(text)]
    under = zip(headings, ends[1:], strict=True)
    found = [Section(0, ends[0]), *(h._replace(start=h.end, end=e) for h, e in under)]
    kept = [s for s in found if s.number is not None or text[s.start : s.end].strip()]
    return tuple(_numbered(kept))


def stated_number(title: str) -> int | None:
    """The number a heading states, None for any other line."""
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
    counted = accumulate(int(section.title is not None) for section in found)
    numbers = stated if distinct else [count or None for count in counted]
    for section, number in zip(found, numbers, strict=True):
        yield section._replace(number=number)


def _plain_headings(text: str) -> list[Section]:
    spans, headings = lines(text), []
    lined = ["", *(text[start:end].strip() for start, end in spans), "", ""]
    for i, (start, end) in enumerate(spans, 1):
        alone = not lined[i - 1] and _SHORT.fullmatch(lined[i])
        if not alone or (number := stated_number(lined[i])) is None:
            continue
        # A short line right below, alone as well, is the rest of the heading.
        below = not lined[i + 2] and _REST.fullmatch(lined[i + 1])
        rest = lined[i + 1] if below else ""
        title = f"{lined[i]} {rest}".strip()
        headings.append(Section(start, spans[i][1] if rest else end, title, number))
    return headings


def _markdown_headings(text: str) -> list[Section]:
    found, fenced = [], False
    for start, end in lines(text):
        line = text[start:end]
        fenced ^= bool(_FENCE.match(line))
        if not fenced and (match := _ATX.fullmatch(line)):
            title, number = match[2].strip(), stated_number(match[2])
            found.append(Section(start, end, title, number, len(match[1])))
    stated = [h.level for h in found if h.number is not None]
    levels = Counter(h.level for h in found)
    repeated = [level for level in sorted(levels) if levels[level] > 1]
    top = min(stated or repeated or sorted(levels), default=0)
    return [h for h in found if h.level <= top]
