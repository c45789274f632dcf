"""The words of this workbench, each in one sentence, in English and in Japanese.

One file has them (`glossary.tsv` beside this one); this is its view: a word, all
words, and the Markdown that the teaching notebooks link.
"""

from __future__ import annotations

from functools import cache
from itertools import groupby
from typing import Any, NamedTuple

from rapidfuzz import process

from gswlab.bench.judge import fold
from gswlab.core.errors import GswlabError
from gswlab.view.kit.page import asset, rendered
from gswlab.view.kit.tables import column_of


class GlossaryTerm(NamedTuple):
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
        return f"{self.term}: {self.en.replace('*', '')}\n{self.japanese}: {self.ja}"


class Glossary(NamedTuple):
    """All words, by group, in the order one meets them."""

    terms: tuple[GlossaryTerm, ...]

    def to_markdown(self) -> str:
        """What `notebooks/teach/glossary.md` holds: a heading a word, to link to."""
        return rendered("teach/glossary.md", groups=self._groups())

    def _groups(self) -> list[tuple[str, list[GlossaryTerm]]]:
        titles = column_of("teach/groups.tsv", "title")
        by = groupby(self.terms, lambda one: one.group)
        return [(titles[group], [*terms]) for group, terms in by]

    def _repr_html_(self) -> str:
        inner = rendered("teach/terms.html", groups=self._groups())
        return f'<div class="gswlab">{inner}</div>'

    def __repr__(self) -> str:
        return f"Glossary({len(self.terms)} terms)"


def glossary(term: str | None = None) -> Any:
    """All words (a `Glossary`), or one by its English or Japanese name.

    >>> glossary("actors").japanese
    'アクター'

    Raises:
        GswlabError: no such word; the nearest ones are named.
    """
    words, names = _words(), dict[str, GlossaryTerm]()
    if term is None:
        return words
    for one in words.terms:
        names |= dict.fromkeys((_key(one.term), _key(one.japanese)), one)
    asked = _key(term)
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


def _key(name: str) -> str:
    return fold(name).replace("_", " ").replace("-", " ")
