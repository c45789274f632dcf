"""Whole numbers as prose writes them: 7, ７, seven, seventh, VII, 七, 二〇二四, 元.

- one table for every writing system, so chapters, dates and counts read alike;
- what is not a number is None, never a guess.
"""

from __future__ import annotations

import re

_UP_TO_19 = (
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
)
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
WORDS: dict[str, int] = {
    **{word: n for n, word in enumerate(_UP_TO_19.split(), 1)},
    **{word: 10 * n for n, word in enumerate(_TENS.split(), 2)},
}
ORDINALS: dict[str, int] = {
    **{re.sub("y$", "ie", word) + "th": n for word, n in WORDS.items()},
    "first": 1, "second": 2, "third": 3, "fifth": 5, "eighth": 8, "ninth": 9,
    "twelfth": 12,
}  # fmt: skip
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_ROMAN_SHAPE = re.compile(
    r"(?=.)m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})"
)
_KANJI = {char: n for n, char in enumerate("〇一二三四五六七八九")} | {"零": 0, "元": 1}
_POWERS = {"十": 10, "百": 100, "千": 1000}
KANJI_DIGITS = "".join([*_KANJI, *_POWERS])


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
    ones = WORDS.get(unit, ORDINALS.get(unit, 0))
    return WORDS[tens] + ones if tens in _TENS.split() and 0 < ones < 10 else None


def _kanji(text: str) -> int | None:
    if not any(char in _POWERS for char in text):
        digits = "".join(str(_KANJI[char]) for char in text)
        return int(digits) if len(digits) < 10 else None
    total, digit = 0, 0
    for char in text:
        if char in _POWERS:
            total, digit = total + max(digit, 1) * _POWERS[char], 0
        else:
            digit = _KANJI[char]
    return total + digit
