"""Runs of capitalised words, the raw matter of names.

A run grows over capitals, initials, hyphens, particles ("de"), "of" and numbers
("Pier 17"); a possessive ends it unless a place word follows ("St. Ann's Hall").
"""

from __future__ import annotations

import re
from functools import cache

from spacy.tokens import Token

from gswlab.language.event_types import names_occasion
from gswlab.language.lexicon import first_name_gender, is_place_name, noun_class, words
from gswlab.operator.parse import Parsed

PARTICLES = frozenset(
    [
        "de",
        "da",
        "di",
        "du",
        "del",
        "della",
        "van",
        "von",
        "der",
        "den",
        "la",
        "le",
        "el",
        "al",
        "bin",
        "ibn",
    ]
)
POSSESSIVE = frozenset({"'s", "’s", "'", "’"})
_BESIDE = frozenset({"by", "on", "under", "upon"})
_OPENERS = frozenset("\"“‘«「'(—–-:…*")
_SHARES = frozenset({"half", "most", "part", "rest", "much", "some", "all", "none"})
_NUMBER = re.compile(r"\d{1,4}[A-Za-z]?|[IVX]+|[A-Z]")
NEVER = frozenset(
    [
        "i",
        "i'm",
        "i'd",
        "i'll",
        "i've",
        "ok",
        "tv",
        "okay",
        "yes",
        "no",
        "oh",
        "ah",
        "sir",
        "madam",
        "ma'am",
        "am",
        "pm",
        "a.m.",
        "p.m.",
        "bc",
        "ad",
        "dear",
        "god",
        "sincerely",
        "yours",
        "love",
        "regards",
        "p.s.",
    ]
)


def find_runs(parsed: Parsed, dated: set[int]) -> list[list[Token]]:
    """The runs of a chunk in order; tokens of dates (`dated`) belong to none."""
    doc, runs, i = parsed.doc, [], 0
    while i < len(doc):
        if i in dated or not _starts(parsed, i):
            i += 1
            continue
        end = i + 1
        while step := _grows(parsed, end, dated):
            end += step
        runs.append(list(doc[i:end]))
        i = end
    return runs


def _starts(parsed: Parsed, i: int) -> bool:
    """Whether a run may start: no letter that only names a note or a key."""
    token = parsed.doc[i]
    lone = len(token.text.strip(".")) == 1
    before = token.nbor(-1).lower_ if i else ""
    return is_capital(token) and not (lone and before in ("a", "an", "the", "in"))


def _grows(parsed: Parsed, i: int, dated: set[int]) -> int:
    """How many tokens from `i` on still belong to the run that ends before `i`."""
    doc = parsed.doc
    if i >= len(doc) or i in dated or doc[i].is_sent_start:
        return 0
    token, last = doc[i], doc[i - 1]
    if is_capital(token):
        return 1 if last.whitespace_ or last.text in "-–./&" else 0
    if _NUMBER.fullmatch(token.text) and token.text[0].isdigit():
        return 1 if last.whitespace_ and noun_class(last.text) != "person" else 0
    if i + 1 >= len(doc) or i + 1 in dated:
        return 0
    if token.text in POSSESSIVE:
        return _possessive(parsed, i)
    return _joins(parsed, i)


def _joins(parsed: Parsed, i: int) -> int:
    """A small word inside a name: "-", "de la", "No. 9", "of the", "by the"."""
    doc, token, last = parsed.doc, parsed.doc[i], parsed.doc[i - 1]
    ahead, beyond = doc[i + 1], doc[min(i + 2, len(doc) - 1)]
    if token.lower_ in ("junior", "senior"):
        return 0 if ahead.pos_ == "NOUN" else 1  # "Peter Fry junior"
    if token.text in "-–" and not last.whitespace_ and not token.whitespace_:
        return 2 if ahead.text[:1].isalnum() else 0
    if token.lower_ in PARTICLES or token.text == "&":
        further = ahead.lower_ in PARTICLES and is_capital(beyond)
        return 3 if further else 2 if is_capital(ahead) else 0
    if token.lower_ in ("no", "no.", "nr", "nr."):
        split = ahead.text == "."
        return (3 if split else 2) if (beyond if split else ahead).is_digit else 0
    lady = doc[max(0, i - 2) : i].text == "Our Lady"
    if token.lower_ == "of" and (lady or _heads_of(last)):
        return _of(parsed, i)
    if token.lower_ in _BESIDE and last.lower_ in words("place_head"):
        return 3 if ahead.lower_ == "the" and is_capital(beyond) else 0
    return 0


def _heads_of(token: Token) -> bool:
    """Whether "of" may go on a name after this word: "Museum of", but no "Ray of"."""
    common = noun_class(token.text)
    if token.lower_ in words("place_head"):
        return True
    if token.lower_ in _SHARES:
        return False
    return bool(common) and not common.startswith("person")


def _of(parsed: Parsed, i: int) -> int:
    """ "of", perhaps "the", then a capital: "Museum of the Small Things"."""
    doc = parsed.doc
    for step in (1, 2):
        if i + step < len(doc) and is_capital(doc[i + step]):
            between = doc[i + 1 : i + step].text.lower()
            return step + 1 if between in ("", "the") else 0
    return 0


def _possessive(parsed: Parsed, i: int) -> int:
    """A 's inside a name: what follows is capitalised and ends in a place word.

    After somebody who is told by a trade, in any noun: "Sexton's Acre".
    """
    doc, end = parsed.doc, i + 1
    trade = noun_class(doc[i - 1].lower_).startswith("person")
    last = i
    while end < len(doc) and is_capital(doc[end]):
        found = noun_class(doc[end].lower_)
        trades = trade and bool(found) and not first_name_gender(doc[end].text)
        if doc[end].lower_ in _owned() or found == "place" or trades:
            last = end
        end += 1
    return last + 1 - i if last > i else 0


@cache
def _owned() -> frozenset[str]:
    """Words that head the name of what is somebody's."""
    groups = ("place_head", "organisation_head", "event_head", "work_head")
    return frozenset().union(*(words(group) for group in groups))


def parted(run: list[Token]) -> list[list[Token]]:
    """A run of two names that no comma parts: "At Alder Hall Ann Ray sang"."""
    texts = [token.lower_ for token in run]
    for i in (i for i, text in enumerate(texts[:-1]) if text in ("of", "at")):
        if names_occasion(texts[:i]):  # "Ghost Tour of Alder Hall"
            return [run[:i], run[i + 1 :]]
    for i, token in enumerate(run[1:-1], 1):
        street = token.lower_ in words("surname_head")
        street &= not first_name_gender(run[0].text)
        place = street or token.lower_ in words("place_head")
        first = place and bool(first_name_gender(run[i + 1].text))
        first &= not _lies_in(run[i + 1 :])
        place |= noun_class(token.lower_) == "place"
        if first or (place and _fronted(run, i)):
            return [run[: i + 1], run[i + 1 :]]
    return [run]


def _lies_in(rest: list[Token]) -> bool:
    """Whether what follows a place word is a place: "State Library Victoria"."""
    return len(rest) == 1 and is_place_name(rest[0].text)


def _fronted(run: list[Token], i: int) -> bool:
    """Whether a place stands before who is there: "Inside Alder Hall Katinka sang"."""
    doc, beyond = run[0].doc, run[-1].i + 1
    inside = run[0].lower_ in words("locative")  # its capital is the sentence's
    first = run[0] if inside or not run[0].i else run[0].nbor(-1)
    there = first.lower_ in words("locative") and opens(first)
    does = beyond < len(doc) and doc[beyond].pos_ in ("VERB", "AUX", "ADV")
    heads = _owned() | words("surname_head")
    plain = any(t.lower_ in heads or noun_class(t.lower_) for t in run[i + 1 :])
    return there and does and not plain


def opens(token: Token) -> bool:
    """Whether a token opens a sentence or quotation: any word has a capital there."""
    if token.i == 0 or token.is_sent_start:
        return True
    before = token.nbor(-1)
    if before.is_space:
        return opens(before) or "\n" in before.text
    return before.text[-1:] in _OPENERS or before.text in (".", "!", "?", "”", "’")


def is_capital(token: Token) -> bool:
    """Whether a token has a capital and is no word that always may have one.

    A word of a script that has no capitals (山田太郎) is a name in English prose.
    """
    first = token.text[:1]
    caseless = first.isalpha() and first.lower() == first.upper()
    never = token.lower_ in NEVER or token.lower_ in words("compass")
    return (first.isupper() or caseless) and not never


def title_words() -> frozenset[str]:
    """Words that stand before a name: Mr, Professor, Queen."""
    return words("honorific") | words("honorific_m") | words("honorific_f")
