"""Verbs as a sentence has them: "arrests", "may not arrest", "reportedly arrests"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gswlab.core.nouns import VerbPhrase
from gswlab.language.lexicon import words
from gswlab.language.stems import irregular

_AFTER = {"hypothetical": "かもしれない", "planned": "つもり", "reported": "という"}


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


def end_of_verb(predicate: str, clause: str) -> int | None:
    """Where a verb ends in its clause, with its particles; None where it is not."""
    first, _, rest = predicate.partition(" ")
    forms = "|".join(sorted(_forms(first), reverse=True))
    found = re.search(rf"\b(?:{forms})\b(?: {re.escape(rest)}\b)?", clause, re.I)
    return found and found.end()


def does_itself(predicate: str, before: str, behind: str) -> bool:
    """Whether the text around a noun says that it does so: its clause opens there."""
    verb = predicate.partition(" ")[0]
    # "he watched, transfixed": a comma ends what it does
    following = re.findall("[a-z]+", behind.partition(",")[0])
    for word in following if _OPENS.search(before) else ():
        if word in _forms(verb):
            # "stolen" has no subject: what is no past form is a participle
            return bool(word != participle(verb) or word == pasts(verb)[0])
        if word in words("be_or_get"):
            return False
    return False


def _forms(verb: str) -> set[str]:
    done = participle(verb)
    stems = (verb, verb.removesuffix("e"), done.removesuffix("ed"))
    given = pasts(verb)
    return {verb, third_person(verb), done, *given, *(f"{stem}ing" for stem in stems)}


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
    """The third person of an English base form; other scripts stay as they are."""
    given = next((f for f in irregular().get(verb, ()) if f.endswith("s")), "")
    if given or not verb.isascii():
        return given or verb
    # "undergoes"; no other verb of two letters ends in -o, but a prefix is read as one
    if verb.endswith(("s", "x", "z", "ch", "sh")) or verb[2:].endswith("o"):
        return verb + "es"
    return _Y.sub("ie", verb) + "s"


def participle(verb: str) -> str:
    """What is done, by the base form of a verb."""
    return pasts(verb)[-1] if verb.isascii() else re.sub("する$", "される", verb)


_DOUBLED = re.compile("^[^aeiou]*[aeiou][bdgklmnprt]$|mit$|efer$|cur$")
_Y = re.compile("(?<=[^aeiou])y$")


def pasts(verb: str) -> list[str]:
    """The past forms and, last, the participle of an English verb."""
    given = [f for f in irregular().get(verb, ()) if not f.endswith(("ing", "s"))]
    if given or verb in words("own_participle"):
        return given or [verb]
    doubled = verb[-1:] * bool(_DOUBLED.search(verb))
    return [f"{_Y.sub('i', verb).removesuffix('e')}{doubled}ed"]
