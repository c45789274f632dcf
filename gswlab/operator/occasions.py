"""Names of events: a form of event after common words, as on a poster."""

from __future__ import annotations

from collections.abc import Sequence

from gswlab.kinds.inventory import EVERYDAY, Inventory, stem
from gswlab.operator.lexicon import first_name_gender, is_place_name, noun_class, words


def names_occasion(texts: Sequence[str]) -> bool:
    """Whether words, in lower case, name an event and nothing else.

    >>> names_occasion(["model", "railway", "show"]), names_occasion(["rosa", "show"])
    (True, False)
    """
    return may_name_occasion(texts) and texts[-1] not in words("place_head")


def may_name_occasion(texts: Sequence[str]) -> bool:
    """Whether words are a form of event after common words: "salt market" is one."""
    if len(texts) < 2 or is_place_name(" ".join(texts)):
        return False
    *before, head = texts
    if _names_doing(before, head):
        return True
    if not Inventory.general().is_form(head):
        return False
    if any(first_name_gender(word) and not is_common(word) for word in before):
        return False
    if is_doing(before[-1]):
        return True  # "dry stone walling course", whatever a "course" may be else
    known = [is_common(word) for word in before]
    return all(known) or (any(known) and head not in EVERYDAY)


def _names_doing(before: Sequence[str], head: str) -> bool:
    """Whether words say what is done to what: "wine bottling", no "Rose Browning".

    To people only if it says of what: "herring queen crowning", no "King Browning".
    """
    if not is_doing(head) or first_name_gender(before[0]):
        return False
    things = [noun_class(word) for word in before]
    return all(things) and not things[0].startswith("person")


def is_doing(word: str) -> bool:
    """Whether a word may say what is done: "bottling", not "building" (a thing)."""
    return word.endswith("ing") and noun_class(word) in ("", "act", "event")


def is_common(word: str) -> bool:
    """Whether a dictionary has the word, so that its capital proves no name."""
    return bool(noun_class(word)) or stem(word) in Inventory.general().fields
