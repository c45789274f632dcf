"""Which of the two languages of the workbench a text is written in."""

from __future__ import annotations

import re

from gswlab.core.document import Language

JAPANESE = "ぁ-ゖァ-ヺー々〇一-鿿㐀-䶿ｦ-ﾟ"
_JAPANESE = re.compile(f"[{JAPANESE}]")
_LETTER = re.compile(r"[^\W\d_]")


def language_of(text: str) -> Language:
    """`ja` when more letters are kana or kanji than not, else `en`.

    >>> language_of("昨日、Annaに会った。"), language_of("I met 太郎 yesterday.")
    ('ja', 'en')
    """
    japanese = sum(1 for _ in _JAPANESE.finditer(text))
    return "ja" if japanese * 2 > sum(1 for _ in _LETTER.finditer(text)) else "en"
