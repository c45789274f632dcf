"""Names, noun phrases, kinds of event and days compared by keys, in any script.

- a name's key is its tokens after NFKC and casefold, without articles, titles and
  honorifics: never an alphabet, so 山田太郎 and José keep what tells them apart;
- two names are the same, one the short form of the other, or spelt alike; anything
  else is no reason to think of one actor;
- a nominal ("the old professor") has an article, a head noun and modifiers;
- a question's names are looked up by `name_key`: each character of 山田太郎 is a word.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import takewhile
from typing import Literal, NamedTuple

from rapidfuzz import fuzz

from gswlab.core.workspace import name_tokens
from gswlab.language.language import KANA_KANJI, grouped
from gswlab.language.stems import content_stems, unaccented

Likeness = Literal["full_name", "name", "short", "fuller", "accents", "spelling"]

_WORDS = grouped("en/words.tsv")
DEFINITE, INDEFINITE = _WORDS["definite"], _WORDS["indefinite"]
_ARTICLES = DEFINITE | INDEFINITE
_UNNAMED = _ARTICLES | _WORDS["name_title"]
_HONOURED = re.compile("(?<=..)(?:ちゃん|さん|さま|くん|先生|教授|様|氏|君)$|['’]s$")
_UNLETTERED = re.compile(rf"[\d{KANA_KANJI}]")  # a figure is another, and a kana
_SPACELESS = re.compile(f"[{KANA_KANJI}]")
_SPELT_ALIKE = 85.0  # one letter of seven
_LONGEST = 4  # words of a person's name; more are a list of people
_CJK = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff々ー"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")
_TITLES = re.compile("the|mrs?|ms|miss|mx|dr|prof|professor|sir|lady|lord|captain")


@lru_cache(maxsize=65536)
def key(name: str) -> tuple[str, ...]:
    """Tokens by which a name is compared."""
    words = [_HONOURED.sub("", word) for word in name_tokens(name)]
    while len(words) > 1 and words[0] in _UNNAMED:
        words = words[1:]
    return tuple(words)


def spaceless(word: str) -> bool:
    """Whether a word is of a script that writes names without spaces."""
    return bool(_SPACELESS.search(word))


def is_full(tokens: tuple[str, ...]) -> bool:
    """A name of two tokens or more; of three characters where none are spaced."""
    unspaced = len(tokens) == 1 and spaceless(tokens[0]) and len(tokens[0]) >= 3
    return unspaced or len(tokens) > 1


@lru_cache(maxsize=65536)
def likeness(new: str, old: str, kind: str) -> Likeness | None:
    """In which way the name `new` may refer to what is called `old`."""
    a, b = key(new), key(old)
    if not a or not b:
        return None
    if a == b:
        return "full_name" if is_full(a) else "name"
    if _shortens(a, b, kind):
        return "short"
    if _shortens(b, a, kind):
        return "fuller"
    if [*map(_plain_letters, a)] == [*map(_plain_letters, b)]:
        return "accents"
    alike = len(a) == len(b) and all(map(_spelt_alike, a, b))
    return "spelling" if alike else None


@lru_cache(maxsize=65536)
def initials(name: str) -> frozenset[str]:
    """First letters without accents; two names that share none are not alike."""
    words = map(_plain_letters, key(name))
    return frozenset(c for w in words for c in (w if spaceless(w) else w[:1]))


def _shortens(short: tuple[str, ...], full: tuple[str, ...], kind: str) -> bool:
    if len(short) == len(full) == 1:
        s, f = short[0], full[0]
        parts = f.endswith(s) or (len(s) > 1 and f.startswith(s))
        unspaced = spaceless(s) and spaceless(f) and len(s) < len(f)
        return parts and unspaced and kind == "person"
    if len(short) > len(full):
        return False
    if len(short) == len(full):  # initials for names
        pairs = list(zip(short, full, strict=True))
        fits = all(s == f or (len(s) == 1 and f.startswith(s)) for s, f in pairs)
        return fits and any(s == f and len(s) > 1 for s, f in pairs)
    if kind == "person":
        return set(short) <= set(full) and len(full) <= _LONGEST
    # "the Town Hall" is short for "Leeds Town Hall"; "Leeds" is not.
    rest = full[len(short) :]
    opens = full == short + rest and set(rest) <= _WORDS["company"]
    return opens or full[-len(short) :] == short


def _plain_letters(word: str) -> str:
    return word if spaceless(word) else unaccented(word)  # が is no か with an accent


def _spelt_alike(x: str, y: str) -> bool:
    words = min(len(x), len(y)) >= 5 and x[0] == y[0] and not _UNLETTERED.search(x + y)
    return x == y or (words and fuzz.ratio(x, y) >= _SPELT_ALIKE)


@lru_cache(maxsize=65536)
def head(phrase: str) -> str:
    """The head noun of a nominal: the last word before a preposition."""
    words = _nominal(phrase)
    return words[-1] if words else ""


@lru_cache(maxsize=65536)
def modifiers(phrase: str) -> frozenset[str]:
    """What stands before the head noun, articles left out."""
    return frozenset(_nominal(phrase)[:-1])


def _nominal(phrase: str) -> list[str]:
    first, *rest = name_tokens(phrase) or ("",)
    whole = (first, *takewhile(lambda word: word not in _WORDS["after_head"], rest))
    words = [word for word in whole if word and word not in _ARTICLES]
    if words and spaceless(words[0]) and words[0][:2] in DEFINITE:
        words[0] = words[0][2:]
    return words


@lru_cache(maxsize=65536)
def is_plural(phrase: str) -> bool:
    """Whether a nominal is of several: a plural head, or a number before it."""
    counted = (w.isdigit() or w in _WORDS["of_several"] for w in modifiers(phrase))
    noun = head(phrase)
    return (noun.endswith("s") and not noun.endswith("ss")) or any(counted)


def article(phrase: str) -> Literal["definite", "indefinite", "none"]:
    """Whether a nominal speaks of something known."""
    first, *_ = (*name_tokens(phrase), "")
    if first in DEFINITE or first[:2] in ("その", "この", "あの"):
        return "definite"
    return "indefinite" if first in INDEFINITE else "none"


class Word(NamedTuple):
    """A word of a text, folded, and where it stands."""

    text: str
    start: int
    end: int


def key_words(text: str) -> tuple[Word, ...]:
    """The words of `text`, folded; each character of an unspaced script is a word."""
    return tuple(
        Word(unicodedata.normalize("NFKC", m[0]).casefold(), m.start(), m.end())
        for m in _WORD.finditer(text)
    )


@lru_cache(maxsize=65536)
def name_key(name: str) -> tuple[str, ...]:
    """The folded words under which a name is looked up, titles and articles cut."""
    found = tuple(word.text for word in key_words(unicodedata.normalize("NFKC", name)))
    while len(found) > 1 and _TITLES.fullmatch(found[0]):
        found = found[1:]
    return found


@lru_cache(maxsize=65536)
def kind_stems(label: str) -> frozenset[str]:
    """Stems of the content words of a label, by which kinds of event are compared."""
    return frozenset(content_stems(unicodedata.normalize("NFKC", label)))


def date_keys(value: str) -> tuple[str, ...]:
    """The date cues that hold for an ISO value: its prefixes, and these yearless."""
    prefixes = [value[:size] for size in (4, 7, 10) if len(value) >= size]
    full = [] if len(value) in (4, 7, 10) else [value]
    return (*prefixes, *full, *("-" + p[4:] for p in prefixes if len(p) > 4))
