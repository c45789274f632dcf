"""Content hashes of what a run is scored by: equal gold, equal hash, on any machine."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any


def of_files(*paths: Path) -> str:
    """The SHA-256 of files, one after another."""
    return hashlib.sha256(b"".join(path.read_bytes() for path in paths)).hexdigest()


def of_data(data: Any) -> str:
    """The SHA-256 of the JSON of data that has one order."""
    return hashlib.sha256(json.dumps(data).encode()).hexdigest()
