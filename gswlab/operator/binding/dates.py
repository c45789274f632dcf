"""When: votes for the narrated day, and the sentence at which it changes.

A day told in narration weighs more than one said in a quotation, and both more than a
day of another time (since, until, born, dated for later). A narrated change of day
opens a new scene.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from spacy.tokens import Token

from gswlab.core.nouns import Span, Vote
from gswlab.language.dates.calendar import DAY
from gswlab.operator.binding.grammar import verb_of, words
from gswlab.operator.cast import Cast, Member
from gswlab.operator.parse import Parsed

Away: TypeAlias = Callable[[Token], str]
Moves: TypeAlias = Callable[[Member, Token, Span, bool], bool]


def date_votes(parsed: Parsed, cast: Cast) -> Iterator[Vote]:
    """Votes for each time of the chunk, and scene votes where the day moves on."""

    def moves(member: Member, token: Token, span: Span, relative: bool) -> bool:
        return _moves(parsed, token, span, relative)

    return told_dates(parsed, cast, _of_another_time, moves)


def told_dates(parsed: Parsed, cast: Cast, away: Away, moves: Moves) -> Iterator[Vote]:
    """The votes of any language, given what it sends elsewhere and what moves on."""
    relative = {parsed.span(d.start, d.end) for d in parsed.dates if d.relative}
    for member in cast:
        if member.value is None:
            continue
        for head, mention in zip(member.heads, member.mentions, strict=True):
            token, span = parsed.doc[head], mention.span
            elsewhere, told = away(token), span in relative
            quoted = parsed.quote(token) is not None
            yield _date_vote(member, span, elsewhere, quoted, told)
            here = len(member.value) >= DAY and not (quoted or elsewhere)
            if here and moves(member, token, span, told):
                sentence = parsed.span(token.sent.start_char, token.sent.end_char)
                reason = "the narration moves to another day"
                yield Vote("scene", member.id, 1.0, reason, (sentence,))


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


def _of_another_time(token: Token) -> str:
    """The word that sends a date to another time than the scene's, or ''."""
    for word in (*token.lefts, *list(token.ancestors)[:2]):
        if word.lower_ in words("other_time_prep"):
            return str(word.text)
    verb = verb_of(token)
    if verb is not None and verb.lemma_.lower() in words("other_time_verb"):
        return str(verb.text)
    return ""


def _moves(parsed: Parsed, token: Token, span: Span, relative: bool) -> bool:
    """The narration moves: a day opens its sentence, or is a heading of its own."""
    verb = verb_of(token)
    if relative and verb is not None and any(t.tag_ == "MD" for t in verb.children):
        return False  # "one may return in twelve weeks"
    sentence = token.sent
    opening = [t for t in sentence if not t.is_space and not t.is_punct][:4]
    opens = token in opening or any(t.is_ancestor(token) for t in opening[:1])
    forward = not relative or opening[0].lower_ in words("next_scene")
    before = span.start - parsed.chunk.span.start
    return opens and forward and before - sentence.start_char <= 24
