"""How Japanese prose writes dates: figures of every width, kanji, eras, and steps.

There are no spaces to part words, so what follows decides: 三日間 and 五年生 are no
dates, 昨日 in 昨日の朝 is one, 今日子 is a woman.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from gswlab.language.dates.calendar import (
    Calendar,
    FoundDate,
    Shift,
    Unit,
    any_of,
)
from gswlab.language.dates.table import Words, days_of, numbers_of, steps_of, written
from gswlab.language.language import Tense, rows
from gswlab.language.numbers import KANJI_DIGITS, to_number

# Feasts of Japanese prose, with their year: 昭和二十二年の元旦, 来年の正月.

_ROWS = rows(Path(__file__).with_name("dates.tsv"))
_DAYS, _YEARS = days_of(_ROWS, "feast"), numbers_of(_ROWS, "year")
ERAS, OLD_ERAS = numbers_of(_ROWS, "era"), numbers_of(_ROWS, "old era")
_WORDS = steps_of(_ROWS)
_N = rf"[\d{KANJI_DIGITS}]"
_DIGITS = _N[1:-1]
_ANY_YEAR, _ANY_OLD_ERA = any_of(_YEARS), any_of(OLD_ERAS)
# Counted from the day told last; all else from the day it is said on.
_TOLD = re.compile("[その同翌前次当]|あくる|明くる|この日")
_WAYS = {w: step.count for w, step in _WORDS.items()} | numbers_of(_ROWS, "way")
JA_WORDS = Words(
    weekday="月火水木金土日".index,
    way=_WAYS.__getitem__,
    told=lambda way: bool(_TOLD.match(way)),
)

# a tray too: お盆に載せる
_TRAY = re.compile(
    "(?!には|にも|に(?:帰|戻|来|会)|まで|の(?:頃|ころ|前|間)|が(?:来|過|近))"
)
_FEASTS_TOLD = re.compile("[前同そ翌次明]")  # 前年: of the story; 昨年: of the talk
_FEASTS_ERA = rf"(?P<era>{any_of([*ERAS, *OLD_ERAS])})\s?(?P<count>{_N}{{1,3}})年"
_LEFT_UNSAID = rf"(?<![一-龥{_N[1:-1]}])(?P<count>{_N}{{1,3}})年"
_FEAST = rf"(?P<feast>{any_of(_DAYS)})(?P<day>{_N}{{1,2}}日)?(?![一-龥ァ-ヺー])"


def _on(match: re.Match[str], year: int | None) -> Calendar | None:
    """The feast in a year; 正月三日 is a day of the month that the feast stands for."""
    month, day = _DAYS[match["feast"]]
    if match["feast"] == "お盆" and _TRAY.match(match.string, match.end()):
        return None
    if match["day"]:
        day = to_number(match["day"][:-1])
        if "正月" not in match["feast"] or day is None:
            return None
    return Calendar(year, month, day)


def _of_era(match: re.Match[str]) -> Calendar | None:
    count = to_number(match["count"])
    start = ERAS.get(match["era"])
    return _on(match, start + count) if start and count else None


def _of_word(match: re.Match[str]) -> Shift | None:
    """去年の大晦日, 翌年の正月."""
    point, word = _on(match, None), match["word"]
    if point is None:
        return None
    told = bool(_FEASTS_TOLD.match(word))
    return Shift("year", _YEARS[word], point.month, of_month=point.day, told=told)


def _old(match: re.Match[str]) -> Calendar | None:
    count = to_number(match["count"])
    return Calendar(OLD_ERAS[match["old"]] + count) if count else None


def _unsaid(match: re.Match[str]) -> Calendar | None:
    """昭和二十二年に生まれ、三十年に上京した: of the era named before."""
    count = to_number(match["count"])
    named = list(re.finditer(_FEASTS_ERA, match.string[: match.start()]))
    before = to_number(named[-1]["count"]) if named else None
    if count is None or before is None or count < before or count > 64:
        return None
    era = named[-1]["era"]
    if era not in ERAS:
        return None
    month = to_number(match["month"]) if match["month"] else None
    if match["feast"]:
        return _on(match, ERAS[era] + count)
    return Calendar(ERAS[era] + count, month)


def _alone(m: re.Match[str]) -> Calendar | None:
    return None if m.string[: m.start()].endswith("年の") else _on(m, None)


def _of_figures(match: re.Match[str]) -> Calendar | None:
    return _on(match, to_number(match["year"]))


_FEASTS_PATTERNS = written(Path(__file__).with_name("feasts.tsv"), JA_WORDS, globals())


_ERA = rf"(?P<era>{any_of(ERAS)})\s?(?P<era_year>{_N}{{1,3}})"
_YEAR = rf"(?:{_ERA}|(?<!{_N})(?P<year>\d{{4}}|[{KANJI_DIGITS}]{{3,8}}))\s?年"
_MONTH = rf"(?<!{_N})(?P<month>{_N}{{1,2}})\s?月"
_NO_YEAR = "(?<![昨去今来翌前同本のじる]年)(?<![昨去今来翌前同本のじる]年の)"
_NO_YEAR += "(?<!年前)(?<!年前の)"
_DAY = rf"\s?(?P<day>{_N}{{1,3}})\s?日(?!間|後|前|目|以内|ほど|ぶり)"
_WEEKDAY = (
    r"(?:\s?[(（]?[月火水木金土日](?:曜日?)[)）]?|\s?[(（][月火水木金土日][)）])?"
)
_CLOCK = (
    rf"(?:、|の|\s)?(?P<half>午前|午後)?(?P<hour>{_N}{{1,3}})時(?!間)"
    rf"(?:(?P<minute>{_N}{{1,3}})分|(?P<thirty>半))?"
)
_FIELDS = ("month", "day", "hour", "minute")


def _date(match: re.Match[str]) -> Calendar | None:
    groups = match.groupdict()
    numbers = {key: _number(groups.get(key)) for key in _FIELDS}
    if any(groups.get(key) and number is None for key, number in numbers.items()):
        return None
    if groups.get("year") and (_year(groups) or 0) < 1000:
        return None  # 二十一年 is a span of time or a year of an era left unsaid
    point = Calendar(_year(groups), numbers["month"], numbers["day"])
    if point.day is not None and numbers["hour"] is not None:
        minute = 30 if groups["thirty"] else numbers["minute"] or 0
        return replace(point, clock=_clock(groups, numbers["hour"], minute))
    return point


def _number(text: str | None) -> int | None:
    return to_number(text) if text else None


def _year(groups: dict[str, str | None]) -> int | None:
    if era := groups.get("era"):
        count = _number(groups["era_year"])
        return None if count is None else ERAS[era] + count
    return _number(groups.get("year"))


def _clock(groups: dict[str, str | None], hour: int, minute: int) -> str | None:
    if groups["half"] == "午後" and hour < 12:
        hour += 12
    return f"{hour:02d}:{minute:02d}" if hour < 24 and minute < 60 else None


_KANA = [word for word in _WORDS if re.fullmatch("[ぁ-ん]+", word)]
_ANY_KANA = any_of(_KANA)
_ANY_MIXED = any_of(word for word in _WORDS if word not in _KANA)


_UNITS: dict[str, Unit] = {"日": "day", "週間": "week", "月": "month", "年": "year"}


def _word(match: re.Match[str]) -> Shift:
    return replace(_WORDS[match.group()], told=bool(_TOLD.match(match.group())))


def _counted(match: re.Match[str]) -> Shift:
    groups = match.groupdict()
    unit = _UNITS["月" if match["unit"].endswith("月") else match["unit"]]
    vague = groups.get("either") or match["about"]  # 二、三日後, 十日ほど前
    number = None if vague else to_number(match["count"])
    back = groups.get("way") == "前"
    count = -number if number is not None and back else number
    return Shift(unit, count, told=not back)


_PATTERNS = written(Path(__file__).with_name("points.tsv"), JA_WORDS, globals())

_ALL = (*_PATTERNS, *_FEASTS_PATTERNS)


# Whether a sentence looks back or ahead: by its last verb.

_TENSE_BACK = re.compile(r"(?:[ぁ-ん一-龥]た|[一-龥][んい]だ)(?:[。」]|\s*$|と)")
_TENSE_AHEAD = re.compile(
    r"(?:(?<!いま)(?<!おりま)(?<!てい)(?<!であ)[うくぐすつぬぶむる]|です|予定だ?"
    r"|つもり(?:だ|です)?|ください)(?:[。」]|$)"
)
_TENSE_PLAN = re.compile(
    "ことに(?:なっ|決ま|し|決め)た|(?:予定|つもり)(?:だ|です|で|。)"
)
_TENSE_SAID = re.compile("と(?:述べ|話し|語っ|報告し|言っ|説明し|発表し|伝え|答え)た")


def japanese_tense(sentence: str) -> Tense | None:
    """The tense of a sentence; what was said in it has a tense of its own.

    >>> japanese_tense("三日に会議を開く。"), japanese_tense("三日に会議を開いた。")
    ('future', 'past')
    """
    told = _TENSE_SAID.split(sentence)[0]
    if _TENSE_PLAN.search(told):
        return "future"
    ahead: Tense | None = "future" if _TENSE_AHEAD.search(told) else None
    return "past" if _TENSE_BACK.search(told) else ahead


def in_japanese(point: Calendar) -> str:
    """A point of the calendar as Japanese prose writes it: 2024年5月7日."""
    parts = [(point.year, "年"), (point.month, "月"), (point.day, "日")]
    date = "".join(f"{number}{unit}" for number, unit in parts if number is not None)
    return f"{date} {point.clock}" if point.clock else date


def japanese_dates(text: str, found: Sequence[FoundDate]) -> list[FoundDate]:
    """Every date the text writes in Japanese beside those found, overlaps included."""
    return [*found, *(hit for pattern in _ALL for hit in pattern.find(text))]
