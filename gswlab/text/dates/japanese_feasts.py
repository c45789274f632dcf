"""Feasts of Japanese prose, with their year: 昭和二十二年の元旦, 来年の正月.

Some lie on another day each year, or last for days: these tell no more than the month.
"""

from __future__ import annotations

import re

from gswlab.text.dates.calendar import Calendar, Shift
from gswlab.text.dates.pattern import Found, Pattern
from gswlab.text.numbers import KANJI_DIGITS, to_number

_DAYS = {
    "お正月": (1, None),
    "正月": (1, None),
    "元日": (1, 1),
    "元旦": (1, 1),
    "三が日": (1, None),
    "松の内": (1, None),
    "成人の日": (1, None),
    "節分": (2, None),
    "立春": (2, None),
    "紀元節": (2, 11),
    "建国記念の日": (2, 11),
    "バレンタインデー": (2, 14),
    "ひな祭り": (3, 3),
    "桃の節句": (3, 3),
    "春分の日": (3, None),
    "昭和の日": (4, 29),
    "憲法記念日": (5, 3),
    "みどりの日": (5, 4),
    "こどもの日": (5, 5),
    "子どもの日": (5, 5),
    "端午の節句": (5, 5),
    "母の日": (5, None),
    "父の日": (6, None),
    "夏至": (6, None),
    "七夕": (7, 7),
    "海の日": (7, None),
    "山の日": (8, None),
    "お盆": (8, None),
    "終戦記念日": (8, 15),
    "敬老の日": (9, None),
    "秋分の日": (9, None),
    "体育の日": (10, None),
    "ハロウィン": (10, 31),
    "明治節": (11, 3),
    "文化の日": (11, 3),
    "勤労感謝の日": (11, 23),
    "師走": (12, None),
    "冬至": (12, None),
    "クリスマスイブ": (12, 24),
    "クリスマスイヴ": (12, 24),
    "クリスマス": (12, None),
    "大みそか": (12, 31),
    "大晦日": (12, 31),
}
# a tray too: お盆に載せる
_TRAY = re.compile(
    "(?!には|にも|に(?:帰|戻|来|会)|まで|の(?:頃|ころ|前|間)|が(?:来|過|近))"
)
_YEARS = {
    "一昨年": -2,
    "おととし": -2,
    "昨年": -1,
    "去年": -1,
    "前年": -1,
    "前の年": -1,
    "今年": 0,
    "本年": 0,
    "同年": 0,
    "同じ年": 0,
    "その年": 0,
    "来年": 1,
    "翌年": 1,
    "次の年": 1,
    "明くる年": 1,
    "再来年": 2,
}
_TOLD = re.compile("[前同そ翌次明]")  # 前年: of the story; 昨年: of the talk
# The year before each era's first.
ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "明治": 1867}
# Of the old calendar, whose last month may lie in our next year: the year alone.
OLD_ERAS = {
    "慶応": 1864,
    "元治": 1863,
    "文久": 1860,
    "万延": 1859,
    "安政": 1853,
    "嘉永": 1847,
    "弘化": 1843,
    "天保": 1829,
    "文政": 1817,
    "文化": 1803,
    "享和": 1800,
    "寛政": 1788,
    "天明": 1780,
    "安永": 1771,
    "明和": 1763,
    "宝暦": 1750,
    "享保": 1715,
    "正徳": 1710,
    "宝永": 1703,
    "元禄": 1687,
    "寛永": 1623,
    "慶長": 1595,
}
_N = rf"[\d{KANJI_DIGITS}]"


def _any(words: list[str]) -> str:
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


_ERA = rf"(?P<era>{_any([*ERAS, *OLD_ERAS])})\s?(?P<count>{_N}{{1,3}})年"
_LEFT_UNSAID = rf"(?<![一-龥{_N[1:-1]}])(?P<count>{_N}{{1,3}})年"
_FEAST = rf"(?P<feast>{_any(list(_DAYS))})(?P<day>{_N}{{1,2}}日)?(?![一-龥ァ-ヺー])"


def _feast(match: re.Match[str]) -> Calendar | None:
    other = match.string[: match.start()].endswith(("年", "年の"))
    return None if other else _on(match, None)


def _nth(match: re.Match[str]) -> Calendar | None:
    """六月の第二日曜, 七月の最終土曜."""
    nth = to_number(match["nth"]) if match["nth"] else -1
    weekday = "月火水木金土日".index(match["weekday"])
    return Calendar(None, to_number(match["month"]), weekday=weekday, nth=nth)


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


def _of_western(match: re.Match[str]) -> Calendar | None:
    return _on(match, to_number(match["year"]))


def _of_era(match: re.Match[str]) -> Calendar | None:
    count = to_number(match["count"])
    start = ERAS.get(match["era"])
    return _on(match, start + count) if start and count else None


def _of_word(match: re.Match[str]) -> Shift | None:
    """去年の大晦日, 翌年の正月."""
    point, word = _on(match, None), match["word"]
    if point is None:
        return None
    told = bool(_TOLD.match(word))
    return Shift("year", _YEARS[word], point.month, of_month=point.day, told=told)


def _old(match: re.Match[str]) -> Calendar | None:
    count = to_number(match["count"])
    return Calendar(OLD_ERAS[match["old"]] + count) if count else None


def _unsaid(match: re.Match[str]) -> Calendar | None:
    """昭和二十二年に生まれ、三十年に上京した: of the era named before."""
    count = to_number(match["count"])
    named = list(re.finditer(_ERA, match.string[: match.start()]))
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


_PATTERNS = (
    Pattern(re.compile(rf"(?<![一-龥]){_FEAST}"), _feast),
    Pattern(re.compile(rf"{_ERA}の?{_FEAST}"), _of_era),
    Pattern(
        re.compile(
            rf"(?<!{_N})(?P<month>{_N}{{1,2}})月の?(?:第(?P<nth>{_N})|最終|最後の)"
            "(?P<weekday>[月火水木金土日])曜日?"
        ),
        _nth,
    ),
    Pattern(re.compile(rf"(?<!{_N})(?P<year>{_N}{{4}})年の?{_FEAST}"), _of_western),
    Pattern(re.compile(rf"(?P<word>{_any(list(_YEARS))})の?{_FEAST}"), _of_word),
    Pattern(
        re.compile(
            rf"(?P<old>{_any(list(OLD_ERAS))})(?P<count>{_N}{{1,3}})年"
            rf"(?:閏?(?:{_N}{{1,2}}|正)月(?:{_N}{{1,3}}日)?)?"
        ),
        _old,
    ),
    Pattern(
        re.compile(
            rf"{_LEFT_UNSAID}(?:の?(?:(?P<month>{_N}{{1,2}})月(?!間)(?!{_N}+日)|{_FEAST}"
            "|春|夏|秋|冬|初め|末|暮れ)|(?=に(?!及|わた|亘|渡|一度|一回)))"
        ),
        _unsaid,
    ),
)


def find(text: str) -> list[Found]:
    """Every feast, and every year of an era that only its feast or era can tell."""
    return [item for pattern in _PATTERNS for item in pattern.find(text)]
