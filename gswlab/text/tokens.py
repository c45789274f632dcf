"""Tokens of cl100k_base: the unit of every budget in the workbench.

The tables load with the first count, so that importing the package stays quick.
"""

from __future__ import annotations

from functools import cache
from typing import Protocol, cast


class _Encoding(Protocol):
    def encode_ordinary(self, text: str) -> list[int]: ...


def count_tokens(text: str) -> int:
    """How many cl100k_base tokens `text` is; special tokens count as plain text.

    >>> count_tokens("Mara closed the door.")
    6
    """
    return len(_encoding().encode_ordinary(text))


@cache
def _encoding() -> _Encoding:
    import bpe_openai

    return cast(_Encoding, bpe_openai.get_encoding("cl100k_base"))
