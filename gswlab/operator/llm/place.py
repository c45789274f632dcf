"""Where a passage has words: whole, in any kind of quotation marks, articles apart."""

from __future__ import annotations

import re
from typing import NamedTuple

from gswlab.language.language import JAPANESE
from gswlab.language.names import DEFINITE, INDEFINITE

_ALIKE = str.maketrans("“”„‘’‚–—‐\u00a0\u3000", "\"\"\"'''---  ")
_EDGES = " \t\n.,;:!?…\"'“”‘’。、"
_INSIDE = re.compile(rf"[^\W{JAPANESE}]{{2}}|[ァ-ヺー]{{2}}")
_SHORT, _LONGER = frozenset("彼私僕俺"), "(?!女|ら|等|達|たち|立)"  # 彼女 is not 彼


class Place(NamedTuple):
    """Characters `start` to `end` of a passage."""

    start: int
    end: int

    def meets(self, other: Place) -> bool:
        """Whether two places share a character."""
        return self.start < other.end and other.start < self.end

    def apart(self, other: Place) -> int:
        """How many characters lie between two places."""
        return max(self.start - other.end, other.start - self.end, 0)


def places(text: str, said: str) -> list[Place]:
    """Where a text has these words, whole and in any kind of quotation marks.

    Capitals count where the words have some and the text has them so.

    >>> places("May said she may go.", "May"), places("She may.", "MAY")
    ([Place(start=0, end=3)], [Place(start=4, end=7)])
    """
    words = bare(said).translate(_ALIKE).split()
    if not words:
        return []
    plain, pattern = text.translate(_ALIKE), r"\s+".join(map(re.escape, words))
    pattern += _LONGER if words[-1] in _SHORT else ""
    for flag in (re.NOFLAG, re.IGNORECASE)[said == said.lower() :]:
        found = [Place(*m.span()) for m in re.finditer(pattern, plain, flag)]
        if found := [place for place in found if _is_whole(plain, place)]:
            return found
    return []


def bare(said: str) -> str:
    """Words without the article before them and the marks around them.

    >>> bare("the old mill."), bare("“A”")
    ('old mill', 'A')
    """
    said = said.strip(_EDGES)
    first, _, rest = said.partition(" ")
    return rest.strip() if rest and first.lower() in DEFINITE | INDEFINITE else said


def _is_whole(text: str, place: Place) -> bool:
    """Whether no word is cut; kanji and hiragana may be cut anywhere."""
    cuts = (text[max(0, at - 1) : at + 1] for at in place)
    return not any(_INSIDE.fullmatch(cut) for cut in cuts)
