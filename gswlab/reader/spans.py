"""Spans of a sentence that can be answers: names, dates, numbers, quoted titles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from gswlab.operator.parse import model
from gswlab.text import language_of

_YEAR = re.compile(r"\b(?:1\d|20)\d\d\b")
_QUOTED = re.compile(r"[\"“]([^\"”]{2,60})[\"”]")
_EDGES = ' \t\n,.;:()"“”'
_ARTICLE = re.compile(r"^(?:the|a|an)\s+", re.I)
_NEEDED = ("tok2vec", "transformer", "ner")
# The recogniser's labels by the kinds a question wants.
_LABELS = {
    "DATE": ("DATE", "YEAR"),
    "COUNT": ("CARDINAL", "QUANTITY", "MONEY", "PERCENT", "ORDINAL"),
    "PLACE": ("GPE", "LOC", "FAC"),
    "ORG": ("ORG",),
    "WORK_OF_ART": ("WORK_OF_ART", "QUOTED"),
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A span, what it is, and whether that is of a kind wanted."""

    text: str
    kind: str
    fits: bool


def candidates(text: str, title: str, kinds: tuple[str, ...]) -> Iterator[Candidate]:
    """What a sentence and its title offer; without `kinds` any name fits."""
    labels = {label for kind in kinds for label in _LABELS.get(kind, (kind,))}
    for said, label in _found(text):
        fits = label in labels if labels else label not in ("CARDINAL", "ORDINAL")
        yield Candidate(said, label, fits)
    if title:
        bare = re.sub(r"\s*\([^)]*\)$", "", title)
        open_to = {"PERSON", "ORG", "WORK_OF_ART", "GPE"}
        yield Candidate(bare, "title", not labels or bool(labels & open_to))


@lru_cache(maxsize=20_000)
def _found(text: str) -> tuple[tuple[str, str], ...]:
    """Spans with their labels, by the recogniser and by form."""
    parser = model(language_of(text))
    doc = parser(text, disable=[n for n in parser.pipe_names if n not in _NEEDED])
    named = [(_bare(entity.text), entity.label_) for entity in doc.ents]
    years = [(hit.group(), "YEAR") for hit in _YEAR.finditer(text)]
    quoted = [(_bare(hit.group(1)), "QUOTED") for hit in _QUOTED.finditer(text)]
    every = (pair for pair in (*named, *years, *quoted) if pair[0])
    return tuple(dict.fromkeys(every))


def _bare(text: str) -> str:
    return _ARTICLE.sub("", text.strip(_EDGES)).strip(_EDGES)
