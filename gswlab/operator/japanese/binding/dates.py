"""When: votes for the narrated day, and the sentence at which it changes.

翌日, 次の朝 or 三日後 at the opening of a sentence move the scene, and so does a date;
昨日 and 三日前 look back, which moves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from spacy.tokens import Token

from gswlab.core.nouns import Span, Vote
from gswlab.operator.binding.dates import told_dates
from gswlab.operator.cast import Cast, Member
from gswlab.operator.japanese.binding.grammar import does, verb_of, words
from gswlab.operator.parse import Parsed

OPENING = 6  # characters before a date that still opens its sentence (そして、その…)
_AWAY = re.compile("から|まで|以来|以降|以前|より前|生まれ|付|締切|予定")
_FORWARD = re.compile("翌|次の|あくる|[後ち]$")


def date_votes(parsed: Parsed, cast: Cast) -> Iterator[Vote]:
    """Votes for each time of the chunk, and scene votes where the day moves on."""

    def away(token: Token) -> str:
        return _of_another_time(parsed, token)

    def moves(member: Member, token: Token, span: Span, relative: bool) -> bool:
        """The narration moves: a day opens its sentence."""
        start = parsed.chunk.span.start + token.sent.start_char
        forward = not relative or _FORWARD.search(member.name) is not None
        return forward and span.start - start <= OPENING

    return told_dates(parsed, cast, away, moves)


def opens_day(parsed: Parsed, token: Token) -> bool:
    """Whether a token stands in a sentence that a date opens: 三日後、花子は…"""
    start = token.sent.start_char
    return any(
        0 <= d.start - start <= OPENING and d.end <= token.idx for d in parsed.dates
    )


def _of_another_time(parsed: Parsed, token: Token) -> str:
    """The word that sends a date to another time than the scene's, or ''."""
    rest = parsed.chunk.text[token.idx + len(token) :]
    part = re.match(f"の(?:{'|'.join(sorted(words('part_of_day')))})", rest)
    after = _AWAY.match(rest[part.end() if part else 0 :])
    if after:
        return after.group()
    verb = verb_of(token)
    return verb.text if verb is not None and does(verb, "other_time_verb") else ""
