"""How a name is told outside quotations: alone, with さん, explained, or written."""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Token

from gswlab.operator.binding.people import Said
from gswlab.operator.cast import Cast, Member
from gswlab.operator.japanese.binding.grammar import FOCUS, does, is_subject, words
from gswlab.operator.japanese.clauses import particle
from gswlab.operator.japanese.clauses import words as general
from gswlab.operator.parse import Parsed


def told(parsed: Parsed, cast: Cast, member: Member, token: Token) -> Iterator[Said]:
    """What the way a name is told says about whom the chapter is about."""
    yield from _written(token)
    yield from _styled(token)
    yield from _introduced(parsed, cast, member, token)


def _styled(token: Token) -> Iterator[Said]:
    """The family name alone is how a protagonist is told; with さん, from outside."""
    parts = [c for c in token.lefts if c.dep_ == "compound"]
    if token.text in general("suffix") and parts:
        yield -0.3, f"seen from outside: {token.text!r}", ""
    elif not parts:
        yield 0.3, "called by the short name", ""


def _introduced(
    parsed: Parsed, cast: Cast, member: Member, token: Token
) -> Iterator[Said]:
    """Described as if not known yet: others are, protagonists are not."""
    after = parsed.chunk.text[token.idx + len(token) :]
    if after.startswith(("という", "と名乗る", "といった名")):
        yield -1.5, "introduced by name", ""
    if any(c.dep_ == "nmod" and cast.at(c) is member for c in token.lefts):
        yield -1.0, "explained by a noun before the name", ""
    if any(c.dep_ == "acl" for c in token.lefts):
        yield -0.4, "explained by a relative clause", ""


def _written(token: Token) -> Iterator[Said]:
    """On a badge, a list or an envelope."""
    if is_subject(token):
        return  # who reads a list is not what is on it
    near = {t.text for t in token.sent}
    written = particle(token) == "と" and does(token.head, "writing_verb")
    if near & words("name_bearer") or written:
        first = any(FOCUS.get(word) == "narrator" for word in near)
        yield 0.5, "the name is written on something", ""
        yield (3.0 if first else 1.5), "the narrator reads the own name", "narrator"
