"""What verbs do to states: an arrest takes its patient from free to arrested.

A lexicon (`lexicon/effects.tsv`) says who is affected and how; a result that the clause
itself tells ("turned her into a stone", "left the door open", "went blind") needs none.
Nothing follows from what is denied, supposed or only planned; what is reported follows
if it is past.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from spacy.tokens import Token

from gswlab.core.nouns import Effect, State, VerbPhrase
from gswlab.language.lexicon import table, words
from gswlab.operator.cast import Cast
from gswlab.operator.clauses import Clause
from gswlab.operator.states import complement, made_so

_PAST = frozenset({"VBD", "VBN"})
_BESIDE = frozenset({"advmod", "acomp", "oprd", "prt", "dobj"})
_CHANGING = frozenset({"change", "make", "transform", "turn"})
_BECOMING = frozenset({"become", "fall", "get", "go", "grow", "turn"})
_FINDING = frozenset({"call", "find"})


@cache
def _effects(language: str) -> dict[str, list[tuple[str, str | None, str]]]:
    found: dict[str, list[tuple[str, str | None, str]]] = {}
    name = "ja/effects.tsv" if language == "ja" else "en/effects.tsv"
    for verb, slot, before, after in table(name):
        row = (slot, None if before == "-" else before, after)
        found.setdefault(verb, []).append(row)
    return found


def add_effects(
    cast: Cast, clauses: Sequence[Clause], phrases: Sequence[VerbPhrase]
) -> tuple[VerbPhrase, ...]:
    """The phrases with their effects; affected members get the states that result."""
    at = {cast.parsed.over([c.verb]).start: c for c in clauses}
    found = []
    for phrase in phrases:
        inside = [c for start, c in at.items() if _inside(phrase, start)]
        own = [c for c in inside if c.predicate == phrase.predicate]
        past = any(clause.verb.tag_ in _PAST for clause in inside)
        found.append(_with_results(cast, phrase, own, past))
    return tuple(found)


def _inside(phrase: VerbPhrase, at: int) -> bool:
    return any(span.start <= at < span.end for span in phrase.spans)


def _with_results(
    cast: Cast, phrase: VerbPhrase, own: Sequence[Clause], past: bool
) -> VerbPhrase:
    happened = phrase.modality == "asserted" or (phrase.modality == "reported" and past)
    if phrase.negated or not happened:
        return phrase
    for clause in own[:1]:
        told = tuple(dict.fromkeys(_told(cast, clause)))
        if told:
            for effect in told:
                _hold(cast, effect, phrase)
            return replace(phrase, effects=told)
        return with_effects(cast, phrase, True, _key(phrase.predicate, clause.verb))
    return with_effects(cast, phrase, True)


def _key(predicate: str, verb: Token) -> str:
    """What the lexicon knows the verb by: "lose" and "job", "go" and "home"."""
    for child in (c for c in verb.children if c.dep_ in _BESIDE or c.tag_ == "RP"):
        key = f"{verb.lemma_.lower()} {child.lemma_.lower()}"
        if key in _effects("en"):
            return key
    return predicate


def _told(cast: Cast, clause: Clause) -> Iterator[Effect]:
    """What the clause itself says somebody or something becomes."""
    lemma, results = clause.verb.lemma_.lower(), list[tuple[Token, list[Token]]]()
    if lemma not in words("mental") | words("speech") | _FINDING:
        results += made_so(clause)
    for prep, noun in clause.obliques:
        if prep.lower_ == "into" and lemma in _CHANGING:
            changed = clause.patients or clause.subjects
            results += [(token, complement(noun)) for token in changed]
    for child in clause.verb.children if lemma in _BECOMING else ():
        if child.dep_ in ("acomp", "attr") and child.pos_ in ("ADJ", "NOUN"):
            results += [(token, complement(child)) for token in clause.subjects]
    for token, tokens in results:
        after = " ".join(cast.parsed.text(tokens).split())
        yield from (Effect(member.id, after, None) for member in cast.all([token]))


def with_effects(
    cast: Cast, phrase: VerbPhrase, happened: bool, key: str = ""
) -> VerbPhrase:
    """One phrase with what the lexicon says it does, if it happened."""
    rows = _effects(cast.parsed.language).get(key or phrase.predicate, ())
    effects = [
        Effect(actor, after, before)
        for slot, before, after in (rows if happened else ())
        for actor in dict.fromkeys(_affected(cast, phrase, slot))
    ]
    for effect in effects:
        _hold(cast, effect, phrase)
    return replace(phrase, effects=tuple(effects))


def _affected(cast: Cast, phrase: VerbPhrase, slot: str) -> Iterator[str]:
    filled = {
        name: [a.actor for a in phrase.arguments if a.slot == name and a.actor]
        for name in ("agent", "patient", "recipient", "place")
    }
    kinds = {member.id: member.kind for member in cast}
    if slot == "both":
        yield from (*filled["agent"], *filled["patient"])
    elif slot == "undergoer":
        yield from filled["patient"] or filled["agent"]
    elif slot == "thing":
        things = [a for a in filled["agent"] if kinds[a] != "person"]
        yield from filled["patient"] or things
    elif slot == "leaver":
        left = [a for a in filled["patient"] if kinds[a] in ("person", "object")]
        yield from () if left or filled["place"] else filled["agent"]
    else:
        yield from filled[slot]


def _hold(cast: Cast, effect: Effect, phrase: VerbPhrase) -> None:
    member = next(m for m in cast if m.id == effect.actor)
    role = member.roles[-1].text if member.roles else None
    chunk = cast.parsed.chunk.id
    state = State(effect.after, phrase.spans, chunk, role, None, "effect")
    member.states.append(state)
