"""Documents: a text nobody rewrites, and where its chapters lie.

- every span of the workbench points into `Document.text`, which is the file as decoded:
  byte order marks are no text, everything else stays to the character;
- input is checked here, once, so that nothing behind the edge meets a binary file.
"""

from __future__ import annotations

import re
import shlex
import unicodedata
from pathlib import Path

from gswlab.core.document import Chapter, Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Span
from gswlab.language.dates.calendar import parse_iso
from gswlab.language.language import by_word, language_of
from gswlab.text.chapters import sections
from gswlab.text.formats.as_json import read_json
from gswlab.text.formats.files import READERS, read_source
from gswlab.text.formats.transcript import Source, turns

_MARKDOWN = frozenset({".md", ".markdown"})
_READ = "python -m gswlab read FILE.txt"
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_ENCODINGS = by_word(Path(__file__).with_name("encodings.tsv"))
_KANA = re.compile("[\u3040-\u30ff]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1a]")


def read_document(path: str | Path, time: str | None = None) -> Document:
    """Read a .txt, .md, .html, .pdf, .docx, .vtt or .srt, an EpBench book or a chat.

    Books and chats are .json, laid out as `gswlab.text.formats.as_json` says.

    Args:
        path: the file; its stem becomes the document's id.
        time: the document's own date (ISO 8601), the basis of relative dates.

    Raises:
        GswlabError: the file is missing, empty, binary, not UTF-8 or of another layout.
    """
    path = Path(path)
    data, suffix = file_bytes(path), path.suffix.lower()
    if suffix in READERS:
        source = read_source(path, data)
    elif suffix == ".json":
        source = read_json(_text(data, path), path.name)
    else:
        source = Source(_text(data, path), suffix in _MARKDOWN)
    return _document(source, path.stem, time)


def document_of(
    text: str, name: str = "text", time: str | None = None, markdown: bool = False
) -> Document:
    """A document of a text at hand."""
    return _document(Source(text, markdown), name, time)


def _document(source: Source, name: str, time: str | None) -> Document:
    text, markdown, pages, said = source
    if time is not None:
        parse_iso(time)
    if _LONE_SURROGATE.search(text):
        rule = "text that UTF-8 can write"
        raise GswlabError(f"{name} holds half of a surrogate pair", rule, _READ)
    # letters of any script, digits, `_`, `.` and `-`: never a `:`, which parts ids
    safe = re.sub(r"[^\w.-]+", "-", unicodedata.normalize("NFC", name))
    id_ = safe.strip("-.") or "document"
    chapters = tuple(
        Chapter(section.number, section.title, Span(id_, section.start, section.end))
        for section in sections(text, markdown)
    )
    if not any(text[c.span.start : c.span.end].strip() for c in chapters):
        raise GswlabError(f"{name} holds no text", "at least one sentence", _READ)
    told = chapters, time, language_of(text), pages, turns(text, id_, said)
    return Document(id_, text, *told)


def file_bytes(path: Path) -> bytes:
    """What a file holds; that it cannot be read, or is empty, is one sentence."""
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:  # no permission, a name too long, ...
        problem = f"{str(path)[:80]!r} cannot be read: {error.args[-1]}"
        if isinstance(error, FileNotFoundError | IsADirectoryError):
            gone = isinstance(error, FileNotFoundError)
            problem = f"there is no file {path}" if gone else f"{path} is a directory"
        raise GswlabError(problem, "a file to read", _READ) from error
    if not data.strip():
        raise GswlabError(f"{path} is empty", "at least one sentence", _READ)
    return data


def _text(data: bytes, path: Path) -> str:
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    wide = wide and not data.startswith(b"\xff\xfe\0\0")  # four bytes each
    problem = f"{path} is not UTF-8"
    try:
        text = data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        text, problem = "", f"byte {error.start} of {path} is not UTF-8"
    if text and not _CONTROL.search(text) and "\x1b$" not in text:
        return text
    from charset_normalizer import from_bytes  # who reads UTF-8 needs none

    fits = from_bytes(data, cp_isolation=[*_ENCODINGS])
    # kana are chance in no other script
    best = max(fits, key=lambda fit: bool(_KANA.search(str(fit))), default=None)
    if best is None:
        raise GswlabError(f"{path} is binary", "plain text", _READ)
    likely = _ENCODINGS[best.encoding]
    convert = f"iconv -f {likely} -t UTF-8 {shlex.quote(path.name)} > FILE.txt"
    raise GswlabError(problem, f"text in UTF-8; this looks like {likely}", convert)
