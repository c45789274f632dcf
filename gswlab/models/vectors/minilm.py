"""The layers of all-MiniLM-L6-v2 over texts of equal length, in single precision.

The last bits of a row of a matrix product depend on how many rows stand beside it, and
where. So texts of equal length go through the layers stacked, a product a text, and
everything between goes number by number: a vector depends on its text alone.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, groupby
from multiprocessing import parent_process
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from gswlab.models.vectors.embedder import Vectors, gathered, weights_folder

_Floats = NDArray[np.float32]
_Weights = dict[str, _Floats]
_HEADS = 12
_MAX_TOKENS = 256
_TOKENS = 512  # of texts that go through the layers together
_ROWS = 8  # of a product, at least: fewer are summed in another order
_EPSILON = np.float32(1e-12)
_WORDS = 999  # the first token that is a word or a sign
_PARTS = ("query", "key", "value")
_BLOCK = 24576  # numbers that stay in a core's own memory while they are worked on
_OVER = (
    *(-2.72614225801306e-10, 2.77068142495902e-08, -2.10102402082508e-06),
    *(-5.69250639462346e-05, -7.34990630326855e-04, -2.95459980854025e-03),
    -1.60960333262415e-02,
)
_UNDER = (
    *(-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03),
    *(-7.37332916720468e-03, -1.42647390514189e-02),
)


def encode_all(texts: Sequence[str]) -> Vectors:
    """The forward pass: embeddings, six transformer layers, mean over tokens."""
    found = np.zeros((len(texts), 384), np.float32)
    weights, tokenizer = _model()
    ids = [tokenizer.encode(text).ids for text in texts]
    stacks = list(_stacks([len(each) for each in ids]))

    def encode(rows: list[int]) -> Vectors:
        return _pooled(np.array([ids[row] for row in rows]), weights)

    # As many threads as there are cores; one in a worker, which others work beside.
    threads = 1 if parent_process() else os.cpu_count() or 1
    with ThreadPoolExecutor(threads) as pool:  # numpy works without Python's lock
        each = pool.map(encode, stacks) if len(stacks) > 1 else map(encode, stacks)
        for rows, vectors in zip(stacks, each, strict=True):
            found[rows] = vectors
    return found


def _stacks(sizes: Sequence[int]) -> Iterator[list[int]]:
    """Rows of texts of equal length, as many as go through the layers together."""
    ordered = sorted(range(len(sizes)), key=lambda row: sizes[row])
    for size, group in groupby(ordered, key=lambda row: sizes[row]):
        rows, most = list(group), max(_TOKENS // size, 1)
        most -= most % _ROWS if most > _ROWS else 0  # whole products, not filled up
        yield from (rows[at : at + most] for at in range(0, len(rows), most))


def _pooled(ids: NDArray[np.int64], weights: _Weights) -> Vectors:
    """A unit vector a text, from its tokens (texts, tokens)."""
    return _unit(_contextual(ids, weights).mean(axis=1))


def _unit(vectors: _Floats) -> Vectors:
    """Vectors of length one, rounded so that threads cannot show in a stored score."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Vectors = np.round(vectors / np.maximum(lengths, _EPSILON), 6)
    return unit


def _contextual(ids: NDArray[np.int64], weights: _Weights) -> _Floats:
    """A vector a token (texts, tokens, 384), each read with those around it."""
    places = weights["embeddings.position_embeddings.weight"][: ids.shape[1]]
    x = weights["embeddings.word_embeddings.weight"][ids] + places
    x = x + weights["embeddings.token_type_embeddings.weight"][0]
    x = _normed(x, weights, "embeddings.LayerNorm")
    for layer in range(6):
        x = _layer(x, weights, f"encoder.layer.{layer}")
    return x


def _layer(x: _Floats, weights: _Weights, name: str) -> _Floats:
    """One layer over texts of equal length (texts, tokens, 384)."""
    mixed = _attention(x, weights, f"{name}.attention.self")
    attended = _linear(mixed, weights, f"{name}.attention.output.dense")
    attended += x
    x = _normed(attended, weights, f"{name}.attention.output.LayerNorm")
    inner = _gelu(_linear(x, weights, f"{name}.intermediate.dense"))
    outer = _linear(inner, weights, f"{name}.output.dense")
    outer += x
    return _normed(outer, weights, f"{name}.output.LayerNorm")


def _attention(x: _Floats, weights: _Weights, name: str) -> _Floats:
    """Every text attends to itself alone."""
    texts, tokens, width = x.shape
    apart = _linear(x, weights, name).reshape(texts, tokens, 3, _HEADS, -1)
    query, key, value = apart.transpose(2, 0, 3, 1, 4)
    scores = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(width / _HEADS))
    scores = np.exp(scores - scores.max(axis=-1, keepdims=True))
    mixed: _Floats = (scores / scores.sum(axis=-1, keepdims=True)) @ value
    return mixed.transpose(0, 2, 1, 3).reshape(texts, tokens, width)


def _linear(x: _Floats, weights: _Weights, name: str) -> _Floats:
    """One product for all texts, its rows filled up: no text shows in its neighbours.

    Each row of a product of so many is summed in one order, wherever it stands.
    """
    rows = x.reshape(-1, x.shape[-1])
    short = -len(rows) % _ROWS
    filled = np.pad(rows, ((0, short), (0, 0))) if short else rows
    product: _Floats = (filled @ weights[f"{name}.weight"])[: len(rows)]
    product += weights[f"{name}.bias"]
    return product.reshape(*x.shape[:-1], -1)


def _normed(x: _Floats, weights: _Weights, name: str) -> _Floats:
    centred = x - x.mean(axis=-1, keepdims=True)
    spread = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + _EPSILON)
    scaled: _Floats = centred / spread * weights[f"{name}.weight"]
    return scaled + weights[f"{name}.bias"]


def _gelu(x: _Floats) -> _Floats:
    """x times the normal distribution at x, a block of numbers at a time."""
    found = np.empty_like(x)
    flat, kept = x.reshape(-1), found.reshape(-1)
    for at in range(0, flat.size, _BLOCK):
        block = flat[at : at + _BLOCK]
        share = _erf(block * np.float32(np.sqrt(0.5)))
        share += np.float32(1)
        kept[at : at + _BLOCK] = share * block * np.float32(0.5)
    return found


def _erf(x: _Floats) -> _Floats:
    """The error function of single numbers, to 5e-7; scipy's takes four times as long.

    x P(x^2) / Q(x^2), the rational form that XLA and Eigen use.
    """
    x = np.clip(x, np.float32(-4), np.float32(4))
    square = x * x
    found = _polynomial(_OVER, square)
    found /= _polynomial(_UNDER, square)
    found *= x
    return found


def _polynomial(powers: Sequence[float], x: _Floats) -> _Floats:
    found = np.full_like(x, powers[0])
    for power in powers[1:]:
        found *= x
        found += np.float32(power)
    return found


@lru_cache(maxsize=1)
def _model() -> tuple[_Weights, Tokenizer]:
    from safetensors.numpy import load_file

    folder = weights_folder()
    tokenizer = _tokenizer(folder)
    tokenizer.enable_truncation(_MAX_TOKENS)
    return _laid(load_file(folder / "model.safetensors")), tokenizer


def _tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer of the weights, which reads a text to its end."""
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _laid(weights: _Weights) -> _Weights:
    """Matrices as they are multiplied with; query, key and value of a layer as one."""
    for layer in range(6):
        name = f"encoder.layer.{layer}.attention.self"
        for what in ("weight", "bias"):
            parts = [weights.pop(f"{name}.{p}.{what}") for p in _PARTS]
            weights[f"{name}.{what}"] = np.concatenate(parts)
    dense = [
        name for name in weights if name.endswith((".self.weight", "dense.weight"))
    ]
    return weights | {name: np.ascontiguousarray(weights[name].T) for name in dense}


# all-MiniLM-L6-v2 without torch: its forward pass in numpy.

SHIPPED = Path(__file__).with_name("shipped.npz")


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

    @property
    def words(self) -> BagOfWords:
        """The same by words alone: no layer is passed."""
        return BagOfWords()


@dataclass(frozen=True)
class BagOfWords:
    """The words of texts in any order: the sum of the embeddings of their tokens.

    >>> boat, ship, bread = BagOfWords().embed(["boats", "ship", "bread"])
    >>> bool(boat @ ship > 0.3 > boat @ bread)
    True
    """

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, zero for one without a word."""
        table, _ = _lexicon()
        found = np.zeros((len(texts), table.shape[1]), np.float32)
        for row, text in enumerate(texts):
            ids = [*chain.from_iterable(map(_tokens, text.split()))]
            found[row] = table[ids].sum(axis=0)
        return _unit(found)


@lru_cache(maxsize=1 << 16)
def _tokens(word: str) -> tuple[int, ...]:
    """The tokens of a word in the vocabulary; those of no word are left out."""
    _, tokenizer = _lexicon()
    found = tokenizer.encode(word, add_special_tokens=False).ids
    return tuple(token for token in found if token >= _WORDS)


@lru_cache(maxsize=1)
def _lexicon() -> tuple[_Floats, Tokenizer]:
    """What tells each token from others (tokens, 384), and the tokenizer.

    What all tokens share is taken out: their mean, and as many principal components as
    a hundredth of the dimensions ("All-but-the-Top", Mu and Viswanath 2018).
    """
    from safetensors import safe_open

    folder = weights_folder()
    with safe_open(folder / "model.safetensors", "numpy") as file:
        known = file.get_tensor("embeddings.word_embeddings.weight")
    known -= known[_WORDS:].mean(axis=0)
    _, axes = np.linalg.eigh(known[_WORDS:].T @ known[_WORDS:])  # the least first
    top = axes[:, -round(known.shape[1] / 100) :]
    known -= known @ top @ top.T
    return known, _tokenizer(folder)


def text_key(text: str) -> int:
    """The number under which the vector of a text ships: of its hash, 64 bits."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


@lru_cache(maxsize=1)
def _shipped() -> dict[int, Vectors]:
    """Vectors that come with the package, by key (`experiments/recipes/vectors.py`)."""
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


class WordVectors(NamedTuple):
    """The words of a text, a unit vector each (words, 384), and that of the whole."""

    words: tuple[str, ...]
    vectors: Vectors
    whole: Vectors


@lru_cache(maxsize=1024)
def word_vectors(text: str) -> WordVectors:
    """Each word of a text by its vector, as it stands in it; of one reading the whole.

    >>> read = word_vectors("The ship went down.")
    >>> read.words, read.vectors.shape
    (('The', 'ship', 'went', 'down'), (4, 384))
    """
    weights, tokenizer = _model()
    read = tokenizer.encode(text)
    tokens = _contextual(np.array([read.ids]), weights)[0]
    words, means = [], []
    for word in re.finditer(r"\w[\w'’-]*", text):
        rows = [
            row
            for row, (start, end) in enumerate(read.offsets)
            if start < min(end, word.end()) and word.start() < end
        ]
        if rows:  # what lies behind the last token that is read has no vector
            words.append(word.group())
            means.append(tokens[rows].mean(axis=0))
    vectors = _unit(np.array(means).reshape(-1, 384))
    return WordVectors(tuple(words), vectors, _unit(tokens.mean(axis=0)))
