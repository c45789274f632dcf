"""Questions whose answer takes several paragraphs, whatever file they came from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A titled paragraph; one sentence where the file keeps no split.

    >>> Paragraph.of("Rain", ["It rained.", "It poured."]).text
    'It rained. It poured.'
    """

    title: str
    sentences: tuple[str, ...]

    @classmethod
    def of(cls, title: str, sentences: Sequence[str]) -> Paragraph:
        """Joined without loss: a space is put only where no sentence brings one."""
        parts = list(sentences[:1])
        for before, text in pairwise(sentences):
            parted = not text or before[-1:].isspace() or text[0].isspace()
            parts.append(text if parted else f" {text}")
        return cls(title, tuple(parts))

    @property
    def text(self) -> str:
        """All sentences in one string; the title is not in it."""
        return "".join(self.sentences)

    def bounds(self) -> Iterator[tuple[int, int]]:
        """Where each sentence of the file lies in the text."""
        return pairwise(accumulate(map(len, self.sentences), initial=0))


@dataclass(frozen=True, slots=True)
class HopQuestion:
    """A question, its paragraphs and its gold.

    `answers` are equally good; `gold` are rows of `paragraphs`; `facts` are gold
    (paragraph, sentence) rows where the file has them. No memory or reader ever gets
    more of it than `question`.
    """

    id: str
    question: str
    answers: tuple[str, ...]
    paragraphs: tuple[Paragraph, ...]
    gold: frozenset[int]
    kind: str = ""
    facts: frozenset[tuple[int, int]] | None = None
