"""Runs of capitalised words, the raw matter of names.

A run grows over capitals, initials, hyphens, particles ("de"), "of" and numbers
("Pier 17"); a possessive ends it unless a place word follows ("St. Ann's Hall").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import dropwhile, takewhile

from gswlab.gsw.operator.parse import Parsed
from gswlab.language.lexicon import first_name_gender, is_place_name, noun_class, words
from gswlab.language.pipeline import Doc, Token
from gswlab.language.stems import irregular_bases

_POSSESSIVE = frozenset({"'s", "’s", "'", "’"})
_OPENERS = frozenset("\"“‘«「'(—–-:…*")
_NUMBER = re.compile(r"\d{1,4}[A-Za-z]?")
_OWNED = words("place_head", "organisation_head", "event_head", "work_head")
_HEADS = _OWNED | words("surname_head")
IsMet = Callable[[str], bool]  # whether a name was met in earlier chunks
TITLES = words("honorific", "honorific_m", "honorific_f")
_FUNCTION = {"DET", "PRON", "ADP", "CCONJ", "SCONJ", "AUX", "ADV", "INTJ", "PART"}


def _runs(doc: Doc, dated: set[int]) -> Iterator[list[Token]]:
    """The runs of a chunk in order; tokens of dates (`dated`) belong to none."""
    i = 0
    while i < len(doc):
        lone = len(doc[i].text.strip(".")) == 1  # the letter of a note or a key
        letter = lone and i and doc[i - 1].lower_ in ("a", "an", "the", "in")
        end = i + 1
        if i not in dated and not letter and _is_capital(doc[i]):
            while step := _grows(doc, end, dated):
                end += step
            yield list(doc[i:end])
        i = end


def _grows(doc: Doc, i: int, dated: set[int]) -> int:
    """How many tokens from `i` on still belong to the run that ends before `i`."""
    if i >= len(doc) or i in dated or doc[i].is_sent_start:
        return 0
    token, last = doc[i], doc[i - 1]
    junior = token.lower_ in ("junior", "senior")  # "Peter Fry junior"
    if junior or _is_capital(token) or _NUMBER.fullmatch(token.text):
        return 1
    if i + 1 >= len(doc) or i + 1 in dated:
        return 0
    if token.text in _POSSESSIVE:
        return _possessive(doc, i)
    # A small word inside a name: "-", "de la", "No. 9", "of the".
    ahead, beyond = doc[i + 1], doc[min(i + 2, len(doc) - 1)]
    if token.text in "-–" and not last.whitespace_:
        return 2
    if token.lower_ == "no":  # "No. 9"
        return 3 if ahead.text == "." and beyond.is_digit else 0
    # "Museum of the Small Things", "Garden by the Weir", but no "Ray of".
    common, placed = noun_class(last.text), last.lower_ in words("place_head")
    thing = bool(common) and not common.startswith("person")
    thing &= last.lower_ not in words("share")
    of, particles = token.lower_ == "of" and thing, words("name_particle")
    joins = token.lower_ in particles or token.text == "&"
    if (joins or of) and _is_capital(ahead):
        return 2
    lies = of or (placed and token.lower_ in ("by", "on", "under", "upon"))
    small = ahead.lower_ in particles if joins else lies and ahead.lower_ == "the"
    return 3 if small and _is_capital(beyond) else 0


def _possessive(doc: Doc, i: int) -> int:
    """A 's before a capitalised place word; of a trade, any noun: "Sexton's Acre"."""
    last, trade = i, noun_class(doc[i - 1].lower_).startswith("person")
    for token in takewhile(_is_capital, doc[i + 1 :]):
        common = noun_class(token.lower_)
        if token.lower_ in _OWNED or common == "place" or (trade and common):
            last = token.i
    return last + 1 - i if last > i else 0


def _parted(run: list[Token]) -> list[list[Token]]:
    """A run of two names that no comma parts: "At Alder Hall Ann Ray sang"."""
    # A place before who is there: "Inside Alder Hall Katinka sang".
    inside = run[0].lower_ in words("locative")  # its capital is the sentence's
    before = run[0] if inside or not run[0].i else run[0].nbor(-1)
    fronted = before.lower_ in words("locative") and opens(before)
    for i, token in enumerate(run[1:-1], 1):
        rest, place = run[i + 1 :], token.lower_ in words("place_head")
        # "State Library Victoria" is one name, and so is "Port Jefferson"
        lies = len(rest) == 1 and is_place_name(rest[0].text)
        lies |= token.lower_ in words("place_opener")
        first = place and bool(first_name_gender(rest[0].text)) and not lies
        place |= noun_class(token.lower_) == "place"
        plain = any(t.lower_ in _HEADS or noun_class(t.lower_) for t in rest)
        if first or (place and fronted and not plain and not lies):
            return [run[: i + 1], rest]
    return [run]


def opens(token: Token) -> bool:
    """Whether a token opens a sentence or quotation: any word has a capital there."""
    if token.i == 0 or token.is_sent_start:
        return True
    before = token.nbor(-1)
    ended = before.is_space or before.text in (".", "!", "?", "”", "’")
    return ended or before.text[-1:] in _OPENERS


def _is_capital(token: Token) -> bool:
    """Whether a token has a capital of its own, or a script without any: 山田太郎."""
    first = token.text[:1]
    caseless = first.isalpha() and first.lower() == first.upper()
    if token.tag_ == "VBZ" or token.lower_ in words("never_name"):
        return False  # nor is what "Arden Hall Gives Blood" says of the hall
    return first.isupper() or caseless


def is_proper(run: Iterable[Token]) -> bool:
    """Whether words are a name's: one has a capital that is its own."""
    capitals = (token for token in run if token.text[:1].isupper())
    return any(t.pos_ == "PROPN" or not t.is_sent_start for t in capitals)


@dataclass(frozen=True)
class Name:
    """A name in the text: its own tokens, the titles before it and what heads it."""

    text: str
    tokens: tuple[Token, ...]
    titles: tuple[Token, ...]
    first: Token  # a title if it has one
    head: Token
    article: bool
    quoted: bool = False

    @property
    def titled(self) -> str:
        """Its words with its titles."""
        return " ".join([*(title.text for title in self.titles), self.text])


_TELL = {
    "m": "honorific_m", "f": "honorific_f", "wife": "wife", "maid": "maid",
    "office": "honorific",
}  # fmt: skip
_APART = {"m", "f"}, {"wife", "maid"}, {"wife", "office"}


@lru_cache(maxsize=65536)
def title_tells(name: str) -> frozenset[str]:
    """The gender that a title tells, and whether of a wife; else a full name's."""
    first, *rest = name.lower().split() or [""]
    told = {what for what, group in _TELL.items() if first in words(group)}
    guess = first_name_gender(first) if rest and not told else None
    return frozenset(told or (gender for gender in "mf" if gender == guess))


def titles_clash(one: Set[str], other: Set[str]) -> bool:
    """Whether titles tell two apart: Mr Bennet, Mrs Bennet and Miss Bennet."""
    told = (pair for pair in _APART if not (pair <= one or pair <= other))
    return any(pair <= one | other for pair in told)


def called(name: Name, names: Sequence[Name]) -> str:
    """A name's words, with its title where that tells two apart: Mr and Mrs Bennet."""
    told, of_text = title_tells(name.titled), title_tells(name.text)
    others = (title_tells(n.titled) for n in names if n.text == name.text)
    wife = "wife" in told and titles_clash(told, of_text)  # Mrs Tom Ray is no Tom Ray
    apart = wife or any(titles_clash(told, other) for other in others)
    return name.titled if apart else name.text


def fullest(forms: dict[str, Name]) -> dict[str, str]:
    """Each form to the longest name it is an end of: "Ann" or "Ray" of "Ann Ray"."""
    heads = words("place_head", "organisation_head")
    ends = {text: list[str]() for text in forms}
    for text, name in forms.items():
        parts, told = name.text.split(), title_tells(name.titled)
        whole = len(parts) > 1 and parts[-1].lower() not in heads
        for end, short in forms.items() if whole else ():
            clash = titles_clash(told, title_tells(short.titled))
            if short.text in (parts[0], parts[-1]) and not clash:
                ends[end].append(text)
    full = {text: own[0] if len(own) == 1 else text for text, own in ends.items()}
    return {text: full.get(full[text], full[text]) for text in full}


def find_names(parsed: Parsed, known: IsMet) -> list[Name]:
    """The names of a chunk in order; `known` tells names met in earlier chunks."""
    names = list(_quoted(parsed))
    dates = [parsed.within(date.start, date.end) for date in parsed.dates]
    taken = {t.i for run in (*dates, *(name.tokens for name in names)) for t in run}
    runs = [part for run in _runs(parsed.doc, taken) for part in _parted(run)]
    inner = {t.text for run in runs for t in run if not opens(t)}
    lower = {t.text for t in parsed.doc if t.text.islower()}
    for run in runs:
        # An ordinary word that only opens a sentence is no part of a name.
        while run and opens(run[0]) and not _keeps(run, inner, lower, known):
            run = list(dropwhile(lambda token: not _is_capital(token), run[1:]))
        if run and (name := _name(parsed, run)):
            names.append(name)
    return sorted(names, key=lambda name: name.tokens[0].i)


def _quoted(parsed: Parsed) -> Iterator[Name]:
    """Titles in quotation marks, taken as they stand."""
    for quote in parsed.quotes:
        inside = parsed.within(quote.start + 1, quote.end - 1)
        run = [t for t in inside if not t.is_space]
        if quote.title and len(run) > 1:
            text = " ".join(parsed.text(run).split())
            yield Name(text, tuple(run), (), run[0], _head(run), False, True)


def _keeps(run: list[Token], inner: set[str], lower: set[str], known: IsMet) -> bool:
    """Whether the opening word of a run belongs to a name."""
    first, word, usual = run[0], run[0].lower_, bool(first_name_gender(run[0].lower_))
    following = run[1] if len(run) > 1 else None
    if first.pos_ == "PROPN" and not following and (usual or is_place_name(first.text)):
        return True
    never = words("never_name", "locative_strong")  # "Inside Sundial Court"
    if first.is_stop or word in never or first.text in _POSSESSIVE:
        return False
    if first.text in inner or word in TITLES:
        return True
    if following and following.text in _POSSESSIVE:  # no "Today's Common"
        return noun_class(word) != "time"
    if following and following.lower_ in words("name_particle") | {"&"}:
        return True
    plain = first.pos_ in _FUNCTION or first.pos_ == "VERB" or word in lower
    plain |= word.removesuffix("ed") in words("speech")  # "Muttered Ann"
    text, capital = first.text, following is not None and _is_capital(following)
    if following and capital:
        text = f"{text} {following.text}"
    if usual or known(text):
        return capital or not plain
    # Of a word in the dictionary, or formed as its words are, a capital proves nothing.
    common: object = noun_class(first.text) or noun_class(first.lemma_)
    common = common or irregular_bases(word) or word.endswith(("ing", "ed", "ly"))
    return not plain and (capital or (first.pos_ == "PROPN" and not common))


def _name(parsed: Parsed, run: list[Token]) -> Name | None:
    titles, last = list[Token](), run[-1].lower_
    family = last in words("surname_head") or not noun_class(last)  # Captain Hill
    placed = last in words("place_head") and len(run) > 1 + family
    called = frozenset() if placed else TITLES - words("kin_title")
    while len(run) > 1 and run[0].lower_ in called:
        titles, run = [*titles, run[0]], run[1:]
    if not _is_name(run, titles):
        return None
    head, first = _head(run), (titles + run)[0]
    text = " ".join(parsed.text(run).split())
    usual = first_name_gender(run[0].text) is not None
    if text.isupper() and len(text) > 3 and (usual or len(run) > 1):
        text = text.title()  # a name printed in capitals
    own = () if usual and run[1:] else head.children  # the former Alma Reese
    own = (c for c in own if c.dep_ == "det" and c.i < first.i)
    before = [*own, *first.doc[max(0, first.i - 1) : first.i]]
    the = any(token.lower_ == "the" for token in before)
    return Name(text, tuple(run), tuple(titles), first, head, the)


def _is_name(run: list[Token], titles: list[Token]) -> bool:
    only, usual = run[0], any(first_name_gender(t.text) for t in run)
    if all(t.text.isupper() for t in run) and not usual:
        plain = noun_class(only.text) or only.is_stop
        short = len(run) == 1 and 1 < len(only) < 6 and only.text.isalpha()
        return short or (len(run) in (2, 3) and not plain)
    if len(run) > 1 or titles:
        return True
    if only.is_stop:
        return only.pos_ == "PROPN" and usual
    if only.pos_ == "ADJ" and only.ent_type_ in ("NORP", "LANGUAGE", ""):
        return usual or (bool(only.ent_type_) and only.dep_ not in ("amod", "acomp"))
    toward = only.i > 0 and only.nbor(-1).dep_ == "prep"
    # "home to Ealing", however the parser takes it
    noun = usual or toward or only.pos_ in ("PROPN", "NOUN", "ADJ", "X")
    noun &= only.ent_type_ not in ("DATE", "TIME") or only.dep_ == "nsubj"
    return noun and only.lower_ not in TITLES


def _head(run: list[Token]) -> Token:
    """The token the rest of the sentence holds on to (before "of" if there is one)."""
    tops = [t for t in run if t.head not in run or t.head == t]
    return ([t for t in tops if t.pos_ in ("PROPN", "NOUN")] or tops)[-1]
