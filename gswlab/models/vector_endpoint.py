"""Sentence vectors from a server, each text asked for once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from gswlab.core.budget import count_tokens
from gswlab.core.cost import Entry
from gswlab.models.endpoint import Endpoint
from gswlab.models.model import Model
from gswlab.models.vectors.embedder import Vectors

_BATCH = 64  # texts in one call


@dataclass
class OpenAIEmbedder:
    """Unit vectors of a served model; `passage` and `query` are what it wants before.

    It is called through the lab's `model`: one ledger, cassette, pace and key. Where
    the chat model's server has no vectors, `base_url` names the one that does.

    >>> OpenAIEmbedder(Model(), "e5", passage="passage: ", query="query: ").query
    'query: '
    """

    model: Model
    name: str = "text-embedding-3-small"
    base_url: str | None = field(default=None, metadata={"reaches": "asks"})
    passage: str = ""
    query: str = ""

    @cached_property
    def endpoint(self) -> Endpoint:
        """The server of the vectors."""
        own = self.model.endpoint
        if self.base_url is None:
            return own
        return Endpoint(self.base_url, own.key_env, own.timeout, own.retries)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, in the order given: float32 (texts, dimensions)."""
        return self._unit([self.passage + text for text in texts])

    def embed_query(self, text: str) -> Vectors:
        """The unit vector of what is looked for: float32 (dimensions,)."""
        row: Vectors = self._unit([self.query + text])[0]
        return row

    def _unit(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.zeros((0, 0), np.float32)
        who = {"server": self.endpoint.name, "model": self.name}
        requests = {text: {**who, "embed": text} for text in texts}
        known = {
            text: self.model.recorded(request) for text, request in requests.items()
        }
        new = [text for text, vector in known.items() if vector is None]
        if len(new) < len(known):
            self.model.replayed(self._entry([]))
        for start in range(0, len(new), _BATCH):
            batch = new[start : start + _BATCH]

            def send(batch: list[str] = batch) -> dict[str, Any]:
                vectors, tokens = self.endpoint.embed(batch, self.name)
                for text, vector in zip(batch, vectors, strict=True):
                    self.model.kept(requests[text], {"vector": vector})
                return {"vectors": vectors, "input_tokens": tokens, "output_tokens": 0}

            def recorded(batch: list[str] = batch) -> dict[str, Any] | None:
                found = [self.model.recorded(requests[text]) for text in batch]
                if any(one is None for one in found):
                    return None
                vectors = [one["vector"] for one in found if one]
                return {"vectors": vectors, "input_tokens": 0, "output_tokens": 0}

            entry = self._entry(batch)
            told, _ = self.model.made(requests[batch[0]], entry, send, known=recorded)
            for text, vector in zip(batch, told["vectors"], strict=True):
                known[text] = {"vector": vector}
        sent = [found["vector"] for text in texts if (found := known[text])]
        rows = np.array(sent, np.float32)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        return np.asarray(rows / np.maximum(norms, 1e-12), np.float32)

    def _entry(self, texts: Sequence[str]) -> Entry:
        tokens = sum(map(count_tokens, texts))
        return Entry("embedding", None, self.name, "fresh", tokens, 0, 0.0)
