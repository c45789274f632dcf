"""Japanese: dates in figures of every width, kanji, eras and steps, and chapters.

There are no spaces to part words, so what follows decides: 三日間 and 五年生 are no
dates, 昨日 in 昨日の朝 is one, 今日子 is a woman.
"""

from __future__ import annotations

import re
from pathlib import Path

from gswlab.language.dates.calendar import Calendar, any_of
from gswlab.language.dates.table import DateRows, Finder, Words, shapes, signs, written
from gswlab.language.language import KANA_KANJI, Language, rows
from gswlab.language.numbers import KANJI_DIGITS, to_number

_ROWS = DateRows(rows("ja/dates.tsv"))
_FEASTS, _WORDS = _ROWS.feasts(), _ROWS.steps()
_ERAS, _OLD_ERAS = _ROWS.numbers("era"), _ROWS.numbers("old era")
_STARTS = _ERAS | _OLD_ERAS
_WAYS = {w: step.count for w, step in _WORDS.items()} | _ROWS.numbers("way")
# Counted from the day told last; all else from the day it is said on.
_TOLD = re.compile("[その同翌次当後]|前.|あくる|明くる|この日")


def _year(word: str) -> int | None:
    """昭和二十二, 二〇二四; 二十一年 is a span of time, or of an era left unsaid."""
    if word[:2] in _STARTS:
        count = to_number(word[2:])
        return None if count is None else _STARTS[word[:2]] + count
    number = to_number(word)
    return number if number and number > 999 else None


JA_WORDS = Words(
    weekday="月火水木金土日".index,
    year=_year,
    way=_WAYS.__getitem__,
    unit=(_WORDS | _ROWS.steps("unit")).__getitem__,
    told=lambda way: bool(_TOLD.match(way)),
    feast=_FEASTS.__getitem__,
)
_KANA = [word for word in _WORDS if re.fullmatch("[ぁ-ん]+", word)]
_LISTS = {
    "KANJI": KANJI_DIGITS,
    "ERAS": any_of(_ERAS),
    "ANY_OLD_ERA": any_of(_OLD_ERAS),
    "FEASTS": any_of(_FEASTS),
    "ANY_YEAR": any_of(w for w, step in _WORDS.items() if step.unit == "year"),
    "ANY_KANA": any_of(_KANA),
    "ANY_MIXED": any_of(word for word in _WORDS if word not in _KANA),
}
_SHAPES = shapes(rows("ja/shapes.tsv"), _LISTS)
_PATTERNS = written(rows("ja/points.tsv"), JA_WORDS, _SHAPES)


def in_japanese(point: Calendar) -> str:
    """A point of the calendar as Japanese prose writes it: 2024年5月7日."""
    parts = [(point.year, "年"), (point.month, "月"), (point.day, "日")]
    date = "".join(f"{number}{unit}" for number, unit in parts if number is not None)
    return f"{date} {point.clock}" if point.clock else date


JAPANESE = Language(
    code="ja",
    name="Japanese",
    folder=Path(__file__).parent,
    parser="ja_ginza",
    dates=Finder(_PATTERNS, after=re.compile(_SHAPES["AFTER"])),
    dated=in_japanese,
    tells=signs(rows("ja/tells.tsv")),
    heading=re.compile(
        rf"第\s*(?P<number>[\d{KANJI_DIGITS}]+)\s*[章話回](?:[\s:：.．、「『・].*)?"
    ),
    letters=re.compile(f"[{KANA_KANJI}]+"),
    asked=re.compile("[ぁ-ゖァ-ヺ]"),
    space="",
    plain=False,  # GiNZA's
    year_once=True,
)
