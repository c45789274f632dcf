"""Files people own as plain text: web pages, PDF, Word, subtitles, chats.

What these files say becomes the untouched text of a document; page starts and turns of
a conversation are kept beside it, as offsets. Files come from anywhere: whatever a
library says of a broken one is one sentence here.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from gswlab.core.errors import GswlabError
from gswlab.text.formats.source import Said, Source

__all__ = ["READERS", "Said", "Source", "read_source"]

_READ = "python -m gswlab read FILE.txt"
READERS = {
    ".html": "html",
    ".htm": "html",
    ".pdf": "pdf",
    ".docx": "docx",
    ".vtt": "subtitles",
    ".srt": "subtitles",
}


def read_source(path: Path, data: bytes) -> Source:
    """The text of a file whose suffix is in `READERS`.

    Raises:
        GswlabError: the extra `files` is not installed, or the file is not what its
            name says.
    """
    kind = READERS[path.suffix.lower()]
    try:
        read: Callable[[bytes, str], Source] = _module(kind).read
    except ModuleNotFoundError as error:
        problem = f"{path.name} needs the package {error.name}"
        rule, command = "it is in the extra files", 'pip install "gswlab[files]"'
        raise GswlabError(problem, rule, command) from error
    try:
        return read(data, path.name)
    except GswlabError as error:
        raise GswlabError(error.problem, error.rule, error.command or _READ) from error
    except Exception as error:  # parsers of broken files raise what they meet
        said = " ".join(str(error).split()) or type(error).__name__
        problem = f"{path.name} cannot be read as {path.suffix[1:]}: {said[:200]}"
        raise GswlabError(problem, "a whole file of that kind", _READ) from error


def _module(name: str) -> Any:
    return import_module(f"gswlab.text.formats.{name}")
