"""Who: votes for the protagonist, by what is felt, said and left out.

Japanese seldom says 彼 or 彼女 where the talk goes on about one person: it says
nothing. So what is felt without saying by whom (胸が高鳴った) speaks for whoever は
last made the topic. The rest is as in English: inner verbs, the own heart, the name
called, and names that stand beside a pronoun and so are somebody else.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from spacy.tokens import Token

from gswlab.core.nouns import Mention, Vote
from gswlab.operator.binding.people import Said, member_votes
from gswlab.operator.cast import Cast, Member
from gswlab.operator.japanese.binding.called import called
from gswlab.operator.japanese.binding.dates import opens_day
from gswlab.operator.japanese.binding.grammar import (
    FOCUS,
    TOPIC,
    acts,
    does,
    is_subject,
    subject_focus,
    subjects,
    words,
)
from gswlab.operator.japanese.binding.told import told
from gswlab.operator.japanese.clauses import particle, predicate
from gswlab.operator.parse import Parsed


def people_votes(parsed: Parsed, cast: Cast) -> Iterator[Vote]:
    """Votes for the focus, for each name as protagonist, and for who takes part."""
    yield from _focus_votes(parsed)
    yield from _unsaid(parsed, cast)
    for member in cast:
        if member.plural or not _may_be_person(member):
            continue
        judged = partial(_judged, parsed, cast, member)
        yield from member_votes(parsed, member, judged)


def _may_be_person(member: Member) -> bool:
    return member.form in ("pronoun", "narrator") or member.kind == "person"


def _focus_votes(parsed: Parsed) -> Iterator[Vote]:
    for token in parsed.doc:
        focus = FOCUS.get(token.text)
        if focus is None or token.pos_ != "PRON" or parsed.quote(token) is not None:
            continue
        if is_subject(token):
            weight = 1.0
        elif focus == "narrator" or token.head.text in words("inner_noun"):
            weight = 0.5
        else:
            continue
        reason = f"told through {token.text!r}"
        yield Vote("focus", focus, weight, reason, (parsed.over([token]),))


def _unsaid(parsed: Parsed, cast: Cast) -> Iterator[Vote]:
    """Something inner is told and nobody is named: it is the topic's."""
    topic: Member | None = None
    for token in parsed.doc:
        if parsed.quote(token) is not None:
            continue
        member = cast.headed(token)
        if member and _may_be_person(member) and particle(token).endswith(TOPIC):
            topic = member
        if topic is not None and (what := _inner_of_nobody(token)):
            reason = f"{what!r} is told, and the talk is of {topic.name!r}"
            span = (parsed.over([token]),)
            yield Vote("protagonist", topic.id, 0.5, reason, span)


def _inner_of_nobody(token: Token) -> str:
    """The inner verb or noun at a token, if its sentence says nobody's; else ''."""
    owned = any(c.dep_ == "nmod" and c.pos_ in ("PRON", "PROPN") for c in token.lefts)
    heart = token.text in words("inner_noun") and particle(token) in ("が", "は")
    if heart and not owned and subjects(token.head) == [token]:
        return str(token.text)
    feels = token.dep_ == "ROOT" and does(token, "inner_verb") and token.pos_ == "VERB"
    return predicate(token) if feels and not subjects(token) else ""


def _judged(
    parsed: Parsed, cast: Cast, member: Member, token: Token, mention: Mention
) -> Iterator[Said]:
    quote = parsed.quote(token)
    if mention.form not in ("name", "short"):
        if quote is None:
            yield from _threaded(token)
        return
    if quote is not None:
        yield from called(parsed, token, mention, quote)
        return
    yield from told(parsed, cast, member, token)
    if is_subject(token):
        yield -1.0, f"a narrator would not say {mention.text!r} of himself", "narrator"
        yield from _as_subject(parsed, token)
    elif token.dep_ == "nmod" and token.head.text in words("inner_noun"):
        yield 1.2, f"the own {token.head.text!r} is told", ""
    else:
        yield from _beside_subject(token)


def _threaded(token: Token) -> Iterator[Said]:
    """A pronoun or noun that goes on about someone: small votes, but many."""
    if is_subject(token):
        felt = _inner(token)
        yield (0.5, f"inner verb {felt!r}", "") if felt else (0.1, "acts", "")
    elif token.dep_ == "nmod" and token.head.text in words("inner_noun"):
        yield 0.4, f"the own {token.head.text!r} is told", ""


def _inner(subject: Token) -> str:
    """What a subject perceives or feels: a verb's, or 佐藤は胸が高鳴った; else ''."""
    for verb in acts(subject):
        if does(verb, "inner_verb"):
            return predicate(verb)
        hearts = [s for s in subjects(verb) if s.text in words("inner_noun")]
        if hearts:
            return str(hearts[0].text)
    return ""


def _as_subject(parsed: Parsed, token: Token) -> Iterator[Said]:
    if felt := _inner(token):
        yield 1.2, f"feels or perceives: {felt!r}", ""
    elif not does(token.head, "speech_verb"):
        yield 0.3, f"acts: {token.head.text!r}", ""
    if particle(token).endswith(TOPIC):
        yield 0.5, "は makes it what the talk is of", ""
        if opens_day(parsed, token):
            yield 2.0, "a day is opened with what it does", ""
        yield from _continued(parsed, token)
    for verb in acts(token):
        for other in verb.lefts:
            if other.text in FOCUS and particle(other) in ("を", "に"):
                reason = f"acts on {other.text!r}, so is someone else"
                yield -2.0, reason, FOCUS[other.text]


def _continued(parsed: Parsed, token: Token) -> Iterator[Said]:
    """The next sentence goes on with a pronoun: it is most often the same subject."""
    rest = (t for t in parsed.doc[token.sent.end :] if parsed.quote(t) is None)
    following = next((t for t in rest if is_subject(t)), None)
    if following is not None and FOCUS.get(following.text) in ("f", "m"):
        yield 0.7, f"{following.text!r} goes on", FOCUS[following.text]


def _beside_subject(token: Token) -> Iterator[Said]:
    if does(token.head, "writing_verb"):
        return  # what is written is a name, and may well be the reader's own
    if focus := subject_focus(token):
        yield -2.0, f"stands beside the subject in the clause of {token.text!r}", focus
    if particle(token) in ("と", "や"):
        yield -0.3, "one of several", ""
