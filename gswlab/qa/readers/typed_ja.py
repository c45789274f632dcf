"""What a Japanese sentence near a question says of it, by its particles and counters.

It answers where it has every written-out word of the question, its verb among them.
"""

from __future__ import annotations

import re

from gswlab.language.dates.find import find_dates
from gswlab.language.numbers import KANJI_DIGITS
from gswlab.qa.question.asked_for import AnswerType

_NOUN = "[一-龠々〆ァ-ヶーA-Za-z]"
_NAME = f"{_NOUN}+(?:の{_NOUN}+)*"
_WORD = re.compile(f"{_NOUN}+")
_ASKED = re.compile("何[一-龠]?|誰|最初|最後|次|人(?=ですか)")
_FIGURE = rf"[\d,{KANJI_DIGITS}]+"
# By type, what a question has and what a sentence then says; ⟨⟩ is what the first says.
_SAYS: tuple[tuple[AnswerType, str, str], ...] = (
    ("number", "何(時間|日間|週間|か月|年間|[一-龠])", f"({_FIGURE}⟨⟩)"),
    ("time", "()", rf"((?:午前|午後|朝|夜|夕方)?{_FIGURE}"
     rf"(?:時(?:半|{_FIGURE}分)?|:\d\d)|朝|昼|夕方|夜|明け方|正午)"),
    # the noun before the particle that the question has behind its どこ
    ("place", "(?:どこ|何処)(で|に|へ|から|を)", f"({_NAME})(?=⟨⟩)"),
    ("place", "(?:どこ|何処)(?!で|に|へ|から|を)()", f"({_NAME})(?=[でにへ])"),
    ("reason", "()", "([^、。「」]+(?:から|ので|ため|おかげで|せいで))"
     "(?:に|だ|です|である)?(?=[、。]|$)"),
    ("reason", "()", "([^、。「」]+(?:から|ので|ため))(?=[^、。]+)"),
    # before a name with a comma or a の, or after it as what it is
    ("identity", "^(.+?)(?:さん|氏)?(?:とは|は)", "([^、。「」]+)(?:、|の|で、)⟨⟩"),
    ("identity", "^(.+?)(?:さん|氏)?(?:とは|は)", "⟨⟩(?:さん|氏)?は、?([^、。]+?)"
     "(?:で|である|だった|です|だ)?(?=[、。]|$)"),
)  # fmt: skip


def read_particles(kind: AnswerType | None, question: str, sentence: str) -> str | None:
    """What a sentence says of a question; None where nothing.

    >>> read_particles("number", "子は何人いますか。", "子が六人いるから平気。")
    '六人'
    >>> read_particles("place", "花はどこで待ちましたか。", "花ちゃんが渚駅で待つ")
    '渚駅'
    """
    words = _WORD.findall(_ASKED.sub("、", question))
    told = set(_WORD.findall(sentence))  # whole: who is called 山田 may be another 山田
    if not words or not told.issuperset(words):
        return None
    days = [day.text for day in find_dates(sentence)]
    found = [day for day in days if kind == "time" and day not in question]
    for said, asked, says in _SAYS:
        if said == kind and not found and (hit := re.search(asked, question)):
            told_so = re.finditer(says.replace("⟨⟩", re.escape(hit[1])), sentence)
            texts = [m[1] for m in told_so if kind != "place" or m[1] not in question]
            found = [text for text in texts if text not in days]
    return (found[-1] if kind == "place" else found[0]) if found else None
