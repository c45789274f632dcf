"""PDF files: the text of each page as the file gives it, page after page."""

from __future__ import annotations

import io
import logging

from pypdf import PdfReader

from gswlab.core.errors import GswlabError
from gswlab.text.formats.source import Source

logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # what matters is raised


def read(data: bytes, name: str) -> Source:
    """The words of a PDF; a scan without a text layer has none."""
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
