"""Whole numbers as prose writes them: 7, ７, seven, seventh, VII, 七, 二〇二四, 元.

- one table for every writing system, so chapters, dates and counts read alike;
- what is not a number is None, never a guess.
"""

from __future__ import annotations

import re
from unicodedata import numeric

from gswlab.language.language import rows

_TABLE = rows("en/numbers.tsv")
WORDS = {word: int(number) for word, _, number in _TABLE}
ORDINALS = {word: int(number) for _, word, number in _TABLE}
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_ROMAN_SHAPE = re.compile(
    r"(?=.)m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})"
)
KANJI_DIGITS = "〇一二三四五六七八九零元十百千"


def to_number(text: str) -> int | None:
    """The number a short text writes, or None.

    >>> [to_number(t) for t in ("７", "twenty-first", "IV", "三十一", "yes")]
    [7, 21, 4, 31, None]
    """
    text = text.strip().lower()
    if text.isdecimal():
        return int(text) if len(text) < 10 else None
    if text and all(char in KANJI_DIGITS for char in text):
        return _kanji(text)
    if text.isascii() and (number := _words(text)) is not None:
        return number
    if not _ROMAN_SHAPE.fullmatch(text):
        return None
    values = [_ROMAN[char] for char in text]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(value if value >= following else -value for value, following in pairs)


def _words(text: str) -> int | None:
    tens, _, unit = text.replace(" ", "-").partition("-")
    if not unit:
        return WORDS.get(tens, ORDINALS.get(tens))
    many, ones = WORDS.get(tens, 0), WORDS.get(unit, ORDINALS.get(unit, 0))
    return many + ones if many >= 20 and 0 < ones < 10 else None


def _kanji(text: str) -> int | None:
    values = [int(numeric(char, 1)) for char in text]  # 元 is the first year
    if max(values) < 10:
        return int("".join(map(str, values))) if len(values) < 10 else None
    total, digit = 0, 0
    for value in values:
        tens = value >= 10
        total, digit = (total + max(digit, 1) * value, 0) if tens else (total, value)
    return total + digit
