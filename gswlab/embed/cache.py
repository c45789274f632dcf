"""Vectors on disk, by the hash of their text: no text is embedded twice."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gswlab.core.cache import place, put

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
    """The vector on disk under the hash of `text`; written when it is not yet."""
    if (found := known(folder, text)) is not None:
        return found
    vector = encode()
    put(_path(folder, text), vector.tobytes())
    return vector


def _path(folder: str, text: str) -> Path:
    return place(folder, hashlib.sha256(text.encode()).hexdigest(), "f32")
