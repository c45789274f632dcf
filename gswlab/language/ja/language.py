"""Japanese."""

import re
from pathlib import Path

from gswlab.language.dates.table import verbs_of
from gswlab.language.ja.dates import in_japanese, japanese_dates
from gswlab.language.language import KANA_KANJI, Language, rows
from gswlab.language.numbers import KANJI_DIGITS

JAPANESE = Language(
    code="ja",
    name="Japanese",
    folder=Path(__file__).parent,
    parser="ja_ginza",
    dates=japanese_dates,
    dated=in_japanese,
    verbs=verbs_of(rows("ja/verbs.tsv")),
    heading=re.compile(
        rf"第\s*(?P<number>[\d{KANJI_DIGITS}]+)\s*[章話回](?:[\s:：.．、「『・].*)?"
    ),
    letters=re.compile(f"[{KANA_KANJI}]+"),
    asked=re.compile("[ぁ-ゖァ-ヺ]"),
    space="",
    plain=False,  # GiNZA's
    year_once=True,
)
