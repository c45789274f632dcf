"""Who: votes for the protagonist, by binding constraints instead of counting.

Whoever perceives, feels and is called by the short name speaks for being the one a
chapter is about; a name that stands beside "she" in one clause cannot be "she". Votes
`given` a focus (she, he, they, the narrator's I) count in that reading only.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from gswlab.core.nouns import Mention, Vote
from gswlab.gsw.operator.clauses import FOCUS, SUBJECTS
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.gsw.operator.parse import Parsed
from gswlab.gsw.operator.speech import Quotation
from gswlab.language.lexicon import words
from gswlab.language.pipeline import Token

Speaks = tuple[float, str, str]  # weight, reason, given
_FULL_NAME = -0.6  # whom a chapter is about is seldom called so twice
_BEFORE_OWN_NAME = re.compile(r"^\W*((I am|My name is) )?")
_PLURAL_THEY = 0.3  # most of them are plural


def people_votes(parsed: Parsed, cast: Cast) -> Iterator[Vote]:
    """Votes for the focus, for each name as protagonist, and for who takes part."""
    for token in parsed.doc:
        word, focus = token.lower_, FOCUS.get(token.lower_, "")
        if parsed.quote(token) is not None:
            continue
        if focus and token.dep_ in SUBJECTS:
            weight = _PLURAL_THEY if word == "they" else 1.0
        elif word in ("me", "my"):
            weight, focus = 0.5, "narrator"
        else:
            continue
        reason, spans = f"told through {token.text!r}", (parsed.over([token]),)
        yield Vote("focus", focus, weight, reason, spans)
    for member in cast:
        if member.value is None and not member.plural:
            yield from member_votes(member, partial(_judged, parsed))


def member_votes(
    member: Member, judge: Callable[[Token, Mention], Iterator[Speaks]]
) -> Iterator[Vote]:
    """That a member is named, and what each mention says of the protagonist."""
    named = [m for m in member.mentions if m.form in ("name", "short")]
    if named:
        yield Vote("participant", member.id, 1.0, "is named", (named[0].span,))
    for head, mention in zip(member.heads, member.mentions, strict=True):
        for weight, reason, given in judge(head, mention):
            spans = (mention.span,)
            yield Vote("protagonist", member.id, weight, reason, spans, given)


def _judged(parsed: Parsed, token: Token, mention: Mention) -> Iterator[Speaks]:
    quote, lemma = parsed.quote(token), token.head.lemma_.lower()
    if mention.form not in ("name", "short"):
        # A pronoun or noun that goes on about someone: small votes, but many.
        threads = quote is None and mention.form in ("pronoun", "nominal")
        if threads and token.dep_ in SUBJECTS:
            felt = f"inner verb {lemma!r}"
            yield (0.35, felt, "") if _is_inner(lemma) else (0.06, "acts", "")
        return
    if quote is not None:
        yield from _in_speech(parsed, token, mention, quote)
        return
    if mention.form == "short" or " " not in mention.text.strip():
        yield 1.6, "called by the short name", ""
    else:
        yield _FULL_NAME, "called by the full name", ""
    yield from _introduced(token)
    if token.dep_ in SUBJECTS:
        yield from _as_subject(parsed, token)
    elif token.dep_ == "poss" and lemma in words("inner_noun"):
        yield 1.2, f"the own {lemma!r} is told", ""


def _is_inner(lemma: str) -> bool:
    return lemma in words("mental") or lemma in words("perception")


def _as_subject(parsed: Parsed, token: Token) -> Iterator[Speaks]:
    verb, lemma = token.head, token.head.lemma_.lower()
    yield -1.5, f"a narrator would not say {token.text!r} of himself", "narrator"
    if _is_inner(lemma):
        yield 0.8, f"subject of the inner verb {verb.text!r}", ""
    elif lemma not in words("speech"):
        yield 0.2, f"acts: {verb.text!r}", ""
    # The next sentence goes on with a pronoun: it is most often the same subject.
    rest = [t for t in parsed.doc[token.sent.end :] if t.dep_ in SUBJECTS]
    for following in rest[:1]:
        if following.lower_ in ("she", "he", "they") and not parsed.quote(following):
            yield 0.4, f"{following.text!r} goes on", FOCUS[following.lower_]


def _introduced(token: Token) -> Iterator[Speaks]:
    """Described as to a reader who does not know them: as others are."""
    below, before = {child.dep_ for child in token.children}, token.head.lower_
    if token.dep_ == "appos":
        yield -0.7, "added to explain another noun", ""
    elif below & {"appos", "relcl"}:
        yield -0.4, "explained by an apposition or a clause", ""
    if before in ("named", "called") or token.head.lemma_ == "introduce":
        yield -1.5, "introduced by name", ""
    if before == "called":
        yield 2.0, "is the name that is called out", "narrator"


def _in_speech(
    parsed: Parsed, token: Token, mention: Mention, quote: Quotation
) -> Iterator[Speaks]:
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
