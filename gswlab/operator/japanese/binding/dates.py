"""When: votes for the narrated day, and the sentence at which it changes.

翌日, 次の朝 or 三日後 at the opening of a sentence move the scene, and so does a date;
昨日 and 三日前 look back, which moves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from spacy.tokens import Token

from gswlab.operator.cast import Cast, Member
from gswlab.operator.japanese.binding.grammar import does, verb_of, words
from gswlab.operator.parse import Parsed
from gswlab.workspace.nouns import Span, Vote

DAY = len("2024-05-07")
OPENING = 6  # characters before a date that still opens its sentence (そして、その…)
_AWAY = re.compile("から|まで|以来|以降|以前|より前|生まれ|付|締切|予定")
_FORWARD = re.compile("翌|次の|あくる|[後ち]$")


def date_votes(parsed: Parsed, cast: Cast) -> Iterator[Vote]:
    """Votes for each time of the chunk, and scene votes where the day moves on."""
    relative = {parsed.span(d.start, d.end) for d in parsed.dates if d.relative}
    for member in cast:
        if member.value is None:
            continue
        for head, mention in zip(member.heads, member.mentions, strict=True):
            token = parsed.doc[head]
            away = _of_another_time(parsed, token)
            quoted = parsed.quote(token) is not None
            told = mention.span in relative
            yield _date_vote(member, mention.span, away, quoted, told)
            if len(member.value) >= DAY and not (quoted or away):
                yield from _scene_votes(parsed, member, token, mention.span, told)


def _date_vote(
    member: Member, span: Span, away: str, quoted: bool, relative: bool
) -> Vote:
    weight, reason = 3.0, "the day is told"
    if relative:
        weight, reason = 0.8, "a relative date, resolved"
    if quoted:
        weight, reason = 0.6 * weight, "the day is said in a quotation"
    if away:
        weight, reason = 0.2 * weight, f"a date of another time ({away!r})"
    return Vote("date", member.id, round(weight, 3), reason, (span,))


def _of_another_time(parsed: Parsed, token: Token) -> str:
    """The word that sends a date to another time than the scene's, or ''."""
    rest = parsed.chunk.text[token.idx + len(token) :]
    part = re.match(f"の(?:{'|'.join(sorted(words('part_of_day')))})", rest)
    after = _AWAY.match(rest[part.end() if part else 0 :])
    if after:
        return after.group()
    verb = verb_of(token)
    return verb.text if verb is not None and does(verb, "other_time_verb") else ""


def _scene_votes(
    parsed: Parsed, member: Member, token: Token, span: Span, relative: bool
) -> Iterator[Vote]:
    """The narration moves: a day opens its sentence."""
    sentence = token.sent
    before = span.start - parsed.chunk.span.start - sentence.start_char
    forward = not relative or _FORWARD.search(member.name)
    if forward and before <= OPENING:
        start = parsed.span(sentence.start_char, sentence.end_char)
        reason = "the narration moves to another day"
        yield Vote("scene", member.id, 1.0, reason, (start,))
