"""Where: votes for the place a scene happens at.

"She arrived at X" and "the fair at X" speak for X; "the train from X", "born in X",
"like X" do not. Each name is judged by its clause; its kind is judged elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Token

from gswlab.core.nouns import Span, Vote
from gswlab.language.lexicon import words as general
from gswlab.operator.binding.grammar import verb_of, words
from gswlab.operator.cast import Cast
from gswlab.operator.parse import Parsed

NOMINAL = 0.05  # "the kitchen" binds only where nothing is named


def venue_votes(parsed: Parsed, cast: Cast) -> Iterator[Vote]:
    """A vote for each mention of what may be a place."""
    for member in cast:
        if member.value is not None or member.kind in ("time", "object"):
            continue
        mentions = zip(member.heads, member.mentions, strict=True)
        for head, mention in mentions:
            if mention.form not in ("name", "short", "nominal"):
                continue
            if mention.form == "nominal" and member.kind != "place":
                continue
            token = parsed.doc[head]
            weight, reason = _judged(token)
            if mention.form == "nominal":
                weight *= NOMINAL
            if parsed.quote(token) is not None:
                weight, reason = 0.7 * weight, f"{reason}, in a quotation"
            yield _vote(member.id, weight, reason, mention.span)


def _vote(candidate: str, weight: float, reason: str, span: Span) -> Vote:
    return Vote("place", candidate, round(weight, 3), reason, (span,))


def _judged(token: Token) -> tuple[float, str]:
    """Weight and reason of one mention as the scene's place."""
    prep = token.head if token.dep_ in ("pobj", "obl", "nmod") else None
    verb = verb_of(token)
    lemma = verb.lemma_.lower() if verb is not None else ""
    if prep is not None and prep.pos_ in ("ADP", "SCONJ"):
        return _by_preposition(prep, lemma)
    if token.dep_ in ("dobj", "obj"):
        if lemma in words("reach"):
            return 2.5, f"someone does {lemma!r} it"
        return 0.6, f"object of {lemma!r}"
    if token.dep_ in ("nsubj", "nsubjpass"):
        return 1.0, "it is what the clause is about"
    if token.dep_ == "poss":
        return 1.0, "something of it is in the scene"
    if token.dep_ == "compound":
        return 0.4, "it names something else"
    return 0.7, "it is mentioned"


def _by_preposition(prep: Token, lemma: str) -> tuple[float, str]:
    word = prep.lower_
    if word in words("away_prep") or lemma in words("away_verb"):
        return 0.2, f"{word!r} points elsewhere"
    if word in words("at_prep"):
        event = prep.head.pos_ == "NOUN" and prep.head.dep_ != "ROOT"
        return (2.2 if event else 2.0), f"{word!r} puts the scene there"
    if word == "to" and lemma in general("motion"):
        return 1.4, f"someone goes there ({lemma!r})"
    if word == "of":
        outer = prep.head.head if prep.head.dep_ == "pobj" else None
        inside = outer is not None and outer.lower_ in words("at_prep")
        return (1.8 if inside else 1.0), "part of it is in the scene"
    return 0.7, f"mentioned with {word!r}"
