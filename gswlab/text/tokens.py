"""Tokens of cl100k_base: the unit of every budget in the workbench.

The tables load with the first count, so that importing the package stays quick.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Protocol, cast

_MOST, _NEAR = 200_000, 1_000  # characters that are encoded at once; where it is cut
_PARTED = re.compile(r"(?<=\S) (?=[^\W\d_])")


class _Encoding(Protocol):
    def encode_ordinary(self, text: str) -> list[int]: ...


def count_tokens(text: str) -> int:
    """How many cl100k_base tokens `text` is; special tokens count as plain text.

    >>> count_tokens("Mara closed the door.")
    6
    """
    return sum(len(_encoding().encode_ordinary(part)) for part in _parts(text))


def _parts(text: str) -> Iterator[str]:
    """A text in pieces that the encoder takes, parted where its tokens part anyway.

    One space before a letter always begins a token.
    """
    while len(text) > _MOST:
        spaces = _PARTED.finditer(text, _MOST - _NEAR, _MOST)
        at = max((space.start() for space in spaces), default=_MOST)
        yield text[:at]
        text = text[at:]
    yield text


@cache
def _encoding() -> _Encoding:
    import bpe_openai

    return cast(_Encoding, bpe_openai.get_encoding("cl100k_base"))
