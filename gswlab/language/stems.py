"""Stems of words and verbs, the words that say nothing, and tokens."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

import snowballstemmer

from gswlab.language.language import by_word, grouped, of, rows

_STEMMER = snowballstemmer.stemmer("english")
_ENDING = re.compile("[\u3041-\u3096]+$")


@cache
def verb_stems(word: str) -> frozenset[str]:
    """Stems of the base forms a word may be a form of."""
    return frozenset(map(folded_stem, (word, *irregular_bases(word))))


@cache
def irregular_bases(word: str) -> tuple[str, ...]:
    """The verbs that a word is a form of which no rule gives: of "met", "meet"."""
    return tuple(base for base, forms in irregular().items() if word in forms)


# of a wolf; who carves or achieves has none
_WOLVES = re.compile(r"(wi|kni|wol|shel|\bhal|\bcal|loa|\bthie|\bscar)ves$")


@cache
def folded_stem(word: str) -> str:
    """The stem of a folded word."""
    one = _WOLVES.sub(r"\1fe", word)
    # every reading asks for the words of the kinds of event
    return by_word("en/stems.tsv").get(one) or str(_STEMMER.stemWord(one))


def spaceless_root(predicate: str) -> str:
    """What a verb written without spaces keeps in every form; "" in other scripts."""
    if predicate.isascii():
        return ""
    return _ENDING.sub("", predicate.removesuffix("する")) or predicate[:-1]


def inflects(predicate: str, text: str) -> bool:
    """Whether a text has a form of a verb written without spaces."""
    root = spaceless_root(predicate)
    if predicate.endswith("する"):
        return root in text
    ending = predicate[len(root) :]
    kana = of("ja").pairs("inflection").get(ending[-1:], "") + ending[-1:]
    return bool(re.search(f"{re.escape(root + ending[:-1])}[{kana}]", text))


@cache
def irregular() -> dict[str, list[str]]:
    """The forms of verbs that no rule gives, by the base form."""
    lists = (row.split() for (row,) in rows("en/irregular.txt"))
    return {base: forms for base, *forms in lists}


_WORDS = grouped("en/words.tsv")
STOP = _WORDS["no_content"]
_OWNED = re.compile(r"['’]s\b")


@cache
def stem(word: str) -> str:
    """Snowball stem of one casefolded word; "café" and "cafe" are one word."""
    letters = unaccented(word.casefold())
    return folded_stem(letters if letters.isascii() else word.casefold())


def unaccented(text: str) -> str:
    """A text without the marks on its letters, of any alphabet."""
    if text.isascii():  # most are, and every token's is asked for
        return text
    plain = unicodedata.normalize("NFKD", text)
    return "".join(char for char in plain if not unicodedata.combining(char))


@lru_cache(maxsize=65536)
def content_stems(label: str) -> tuple[str, ...]:
    """Stems of the content words of a label, in order, without repeats."""
    owned = _OWNED.sub("", label.casefold())
    words = "".join(c if c.isalnum() else " " for c in owned).split()
    kept = [word for word in words if word not in STOP] or words
    return tuple(dict.fromkeys(stem(word) for word in kept))


def numbers(noun: str) -> tuple[str, ...]:
    """A noun as it may be written, singular or plural."""
    return noun, f"{noun}s", f"{noun}es", f"{noun[:-1]}ies"


EVERYDAY = _WORDS["everyday_form"]  # more often of other things than of events

# Latin words in ASCII as in the published runs; words of other alphabets whole; in a
# script without spaces every character is a word.
_WORD = re.compile(r"[a-z0-9]+|[^\W\u0000-\u036f\u2e80-\U0010ffff]+|[^\W\u0000-\u2e7f]")


def bm25_words(text: str) -> list[str]:
    """The words BM25 counts."""
    return _WORD.findall(text.lower())


# `bm25s.stopwords.STOPWORDS_EN`, whose import brings all of SciPy, among them.
_IGNORED = STOP | _WORDS["bm25_stop"] | _WORDS["asking"]


def terms(text: str) -> list[str]:
    """The stems of a text's content words; a question's own words are none."""
    found = bm25_words(_OWNED.sub("", text))
    return [stem(word) for word in found if word not in _IGNORED]
