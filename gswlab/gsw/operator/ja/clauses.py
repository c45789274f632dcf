"""Japanese clauses: the verb, its particles' arguments, voice, negation, modality."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from gswlab.gsw.operator.clauses import Clause, Modality
from gswlab.language.language import of
from gswlab.language.pipeline import Doc, Token

TOPIC, SUBJECT = ("は", "も"), ("は", "が", "も")
_NEAR = 3  # tokens from a verb to what helps it: て, は, いる


def group(name: str) -> frozenset[str]:
    """One hand-made group of general Japanese words."""
    return of("ja").groups("words")[name]


def japanese_clauses(doc: Doc) -> Iterator[Clause]:
    """The clauses of a Japanese doc in order of their verbs."""
    for verb in filter(_is_verb, doc):
        helper = _helper(verb) or verb
        lefts = {c for c in (*verb.lefts, *helper.lefts) if c.i < verb.i}
        nouns = filter(_is_noun, sorted(lefts, key=lambda t: t.i))
        marked = {noun: particle(noun) for noun in nouns}
        told = ("が",) if "が" in marked.values() else SUBJECT
        objects = tuple(c for c, p in marked.items() if p == "を" or c.dep_ == "obj")
        free = {c: p for c, p in marked.items() if c not in objects}
        subjects = tuple(c for c, p in free.items() if c.dep_ == "nsubj" or p in told)
        others = [c for c, p in free.items() if p and c not in subjects]
        # The subject of the main verb, where a joined verb has none of its own.
        joined = verb.dep_ in ("advcl", "conj") and verb.head.pos_ == "VERB"
        above = (c for c in verb.head.children if joined and c.i < verb.i)
        lent = (c for c in above if c.dep_ == "nsubj" and particle(c) in SUBJECT)
        subjects = subjects or tuple(lent)
        passive = any(t.lemma_ in ("れる", "られる") for t in tail(verb))
        yield Clause(
            verb=verb,
            predicate=dictionary_form(verb),
            subjects=subjects,
            objects=objects,
            recipients=subjects if passive and objects else (),  # 足を踏まれた
            obliques=tuple((next(_particles(c)), whole_of(c)) for c in others),
            passive=passive,
            negated=is_denied(verb),
            modality=_modality(verb),
        )


def _modality(verb: Token) -> Modality:
    tails, texts = {t.lemma_ for t in tail(verb)}, {t.text for t in tail(verb)}
    if tails & group("supposing") or texts & {"ば", "なら", "たら"}:
        return "hypothetical"
    if tails & group("planning"):
        return "planned"
    if verb.dep_ == "ccomp" or {"そう", "らしい"} & tails:
        return "reported"
    return "asserted"


def _is_verb(token: Token) -> bool:
    if token.pos_ != "VERB" or token.dep_ in ("fixed", "aux", "compound"):
        return False
    return token.tag_ != "動詞-非自立可能" or (any(token.lefts) and not _helps(token))


def _helps(token: Token) -> bool:
    """Whether a verb only helps the one before it: 帰ってくる, 破れてはいない."""
    before = [t.text for t in token.doc[max(0, token.i - 2) : token.i]]
    return before[-1:] in (["て"], ["で"]) or before in (["て", "は"], ["て", "も"])


def particle(noun: Token) -> str:
    """The case particles that follow a noun, joined: "には", "で", ""."""
    return "".join(token.text for token in _particles(noun))


def _particles(noun: Token) -> Iterator[Token]:
    """Its particles (に after a Latin name may be read otherwise)."""
    for token in noun.children:
        stray = token.tag_ == "助詞-格助詞" and is_latin(noun)
        if token.i > noun.i and (stray or token.dep_ in ("case", "fixed")):
            yield token


def is_part(token: Token) -> bool:
    """Whether a noun only counts or locates something."""
    counted = "助数詞" in token.tag_ and any(c.pos_ == "NUM" for c in token.lefts)
    measured = token.ent_type_.startswith("N_")  # 八十人
    return counted or measured or token.text in group("part_noun")


def whole_of(noun: Token) -> Token:
    """What a noun that only locates is a part of: 改札 of 改札の前."""
    own = owners(noun)
    return whole_of(own[-1]) if own and is_part(noun) else noun


def owners(noun: Token) -> list[Token]:
    """What の ties to a noun: 花子 of 花子の弟."""
    return [c for c in noun.lefts if c.dep_ == "nmod" and particle(c) == "の"]


def is_latin(token: Token) -> bool:
    """Whether a token is written as a Latin name: José, Zoë."""
    first = token.text[:1]
    return first.isupper() and "LATIN" in unicodedata.name(first)


def _is_noun(token: Token) -> bool:
    """Whether a token may be an argument: ため and こと only join clauses."""
    noun = token.pos_ in ("NOUN", "PROPN", "PRON", "NUM") or is_latin(token)
    return noun and token.text not in group("formal_noun")


def dictionary_form(verb: Token) -> str:
    """The dictionary form, with する for nouns used as verbs: 逮捕する."""
    return verb.lemma_ + ("する" if verb.tag_.startswith("名詞") else "")


def tail(verb: Token) -> list[Token]:
    """Auxiliaries and endings after a predicate, those of its own subtree."""
    helper, ends = _helper(verb), ("aux", "fixed", "mark", "cop")
    after = (t for t in (helper or verb).subtree if t.i > verb.i)
    return [t for t in after if t.dep_ in ends or t == helper]


def _helper(verb: Token) -> Token | None:
    """The verb above that only helps this one: いる of 破れてはいない."""
    head = verb.head
    return head if verb.i < head.i <= verb.i + _NEAR and _helps(head) else None


def is_denied(predicate: Token) -> bool:
    """Whether what a predicate says is denied: 船員ではない, 静かではなかった."""
    return not group("negating").isdisjoint(t.lemma_ for t in tail(predicate))


def clause_head(token: Token) -> Token | None:
    """The nearest predicate above a token: the clause it stands in."""
    return next((t for t in token.ancestors if t.pos_ in ("VERB", "ADJ")), None)


def does(verb: Token | None, named: str) -> bool:
    """Whether a clause's verb, alone or with its object, is of a group."""
    if verb is None:
        return False
    fixed = (f"{c.text}{particle(c)}{verb.lemma_}" for c in verb.lefts)
    forms = (dictionary_form(verb), verb.lemma_, *fixed)
    return not group(named).isdisjoint(forms)


def marked_subjects(verb: Token) -> list[Token]:
    """What は, が or も makes the subject of a verb's clause."""
    return [c for c in verb.lefts if c.dep_ == "nsubj" or particle(c) in SUBJECT]


def is_subject(token: Token) -> bool:
    """Whether a noun is the subject of a verb or of an adjective."""
    return clause_head(token) == token.head and token in marked_subjects(token.head)


def is_said(noun: Token) -> bool:
    """Whether a noun is what its clause says of the subject: 記者である, 留守で、."""
    joins = particle(noun) == "で" and any(c.dep_ == "nsubj" for c in noun.lefts)
    return joins or any(c.dep_ == "cop" for c in noun.children)


def subject_of(noun: Token) -> Token | None:
    """Of what a predicate noun is said, in its clause or one above it."""
    for clause in (noun, *noun.ancestors):
        topics = [c for c in clause.lefts if c.dep_ in ("nsubj", "dislocated")]
        if found := [c for c in topics if c.i < noun.i]:
            return found[-1]
        if clause.dep_ not in ("acl", "advcl", "conj"):
            break
    return None
