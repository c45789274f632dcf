"""What an embedder is: texts to unit vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

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
