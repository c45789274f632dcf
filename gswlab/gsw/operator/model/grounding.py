"""A reply held against its passage: what the passage does not have is refused."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import compress

from gswlab.core.nouns import Chunk, Span
from gswlab.language.keys import DEFINITE, INDEFINITE
from gswlab.language.language import KANA_KANJI

_ALIKE = str.maketrans("“”„‘’‚–—‐\u00a0\u3000", "\"\"\"'''---  ")
_EDGES = " \t\n.,;:!?…\"'“”‘’。、"
_INSIDE = re.compile(rf"[^\W{KANA_KANJI}]{{2}}|[ァ-ヺー]{{2}}")
_SHORT, _LONGER = frozenset("彼私僕俺"), "(?!女|ら|等|達|たち|立)"  # 彼女 is not 彼


def meets(one: Span, other: Span) -> bool:
    """Whether two places share a character."""
    return one.start < other.end and other.start < one.end


def find_words(text: str, said: str) -> list[tuple[int, int]]:
    """Where a text has these words, whole and in any kind of quotation marks.

    Capitals count where the words have some and the text has them so.
    """
    words = bare_words(said).translate(_ALIKE).split()
    if not words:
        return []
    plain, pattern = text.translate(_ALIKE), r"\s+".join(map(re.escape, words))
    pattern += _LONGER if words[-1] in _SHORT else ""
    for flag in (re.NOFLAG, re.IGNORECASE)[said == said.lower() :]:
        found = [m.span() for m in re.finditer(pattern, plain, flag)]
        # No word may be cut; kanji and hiragana may be cut anywhere.
        cuts = [[plain[max(0, at - 1) : at + 1] for at in place] for place in found]
        whole = [not any(map(_INSIDE.fullmatch, ends)) for ends in cuts]
        if kept := list(compress(found, whole)):
            return kept
    return []


def bare_words(said: str) -> str:
    """Words without the article before them and the marks around them.

    >>> bare_words("the old mill."), bare_words("“A”")
    ('old mill', 'A')
    """
    said = said.strip(_EDGES)
    first, _, rest = said.partition(" ")
    return rest.strip() if rest and first.lower() in DEFINITE | INDEFINITE else said


@dataclass
class HeldPassage:
    """A chunk that a reply is held against, and what of the reply it has refused."""

    chunk: Chunk
    refused: list[str] = field(default_factory=list)

    def refuse(self, path: str, why: str) -> None:
        """Say what is not believed, and why."""
        self.refused.append(f"{path}: {why}")

    def places(self, said: str) -> list[Span]:
        """Where the passage has these words."""
        base, found = self.chunk.span.start, find_words(self.chunk.text, said)
        return [Span(self.chunk.document, base + a, base + b) for a, b in found]

    def find(self, path: str, said: str, near: Span | None = None) -> Span | None:
        """Where the passage has these words, nearest to a place; refused if nowhere."""
        found = self.places(said)
        if not found:
            self.refuse(path, f"{said!r} is not in the passage")
            return None
        return nearest(found, near) if near else found[0]

    def words(self, span: Span) -> str:
        """What the passage has at a place."""
        base = self.chunk.span.start
        return self.chunk.text[span.start - base : span.end - base]


def nearest(spans: Iterable[Span], to: Span) -> Span:
    """The place with the fewest characters between it and another."""
    return min(spans, key=lambda s: max(s.start - to.end, to.start - s.end, 0))
