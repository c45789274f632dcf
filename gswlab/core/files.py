"""Files, written whole or not at all; those of a run through no link.

What is kept under a hash, of a text mostly, has its `place` in a folder.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from gswlab.core.errors import GswlabError


def own(path: Path) -> Path:
    """`path`, to be read or written: an ordinary file, or none yet.

    Raises:
        GswlabError: it is a link, or nothing that can be written like a file: whoever
            sent the folder would choose what is changed, or waited for without end.
    """
    try:
        mode = path.lstat().st_mode
    except OSError:
        return path
    if not stat.S_ISREG(mode):
        kind = "a link" if stat.S_ISLNK(mode) else "no ordinary file"
        rule = "the files of a run are its own: nothing is read or written through them"
        command = "the same command with another run.dir=DIR"
        raise GswlabError(f"{path} is {kind}", rule, command)
    return path


def content(path: Path) -> bytes:
    """The bytes of a run's own file, none where there is none yet."""
    return path.read_bytes() if own(path).exists() else b""


def draft_of(path: Path) -> Path:
    """Where this process writes what will be `path`; what killed ones left is gone."""
    for left in path.parent.glob(f".{path.name}.*"):
        number = left.suffix[1:]
        if number.isdecimal() and not _lives(int(number)):
            left.unlink(missing_ok=True)
    draft = path.with_name(f".{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    return draft


def _lives(process: int) -> bool:
    if os.name != "posix":  # there, asking would end it
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def place(folder: str, digest: str, ending: str) -> Path:
    """Where in a folder a file of this hash stands."""
    return Path(folder) / digest[:2] / f"{digest}.{ending}"


def put(path: Path, data: bytes) -> None:
    """Write a file beside, under a name of the process's own, and rename it.

    A killed process leaves no half a file, and two may write at once.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(f".{os.getpid()}.part")
    beside.write_bytes(data)
    beside.replace(path)
