"""Word files: paragraphs and tables in order, headings as Markdown's.

Pages are those that the program which saved the file last laid out; a file that no
program laid out has none.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator

import docx
from docx.table import Table
from docx.text.paragraph import Paragraph

from gswlab.core.errors import GswlabError
from gswlab.text.formats.source import Source

_MOST = 500_000_000  # bytes unpacked: no book is larger, a bomb is
_HEADING = re.compile(r"Heading ([1-6])")


def read(data: bytes, name: str) -> Source:
    """The words of a .docx file."""
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        size = sum(part.file_size for part in packed.infolist())
    if size > _MOST:
        problem = f"{name} unpacks to {size:,} bytes"
        raise GswlabError(problem, f"at most {_MOST:,}")
    text, pages = "", [0]
    for paragraph, line in _lines(docx.Document(io.BytesIO(data)).iter_inner_content()):
        for broken in paragraph.rendered_page_breaks if paragraph else ():
            before = broken.preceding_paragraph_fragment
            pages.append(len(text) + (len(before.text) if before else 0))
        text += f"{line}\n\n"
    return Source(text, markdown=True, pages=tuple(pages) if pages[1:] else ())


def _lines(
    parts: Iterator[Paragraph | Table],
) -> Iterator[tuple[Paragraph | None, str]]:
    for part in parts:
        if isinstance(part, Table):
            for row in part.rows:
                yield None, " | ".join(cell.text for cell in row.cells)
            continue
        heading = _HEADING.fullmatch(part.style.name or "") if part.style else None
        yield part, ("#" * int(heading[1]) + " " if heading else "") + part.text
