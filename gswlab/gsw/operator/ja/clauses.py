"""Japanese clauses: the verb, its particles' arguments, voice, negation, modality."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import cache

from spacy.tokens import Doc, Token

from gswlab.gsw.operator.clauses import Clause, Modality
from gswlab.gsw.operator.parse import Parsed, Quote
from gswlab.language.lexicon import groups

_PASSIVE = frozenset({"れる", "られる"})
_SUBJECT = frozenset({"が", "は", "も"})
_NEAR = 3  # tokens from a verb to what helps it: て, は, いる
_CONDITION = frozenset({"ば", "なら", "たら"})


def words(group: str) -> frozenset[str]:
    """One hand-made group of general Japanese words."""
    return groups("ja/words.tsv")[group]


def find_clauses(doc: Doc) -> tuple[Clause, ...]:
    """The clauses of a Japanese doc in order of their verbs."""
    return tuple(_clause(token) for token in doc if _is_verb(token))


def _is_verb(token: Token) -> bool:
    if token.pos_ != "VERB" or token.dep_ in ("fixed", "aux", "compound"):
        return False
    if token.tag_ != "動詞-非自立可能":
        return True
    return bool(list(token.lefts)) and not _helps(token)


def _helps(token: Token) -> bool:
    """Whether a verb only helps the one before it: 帰ってくる, 破れてはいない."""
    before = [t.text for t in token.doc[max(0, token.i - 2) : token.i]]
    return before[-1:] in (["て"], ["で"]) or before in (["て", "は"], ["て", "も"])


def particle(noun: Token) -> str:
    """The case particles that follow a noun, joined: "には", "で", ""."""
    return "".join(c.text for c in noun.children if c.i > noun.i and _marks(c))


def _marks(token: Token) -> bool:
    """Whether a token is a particle (に after a Latin name may be read otherwise)."""
    stray = is_latin(token.head) and token.tag_ == "助詞-格助詞"
    return stray or token.dep_ in ("case", "fixed")


def is_latin(token: Token) -> bool:
    """Whether a token is written as a Latin name: José, Zoë."""
    first = token.text[:1]
    return first.isupper() and "LATIN" in unicodedata.name(first)


def is_noun(token: Token) -> bool:
    """Whether a token may be an argument: ため and こと only join clauses."""
    if token.text in words("formal_noun"):
        return False
    return token.pos_ in ("NOUN", "PROPN", "PRON", "NUM") or is_latin(token)


def predicate(verb: Token) -> str:
    """The dictionary form, with する for nouns used as verbs: 逮捕する."""
    noun = verb.tag_.startswith("名詞")
    return verb.lemma_ + ("する" if noun else "")


def _clause(verb: Token) -> Clause:
    helper = _helper(verb) or verb
    lefts = [c for c in (*verb.lefts, *helper.lefts) if c.i < verb.i]
    arguments = [(c, particle(c)) for c in sorted(set(lefts), key=lambda t: t.i)]
    nouns = [(c, p) for c, p in arguments if is_noun(c)]
    marked = {p for _, p in nouns}
    tails = {t.lemma_ for t in tail(verb)}
    subject = [
        c
        for c, p in nouns
        if c.dep_ == "nsubj" or p == "が" or (p in ("は", "も") and "が" not in marked)
    ]
    objects = [c for c, p in nouns if p == "を" or c.dep_ == "obj"]
    others = [(c, p) for c, p in nouns if c not in subject and c not in objects]
    return Clause(
        verb=verb,
        predicate=predicate(verb),
        subjects=tuple(c for c in subject if c not in objects) or _shared(verb),
        objects=tuple(objects),
        obliques=tuple((_case(c), c) for c, p in others if p),
        passive=bool(tails & _PASSIVE) and not _able(verb, objects),
        negated=denied(verb),
        modality=_modality(verb, tails),
    )


def _able(verb: Token, objects: list[Token]) -> bool:
    """Whether られる says that somebody can, or cannot: 涙をこらえられなかった."""
    return bool(objects) and denied(verb) and "られる" in {t.lemma_ for t in tail(verb)}


def _case(noun: Token) -> Token:
    return next(c for c in noun.children if c.i > noun.i and _marks(c))


def tail(verb: Token) -> list[Token]:
    """Auxiliaries and endings after a predicate, those of its own subtree."""
    helper = _helper(verb)
    return [
        t
        for t in (helper or verb).subtree
        if t.i > verb.i and (t.dep_ in ("aux", "fixed", "mark", "cop") or t == helper)
    ]


def _helper(verb: Token) -> Token | None:
    """The verb above that only helps this one: いる of 破れてはいない."""
    head = verb.head
    return head if verb.i < head.i <= verb.i + _NEAR and _helps(head) else None


def denied(predicate: Token) -> bool:
    """Whether what a predicate says is denied: 船員ではない, 静かではなかった."""
    return not words("negating").isdisjoint(t.lemma_ for t in tail(predicate))


def _shared(verb: Token) -> tuple[Token, ...]:
    """The subject of the main verb, where a joined verb has none of its own."""
    if verb.dep_ not in ("advcl", "ccomp", "conj") or verb.head.pos_ != "VERB":
        return ()
    if verb.dep_ == "ccomp":
        return ()
    return tuple(
        c
        for c in verb.head.children
        if c.dep_ == "nsubj" and particle(c) in _SUBJECT and c.i < verb.i
    )


def _modality(verb: Token, tails: set[str]) -> Modality:
    after = {t.text for t in tail(verb)}
    if after & _CONDITION or tails & words("supposing"):
        return "hypothetical"
    if tails & words("planning"):
        return "planned"
    if verb.dep_ == "ccomp" or {"そう", "らしい"} & tails:
        return "reported"
    return "asserted"


# What binding asks of a Japanese parse: clauses, their topics, and what follows.

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
def words_grammar(group: str) -> frozenset[str]:
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
    return not words_grammar(group).isdisjoint((predicate(verb), verb.lemma_, *fixed))


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
