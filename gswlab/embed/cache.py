"""Vectors on disk, by the hash of their text: no text is embedded twice."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float32]


def gathered(
    keys: Sequence[str],
    held: dict[str, Vector],
    folder: str | None,
    encode: Callable[[list[str]], Vector],
) -> Vector:
    """A row a key: held in memory, found on disk, or encoded with all that are new.

    What is new is held, and put on disk where there is a `folder`.
    """
    new = []
    for key in dict.fromkeys(keys):
        if key in held:
            continue
        if folder and (found := known(folder, key)) is not None:
            held[key] = found
        else:
            new.append(key)
    for key, row in zip(new, encode(new) if new else (), strict=True):
        held[key] = stored(folder, key, partial(np.asarray, row)) if folder else row
    return np.stack([held[key] for key in keys])


def known(folder: str, text: str) -> Vector | None:
    """The vector on disk under the hash of `text`, where there is one."""
    try:
        return np.fromfile(_path(folder, text), np.float32)
    except FileNotFoundError:
        return None


def stored(folder: str, text: str, encode: Callable[[], Vector]) -> Vector:
    """The vector on disk under the hash of `text`; written when it is not yet.

    Written beside and renamed, so a killed process leaves no half a vector, and each
    under a name of its own, so that two may write at once.
    """
    if (found := known(folder, text)) is not None:
        return found
    path, vector = _path(folder, text), encode()
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(f".{os.getpid()}.part")
    vector.tofile(beside)
    beside.replace(path)
    return vector


def _path(folder: str, text: str) -> Path:
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Path(folder) / digest[:2] / f"{digest}.f32"
