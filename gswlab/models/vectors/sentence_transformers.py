"""Any model of sentence-transformers that is on disk (extra `torch`).

A folder of a sentence-transformers model says itself how tokens become one vector; a
bare encoder, as Contriever is published, gets the mean over its unmasked tokens. Texts
are cut at 512 tokens, or where the model says.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from gswlab.core.errors import GswlabError
from gswlab.models.vectors.embedder import Vectors, gathered

REACHES = {"reaches": "disk"}  # of a folder that was sent, only if typed


@dataclass
class SentenceTransformers:
    """Texts to unit vectors by `model`, a folder or the name of a model on disk.

    `query` and `passage` are put before what is looked for and what is held, where a
    model was trained so ("query: "). Nothing is downloaded unless `download` is set.

    Raises:
        GswlabError: something is embedded and sentence-transformers is not installed,
            no model is named, or the model is not on disk.
    """

    model: str | None = field(default=None, metadata=REACHES)
    query: str = ""
    passage: str = ""
    batch: int = 32
    download: bool = field(default=False, metadata=REACHES)
    cache: str | None = field(default=None, metadata={"path": True})
    _known: dict[str, Vectors] = field(default_factory=dict, init=False, repr=False)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text that is held."""
        return self._vectors([f"{self.passage}{text}" for text in texts])

    def embed_query(self, text: str) -> Vectors:
        """The unit vector of what is looked for."""
        row: Vectors = self._vectors([f"{self.query}{text}"])[0]
        return row

    def _vectors(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            width = self._loaded.get_sentence_embedding_dimension()
            return np.zeros((0, width), np.float32)
        keys = [f"{self.model}\n{text}" for text in texts]
        return gathered(keys, self._known, self.cache, self._encoded)

    def _encoded(self, keys: Sequence[str]) -> Vectors:
        rows = self._loaded.encode(
            [key.partition("\n")[2] for key in keys],
            batch_size=self.batch,
            normalize_embeddings=True,
            convert_to_numpy=True,
            show_progress_bar=False,
        )
        # Padding beside a longer text shows in the last digits; six are kept.
        rounded: Vectors = np.round(rows, 6).astype(np.float32)
        return rounded

    @cached_property
    def _loaded(self) -> Any:
        if not self.model:
            command = "embedder.model=facebook/contriever"
            rule = "sentence-transformers runs any model, by folder or by name"
            raise GswlabError("embedder.model is not set", rule, command)
        if not self.download:
            os.environ.setdefault("HF_HUB_OFFLINE", "1")
        try:
            from sentence_transformers import SentenceTransformer
        except ImportError as error:
            command = 'pip install "gswlab[torch]"'
            problem = "sentence-transformers is not installed"
            rule = "embedder=sentence_transformers comes with the extra torch"
            raise GswlabError(problem, rule, command) from error
        try:
            return SentenceTransformer(
                self.model, device="cpu", local_files_only=not self.download
            )
        except (OSError, ValueError) as error:
            rule = "a model's folder, or a name that was downloaded before"
            command = f"embedder.model={self.model} embedder.download=true"
            problem = f"the model {self.model} is not on this disk"
            raise GswlabError(problem, rule, command) from error
