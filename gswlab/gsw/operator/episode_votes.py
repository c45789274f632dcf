"""When, where and who: votes that bind a chunk's episode.

A day told in narration weighs more than one said, and both more than one of another
time (since, born). Who perceives, feels and is called by the short name may be whom a
chapter is about; votes `given` a focus (she, he, they, I) count in that reading only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from gswlab.core.nouns import NAME_FORMS, Mention, Vote
from gswlab.gsw.operator.clauses import FOCUS, SUBJECTS, verb_of
from gswlab.gsw.operator.event_type_votes import occasion_votes
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.gsw.operator.parse import Parsed
from gswlab.gsw.operator.speech import Quotation
from gswlab.language.dates.calendar import day_of
from gswlab.language.lexicon import first_name_gender, noun_class, words
from gswlab.language.pipeline import Token

_NOMINAL = 0.05  # of a place's weight: "the kitchen" binds only where nothing is named
Speaks = tuple[float, str, str]  # weight, reason, given
Hears = Callable[[Parsed, Token, Mention], Iterator[Speaks]]
Placing = Callable[[Token], tuple[float, str]]
Away = Callable[[Token], str]  # the word that sends a date to another time, or ""
Moves = Callable[[Member, Token, int, bool], bool]
_BEFORE_OWN_NAME = re.compile(r"^\W*((I am|My name is) )?")
_PLURAL_THEY = 0.3  # most of them are plural


def binding_votes(parsed: Parsed, cast: Cast) -> tuple[Vote, ...]:
    """What this chunk says of its episode: date, place, protagonist, kind of event."""
    placed = [m for m in cast if m.value is None and m.kind not in ("time", "object")]
    return (
        *told_dates(cast, _of_another_time, _moves),
        *told_places(parsed, placed, _as_place),
        *_people_votes(parsed, cast),
        *occasion_votes(parsed, cast),
    )


def told_places(parsed: Parsed, placed: list[Member], judge: Placing) -> Iterator[Vote]:
    """A vote for each mention of what may be a place; of a noun, where it is one."""
    for member in placed:
        for head, mention in zip(member.heads, member.mentions, strict=True):
            noun = mention.form == "nominal" and member.kind == "place"
            if not (noun or mention.form in NAME_FORMS):
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


def told_dates(cast: Cast, away: Away, moves: Moves) -> Iterator[Vote]:
    """The votes of any language, given what it sends elsewhere and what moves on."""
    parsed = cast.parsed
    relative = {parsed.span(d.start, d.end) for d in parsed.dates if d.relative}
    for member in (m for m in cast if m.value is not None):
        for token, mention in zip(member.heads, member.mentions, strict=True):
            span, quoted = mention.span, parsed.quote(token) is not None
            elsewhere, counted = away(token), span in relative
            start = span.start - parsed.chunk.span.start
            weight, reason = 3.0, "the day is told"
            if counted:
                weight, reason = 0.8, "a relative date, resolved"
            if quoted:
                weight, reason = 0.6 * weight, "the day is said in a quotation"
            if elsewhere:
                weight, reason = 0.2 * weight, f"a date of another time ({elsewhere!r})"
            yield Vote("date", member.id, round(weight, 3), reason, (span,))
            here = day_of(member.value) and not (quoted or elsewhere)
            if here and moves(member, token, start, counted):
                sentence = parsed.span(token.sent.start_char, token.sent.end_char)
                reason = "the narration moves to another day"
                yield Vote("scene", member.id, 1.0, reason, (sentence,))


def _of_another_time(token: Token) -> str:
    """The word that sends a date to another time than the scene's, or ''."""
    near = (*token.lefts, *list(token.ancestors)[:2])
    sends = [word for word in near if word.lower_ in words("other_time_prep")]
    if (verb := verb_of(token)) and verb.lemma_.lower() in words("other_time_verb"):
        sends.append(verb)
    return str(sends[0].text) if sends else ""


def _moves(_: Member, token: Token, start: int, relative: bool) -> bool:
    """The narration moves: a day opens its sentence, or that is a whole scene."""
    sentence = token.sent
    opening = [t for t in sentence if not t.is_space and not t.is_punct][:4]
    opens = token in opening or any(t.is_ancestor(token) for t in opening[:1])
    forward = not relative or opening[0].lower_ in words("next_scene")
    opens = opens and forward and start - sentence.start_char <= 24
    # Who did what by name, and where.
    verb = sentence.root
    done = verb.tag_ == "VBD" and not any(t.dep_ == "aux" for t in verb.children)
    who = any(t.dep_ in SUBJECTS and t.pos_ == "PROPN" for t in verb.children)
    where = (t.head for t in sentence if t.dep_ == "pobj" and t.pos_ == "PROPN")
    scene = done and who and any(t.lower_ in words("at_prep") for t in where)
    return opens or (scene and not relative and verb_of(token) == verb)


def _people_votes(parsed: Parsed, cast: Cast) -> Iterator[Vote]:
    """Votes for the focus, for each name as protagonist, and for who takes part."""
    for token in (t for t in parsed.doc if parsed.quote(t) is None):
        word, weight = token.lower_, _PLURAL_THEY if token.lower_ == "they" else 1.0
        focus = FOCUS.get(word, "") if token.dep_ in SUBJECTS else ""
        if not focus and word in ("me", "my"):
            weight, focus = 0.5, "narrator"
        if focus:
            reason, spans = f"told through {token.text!r}", (parsed.over([token]),)
            yield Vote("focus", focus, weight, reason, spans)
    for member in cast:
        if member.value is None and not member.plural:
            yield from member_votes(parsed, member, _judged)


def member_votes(parsed: Parsed, member: Member, judge: Hears) -> Iterator[Vote]:
    """That a member is named, and what each mention says of the protagonist."""
    named = [m for m in member.mentions if m.form in NAME_FORMS]
    if named:
        yield Vote("participant", member.id, 1.0, "is named", (named[0].span,))
    for head, mention in zip(member.heads, member.mentions, strict=True):
        for weight, reason, given in judge(parsed, head, mention):
            spans = (mention.span,)
            yield Vote("protagonist", member.id, weight, reason, spans, given)


def _judged(parsed: Parsed, token: Token, mention: Mention) -> Iterator[Speaks]:
    quote, lemma = parsed.quote(token), token.head.lemma_.lower()
    inner = lemma in words("mental") or lemma in words("perception")
    if mention.form not in NAME_FORMS:
        # A pronoun, a noun or a narrator's I that goes on: small votes, but many.
        if quote is None and token.dep_ in SUBJECTS:
            yield (0.35, f"inner verb {lemma!r}", "") if inner else (0.06, "acts", "")
        return
    if quote is not None:
        yield from _in_speech(parsed, mention, quote)
        return
    if mention.form == "short" or " " not in mention.text.strip():
        yield 1.6, "called by the short name", ""
    else:
        yield -0.6, "called by the full name", ""  # the hero seldom is, twice
    own, at = mention.text.split(), mention.span.start - parsed.chunk.span.start
    person = "of" not in own and (first_name_gender(own[0]) or not noun_class(own[0]))
    if person and parsed.chunk.text[at - 1 : at] in ("*", "_"):
        yield 1.6, "the name is what is written", ""  # on a badge, in a register
    if "appos" in (token.dep_, *(child.dep_ for child in token.children)):
        yield -0.5, "explained by an apposition", ""
    if token.head.lower_ in ("named", "called"):
        yield -1.5, "introduced by name", ""
    if token.dep_ in SUBJECTS:
        yield from _as_subject(parsed, token, inner)
    elif token.dep_ == "poss" and lemma in words("inner_noun"):
        yield 1.2, f"the own {lemma!r} is told", ""


def _as_subject(parsed: Parsed, token: Token, inner: bool) -> Iterator[Speaks]:
    verb = token.head
    yield -1.5, f"a narrator would not say {token.text!r} of himself", "narrator"
    if inner:
        yield 0.8, f"subject of the inner verb {verb.text!r}", ""
    elif verb.lemma_.lower() not in words("speech"):
        yield 0.2, f"acts: {verb.text!r}", ""
    # The next sentence goes on with a pronoun: it is most often the same subject.
    rest = (t for t in parsed.doc[token.sent.end :] if t.dep_ in SUBJECTS)
    following = next(rest, verb)
    if following.lower_ in ("she", "he", "they") and not parsed.quote(following):
        yield 0.4, f"{following.text!r} goes on", FOCUS[following.lower_]


def _in_speech(parsed: Parsed, mention: Mention, quote: Quotation) -> Iterator[Speaks]:
    said = parsed.chunk.text[quote.start : quote.end]
    speaker = parsed.doc[quote.speaker].lower_ if quote.speaker is not None else ""
    # Whose quotation begins with a name, and who is I, she or he, gives the own.
    begins = _BEFORE_OWN_NAME.sub("", said).startswith(mention.text)
    focus = FOCUS.get(speaker, "")
    narrator = focus == "narrator"
    if begins and focus:
        yield 4.0 if narrator else 1.0, "says the own name", focus
        if not narrator:
            yield -2.0, "is the name somebody else gives", "narrator"
    elif parsed.calls(quote, mention.span):
        yield 0.8, "is called by name", ""
        yield (-2.5 if narrator else 2.5), "is called by name", "narrator"
