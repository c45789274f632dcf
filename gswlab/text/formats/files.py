"""Files people own as plain text: web pages, PDF, Word, subtitles; a reader a suffix.

What these files say becomes the untouched text of a document; page starts and turns of
a conversation are kept beside it, as offsets. Files come from anywhere: whatever a
library says of a broken one is one sentence here. The libraries are the extra `files`.
"""

from __future__ import annotations

import io
import logging
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from gswlab.core.errors import GswlabError
from gswlab.text.formats.source import Source, conversation

if TYPE_CHECKING:
    from bs4 import BeautifulSoup
    from bs4.element import PageElement


_READ = "python -m gswlab read FILE.txt"
_UNREAD = ["script", "style", "template", "noscript", "head", "nav", "svg", "iframe"]
_BLOCKS = re.compile(
    "p|div|section|article|main|header|footer|aside|blockquote|figure|figcaption|ul|ol"
    "|li|dl|dt|dd|table|tr|pre|hr|h[1-6]|body"
)
_MOST = 500_000_000  # bytes unpacked: no book is larger, a bomb is
_HEADING = re.compile(r"Heading ([1-6])")
_NAMED = re.compile(r"(?:- ?)?([^\W\d_][\w .'’-]{0,40}): +(\S.*)", re.S)


def read_source(path: Path, data: bytes) -> Source:
    """The text of a file whose suffix is in `READERS`.

    Raises:
        GswlabError: the extra `files` is not installed, or the file is not what its
            name says.
    """
    try:
        return READERS[path.suffix.lower()](data, path.name)
    except ModuleNotFoundError as error:
        problem = f"{path.name} needs the package {error.name}"
        rule, command = "it is in the extra files", 'pip install "gswlab[files]"'
        raise GswlabError(problem, rule, command) from error
    except GswlabError as error:
        raise GswlabError(error.problem, error.rule, error.command or _READ) from error
    except Exception as error:  # parsers of broken files raise what they meet
        said = " ".join(str(error).split()) or type(error).__name__
        problem = f"{path.name} cannot be read as {path.suffix[1:]}: {said[:200]}"
        raise GswlabError(problem, "a whole file of that kind", _READ) from error


def web_page(data: bytes, name: str) -> Source:
    """A page as Markdown: headings kept, scripts, styles and navigation left out.

    Its encoding is what it declares, else UTF-8.
    """
    from bs4 import BeautifulSoup

    said = "".join(_said(BeautifulSoup(data, "html.parser")))
    lines = (line.strip() for line in said.splitlines())
    return Source(re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip(), markdown=True)


def _said(soup: BeautifulSoup) -> Iterator[str]:
    """What a page says, in one walk: however deep its elements stand, each once."""
    from bs4.element import NavigableString, Tag

    # 1. What is left of each open element, what follows it, and whether it is `pre`.
    stack: list[tuple[Iterator[PageElement], str, bool]] = [
        (iter(soup.contents), "", False)
    ]
    while stack:
        rest, after, kept = stack[-1]
        part = next(rest, None)
        if part is None:
            stack.pop()
            yield after
        elif not isinstance(part, Tag):
            if type(part) is NavigableString:  # no comment, no declaration
                yield str(part) if kept else re.sub(r"\s+", " ", part)
        # 2. An element: not read, a break, or open from here on.
        elif part.name == "br":
            yield "\n"
        elif part.name not in _UNREAD:
            around = "\n\n" if _BLOCKS.search(part.name) else ""
            yield around
            if around and part.name[0] == "h" and part.name[1:].isdigit():
                yield "#" * int(part.name[1]) + " "
            kept = kept or part.name == "pre"
            stack.append((iter(part.contents), around, kept))


def pdf(data: bytes, name: str) -> Source:
    """The text of each page as the file gives it; a scan without a layer has none."""
    from pypdf import PdfReader

    logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what matters is raised
    reader = PdfReader(io.BytesIO(data))
    if reader.is_encrypted and not reader.decrypt(""):
        problem = f"{name} is locked by a password"
        raise GswlabError(problem, "a file that opens without one")
    text, pages = "", []
    for page in reader.pages:
        pages.append(len(text))
        text += page.extract_text().strip() + "\n"
    if not text.strip():
        problem = f"{name} has pages, but no text on them"
        raise GswlabError(problem, "a text layer", f"ocrmypdf {name} READABLE.pdf")
    return Source(text, pages=tuple(pages))


def word(data: bytes, name: str) -> Source:
    """Paragraphs and tables of a .docx in order, headings as Markdown's.

    Pages are those that the program which saved the file last laid out; a file that no
    program laid out has none.
    """
    import docx
    from docx.table import Table

    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        size = sum(part.file_size for part in packed.infolist())
    if size > _MOST:
        problem = f"{name} unpacks to {size:,} bytes"
        raise GswlabError(problem, f"at most {_MOST:,}")
    text, pages = "", [0]
    for part in docx.Document(io.BytesIO(data)).iter_inner_content():
        if isinstance(part, Table):
            for row in part.rows:
                text += " | ".join(cell.text for cell in row.cells) + "\n\n"
            continue
        for broken in part.rendered_page_breaks:
            before = broken.preceding_paragraph_fragment
            pages.append(len(text) + (len(before.text) if before else 0))
        heading = _HEADING.fullmatch(part.style.name or "") if part.style else None
        text += ("#" * int(heading[1]) + " " if heading else "") + part.text + "\n\n"
    return Source(text, markdown=True, pages=tuple(pages) if pages[1:] else ())


def subtitles(data: bytes, name: str) -> Source:
    """A cue is a turn, its speaker where the file names one.

    The clock of a cue is shown before its words; it counts from the film's beginning,
    so it is no date.
    """
    import webvtt

    form = "vtt" if name.lower().endswith(".vtt") else "srt"
    turns: list[tuple[str, None, str | None, str]] = []
    for cue in webvtt.from_buffer(io.StringIO(data.decode("utf-8-sig")), form).captions:
        words, speaker = " ".join(cue.text.split()), cue.voice
        if speaker is None and (named := _NAMED.fullmatch(words)):
            speaker, words = named[1], named[2]
        turns.append((f"[{cue.start.partition('.')[0]}]", None, speaker, words))
    return conversation(turns)


READERS = {
    ".html": web_page, ".htm": web_page, ".pdf": pdf, ".docx": word,
    ".vtt": subtitles, ".srt": subtitles,
}  # fmt: skip
