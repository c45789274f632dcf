"""Names said aloud: 「佐藤さん、…」 calls somebody, 「佐藤です」 gives the own name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spacy.tokens import Token

from gswlab.core.nouns import Mention
from gswlab.operator.binding.people import Said
from gswlab.operator.japanese.binding.grammar import FOCUS, does, speaker
from gswlab.operator.japanese.clauses import words as general
from gswlab.operator.parse import Parsed
from gswlab.operator.quotes import Quote

_OWN = re.compile("です|と申し|といいます|と言います|だ[。」]|だよ|だけど")
_MINE = re.compile("(?:私|わたし|僕|ぼく|俺|おれ|名前)は[、，]?$|私、$")
_OPENS = re.compile("(?:^|[、。，．！？!?…―— 　])$")
_CLOSES = re.compile("$|[、。，．！？!?…―—」 　]")
_ASKED = re.compile("(?:は|も)[^。]*(?:か|の)?[?？]|(?:は|も)[^。]*か[。」]?$")


def called(
    parsed: Parsed, token: Token, mention: Mention, quote: Quote
) -> Iterator[Said]:
    """What a name inside a quotation says about whom the chapter is about."""
    before, after = _around(parsed, mention, quote)
    by = speaker(parsed, quote)
    focus = FOCUS.get(by.text, "") if by is not None else ""
    titled = token.text in general("suffix")
    if does(token.head, "writing_verb") and parsed.quote(token.head) is None:
        yield 0.5, "the name is written on something", ""
        yield 1.5, "the narrator reads the own name", "narrator"
    elif not titled and (_MINE.search(before) or _OWN.match(after)):
        yield from _own_name(focus)
    elif _OPENS.search(before) and _CLOSES.match(after):
        yield from _vocative(focus, 0.6)
    elif titled and _ASKED.match(after):
        yield from _vocative(focus, 0.4)
    else:
        yield -0.2, "is spoken of", ""
        yield 0.5, "is named by others", "narrator"


def _around(parsed: Parsed, mention: Mention, quote: Quote) -> tuple[str, str]:
    """The quotation before and after a name, without its marks."""
    base, text = parsed.chunk.span.start, parsed.chunk.text
    start = quote.start + (text[quote.start] in '「“"')
    before = text[start : mention.span.start - base]
    return before, text[mention.span.end - base : quote.end]


def _own_name(focus: str) -> Iterator[Said]:
    if focus in ("f", "m"):
        yield 1.0, "says the own name", focus
        yield -2.0, "is the name somebody else gives", "narrator"
    elif focus == "narrator":
        yield 4.0, "says the own name", focus
    else:
        yield 1.0, "somebody says the own name", "narrator"


def _vocative(focus: str, weight: float) -> Iterator[Said]:
    yield weight, "is called by name", ""
    yield (-2.0 if focus == "narrator" else 2.0), "is called by name", "narrator"
    if focus in ("f", "m"):
        yield -1.5, f"is spoken to by {focus!r}", focus
