"""How Japanese prose writes dates: figures of every width, kanji, eras, and steps.

There are no spaces to part words, so what follows decides: 三日間 and 五年生 are no
dates, 昨日 in 昨日の朝 is one, 今日子 is a woman.
"""

from __future__ import annotations

import re

from gswlab.language.dates.calendar import Calendar, any_of
from gswlab.language.dates.table import (
    Finder,
    Words,
    feasts_of,
    numbers_of,
    steps_of,
    written,
)
from gswlab.language.language import Verbs, rows
from gswlab.language.numbers import KANJI_DIGITS, to_number

_ROWS = rows("ja/dates.tsv")
_FEASTS, _WORDS = feasts_of(_ROWS), steps_of(_ROWS)
_ERAS, _OLD_ERAS = numbers_of(_ROWS, "era"), numbers_of(_ROWS, "old era")
_STARTS = _ERAS | _OLD_ERAS
_WAYS = {w: step.count for w, step in _WORDS.items()} | numbers_of(_ROWS, "way")
# Counted from the day told last; all else from the day it is said on.
_TOLD = re.compile("[その同翌次当後]|前.|あくる|明くる|この日")
_N = rf"[\d{KANJI_DIGITS}]"
_DIGITS = _N[1:-1]
_ANY_YEAR = any_of(w for w, step in _WORDS.items() if step.unit == "year")
_ANY_OLD_ERA = any_of(_OLD_ERAS)
_FEAST = (  # 正月三日 is a day of the month; a tray is お盆 too: お盆に載せる
    rf"(?P<feast>{any_of(_FEASTS)})(?:(?<=正月)(?P<day>{_N}{{1,2}})日)?(?![一-龥ァ-ヺー])"
    "(?!(?<=お盆)(?!には|にも|に(?:帰|戻|来|会)|まで|の(?:頃|ころ|前|間)|が(?:来|過|近)))"
)
_YEAR = (
    rf"(?P<year>(?:{any_of(_ERAS)})\s?{_N}{{1,3}}|"
    rf"(?<!{_N})(?:\d{{4}}|[{KANJI_DIGITS}]{{3,8}}))\s?年"
)
_MONTH = rf"(?<!{_N})(?P<month>{_N}{{1,2}})\s?月"
_NO_YEAR = "(?<![昨去今来翌前同本のじる]年)(?<![昨去今来翌前同本のじる]年の)"
_NO_YEAR += "(?<!年前)(?<!年前の)"
_DAY = rf"\s?(?P<day>{_N}{{1,3}})\s?日(?!間|後|前|目|以内|ほど|ぶり)"
_UNIT = "[かヶカヵケ箇]?(?P<unit>日|週間|(?<=[かヶカヵケ箇])月|年)"
_WEEKDAY = (
    r"(?:\s?[(（]?[月火水木金土日](?:曜日?)[)）]?|\s?[(（][月火水木金土日][)）])?"
)
_CLOCK = re.compile(
    rf"(?:、|の|\s)?(?P<half>午前|午後)?(?P<hour>{_N}{{1,3}})時(?!間)"
    rf"(?P<minute>{_N}{{1,3}}(?=分)|半)?分?"
)
_KANA = [word for word in _WORDS if re.fullmatch("[ぁ-ん]+", word)]
_ANY_KANA = any_of(_KANA)
_ANY_MIXED = any_of(word for word in _WORDS if word not in _KANA)


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
    unit=(_WORDS | steps_of(_ROWS, "unit")).__getitem__,
    told=lambda way: bool(_TOLD.match(way)),
    feast=_FEASTS.__getitem__,
)


_PATTERNS = written(rows("ja/points.tsv"), JA_WORDS, globals())


# Whether a sentence looks back or ahead: by its last verb, but for what was only said.
_SAID = "(?:述べ|話し|語っ|報告し|言っ|説明し|発表し|伝え|答え)た"
JAPANESE_VERBS = Verbs(
    back=re.compile(r"(?:[ぁ-ん一-龥]た|[一-龥][んい]だ)(?:[。」]|\s*$|と)"),
    ahead=re.compile(
        "ことに(?:なっ|決ま|し|決め)た|(?:予定|つもり)(?:だ|です|で|。)"
        r"|(?:(?<!いま)(?<!おりま)(?<!てい)(?<!であ)[うくぐすつぬぶむる]|です|ください)"
        rf"(?:[。」]|$|と{_SAID})"
    ),
)


def in_japanese(point: Calendar) -> str:
    """A point of the calendar as Japanese prose writes it: 2024年5月7日."""
    parts = [(point.year, "年"), (point.month, "月"), (point.day, "日")]
    date = "".join(f"{number}{unit}" for number, unit in parts if number is not None)
    return f"{date} {point.clock}" if point.clock else date


japanese_dates = Finder(_PATTERNS, after=_CLOCK)
