"""General word lists as data: files of each language, each naming source and licence.

- a *grouped* file has lines `group<TAB>word word ...`; a *table* has one row a line;
- lines that start with `#` are the source and licence;
- lists are general English: no name, place or kind of event of any benchmark.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import cast

from gswlab.core.nouns import ActorKind
from gswlab.language.language import by_word, grouped, languages, rows
from gswlab.language.stems import unaccented

# hand-made groups, the first that has a noun; then WordNet
_OURS = "role_f role_m person body work event place object abstract"
table, groups = rows, grouped  # of `language/<name>`, such as "en/nouns.tsv"


@cache
def words(*names: str) -> frozenset[str]:
    """Hand-made groups of general words, as one."""
    return frozenset().union(*map(groups("en/words.tsv").__getitem__, names))


@lru_cache(maxsize=1 << 16)
def groups_with(names: tuple[str, ...], *said: str) -> tuple[str, ...]:
    """Which of these hand-made groups have one of the words."""
    return tuple(name for name in names if not words(name).isdisjoint(said))


@cache
def any_words(group: str) -> frozenset[str]:
    """A hand-made group in every language that has it."""
    lists = (one.having("words").groups("words") for one in languages().values())
    return frozenset().union(*(found.get(group, ()) for found in lists))


@cache
def word_pairs(group: str) -> dict[str, str]:
    """A hand-made group of pairs `word/what it stands for`, in every language."""
    return dict(pair.split("/") for pair in any_words(group))


@lru_cache(maxsize=65536)
def noun_class(noun: str) -> str:
    """What a common noun names, by its first sense: person, place, event, body, ..."""
    low = noun.lower()
    ours = (one.replace("role", "person") for one in _OURS.split() if low in words(one))
    return next(ours, by_word("en/nouns.tsv").get(low, ""))


def noun_kind(noun: str) -> ActorKind:
    """The actor kind a common noun names (`abstract` when nothing else is known)."""
    kinds = by_word("en/noun_kinds.tsv")
    return cast(ActorKind, kinds.get(noun_class(noun), "abstract"))


def first_name_gender(name: str) -> str | None:
    """`f`, `m` or `either` for a usual first name, else None."""
    return by_word("en/first_names.tsv").get(unaccented(name.lower()))


def is_place_name(name: str) -> bool:
    """Whether a general dictionary knows the name as a place's."""
    return name.replace(" ", "_") in groups("en/place_names.tsv")["place"]
