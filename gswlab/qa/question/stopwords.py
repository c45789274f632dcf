"""The words every question is built of, told from those that name something.

`scaffold.txt` lists the first; a general inventory of kinds of event and the classes
of WordNet nouns tell which of the others may name one. `like` finds a wording's words.
"""

from __future__ import annotations

import re
from functools import cache

from gswlab.language.dates.calendar import compiled
from gswlab.language.event_types import Inventory
from gswlab.language.language import of
from gswlab.language.lexicon import noun_class
from gswlab.language.stems import content_stems, folded_stem, stem

_WORDED = ("en", "wording"), ("ja", "wording"), ("en", "scaffold"), ("en", "typed")
_NAMED = re.compile("⟨([a-z][^⟩]*)⟩")  # what stands for another; "⟨[tse]⟩" is a mask
_INFLECTED = re.compile(r"(?:s|ed|ing)$")
_OPENING = ("", *".?!:;\"'(—–-")  # what stands before a word that opens


@cache
def scaffold(group: str) -> frozenset[str]:
    """The words questions are built of, or those of them that a kind may contain."""
    words = " ".join(of("en").patterns("scaffold")[group]).split()
    return frozenset(words).union(map(folded_stem, words))


@cache
def wordings(name: str) -> str:
    """The alternatives that the tables have of a name, with all they stand for.

    Raises:
        KeyError: no table has the name; without a word it would be found everywhere.
    """
    tables = (of(code).patterns(table) for code, table in _WORDED)
    lines = [line for table in tables for line in table.get(name, ())]
    if not lines:
        raise KeyError(name)
    return f"(?:{_NAMED.sub(lambda hit: wordings(hit[1]), '|'.join(lines))})"


@cache
def like(name: str) -> re.Pattern[str]:
    """How questions and sentences are worded: a pattern by its name."""
    return compiled(wordings(name))


def is_scaffold(word: str) -> bool:
    """Whether a word is in the lexicon, or is an inflected form of one.

    A form of events is not, unless listed: "hearing" is more than "hear".
    """
    folded = word.casefold()
    if folded in scaffold("word"):
        return True
    form = Inventory.general().words.get(stem(folded)) == folded
    inflected = _INFLECTED.search(folded) and not form
    return bool(inflected) and folded_stem(folded) in scaffold("word")


def opens_sentence(text: str, start: int) -> bool:
    """Whether a word opens its sentence or clause: then its capital says nothing."""
    return text[:start].rstrip()[-1:] in _OPENING


def event_like(label: str) -> bool:
    """Whether the head of a label is a noun of acts and events, or a form of them.

    In a compound an abstract noun will do: a falconry display, a vote count.
    """
    head = label.casefold().replace("-", " ").split()[-1]
    inventory = Inventory.general()
    if inventory.is_form(head) or content_stems(label) in inventory.own_names:
        return True
    bare = head == label.casefold() or is_scaffold(head)
    classes = ("act", "event") if bare else ("act", "event", "abstract")
    return any(noun_class(word) in classes for word in (head, head.removesuffix("s")))
