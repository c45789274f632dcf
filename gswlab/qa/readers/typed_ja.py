"""What a Japanese sentence near a question says of it, by its particles and counters.

It answers where it has every written-out word of the question, its verb among them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from gswlab.language.dates.find import find_dates
from gswlab.language.numbers import KANJI_DIGITS
from gswlab.qa.question.answer_type import AnswerType

_NOUN = "[一-龠々〆ァ-ヶーA-Za-z]"
_WORD = re.compile(rf"{_NOUN}+")
_ASKED = re.compile("何[一-龠]?|誰|最初|最後|次|人(?=ですか)")
_MANY = re.compile("何(時間|日間|週間|か月|年間|[一-龠])")
_WHERE = re.compile("(?:どこ|何処)(で|に|へ|から|を)?")
_HOUR = re.compile(
    rf"(?:午前|午後|朝|夜|夕方)?[\d{KANJI_DIGITS}]+(?:時(?:半|[\d{KANJI_DIGITS}]+分)?|:\d\d)"
    "|朝|昼|夕方|夜|明け方|正午"
)
_REASON = re.compile(
    "([^、。「」]+(?:から|ので|ため|おかげで|せいで))(?:に|だ|です|である)?(?=[、。]|$)"
    "|([^、。「」]+(?:から|ので|ため))(?=[^、。]+)"
)
_WHO = re.compile("(.+?)(?:さん|氏)?(?:とは|は)")


def _digits(text: str) -> str:
    return rf"[\d,{KANJI_DIGITS}]+{re.escape(text)}"


def read_particles(kind: AnswerType | None, question: str, sentence: str) -> str | None:
    """What a sentence says of a question; None where nothing.

    >>> read_particles("number", "子は何人いますか。", "子が六人いるから平気。")
    '六人'
    >>> read_particles("place", "花はどこで待ちましたか。", "花ちゃんが渚駅で待つ")
    '渚駅'
    """
    reads = _BY_TYPE.get(kind)
    asked = _WORD.findall(_ASKED.sub("、", question))
    told = set(_WORD.findall(sentence))  # whole: who is called 山田 may be another 山田
    if not reads or not asked or not told.issuperset(asked):
        return None
    return reads(question, sentence)


def _number(question: str, sentence: str) -> str | None:
    counter = _MANY.search(question)
    hit = re.search(_digits(counter[1]), sentence) if counter else None
    return hit.group() if hit else None


def _time(question: str, sentence: str) -> str | None:
    days = [day.text for day in find_dates(sentence) if day.text not in question]
    hour = _HOUR.search(sentence)
    return days[0] if days else hour.group() if hour else None


def _place(question: str, sentence: str) -> str | None:
    """The noun before the particle that the question has behind its どこ."""
    asked = _WHERE.search(question)
    particle = asked[1] if asked and asked[1] else "[でにへ]"
    told = rf"({_NOUN}+(?:の{_NOUN}+)*)(?={particle})"
    dated = [day.text for day in find_dates(sentence)]
    found = [m[1] for m in re.finditer(told, sentence)]
    new = [one for one in found if one not in question and one not in dated]
    return new[-1] if new else None


def _reason(_: str, sentence: str) -> str | None:
    hit = _REASON.search(sentence)
    return hit[1] or hit[2] if hit else None


def _identity(question: str, sentence: str) -> str | None:
    """What stands before a name with a comma or a の, or follows it as what it is."""
    asked = _WHO.match(question)
    name = re.escape(asked[1]) if asked else ""
    said = re.search(rf"([^、。「」]+)(?:、|の|で、){name}", sentence) or re.search(
        rf"{name}(?:さん|氏)?は、?([^、。]+?)(?:で|である|だった|です|だ)?(?=[、。]|$)",
        sentence,
    )
    return said[1] if name and said else None


_BY_TYPE: Mapping[AnswerType | None, Callable[[str, str], str | None]] = {
    "number": _number, "time": _time, "place": _place, "reason": _reason,
    "identity": _identity,
}  # fmt: skip
