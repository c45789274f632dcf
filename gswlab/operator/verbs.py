"""What the form of a verb says: voice, and whether it is denied, supposed, planned."""

from __future__ import annotations

from typing import Literal

from spacy.tokens import Token

from gswlab.language.lexicon import words

Modality = Literal["asserted", "hypothetical", "reported", "planned"]

_FUTURE = frozenset({"will", "shall", "'ll", "’ll", "wo"})
_MODAL = frozenset(
    {"would", "could", "may", "might", "should", "can", "must", "'d", "’d", "ought"}
)
_SENSES = frozenset({"see", "hear", "feel", "smell", "taste", "remember", "tell"})
_SUPPOSING = frozenset({"hope", "imagine", "wish", "pretend", "suppose", "doubt"})
_DENYING = frozenset({"fail", "refuse", "decline", "forget", "avoid"})


def is_verb(token: Token) -> bool:
    """Whether a token heads a clause (auxiliaries do not)."""
    if token.dep_ in ("aux", "auxpass", "amod", "compound", "prt", "case"):
        return False
    return token.pos_ in ("VERB", "AUX") and token.tag_ != "MD"


def infinitive(verb: Token) -> bool:
    """Whether "to" stands before the verb."""
    return any(c.dep_ == "aux" and c.tag_ == "TO" for c in verb.children)


def is_passive(verb: Token) -> bool:
    """Whether the subject suffers the verb, by auxiliary or as a participle."""
    deps = {c.dep_ for c in verb.children}
    if deps & {"auxpass", "nsubjpass"}:
        return True
    if verb.tag_ != "VBN" or deps & {"aux", "nsubj", "dobj"}:
        return False
    if verb.dep_ == "conj":
        return is_verb(verb.head) and is_passive(verb.head)
    return verb.dep_ in ("acl", "advcl")


def is_negated(verb: Token) -> bool:
    """Whether the verb is denied: by not, never, nobody, failed to, without."""
    if any(c.dep_ == "neg" or c.lower_ == "never" for c in verb.children):
        return True
    if any(d.lower_ == "neither" for c in verb.children for d in c.children):
        return True
    if verb.dep_ == "xcomp" and verb.head.lemma_.lower() in _DENYING:
        return True
    if verb.dep_ == "pcomp" and verb.head.lower_ == "without":
        return True
    arguments = [c for c in verb.children if c.dep_ in ("nsubj", "nsubjpass", "dobj")]
    return any(
        c.lower_ in ("nobody", "nothing", "none")
        or any(d.lower_ == "no" for d in c.children)
        for c in arguments
    )


def modality(verb: Token, depth: int = 4) -> Modality:
    """Whether the text asserts the verb, supposes, plans or only reports it."""
    lemma = verb.lemma_.lower()
    helpers = {c.lower_ for c in verb.children if c.dep_ == "aux"}
    marks = {c.lower_ for c in verb.children if c.dep_ == "mark"}
    if helpers & _FUTURE:
        return "planned"
    if helpers & _MODAL and lemma not in _SENSES:
        return "hypothetical"
    if verb.doc[verb.sent.end - 1].text == "?":
        return "hypothetical"
    if marks & {"if", "unless", "whether"}:
        return "hypothetical"
    return _inherited(verb, helpers, depth)


def _inherited(verb: Token, helpers: set[str], depth: int) -> Modality:
    head = verb.head
    if depth == 0 or head == verb:
        return "asserted"
    if verb.dep_ == "xcomp" and infinitive(verb):
        planned = head.lemma_.lower() in words("planning") | {"go"}
        steered = head.lemma_.lower() in words("object_control")
        above = modality(head, depth - 1)
        return "planned" if planned or (steered and above == "asserted") else above
    if verb.dep_ == "advcl" and infinitive(verb):
        return "planned"
    if verb.dep_ == "ccomp":
        lemma = head.lemma_.lower()
        if lemma in _SUPPOSING:
            return "hypothetical"
        between = verb.doc[verb.i : head.i] if verb.i < head.i else ()
        if any(token.text in (";", ":") for token in between):
            return "asserted"
        return "reported" if lemma in words("speech") else "asserted"
    if verb.dep_ in ("conj", "xcomp") and is_verb(head) and not helpers:
        return modality(head, depth - 1)
    return "asserted"
