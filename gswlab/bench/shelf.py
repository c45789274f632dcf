"""Openings of novels as a reader would hold them: LitBank's books in paragraphs again.

The marked texts are one run of sentences. What stands before the first of them is a
heading again, and whoever begins to speak begins a paragraph.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from gswlab.bench.litbank import LitBook, litbank_book
from gswlab.bench.texts import bench_lines, existing_file

_SHELF = "python -m gswlab demo --shelf FOLDER"
_OPENING = re.compile(r"[\"“‘'](?=\w)")


class Opening(NamedTuple):
    """The opening of a book as Markdown, and what one would ask of it first."""

    name: str
    text: str
    question: str


def shelf(folder: str) -> Iterator[Opening]:
    """The openings of a folder laid out as LitBank, or that has one as `litbank`.

    Raises:
        GswlabError: there is no such folder, or a book of it is missing.
    """
    path = existing_file(folder, "--shelf", _SHELF)
    inside = path / "litbank"
    for line in bench_lines("shelf.tsv"):
        name, heading, question = line.split("\t")
        book = litbank_book(inside if inside.is_dir() else path, name)
        title = name.partition("_")[2].removesuffix("_brat")
        yield Opening(title, restored(book, heading), question)


def restored(book: LitBook, heading: str) -> str:
    """A book's text as Markdown, its heading known: a paragraph for each who speaks."""
    text = book.text.removeprefix(heading).strip()
    before = book.text.index(text)
    starts = (book.tokens[i][0] - before for i in sorted(book.starts))
    spoken = [at for at in starts if at > 0 and _begins_speech(text, at)]
    told = [text[a:b].strip() for a, b in pairwise([0, *spoken, len(text)])]
    return "\n\n".join([f"# {heading}", *told]) + "\n"


def _begins_speech(text: str, at: int) -> bool:
    """Whether a quotation opens here, and none is open that it would go on with."""
    mark = _OPENING.match(text, at)
    goes_on = text[:at].rstrip()[-1:] in ",:"
    closes = mark is not None and mark[0] == '"' and text.count('"', 0, at) % 2
    return mark is not None and not (closes or goes_on)
