"""Files kept under the hash of what they were made from: of a text, mostly."""

from __future__ import annotations

import os
from pathlib import Path


def place(folder: str, digest: str, ending: str) -> Path:
    """Where in a folder a file of this hash stands."""
    return Path(folder) / digest[:2] / f"{digest}.{ending}"


def put(path: Path, data: bytes) -> None:
    """Write a file whole or not at all.

    Written beside and renamed, so a killed process leaves no half a file; under a name
    of the process's own, so that two may write at once.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(f".{os.getpid()}.part")
    beside.write_bytes(data)
    beside.replace(path)
