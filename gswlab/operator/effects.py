"""What verbs do to states: an arrest takes its patient from free to arrested.

A lexicon (`lexicon/effects.tsv`) says who is affected and how. Nothing follows from
what is denied, supposed or only planned; what is reported follows if it is past.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from gswlab.operator.cast import Cast
from gswlab.operator.clauses import Clause
from gswlab.operator.lexicon import table
from gswlab.workspace.nouns import Effect, State, VerbPhrase

_PAST = frozenset({"VBD", "VBN"})


@cache
def _effects(language: str) -> dict[str, tuple[str, str | None, str]]:
    name = "effects_ja.tsv" if language == "ja" else "effects.tsv"
    return {
        verb: (slot, None if before == "-" else before, after)
        for verb, slot, before, after in table(name)
    }


def add_effects(
    cast: Cast, clauses: Sequence[Clause], phrases: Sequence[VerbPhrase]
) -> tuple[VerbPhrase, ...]:
    """The phrases with their effects; affected members get the states that result."""
    tense = {cast.parsed.over([c.verb]).start: c.verb.tag_ for c in clauses}
    return tuple(
        with_effects(cast, phrase, _happened(phrase, tense)) for phrase in phrases
    )


def _happened(phrase: VerbPhrase, tense: dict[int, str]) -> bool:
    if phrase.negated or phrase.modality in ("hypothetical", "planned"):
        return False
    tags = {tag for at, tag in tense.items() if _inside(phrase, at)}
    return phrase.modality == "asserted" or bool(tags & _PAST)


def _inside(phrase: VerbPhrase, at: int) -> bool:
    return any(span.start <= at < span.end for span in phrase.spans)


def with_effects(cast: Cast, phrase: VerbPhrase, happened: bool) -> VerbPhrase:
    """One phrase with what the lexicon says it does, if it happened."""
    known = _effects(cast.parsed.language).get(phrase.predicate)
    if known is None or not happened:
        return phrase
    slot, before, after = known
    effects = []
    for actor in dict.fromkeys(_affected(phrase, slot)):
        effects.append(Effect(actor, after, before))
        _hold(cast, actor, after, phrase)
    return replace(phrase, effects=tuple(effects))


def _affected(phrase: VerbPhrase, slot: str) -> Iterator[str]:
    filled = {
        name: [a.actor for a in phrase.arguments if a.slot == name and a.actor]
        for name in ("agent", "patient", "recipient")
    }
    if slot == "both":
        yield from (*filled["agent"], *filled["patient"])
    elif slot == "undergoer":
        yield from filled["patient"] or filled["agent"]
    else:
        yield from filled[slot]


def _hold(cast: Cast, actor: str, after: str, phrase: VerbPhrase) -> None:
    member = next(m for m in cast if m.id == actor)
    role = member.roles[-1].text if member.roles else None
    state = State(after, phrase.spans, cast.parsed.chunk.id, role, None, "effect")
    member.states.append(state)
