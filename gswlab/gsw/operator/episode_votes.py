"""When and where: votes for the day, its place, and where the day changes.

A day told in narration weighs more than one said in a quotation, and both more than a
day of another time (since, until, born). A narrated change of day opens a new scene.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gswlab.core.nouns import Span, Vote
from gswlab.gsw.operator.clauses import SUBJECTS, verb_of
from gswlab.gsw.operator.event_type_votes import occasion_votes
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.gsw.operator.parse import Parsed
from gswlab.gsw.operator.protagonist_votes import people_votes
from gswlab.language.dates.calendar import day_of
from gswlab.language.lexicon import words
from gswlab.language.pipeline import Span as Sentence
from gswlab.language.pipeline import Token

_NOMINAL = 0.05  # of a place's weight: "the kitchen" binds only where nothing is named


def binding_votes(parsed: Parsed, cast: Cast) -> tuple[Vote, ...]:
    """What this chunk says of its episode: date, place, protagonist, kind of event."""
    placed = [m for m in cast if m.value is None and m.kind not in ("time", "object")]
    return (
        *told_dates(parsed, cast, _of_another_time, _moves),
        *told_places(parsed, placed, _as_place, lambda member: member.kind == "place"),
        *people_votes(parsed, cast),
        *occasion_votes(parsed, cast),
    )


def told_places(
    parsed: Parsed,
    members: list[Member],
    judge: Callable[[Token], tuple[float, str]],
    site: Callable[[Member], bool],
) -> Iterator[Vote]:
    """A vote for each mention of what may be a place; of a noun, where it is a site."""
    for member in members:
        for head, mention in zip(member.heads, member.mentions, strict=True):
            noun = mention.form == "nominal"
            if not (mention.form in ("name", "short") or (noun and site(member))):
                continue
            weight, reason = judge(head)
            weight *= _NOMINAL if noun else 1.0
            if parsed.quote(head) is not None:
                weight, reason = 0.7 * weight, f"{reason}, in a quotation"
            yield Vote("place", member.id, round(weight, 3), reason, (mention.span,))


def _as_place(token: Token) -> tuple[float, str]:
    """Weight and reason of one mention as the scene's place: the first that holds."""
    word = token.head.lower_ if token.dep_ == "pobj" else ""
    verb = verb_of(token)
    lemma = verb.lemma_.lower() if verb else ""
    away = word in words("away_prep") or (word and lemma in words("away_verb"))
    goes, done = word == "to" and lemma in words("motion"), token.dep_ == "dobj"
    rows = (
        (away, 0.2, f"{word!r} points elsewhere"),
        (word in words("at_prep"), 2.0, f"{word!r} puts it there"),
        (goes, 1.4, f"someone does {lemma!r} to it"),
        (word == "of", 1.0, "part of it is in the scene"),
        (done and lemma in words("reach"), 2.5, f"someone does {lemma!r} it"),
        (done, 0.6, f"object of {lemma!r}"),
        (token.dep_ in SUBJECTS, 1.0, "it is what the clause is about"),
        (token.dep_ == "poss", 1.0, "something of it is in the scene"),
        (token.dep_ == "compound", 0.4, "it names something else"),
    )
    found = ((weight, reason) for holds, weight, reason in rows if holds)
    return next(found, (0.7, "it is mentioned"))


def told_dates(
    parsed: Parsed,
    cast: Cast,
    away: Callable[[Parsed, Token], str],
    moves: Callable[[Parsed, Member, Token, Span, bool], bool],
) -> Iterator[Vote]:
    """The votes of any language, given what it sends elsewhere and what moves on."""
    relative = {parsed.span(d.start, d.end) for d in parsed.dates if d.relative}
    for member in (m for m in cast if m.value is not None):
        for token, mention in zip(member.heads, member.mentions, strict=True):
            span, quoted = mention.span, parsed.quote(token) is not None
            elsewhere, counted = away(parsed, token), span in relative
            weight, reason = 3.0, "the day is told"
            if counted:
                weight, reason = 0.8, "a relative date, resolved"
            if quoted:
                weight, reason = 0.6 * weight, "the day is said in a quotation"
            if elsewhere:
                weight *= 0.2
                reason = f"a date of another time ({elsewhere!r})"
            yield Vote("date", member.id, round(weight, 3), reason, (span,))
            here = day_of(member.value) and not (quoted or elsewhere)
            if here and moves(parsed, member, token, span, counted):
                sentence = parsed.span(token.sent.start_char, token.sent.end_char)
                reason = "the narration moves to another day"
                yield Vote("scene", member.id, 1.0, reason, (sentence,))


def _of_another_time(_: Parsed, token: Token) -> str:
    """The word that sends a date to another time than the scene's, or ''."""
    for word in (*token.lefts, *list(token.ancestors)[:2]):
        if word.lower_ in words("other_time_prep"):
            return str(word.text)
    verb = verb_of(token)
    dated = verb and verb.lemma_.lower() in words("other_time_verb")
    return str(verb.text) if verb and dated else ""


def _moves(parsed: Parsed, _: Member, token: Token, span: Span, relative: bool) -> bool:
    """The narration moves: a day opens its sentence, or the sentence is a whole scene.

    A day that opens it may be a heading of its own.
    """
    sentence = token.sent
    opening = [t for t in sentence if not t.is_space and not t.is_punct][:4]
    opens = token in opening or any(t.is_ancestor(token) for t in opening[:1])
    forward = not relative or opening[0].lower_ in words("next_scene")
    before = span.start - parsed.chunk.span.start
    opens = opens and forward and before - sentence.start_char <= 24
    scene = verb_of(token) == sentence.root and _is_scene(sentence)
    return opens or (not relative and scene)


def _is_scene(sentence: Sentence) -> bool:
    """Whether a sentence that has a day tells who did what by name, and where."""
    verb = sentence.root
    done = verb.tag_ == "VBD" and not any(t.dep_ == "aux" for t in verb.children)
    who = any(t.dep_ in SUBJECTS and t.pos_ == "PROPN" for t in verb.children)
    where = (t.head for t in sentence if t.dep_ == "pobj" and t.pos_ == "PROPN")
    return done and who and any(t.lower_ in words("at_prep") for t in where)
