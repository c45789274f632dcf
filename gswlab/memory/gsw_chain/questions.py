"""A question of several hops as atomic ones, by its grammar: no model is asked.

A sub-question is asked after those it rests on; `#1` in it stands for the answer to the
one before. What is compared is asked one name at a time.

Source: arXiv 2602.15156 (decomposition with back-references), where a model does it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from spacy.tokens import Doc, Token

from gswlab.language.language import language_of
from gswlab.language.pipeline import model

BACK = "#1"
_CLAUSES = frozenset({"relcl", "acl"})
_COMPARES = re.compile(
    r"^\W*(?:are|is|was|were|do|does|did|has|have|had|can|could|will)\b", re.I
)
_CHOICE = re.compile(r"\bor\s+(?:the\s+)?[\"“A-Z\d]")
_NAMES = frozenset(
    {"PERSON", "ORG", "GPE", "LOC", "FAC", "NORP", "WORK_OF_ART", "PRODUCT", "EVENT"}
)
_RUN = re.compile(
    r"(?<!^)\b[A-Z][\w'’.-]*(?:\s+(?:(?:of|the|and|de)\s+)*[A-Z][\w'’.-]*)*"
)
_SHORTEST = 2  # words that have to be left of a question


def decompose(question: str) -> tuple[tuple[str, ...], ...]:
    """Chains of sub-questions: one, or one a name where names are compared.

    >>> decompose("Where did the mason who built Tall Mill come from?")
    (('the mason who built Tall Mill', 'Where did #1 come from?'),)
    """
    text = " ".join(question.split())
    if not text or language_of(text) != "en":
        return ((text,),)
    doc = model("en")(text)
    if (_COMPARES.search(text) or _CHOICE.search(text)) and len(_named(doc)) > 1:
        return tuple((each,) for each in _apart(doc))
    for noun, last in _inner(doc):
        start, end = noun.left_edge.i, last.i + 1
        if end - start + _SHORTEST <= len(doc):
            before, after = doc[:start].text_with_ws, doc[end:].text
            joint = "" if after[:1] in "?.,;" else " "
            rest = f"{before}{BACK}{joint}{after}".strip()
            return ((doc[start:end].text, rest),)
    return ((text, f"{text} {BACK}"),)


def _named(doc: Doc) -> list[tuple[int, int]]:
    """Where names stand: the recogniser's, and runs of capitals it has missed."""
    found = [(e.start_char, e.end_char) for e in doc.ents if e.label_ in _NAMES]
    for run in _RUN.finditer(doc.text):
        if not any(a < run.end() and run.start() < b for a, b in found):
            found.append(run.span())
    return sorted(found)


def _apart(doc: Doc) -> Iterator[str]:
    """The question once for each name it compares, without the others."""
    names = _named(doc)
    for kept in names:
        text = list(doc.text)
        for start, end in names:
            if (start, end) != kept:
                text[start:end] = " " * (end - start)
        yield " ".join("".join(text).split())


def _inner(doc: Doc) -> Iterator[tuple[Token, Token]]:
    """Nouns with a clause or a name of theirs, the deepest first, and their ends."""
    clauses = [
        t for t in doc if t.dep_ in _CLAUSES and t.head.pos_ in ("NOUN", "PROPN")
    ]
    owned = [t for t in doc if t.dep_ == "prep" and t.head.pos_ == "NOUN"]
    owned = [t for t in owned if any(o.ent_type_ in _NAMES for o in t.subtree)]
    for group in (clauses, owned):
        for tie in sorted(group, key=_depth, reverse=True):
            if not any(_asks(t) for t in (*tie.head.lefts, *tie.subtree)):
                yield tie.head, tie.right_edge


def _asks(word: Token) -> bool:
    """Whether a word is what the question asks by; a relative pronoun is not."""
    if word.tag_ not in ("WDT", "WP", "WRB", "WP$"):
        return False
    clause = next((a for a in word.ancestors if a.dep_ in _CLAUSES), None)
    opens = clause is not None and word.i - clause.left_edge.i <= 1
    return not opens or word.lower_ == "what"


def _depth(token: Token) -> int:
    return sum(1 for _ in token.ancestors)
