"""Verbs as a sentence has them: "arrests", "may not arrest", "reportedly arrests"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gswlab.core.nouns import VerbPhrase

_MODAL = {"hypothetical": "may", "planned": "plans to"}
_IRREGULAR = {"be": "is", "have": "has", "do": "does", "go": "goes"}


def verb_in_words(phrase: VerbPhrase, many: bool = False) -> str:
    """The verb of a phrase in words; `many` if its agent takes the plural."""
    if modal := _MODAL.get(phrase.modality):
        return f"{modal} {'not ' if phrase.negated else ''}{phrase.predicate}"
    if phrase.negated:
        return f"{'do' if many else 'does'} not {phrase.predicate}"
    said = "reportedly " if phrase.modality == "reported" else ""
    first, _, rest = phrase.predicate.partition(" ")
    return f"{said}{first if many else third_person(first)} {rest}".strip()


def plural(agents: Sequence[str]) -> bool:
    """Whether an agent takes the plural: several, "the police", "the two sailors"."""
    if len(agents) != 1:
        return len(agents) > 1
    last = agents[0].split()[-1:]
    plural = last == ["police"] or (last and re.search("[^su]s$", last[0]))
    return bool(plural) and agents[0].startswith("the ")


def third_person(verb: str) -> str:
    """The third person of an English base form; other scripts stay as they are.

    >>> [third_person(verb) for verb in ("undergo", "carry", "be", "逮捕する")]
    ['undergoes', 'carries', 'is', '逮捕する']
    """
    if verb in _IRREGULAR or not verb.isascii():
        return _IRREGULAR.get(verb, verb)
    # "undergoes"; no other verb of two letters ends in -o, but a prefix is read as one
    if verb.endswith(("s", "x", "z", "ch", "sh")) or verb[2:].endswith("o"):
        return verb + "es"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"
