"""Spans of a sentence that can be answers: names, dates, numbers, quoted titles."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from gswlab.language.language import language_of
from gswlab.language.pipeline import model, parsed

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
    """A span, where it begins, what it is, and whether that is of a kind wanted."""

    text: str
    at: int
    kind: str
    fits: bool


def candidates(
    text: str, title: str, kinds: tuple[str, ...], parses: str | None = None
) -> Iterator[Candidate]:
    """What a sentence and its title offer; without `kinds` any name fits.

    A title is of the kind that the sentence's recogniser gives its name. `parses` is a
    folder that keeps what the recogniser found.
    """
    labels = {label for kind in kinds for label in _LABELS.get(kind, (kind,))}
    found = _found(text, parses)
    for said, at, label in found:
        fits = label in labels if labels else label not in ("CARDINAL", "ORDINAL")
        yield Candidate(said, at, label, fits)
    if bare := re.sub(r"\s*\([^)]*\)$", "", title):
        own = {label for said, _, label in found if said in bare or bare in said}
        open_to = own or {"ORG", "WORK_OF_ART"}
        yield Candidate(bare, 0, "title", not labels or bool(labels & open_to))


@lru_cache(maxsize=20_000)
def _found(text: str, parses: str | None) -> tuple[tuple[str, int, str], ...]:
    """Spans with their labels, by the recogniser and by form."""
    parser = model(language_of(text))
    without = [name for name in parser.pipe_names if name not in _NEEDED]
    doc = parsed(parses, parser.make_doc(text), parser, without)
    named = [(_bare(e.text), e.start_char, e.label_) for e in doc.ents]
    years = [(hit.group(), hit.start(), "YEAR") for hit in _YEAR.finditer(text)]
    quoted = [(_bare(h.group(1)), h.start(), "QUOTED") for h in _QUOTED.finditer(text)]
    return tuple(found for found in (*named, *years, *quoted) if found[0])


def _bare(text: str) -> str:
    return _ARTICLE.sub("", text.strip(_EDGES)).strip(_EDGES)
