"""States an actor is said to be in: "was tired", "lay asleep", "was off duty".

Complements, prepositional phrases, participles of lasting conditions and ailments
count; a passive that tells an event does not. A state's text never holds the name of
another actor, places apart; it modulates the actor's last role.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from spacy.tokens import Token

from gswlab.core.nouns import Effect, State, VerbPhrase
from gswlab.gsw.operator.clauses import Clause, found_so
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.language.lexicon import noun_class, table, words

_CUT = frozenset(
    ["advcl", "ccomp", "relcl", "conj", "cc", "punct", "mark", "prep", "preconj"]
)
_INTO = frozenset({"in", "on", "at", "off", "out", "under", "without"})
_REMAIN = frozenset({"be", "remain", "stay"})
_PUT_ON = frozenset({"on", "off", "open", "up", "out", "closed", "folded", "crossed"})
_EVENTFUL = frozenset({"by", "on", "at"})


def add_states(cast: Cast, clauses: Sequence[Clause]) -> None:
    """Give members the states the chunk says they are in."""
    for clause in clauses:
        if clause.modality in ("asserted", "reported"):
            for member, tokens in _told(cast, clause):
                _give(cast, member, tokens, clause.negated)
    for member in (m for m in cast if m.kind == "person"):
        for index in member.heads:
            for tokens in _attributes(cast.parsed.doc[index]):
                _give(cast, member, tokens, False)


def _told(cast: Cast, clause: Clause) -> Iterator[tuple[Member, list[Token]]]:
    """Who is in which state, as one clause tells it."""
    for member in cast.all(clause.subjects):
        yield from ((member, tokens) for tokens in _said(clause))
        if member.kind == "person":
            yield from ((member, tokens) for tokens in _of_persons(clause))
    for noun, tokens in (*_of_bodies(clause), *made_so(clause)):
        yield from ((member, tokens) for member in cast.all([noun]))


def _said(clause: Clause) -> Iterator[list[Token]]:
    """What the clause says its subject is, whoever or whatever that is."""
    verb = clause.verb
    for child in verb.children:
        if _complements(clause, child):
            yield complement(child)
            yield from (complement(t) for t in child.conjuncts if t.pos_ == "ADJ")
        if child.dep_ == "advmod" and _tells_how(clause, child):
            yield complement(child)
        if child.dep_ == "attr" and _is_none(child):
            yield complement(child)
        if child.dep_ == "prep" and verb.lemma_ == "be" and _bare(child):
            yield list(child.subtree)
    if _lasts(clause):
        yield [verb]


def _lasts(clause: Clause) -> bool:
    """Whether a participle tells a condition: "was ruined", but no "ruined by fire"."""
    verb, lemma = clause.verb, clause.verb.lemma_.lower()
    if verb.tag_ == "VBG":
        return lemma in words("condition") and not clause.objects
    told = any(prep.lower_ in _EVENTFUL for prep, _ in clause.obliques)
    return clause.passive and lemma in words("stative") and not told


def _complements(clause: Clause, child: Token) -> bool:
    """Whether an adjective or participle is said of the subject: "came in wet"."""
    if child.pos_ == "ADJ" and child.dep_ == "advcl":
        return not any(c.dep_ in ("nsubj", "mark") for c in child.children)
    stative = child.pos_ == "ADJ" or child.tag_ == "VBN" or child.lower_ == "alone"
    of_object = child.dep_ == "oprd" and clause.objects and not clause.passive
    return child.dep_ in ("acomp", "oprd") and stative and not of_object


def _tells_how(clause: Clause, adverb: Token) -> bool:
    """Adverbs that say where or how somebody is: "is abroad", "lay still"."""
    lemma, word = clause.verb.lemma_.lower(), adverb.lower_
    if lemma == "be" and word in words("absent"):
        return True
    if lemma == "fall" and word in ("ill", "sick"):
        return True
    posed = lemma in words("posture") and word in words("lying")
    return posed or (word == "alone" and not clause.objects)


def _is_none(noun: Token) -> bool:
    """What somebody is not, or where: "is no relation of hers", "were home"."""
    denied = any(c.lower_ == "no" for c in noun.children)
    return noun.lower_ == "home" or (denied and noun.pos_ == "NOUN")


def _bare(prep: Token) -> bool:
    """A fixed phrase without article: "off duty", "out of order", "on fire"."""
    nouns = [t for t in prep.subtree if t.dep_ == "pobj"]
    return prep.lower_ in _INTO and all(
        n.tag_ == "NN"
        and not any(c.dep_ in ("det", "poss", "amod", "compound") for c in n.children)
        and noun_class(n.lemma_) in ("", "abstract", "act", "body", "event", "object")
        for n in nouns
    )


def _of_persons(clause: Clause) -> Iterator[list[Token]]:
    """Where somebody is, what ails them, and how: "with a sore throat"."""
    verb = clause.verb
    for prep in (c for c in verb.children if c.dep_ == "prep"):
        for noun in (c for c in prep.children if c.dep_ == "pobj"):
            timed = noun_class(noun.lemma_) == "time" or noun.ent_type_ == "DATE"
            resting = prep.lower_ in _INTO and verb.lemma_ in _REMAIN
            if resting and not timed and not (verb.lemma_ == "be" and _bare(prep)):
                yield [prep, *complement(noun)]
            elif prep.lower_ == "with" and (suffered := _suffered(noun)):
                yield [prep, *suffered]
    if verb.lemma_ == "have":
        for token in clause.objects:
            if suffered := _suffered(token):
                yield [verb, *suffered]


def _of_bodies(clause: Clause) -> Iterator[tuple[Token, list[Token]]]:
    """What is said of a part of somebody's body: "my ankle is sprained"."""
    said = list(_said(clause)) or [[clause.verb]] * clause.passive
    for noun in (t for t in clause.subjects if noun_class(t.lemma_) == "body"):
        for owner in (c for c in noun.children if c.dep_ == "poss"):
            yield from ((owner, [noun, clause.verb, *tokens]) for tokens in said)


def _suffered(noun: Token) -> list[Token]:
    """A body part in some state, an ailment, or what is worn: else nothing."""
    owned = any(c.dep_ == "poss" for c in noun.children)
    marked = any(c.dep_ == "amod" for c in noun.children) and not owned
    if noun.lemma_.lower() in words("ailment"):
        return list(noun.subtree)
    if noun_class(noun.lemma_) == "body" and marked:
        return complement(noun)
    last = noun.i + 1 < len(noun.doc) and noun.nbor(1).lower_ in _PUT_ON
    return [*complement(noun), noun.nbor(1)] if owned and last else []


def made_so(clause: Clause) -> Iterator[tuple[Token, list[Token]]]:
    """Objects with the state they are found or left in: "left him lame"."""
    yield from ((noun, complement(state)) for noun, state in found_so(clause.verb))
    for state in (c for c in clause.verb.children if c.dep_ == "oprd"):
        if state.pos_ == "ADJ" and not clause.passive:
            yield from ((noun, complement(state)) for noun in clause.objects)


def complement(token: Token) -> list[Token]:
    """A complement without the clauses that hang on it."""
    kept = [c for c in token.children if c.dep_ not in _CUT]
    if token.pos_ == "ADJ":
        kept = [c for c in kept if c.dep_ != "xcomp"]
    return sorted([token, *(t for c in kept for t in c.subtree)], key=lambda t: t.i)


def _give(cast: Cast, member: Member, tokens: list[Token], negated: bool) -> None:
    others = [m for m in cast.all(tokens) if m is not member and m.form == "name"]
    if any(other.kind != "place" for other in others):
        return
    parsed = cast.parsed
    text = " ".join(parsed.text(tokens).split())
    role = member.roles[-1].text if member.roles else None
    text = f"not {text}" if negated else text
    state = State(text, (parsed.over(tokens),), parsed.chunk.id, role)
    if text not in {s.text for s in member.states}:
        member.states.append(state)


def _attributes(head: Token) -> Iterator[list[Token]]:
    """Adjectives beside the noun itself: "the wounded officer", "Ann, now blind,"."""
    for child in head.children:
        plain = (
            child.dep_ == "amod"
            and child.i < head.i
            and child.tag_ in ("JJ", "VBN", "VBG")
        )
        sorting = child.lower_ in words("classifying") or child.lower_.endswith("onal")
        if plain and not sorting and child.text[:1].islower():
            yield [child]
        after = child.dep_ == "amod" and child.i > head.i
        if child.pos_ == "ADJ" and (after or child.dep_ in ("relcl", "appos")):
            yield complement(child)
            yield from (complement(t) for t in child.conjuncts if t.pos_ == "ADJ")
        for noun in child.children if child.lower_ == "with" else ():
            if suffered := _suffered(noun):
                yield [child, *suffered]


# What verbs do to states: an arrest takes its patient from free to arrested.

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
        told = tuple(dict.fromkeys(_effects_told(cast, clause)))
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


def _effects_told(cast: Cast, clause: Clause) -> Iterator[Effect]:
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
