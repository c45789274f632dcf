"""Vectors on disk, by the hash of their text: no text is embedded twice."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]


def stored(folder: str, text: str, encode: Callable[[], Vector]) -> Vector:
    """The vector on disk under the hash of `text`; written when it is not yet.

    Written beside and renamed, so a killed process leaves no half a vector.
    """
    digest = hashlib.sha256(text.encode()).hexdigest()
    path = Path(folder) / digest[:2] / f"{digest}.f32"
    if path.exists():
        return np.fromfile(path, np.float32)
    vector = encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".part")
    vector.tofile(beside)
    beside.replace(path)
    return vector
