"""Questions that compare: which of two, and whether both are or do the same."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gswlab.core.nouns import Answer
from gswlab.language.keys import kind_stems
from gswlab.reader.asking import Wanted
from gswlab.reader.passages import Sentence, plain, said_in, spoken
from gswlab.reader.spans import candidates

_LATER = re.compile(
    r"\b(?:later|last|latest|younger|youngest|newer|more recent(?:ly)?)\b", re.I
)
_SOONER = re.compile(r"\b(?:first|earlier|earliest|older|oldest|before)\b", re.I)
_MORE = re.compile(r"\b(?:more|most|larger|largest|taller|higher|bigger)\b", re.I)
_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")
_NUMBER = re.compile(r"\b\d[\d,]*(?:\.\d+)?")
_ASIDE = re.compile(r"\s*\([^)]*\)$")
_SAME = re.compile(r"\bsame (\w+)", re.I)
_SMALL = re.compile(r"city|state|county|province|town|region|district", re.I)


def chosen(question: str, asked: Wanted, told: Sequence[Sentence]) -> Answer:
    """The option whose sentences have the earlier or later year, or greater number."""
    about = {option: list(_about(option, told)) for option in asked.options}
    cited = [sentence for found in about.values() for sentence in found[:1]]
    pattern, best = _YEAR, min
    if _LATER.search(question):
        best = max
    elif _MORE.search(question) and not _SOONER.search(question):
        pattern, best = _NUMBER, max
    elif not _SOONER.search(question):
        stems = kind_stems(question)
        shared = {
            o: _shared(found, stems - kind_stems(o)) for o, found in about.items()
        }
        name = max(asked.options, key=lambda option: shared[option])
        return spoken(name, cited, "what is said of it is what is asked")
    values = {o: _first_value(pattern, found) for o, found in about.items()}
    known = {option: value for option, value in values.items() if value is not None}
    name = best(known, key=lambda o: known[o]) if known else asked.options[0]
    return spoken(name, cited, ", ".join(f"{o}: {v}" for o, v in values.items()))


def _about(name: str, told: Sequence[Sentence]) -> Iterator[Sentence]:
    """Sentences under a name's title, then those that say it."""
    stems = kind_stems(name)
    titled = [s for s in told if stems and stems <= kind_stems(s.title)]
    yield from titled
    yield from (s for s in told if stems and stems <= s.stems and s not in titled)


def _shared(found: Sequence[Sentence], stems: frozenset[str]) -> int:
    return len(frozenset().union(*(s.stems for s in found)) & stems)


def _first_value(pattern: re.Pattern[str], found: Sequence[Sentence]) -> float | None:
    hits = (pattern.search(s.text) for s in found)
    values = (hit.group().replace(",", "") for hit in hits if hit)
    return next((float(value) for value in values), None)


def verdict(
    question: str, told: Sequence[Sentence], parses: str | None = None
) -> Answer:
    """Yes where every paragraph the question names says what it asks of them."""
    stems = kind_stems(question)
    titles = {s.title: kind_stems(_ASIDE.sub("", s.title)) for s in told if s.title}
    named = [title for title, words in titles.items() if words and words <= stems]
    first = [next(s for s in told if s.title == title) for title in named]
    if same := _SAME.search(question):
        kinds = [_sorts(sentence, same.group(1), parses) for sentence in first]
        agreed = bool(kinds) and bool(frozenset.intersection(*kinds))
    else:
        said = stems.difference(*(titles[title] for title in named))
        shares = [len(said & _all(title, told)) for title in named]
        agreed = all(share > len(said) / 2 for share in shares) if said else True
    reason = f"of {', '.join(named) or 'nothing named'}"
    return spoken("yes" if agreed else "no", first or told[:1], reason)


def _all(title: str, told: Sequence[Sentence]) -> frozenset[str]:
    return frozenset().union(*(s.stems for s in told if s.title == title))


def _sorts(sentence: Sentence, what: str, parses: str | None) -> frozenset[str]:
    """The nationalities and places a first sentence names.

    A place is told from the small to the large ("in Leeds, England"): the last is the
    country, unless it stands alone.
    """
    kinds = ("NORP", "PLACE")
    found = [c for c in candidates(sentence.text, "", kinds, parses) if c.fits]
    names = [plain(c.text) for c in found if not said_in(sentence.title, c.text)]
    inside = names[:-1] if _SMALL.match(what) and len(names) > 1 else names
    return frozenset(inside)
