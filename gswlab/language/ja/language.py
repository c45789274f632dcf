"""Japanese."""

import re
from pathlib import Path

from gswlab.language.en import language as english
from gswlab.language.ja.dates import in_japanese, japanese_dates, japanese_tense
from gswlab.language.language import KANA_KANJI, Language
from gswlab.language.numbers import KANJI_DIGITS

JAPANESE = Language(
    code="ja",
    name="Japanese",
    folder=Path(__file__).parent,
    parser="ja_ginza",
    dates=japanese_dates,
    dated=in_japanese,
    tense=japanese_tense,
    heading=re.compile(
        rf"第\s*(?P<number>[\d{KANJI_DIGITS}]+)\s*[章話回](?:[\s:：.．、「『・].*)?"
    ),
    letters=re.compile(f"[{KANA_KANJI}]+"),
    asked=re.compile("[ぁ-ゖァ-ヺ]"),
    telling=re.compile("[ぁ-ん]"),
    space="",
    keeps=False,  # what GiNZA knows beyond spaCy's own attributes
    sentenced=False,  # GiNZA finds its own
    year_once=True,
    latin=english.ENGLISH,
)
