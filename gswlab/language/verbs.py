"""Verbs as a sentence has them: "arrests", "may not arrest", "reportedly arrests"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, partial

from gswlab.core.nouns import VerbPhrase
from gswlab.language.stems import irregular

_AFTER = {"hypothetical": "かもしれない", "planned": "つもり", "reported": "という"}
_IRREGULAR = {"be": "is", "have": "has", "do": "does", "go": "goes"}


def verb_in_words(phrase: VerbPhrase, many: bool = False, passive: bool = False) -> str:
    """The verb of a phrase in words: "plans to forgive", `passive` "is to be forgiven".

    `many` if its subject takes the plural.
    """
    first, _, rest = phrase.predicate.partition(" ")
    done = f"{participle(first)} {rest}".strip()
    if not first.isascii():  # what is not or may not be so follows it
        no = "ことはない" if phrase.negated else ""
        verb = done if passive else phrase.predicate
        return f"{verb}{no}{_AFTER.get(phrase.modality, '')}"
    no, be = "not " if phrase.negated else "", "are" if many else "is"
    verb = f"be {done}" if passive else phrase.predicate
    if phrase.modality == "hypothetical":
        return f"may {no}{verb}"
    if phrase.modality == "planned":
        return f"{be if passive else 'plans'} {no}to {verb}"
    said = "reportedly " if phrase.modality == "reported" else ""
    if passive:
        return f"{said}{be} {no}{done}"
    if phrase.negated:
        return f"{'do' if many else 'does'} not {verb}"
    return f"{said}{first if many else third_person(first)} {rest}".strip()


passive_in_words = partial(verb_in_words, passive=True)


def end_of_verb(predicate: str, clause: str) -> int | None:
    """Where a verb ends in its clause, with its particles; None where it is not there.

    >>> end_of_verb("take on", "words taking on an undertone")
    15
    """
    first, _, rest = predicate.partition(" ")
    forms = "|".join(sorted(_forms(first), reverse=True))
    found = re.search(rf"\b(?:{forms})\b(?: {re.escape(rest)}\b)?", clause, re.I)
    return found and found.end()


def does_itself(predicate: str, before: str, behind: str) -> bool:
    """Whether the text around a noun says what it does: it opens a clause of that verb.

    >>> does_itself("whisper", "It was late. The ", " whispered low")
    True
    >>> does_itself("whisper", "The ", " was whispered")
    False
    >>> does_itself("shroud", "He came to a ", " shrouded in fog")
    False
    >>> does_itself("steal", "The ", " stolen at night")
    False
    """
    verb = predicate.partition(" ")[0]
    # "he watched, transfixed": a comma ends what it does
    words = re.findall("[a-z]+", behind.partition(",")[0])
    for word in words if _OPENS.search(before) else ():
        if word in _forms(verb):
            # "stolen" has no subject: what is no past form is a participle
            return bool(word != participle(verb) or word == past(verb))
        if word in _BE:
            return False
    return False


def past(verb: str) -> str:
    """The past of an English verb, by its base form."""
    return _irregular().get(verb, [participle(verb)])[0]


def _forms(verb: str) -> set[str]:
    """The forms of an English verb, by its base form."""
    done = participle(verb)
    stems = (verb, verb.removesuffix("e"), done.removesuffix("ed"))
    given = _irregular().get(verb, ())
    return {verb, third_person(verb), done, *given, *(f"{stem}ing" for stem in stems)}


_HELPS = "be is am are was were been being get gets got gotten getting"
_BE = frozenset(_HELPS.split())
# what stands before a noun that opens a clause; after a comma it has an article
_OPENS = re.compile(
    r"(?:(?:^|[.!?;:“\"\n]|\b(?:and|but|as|when|while|where|until))\s*|,\s*(?=\w))"
    r"(?:(?:the|an?|his|her|its|their|this|that|every|each)\s+)?$",
    re.IGNORECASE,
)


def plural(agents: Sequence[str]) -> bool:
    """Whether an agent takes the plural: several, "the police", "the two sailors"."""
    if len(agents) != 1:
        return len(agents) > 1
    last = agents[0].split()[-1:]
    if last in (["I"], ["they"], ["we"], ["you"]):
        return True
    plural = last and re.search("[^su]s$|^(children|(wo)?men|people|police)$", last[0])
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


def participle(verb: str) -> str:
    """What is done, by the base form of a verb.

    >>> [participle(verb) for verb in ("forgive", "pin", "carry", "put", "逮捕する")]
    ['forgiven', 'pinned', 'carried', 'put', '逮捕される']
    """
    if not verb.isascii():
        return re.sub("する$", "される", verb)
    if _UNCHANGED.fullmatch(verb) or verb in _irregular():
        return _irregular().get(verb, [verb])[-1]
    if verb.endswith("e"):
        return verb + "d"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ied"
    return verb + verb[-1] * bool(_DOUBLED.search(verb)) + "ed"


_UNCHANGED = re.compile(  # base forms that are their own participles
    "bet|burst|cast|cost|cut|hit|hurt|let|put|quit|read|rid|set|shed|shut|slit|split"
    "|spread|thrust|upset"
)
_DOUBLED = re.compile("^[^aeiou]*[aeiou][bdgklmnprt]$|mit$|efer$|cur$")


@cache
def _irregular() -> dict[str, list[str]]:
    """The past forms and, last, the participle that no rule gives, by the base form."""
    found = {}
    for base, forms in irregular().items():
        ends = [form for form in forms if not form.endswith(("ing", "s"))]
        found[base] = [*ends, base] if base.endswith(("come", "run")) else ends
    return found
