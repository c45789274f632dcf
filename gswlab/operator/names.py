"""Names of a chunk, from runs of capitalised words; labels only vote later.

- a run is grown over capitals, initials, hyphens, particles ("de"), "of" and numbers
  ("Pier 17"); a possessive 's ends it unless a place word follows ("St. Ann's Hall");
- a word that opens a sentence counts only if it is no ordinary word there;
- titles are cut off and kept beside the name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from spacy.tokens import Token

from gswlab.language.lexicon import first_name_gender, noun_class, words
from gswlab.operator.parse import Parsed
from gswlab.operator.runs import (
    NEVER,
    PARTICLES,
    POSSESSIVE,
    find_runs,
    is_capital,
    opens,
    parted,
    title_words,
)

_FUNCTION = frozenset(
    {"DET", "PRON", "ADP", "CCONJ", "SCONJ", "AUX", "ADV", "INTJ", "PART", "PUNCT"}
)


@dataclass(frozen=True)
class Name:
    """A name in the text: its own tokens, the titles before it and what heads it."""

    text: str
    tokens: tuple[Token, ...]
    titles: tuple[Token, ...]
    head: Token
    article: bool
    opening: bool
    quoted: bool = False


def find_names(parsed: Parsed, known: Callable[[str], bool]) -> list[Name]:
    """The names of a chunk in order; `known` tells names met in earlier chunks."""
    titles = _quoted(parsed)
    taken = _dated(parsed) | {t.i for name in titles for t in name.tokens}
    runs = [part for run in find_runs(parsed, taken) for part in parted(run)]
    inner = {t.text for run in runs for t in run if not opens(t)}
    lower = {t.text for t in parsed.doc if t.text.islower()}
    names = list(titles)
    for run in runs:
        run = _trimmed(run, inner, lower, known)
        if run and (name := _name(parsed, run)):
            names.append(name)
    return sorted(names, key=lambda name: name.tokens[0].i)


def _quoted(parsed: Parsed) -> list[Name]:
    """Titles in quotation marks, taken as they stand."""
    names = []
    for quote in parsed.quotes:
        inside = [t for t in parsed.doc if quote.start < t.idx < quote.end - 1]
        run = [t for t in inside if not t.is_space]
        named = len(run) > 1 or (run and _titled(parsed, run[0]))
        if quote.title and named:
            text = " ".join(parsed.text(run).split())
            names.append(Name(text, tuple(run), (), _head(run), False, False, True))
    return names


def _titled(parsed: Parsed, token: Token) -> bool:
    """Whether the words before a quoted word announce a name: called “Ember”."""
    before = parsed.doc[max(0, token.i - 3) : max(0, token.i - 1)]
    return any(
        t.lemma_ in ("call", "title", "name", "entitle") or noun_class(t.text) == "work"
        for t in before
    )


def _dated(parsed: Parsed) -> set[int]:
    return {
        token.i
        for date in parsed.dates
        for token in parsed.doc
        if date.start <= token.idx < date.end
    }


def _trimmed(
    run: list[Token], inner: set[str], lower: set[str], known: Callable[[str], bool]
) -> list[Token]:
    """The run without an ordinary word that only opens a sentence."""
    while run and opens(run[0]) and not _keeps(run, inner, lower, known):
        run = run[1:]
        while run and not is_capital(run[0]):
            run = run[1:]
    while run and not run[-1].text[-1:].isalnum() and run[-1].text[-1:] != ".":
        run = run[:-1]
    return run


def _keeps(
    run: list[Token], inner: set[str], lower: set[str], known: Callable[[str], bool]
) -> bool:
    """Whether the opening word of a run belongs to a name."""
    first, rest = run[0], run[1:]
    word = first.lower_
    if first.pos_ == "PROPN" and first_name_gender(word) and not rest:
        return True
    if first.is_stop or word in NEVER or first.text in POSSESSIVE:
        return False
    if word in words("locative_strong"):  # "Inside Sundial Court"
        return False
    if first.text in inner or word in title_words() or _signs(first, run[-1]):
        return True
    if rest and (rest[0].text == "&" or rest[0].lower_ in PARTICLES):
        return True
    if rest and rest[0].text in POSSESSIVE:  # "Fiddler's Common", not "Today's Common"
        return noun_class(word) != "time"
    if rest and is_capital(rest[0]):
        if known(f"{first.text} {rest[0].text}"):
            return True
        name = first_name_gender(word) is not None
        plain = first.pos_ in _FUNCTION or first.pos_ == "VERB" or word in lower
        calls = first.pos_ == "ADJ" and first_name_gender(rest[0].text) is not None
        return name or not (plain or calls)
    if word in lower or first.pos_ in _FUNCTION:
        return False
    if first_name_gender(word) is not None or known(first.text):
        return first.pos_ in ("PROPN", "NOUN") or known(first.text)
    return first.pos_ == "PROPN" and not _ordinary(first)


def _signs(first: Token, last: Token) -> bool:
    """Whether a run is a signature: "Yours ever," before it and nothing after."""
    if last.i + 1 < len(last.doc) and not last.nbor(1).is_space:
        return False
    before = [t for t in first.doc[max(0, first.i - 2) : first.i] if not t.is_space]
    return bool(before) and before[-1].text == ","


def _ordinary(token: Token) -> bool:
    """Whether the word is in the dictionary: then a capital alone proves nothing."""
    if noun_class(token.text) or noun_class(token.lemma_):
        return True
    return bool(re.fullmatch(r".*(ing|ed|ly)", token.lower_))


def _name(parsed: Parsed, run: list[Token]) -> Name | None:
    titles: list[Token] = []
    last = run[-1].lower_
    family = last in words("surname_head")  # "Captain Hill", but "General Hospital"
    placed = last in words("place_head") and len(run) > 1 + family
    while len(run) > 1 and run[0].lower_ in title_words() - words("kin_title"):
        if placed:
            break
        titles.append(run[0])
        run = run[1:]
        if run[0].text == ".":
            run = run[1:]
    the = len(run) > 1 and run[0].lower_ == "the"
    run = run[1:] if the else run
    if not run or not _is_name(run, titles):
        return None
    head = _head(run)
    first = (titles + run)[0]
    text = " ".join(parsed.text(run).split())
    usual = first_name_gender(run[0].text) is not None
    if text.isupper() and len(text) > 3 and (usual or len(run) > 1):
        text = text.title()  # a name printed in capitals
    article = the or (first.i > 0 and first.nbor(-1).lower_ == "the")
    article = article or any(
        c.lower_ == "the"
        and c.dep_ == "det"
        and c.i < first.i
        and all(t.pos_ != "NOUN" for t in first.doc[c.i : first.i])
        for c in head.children
    )
    return Name(text, tuple(run), tuple(titles), head, article, opens(first))


def _is_name(run: list[Token], titles: list[Token]) -> bool:
    only = run[0]
    usual = any(first_name_gender(t.text) for t in run)
    if all(t.text.isupper() for t in run) and not usual:
        plain = any(noun_class(t.text) or t.is_stop for t in run[:1])
        short = len(run) == 1 and 1 < len(only) < 6 and only.text.isalpha()
        return short or (len(run) in (2, 3) and not plain)
    if len(run) > 1 or titles:
        return True
    toward = only.i > 0 and only.nbor(-1).dep_ == "prep" and not opens(only)
    named = usual or _signs(only, run[-1]) or toward  # "home to Ealing"
    if only.pos_ not in ("PROPN", "NOUN", "ADJ", "X") and not named:
        return False
    if only.is_stop or only.pos_ == "PRON":
        return only.pos_ == "PROPN" and first_name_gender(only.text) is not None
    if only.pos_ == "ADJ" and only.ent_type_ in ("NORP", "LANGUAGE", ""):
        return usual or (bool(only.ent_type_) and only.dep_ not in ("amod", "acomp"))
    if only.ent_type_ in ("DATE", "TIME") and only.dep_ != "nsubj":
        return False
    return len(only.text) > 1 and only.lower_ not in title_words()


def _head(run: list[Token]) -> Token:
    """The token the rest of the sentence holds on to (before "of" if there is one)."""
    inside = {token.i for token in run}
    tops = [t for t in run if t.head.i not in inside or t.head.i == t.i]
    named = [t for t in tops if t.pos_ in ("PROPN", "NOUN")] or tops
    return named[-1]
