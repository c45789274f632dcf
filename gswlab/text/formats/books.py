"""The two published layouts of an EpBench book, as one text.

- an object `{"Chapter 1": text, ...}`, its keys in any order;
- one string that holds the whole book with its `Chapter k` headings.

Both give the same text: `Chapter k`, a blank line, the paragraphs; two blank lines
between chapters.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from gswlab.core.errors import GswlabError

_KEY = re.compile(r"Chapter ([0-9]{1,6})")
_LAYOUT = '{"Chapter 1": "text", ...} or one string'
_COMMAND = "python -m gswlab run experiment=epbench dataset.book=FILE"


def book_text(source: str, name: str) -> str:
    """The text of a book given as JSON; `name` is what errors call it.

    >>> book_text('{"Chapter 10": "Sun.", "Chapter 2": "Rain."}', "book.json")
    'Chapter 2\\n\\nRain.\\n\\n\\nChapter 10\\n\\nSun.'
    """
    try:
        book = json.loads(source, object_pairs_hook=_Pairs)
    except (ValueError, RecursionError) as error:
        problem = f"{name} is not JSON: {str(error).splitlines()[0]}"
        raise GswlabError(problem, _LAYOUT, _COMMAND) from error
    if isinstance(book, str):
        return book
    if not isinstance(book, _Pairs) or not book:
        raise GswlabError(f"{name} is no book", _LAYOUT, _COMMAND)
    chapters = []
    for key, text in book:
        match = _KEY.fullmatch(key)
        if not match:
            raise GswlabError(f"{name} has the key {key[:60]!r}", _LAYOUT, _COMMAND)
        if not isinstance(text, str):
            raise GswlabError(f"{key} of {name} is no text", _LAYOUT, _COMMAND)
        chapters.append((int(match[1]), text))
    chapters.sort()
    numbers = [number for number, _ in chapters]
    if len(set(numbers)) < len(numbers):
        twice = next(n for n in numbers if numbers.count(n) > 1)
        raise GswlabError(f"{name} has chapter {twice} twice", _LAYOUT, _COMMAND)
    headings = (f"Chapter {number}\n" for number in numbers)
    return "\n\n\n".join(
        text if text.startswith(heading) else f"{heading}\n{text}"
        for heading, (_, text) in zip(headings, chapters, strict=True)
    )


class _Pairs(list[tuple[str, object]]):
    """A JSON object as its pairs: a dict would drop a repeated key in silence."""


def is_official(data: Any) -> bool:
    """Whether JSON looks like a file of the published code, right or not."""
    if not isinstance(data, Mapping):
        return False
    combined = isinstance(data.get("documents"), Mapping)
    return combined or "gsw" in data or "entity_nodes" in data
