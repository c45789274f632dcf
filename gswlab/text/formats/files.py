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
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

from gswlab.core.errors import GswlabError
from gswlab.text.formats.transcript import Source, conversation

_READ = "python -m gswlab read FILE.txt"
_UNREAD = ["script", "style", "template", "noscript", "head", "nav", "svg", "iframe"]
_BLOCKS = re.compile(
    "p|div|section|article|main|header|footer|aside|blockquote|figure|figcaption|ul|ol"
    "|li|dl|dt|dd|table|tr|pre|hr|h[1-6]|body"
)
_CHARSET = re.compile(rb"charset=[\"']?([\w-]+)")
_DECLARES = 2048  # bytes within which a page declares its encoding
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
    declared = _CHARSET.search(data[:_DECLARES])
    page = _Page()
    page.feed(data.decode(declared[1].decode() if declared else "utf-8-sig", "replace"))
    page.close()
    lines = (line.strip() for line in "".join(page.said).splitlines())
    return Source(re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip(), markdown=True)


class _Page(HTMLParser):
    """What a page says, in one walk: however deep its elements stand, each once."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._open = Counter[str]()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self._open[tag] += 1
        self.said.append("\n" if tag == "br" else _apart(tag))
        if re.fullmatch("h[1-6]", tag):
            self.handle_data("#" * int(tag[1]) + " ")

    def handle_endtag(self, tag: str) -> None:
        self._open[tag] -= self._open[tag] > 0
        self.said.append(_apart(tag))

    def handle_data(self, data: str) -> None:
        if not any(self._open[tag] for tag in _UNREAD):
            kept = self._open["pre"] > 0
            self.said.append(data if kept else re.sub(r"\s+", " ", data))


def _apart(tag: str) -> str:
    return "\n\n" if _BLOCKS.fullmatch(tag) else ""


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
