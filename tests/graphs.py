"""What tests of graph memories share: titled chunks, and vectors without weights."""

from __future__ import annotations

import zlib

import numpy as np

from gswlab.baselines.triples import Cooccurrence, Extraction, Rules
from gswlab.core.nouns import Chunk, Span
from gswlab.gsw.operator.rules import SpacyOperator

RULES, PAIRS = Rules(SpacyOperator()), Cooccurrence(SpacyOperator())
NOTHING = Extraction()
STORY = (
    ("Ann Ray", "Ann Ray is a singer. Ann Ray founded the Larch Choir in Tarn."),
    ("Larch Choir", "The Larch Choir sang in Tarn on 7 May 2024 with Bo Lind."),
    ("Bo Lind", "Bo Lind is a baker. He sold bread to the sailors of Port Elm."),
    ("Port Elm", "Port Elm is a town by the sea. Its lighthouse burned in 1901."),
)


class Words:
    """A stand-in embedder: a text is the words it holds, hashed to 256 dimensions."""

    def embed(self, texts):
        rows = np.zeros((len(texts), 256), np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().replace(".", " ").replace("?", " ").split():
                row[zlib.crc32(word.encode()) % 256] += 1
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        return rows / np.where(norms, norms, 1)


def chunk(index, text, title=None, document="book"):
    """A chunk of a document of chunks that stand a thousand characters apart."""
    span = Span(document, 1000 * index, 1000 * index + len(text))
    return Chunk(f"{document}:0:{index}", document, None, index, text, span, title)


def story(document="book"):
    return [chunk(i, text, title, document) for i, (title, text) in enumerate(STORY)]


def read(memory, chunks):
    for each in chunks:
        memory.partial_fit(each)
    memory.finish()
    return memory
