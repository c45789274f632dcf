"""General word lists as data: files of each language, each naming source and licence.

- a *grouped* file has lines `group<TAB>word word ...`; a *table* has one row a line;
- lines that start with `#` are the source and licence;
- lists are general English: no name, place or kind of event of any benchmark.
"""

from __future__ import annotations

from functools import cache
from typing import cast

from gswlab.core.nouns import ActorKind
from gswlab.language.language import by_word, grouped, languages, rows
from gswlab.language.stems import unaccented

table, groups = rows, grouped  # of `language/<name>`, such as "en/nouns.tsv"


def words(group: str) -> frozenset[str]:
    """One hand-made group of general words."""
    return groups("en/words.tsv")[group]


@cache
def any_words(group: str) -> frozenset[str]:
    """A hand-made group in every language that has it.

    >>> {"surgeon", "医者"} <= any_words("profession")
    True
    """
    lists = (one.having("words").groups("words") for one in languages().values())
    return frozenset().union(*(found.get(group, ()) for found in lists))


@cache
def word_pairs(group: str) -> dict[str, str]:
    """A hand-made group of pairs `word/what it stands for`, in every language.

    >>> word_pairs("post")["cllr"]
    'councillor'
    """
    return dict(pair.split("/") for pair in any_words(group))


@cache
def _noun_classes() -> dict[str, str]:
    classes = {**by_word("en/nouns.tsv")}
    for group in ("abstract", "object", "place", "event", "work", "body", "person"):
        classes |= dict.fromkeys(words(group), group)
    classes |= dict.fromkeys(words("role_m"), "person_m")
    return classes | dict.fromkeys(words("role_f"), "person_f")


def noun_class(noun: str) -> str:
    """What a common noun names, by its first sense: person, place, event, body, ...

    >>> noun_class("detective"), noun_class("kitchen"), noun_class("brother")
    ('person', 'place', 'person_m')
    """
    return _noun_classes().get(noun.lower(), "")


def noun_kind(noun: str) -> ActorKind:
    """The actor kind a common noun names (`abstract` when nothing else is known)."""
    kinds = by_word("en/noun_kinds.tsv")
    return cast(ActorKind, kinds.get(noun_class(noun), "abstract"))


def first_name_gender(name: str) -> str | None:
    """`f`, `m` or `either` for a usual first name, else None.

    >>> first_name_gender("Rosa"), first_name_gender("Granite")
    ('f', None)
    """
    return by_word("en/first_names.tsv").get(unaccented(name.lower()))


def is_place_name(name: str) -> bool:
    """Whether a general dictionary knows the name as a place's."""
    return name.replace(" ", "_") in groups("en/place_names.tsv")["place"]
