"""Japanese questions through the same `Cue`: いつ, どこ, だれ, 何, 最後に, 順に.

Names are found as in any script; what is left between them and the particles of a kind
of event (の, に関する, についての) names the kind.
"""

from __future__ import annotations

import re

from gswlab.question.names import Names
from gswlab.text import find_dates
from gswlab.workspace.cues import Asked, Cue, Order

_ASKED: tuple[tuple[Asked, str], ...] = (
    ("details", r"詳し|詳細|くわしく|すべて教え|全て教え|説明して|経緯"),
    (
        "other_entities",
        r"(?:ほか|他)に(?:は)?(?:だれ|誰|どんな人)|(?:ほか|他)の(?:人|登場|参加)"
        r"|(?:以外|一緒|いっしょ)[^。？?]*(?:だれ|誰|人物|人は|人を|参加者)",
    ),
    ("times", r"いつ|何日|日付|日時|何年|何月|年月日|日にち"),
    ("places", r"どこ|何処|場所|会場|いずこ|どの場所"),
    ("entities", r"だれ|誰|どなた|人物|主人公|登場人物|参加者|参加した人|どんな人"),
    ("contents", r"何|なに|どんな|どのような|出来事|催し|行事|イベント"),
)
_LATEST = re.compile(r"最後|最新|直近|一番最近|もっとも最近|最も最近|最終|最近の")
_CHRONOLOGICAL = re.compile(
    r"順に|順番|順で|時系列|年代順|日付順|古い(?:もの|方|ほう)?から|早い(?:もの|方|ほう)?から"
    r"|最初から最後"
)
_KIND = re.compile(
    r"(?:「(?P<quoted>[^」]+)」"
    r"|(?P<plain>(?!何|誰|出来事|催し|行事)[一-龠ァ-ヶー々A-Za-z]{2,12})"
    r"(?:に関する|に関わる|に関係する|についての|という|が(?:開|行|催|あ)|の(?:催|会が)))"
)


def parse_japanese(text: str, names: Names) -> Cue:
    """The cue of a Japanese question.

    >>> parse_japanese("茶会が開かれたのはいつですか。", Names()).asked
    'times'
    """
    values: dict[str, str] = {}
    hits = [(m.start, m.end) for m in find_dates(text) if m.value and not m.relative]
    for mention in find_dates(text):
        if mention.value and not mention.relative:
            values.setdefault("date", mention.value)
    masked = _blank(text, hits)
    found = names.find(masked)
    for hit in sorted(found, key=lambda hit: (hit.short, hit.start)):
        values.setdefault(hit.field, hit.value)
    masked = _blank(masked, [(hit.start, hit.end) for hit in found])
    if "content" not in values and (kind := _KIND.search(masked)):
        values["content"] = kind["quoted"] or kind["plain"]
    asked = _asked(masked)
    if asked == "entities" and "protagonist" in values:
        asked = "other_entities"
    if asked == "contents" and len(values) == 4:
        asked = "details"
    return Cue(**values, asked=asked, order=_order(masked))  # type: ignore[arg-type]


def _asked(text: str) -> Asked:
    """The first thing asked for; an other person or an account before any of them."""
    for asked, pattern in _ASKED[:2]:
        if re.search(pattern, text):
            return asked
    found = [
        (match.start(), asked)
        for asked, pattern in _ASKED[2:]
        if (match := re.search(pattern, text))
    ]
    return min(found)[1] if found else "contents"


def _order(text: str) -> Order:
    if _CHRONOLOGICAL.search(text):
        return "chronological"
    return "latest" if _LATEST.search(text) else "all"


def _blank(text: str, spans: list[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + "・" * (end - start) + text[end:]
    return text
