"""The words of this workbench, each in one sentence, in English and in Japanese.

One file has them (`glossary.tsv` beside this one); this is its view: a word, all
words, and the Markdown that the teaching notebooks link.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import overload

from rapidfuzz import process

from gswlab.core.errors import GswlabError
from gswlab.view.kit.page import asset, rendered
from gswlab.view.kit.tables import column_of

TITLE = "Glossary · 用語集"


@dataclass(frozen=True, slots=True)
class GlossaryTerm:
    """A word, its Japanese name, and what it means in both languages."""

    group: str
    term: str
    japanese: str
    en: str
    ja: str

    def _repr_html_(self) -> str:
        return rendered("teach/terms.html", groups={"": [self]}.items())

    def __repr__(self) -> str:
        # without the stars that Markdown reads as emphasis
        en = self.en.replace("*", "")
        return f"{self.term}: {en}\n{self.japanese}: {self.ja}"


@dataclass(frozen=True, slots=True)
class Glossary:
    """All words, by group, in the order one meets them."""

    terms: tuple[GlossaryTerm, ...]

    def to_markdown(self) -> str:
        """What `notebooks/teach/glossary.md` holds: a heading a word, to link to."""
        return rendered("teach/glossary.md", title=TITLE, groups=self.groups())

    def groups(self) -> list[tuple[str, list[GlossaryTerm]]]:
        """The words under the headings of their groups."""
        by = groupby(self.terms, attrgetter("group"))
        titles = column_of("teach/groups.tsv", "title")
        return [(titles[group], [*terms]) for group, terms in by]

    def _repr_html_(self) -> str:
        inner = rendered("teach/terms.html", groups=self.groups())
        return f'<div class="gswlab">{inner}</div>'

    def __repr__(self) -> str:
        return f"Glossary({len(self.terms)} terms)"


@overload
def glossary() -> Glossary:
    """All words, in the order of the table."""


@overload
def glossary(term: str) -> GlossaryTerm:
    """One word, by its English or Japanese name; `GswlabError` if there is none."""


def glossary(term: str | None = None) -> Glossary | GlossaryTerm:
    """All words, or one by its English or Japanese name.

    >>> glossary("actors").japanese
    'アクター'

    Raises:
        GswlabError: no such word; the nearest ones are named.
    """
    words = _words()
    if term is None:
        return words
    names: dict[str, GlossaryTerm] = {}
    for one in words.terms:
        names |= {_plain(one.term): one, _plain(one.japanese): one}
    asked = _plain(term)
    found = names.get(asked) or names.get(asked.removesuffix("s"))
    if found is None:
        best = process.extract(asked, names.keys(), limit=3)
        near = dict.fromkeys(names[name].term for name, *_ in best)
        rule = f"near it are {', '.join(near)}"
        raise GswlabError(f"no term {term!r} in the glossary", rule, "glossary()")
    return found


@cache
def _words() -> Glossary:
    rows = asset("teach/glossary.tsv").splitlines()[1:]
    return Glossary(tuple(GlossaryTerm(*row.split("\t")) for row in rows))


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).strip().casefold()
    return folded.replace("_", " ").replace("-", " ")
