"""What binding asks of a Japanese parse: clauses, their topics, and what follows."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from spacy.tokens import Token

from gswlab.language.lexicon import groups
from gswlab.operator.japanese.clauses import particle, predicate
from gswlab.operator.parse import Parsed
from gswlab.operator.quotes import Quote

FOCUS = {
    "彼女": "f",
    "彼": "m",
    "彼ら": "they",
    **dict.fromkeys(
        ["私", "わたし", "わたくし", "僕", "ぼく", "俺", "おれ"], "narrator"
    ),
}
TOPIC, SUBJECT = ("は", "も"), ("は", "が", "も")


@cache
def words(group: str) -> frozenset[str]:
    """One group of `lexicon/binding_ja.tsv`.

    >>> "胸" in words("inner_noun")
    True
    """
    return groups("ja/binding.tsv")[group]


def verb_of(token: Token) -> Token | None:
    """The nearest predicate above a token: the clause it stands in."""
    for ancestor in token.ancestors:
        if ancestor.pos_ in ("VERB", "ADJ"):
            return ancestor
    return None


def does(verb: Token | None, group: str) -> bool:
    """Whether a clause's verb, with its object where they go together, is of a group.

    >>> does(None, "inner_verb")
    False
    """
    if verb is None:
        return False
    fixed = (f"{c.text}{particle(c)}{verb.lemma_}" for c in verb.lefts)
    return not words(group).isdisjoint((predicate(verb), verb.lemma_, *fixed))


def subjects(verb: Token) -> list[Token]:
    """What は, が or も makes the subject of a verb's clause."""
    return [c for c in verb.lefts if c.dep_ == "nsubj" or particle(c) in SUBJECT]


def is_subject(token: Token) -> bool:
    """Whether a noun is the subject of a verb or of an adjective."""
    verb = verb_of(token)
    return verb is not None and verb == token.head and token in subjects(verb)


def acts(token: Token) -> Iterator[Token]:
    """The verbs a subject does: its own, and those joined to it that name none."""
    waiting = [token.head]
    while waiting:
        verb = waiting.pop()
        yield verb
        joined = [c for c in verb.lefts if c.dep_ == "advcl" and c.pos_ == "VERB"]
        waiting += [c for c in joined if not subjects(c) and c.i > token.i]


def subject_focus(token: Token) -> str | None:
    """The focus class of the pronoun that is subject of a token's clause, if any."""
    verb = verb_of(token)
    found = subjects(verb) if verb is not None else []
    return next(
        (FOCUS[s.text] for s in found if s.text in FOCUS and s is not token), None
    )


def speaker(parsed: Parsed, quote: Quote) -> Token | None:
    """The subject of the verb of speaking that takes a quotation (「…」と…が言った)."""
    for token in parsed.doc:
        if token.idx < quote.end or parsed.quote(token) is not None:
            continue
        if does(token, "speech_verb") and token.pos_ == "VERB":
            return next((s for s in subjects(token) if parsed.quote(s) is None), None)
        if token.text == "。":
            return None
    return None
