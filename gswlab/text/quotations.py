"""Where quotations of a text begin and end, by their marks alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

# A single mark in or after a word is an apostrophe; a blank line ends what is open.
_MARK = re.compile(
    r"(?P<opens>[“「『]|(?<![\w’])‘|(?<![^\s(\[—–\"-])['\"](?=\S))"
    r"|(?P<closes>[”」』\"]|’(?!\w)|(?<=[.,!?;—-])'(?!\w))|\n\s*\n"
)
Bounds = tuple[int, int]
KnownBounds = Iterable[Bounds] | None  # None: to be found
_CLOSED = {"“": "”", "「": "」", "『": "』", '"': '"', "‘": "’", "'": "'"}


def marked(text: str) -> Iterator[Bounds]:
    """Each quotation from its opening mark to its closing one.

    A quotation that opens anew, or has no closing mark, ends with its paragraph; a
    single mark that is never closed opens none.
    """
    opened = list[tuple[str, int]]()
    for found in _MARK.finditer(text + "\n\n"):
        mark, at = found[0], found.start()
        within = [_CLOSED[one] for one, _ in opened]
        if found["closes"] and mark in within:
            del opened[within.index(mark) + 1 :]
            yield opened.pop()[1], found.end()
        elif found["opens"]:
            if mark not in "‘'" and mark in [one for one, _ in opened[:1]]:
                yield opened[0][1], at
                opened = []
            opened.append((mark, at))
        elif not found["closes"]:
            yield from ((start, at) for one, start in opened[:1] if one not in "‘'")
            opened = []
