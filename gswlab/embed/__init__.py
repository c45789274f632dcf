"""Sentence vectors and the search among them: embedders, and an index."""

from gswlab.embed.index import VectorIndex
from gswlab.embed.minilm import SHIPPED, MiniLM, encode, text_key
from gswlab.embed.protocols import (
    Asymmetric,
    Embedder,
    Vectors,
    query_vector,
    query_vectors,
)
from gswlab.embed.weights import packaged, weights_folder

__all__ = [
    "SHIPPED",
    "Asymmetric",
    "Embedder",
    "MiniLM",
    "VectorIndex",
    "Vectors",
    "encode",
    "packaged",
    "query_vector",
    "query_vectors",
    "text_key",
    "weights_folder",
]
