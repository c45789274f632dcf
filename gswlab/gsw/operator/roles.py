"""What the text says an actor is: roles, the ties they name, and states.

A role is a noun phrase that the text itself applies to an actor; a relational noun with
a possessor also gives a `Relation` ("brother of"). A state ("was tired", "off duty")
modulates the actor's last role; a passive that tells an event gives none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import product

from gswlab.core.nouns import Effect, Relation, State, VerbPhrase
from gswlab.gsw.operator.actors import BECOMING, GENDERED, is_predicate, noun_tokens
from gswlab.gsw.operator.clauses import Clause, found_so, is_listed
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.gsw.operator.names import opens
from gswlab.language.language import of
from gswlab.language.lexicon import noun_class, noun_kind, words
from gswlab.language.pipeline import Token

_Holder = tuple[Member, Token]  # and the noun that says what it is
Owners = Callable[[Token], list[Token]]  # those of a relational noun
_CUT = {"advcl", "ccomp", "relcl", "conj", "cc", "punct", "mark", "prep", "preconj"}
_INTO = frozenset({"in", "on", "at", "off", "out", "under", "without"})


def add_roles(cast: Cast) -> tuple[Relation, ...]:
    """Give members their roles; what ties two of them is returned."""
    for member in cast:
        for noun in (n for head in member.heads for n in _beside(cast, member, head)):
            _give(cast, member, noun)
    for clause in cast.clauses:
        for holder, noun in (*_said(cast, clause), *_made(cast, clause)):
            _give(cast, holder, noun)
    return find_ties(cast, _owners)


def find_ties(cast: Cast, owners: Owners) -> tuple[Relation, ...]:
    """What ties two members by a noun that has owners: "brother of"."""
    ties = []
    for member, head in ((who, head) for who in cast for head in who.heads):
        for noun in (head, *(c for c in head.children if c.dep_ == "appos")):
            for token in owners(noun):
                other, span = cast.headed(token), cast.parsed.over([token, noun])
                if other is not None and other is not member:
                    tie = (f"{noun.lemma_.lower()} of", "stated", (span,))
                    ties.append((member.id, other.id, *tie, cast.parsed.chunk.id))
    told = enumerate(dict.fromkeys(ties), 1)
    return tuple(Relation(f"r{i}", *tie) for i, tie in told)


def _beside(cast: Cast, member: Member, head: Token) -> Iterator[Token]:
    """The nouns that stand beside one mention and say what its actor is."""
    common = head.pos_ == "NOUN" and cast.spot(head).form == "nominal"
    if common and (member.form == "name" or member.kind == "person"):
        yield head
    # An apposition says what something is; no list, no stray participle does.
    for child in (c for c in head.rights if c.dep_ == "appos" and c.pos_ == "NOUN"):
        kind, own = noun_kind(child.lemma_), {c.dep_ for c in child.children}
        fits = member.kind in ("person", "organisation") or kind != "person"
        said = kind != "abstract" or not own.isdisjoint(("det", "poss"))
        if fits and said and not is_listed(child):
            yield child


def _give(cast: Cast, member: Member, noun: Token) -> None:
    """A role: the noun with its modifiers, without the clauses that hang on it."""
    kept = ("amod", "compound", "nummod", "nmod", "npadvmod", "advmod", "punct")
    inner = [t for c in noun.lefts if c.dep_ in kept for t in c.subtree]
    tokens = noun_tokens(cast, [*inner, noun], noun)
    text = cast.parsed.text(tokens)
    text = text.lower() if opens(noun) else text
    cast.give_role(member, " ".join(text.split()), tokens)
    member.gender = member.gender or GENDERED.get(noun_class(noun.lemma_))


def _said(cast: Cast, clause: Clause) -> Iterator[_Holder]:
    """What a clause says its subject is: "became a priest and later a bishop"."""
    verb = clause.verb
    if verb.lemma_ not in BECOMING or clause.negated or clause.modality != "asserted":
        return
    for noun in (t for c in verb.children for t in c.subtree):
        top, none = noun, any(c.lower_ == "no" for c in noun.children)
        while is_predicate(top) and top.head != verb:
            top = top.head
        said = is_predicate(top) and noun.pos_ == "NOUN" and not none
        own = noun.lower_ in words("pronominal")  # "the goats were hers"
        if not said or own or noun_class(noun.lemma_) == "time":
            continue
        kind, span = noun_kind(noun.lemma_), cast.parsed.over([noun])
        for member in cast.all(clause.subjects):
            yield member, noun
            if member.form == "name" and kind != "abstract":
                member.vote(kind, 1.5, f"is a {noun.lemma_}", span)


def _made(cast: Cast, clause: Clause) -> Iterator[_Holder]:
    """What somebody is made, or is: "was elected mayor", "worked as a guide"."""
    making = clause.verb.lemma_ in words("making") and not clause.negated
    told = making and clause.modality in ("asserted", "reported")
    for noun in clause.verb.children if told else ():
        if noun.pos_ == "NOUN" and noun.dep_ in ("oprd", "attr", "ccomp"):
            own = [c for c in noun.children if c.dep_ == "nsubj"]
            yield from product(cast.all(own or clause.patients), [noun])
    for prep, noun in clause.obliques:
        person = noun.pos_ == "NOUN" and noun_kind(noun.lemma_) == "person"
        if prep.lower_ == "as" and person:
            yield from product(cast.all(clause.patients or clause.subjects), [noun])


def _owners(noun: Token) -> list[Token]:
    """The possessors of a relational noun: "Ann's brother", "the brother of Ann"."""
    if noun.pos_ != "NOUN":
        return []
    of = [t for c in noun.children if c.lower_ == "of" for t in c.children]
    owners = [c for c in noun.children if c.dep_ == "poss"]
    if noun.lemma_.lower() in words("kin"):
        return [*owners, *of]
    return of if noun_kind(noun.lemma_) == "person" else []


def add_states(cast: Cast) -> None:
    """Give members the states the chunk says they are in."""
    for clause in (c for c in cast.clauses if c.modality in ("asserted", "reported")):
        for member in cast.all(clause.subjects):
            person = _of_persons(clause) if member.kind == "person" else ()
            for tokens in (*_stated(clause), *person):
                _put_in(cast, member, tokens, clause.negated)
        # Of a part of somebody's body: "my ankle is sprained".
        said = [*_stated(clause)] or [[clause.verb]] * clause.passive
        parts = (t for t in clause.subjects if noun_class(t.lemma_) == "body")
        owned = ((c, t) for t in parts for c in t.children if c.dep_ == "poss")
        bodies = ((c, [t, clause.verb, *more]) for c, t in owned for more in said)
        for noun, tokens in (*bodies, *_made_so(clause)):
            for member in cast.all([noun]):
                _put_in(cast, member, tokens, clause.negated)
    for member in (m for m in cast if m.kind == "person"):
        for child in (child for head in member.heads for child in head.children):
            for tokens in _attributed(child):
                _put_in(cast, member, tokens, False)


def _stated(clause: Clause) -> Iterator[list[Token]]:
    """What the clause says its subject is, whoever or whatever that is."""
    verb, lemma = clause.verb, clause.verb.lemma_.lower()
    said_by = ("acomp",) if clause.objects and not clause.passive else ("acomp", "oprd")
    for child in verb.children:
        word, relation, adjective = child.lower_, child.dep_, child.pos_ == "ADJ"
        stative = adjective or child.tag_ == "VBN" or word == "alone"
        said = stative and relation in said_by
        if adjective and relation == "advcl":  # "came in wet"
            said = not any(c.dep_ in ("nsubj", "mark") for c in child.children)
        if said:
            yield from _with_joined(child)
        # Adverbs that say where or how somebody is: "is abroad", "lay still".
        where = lemma == "be" and word in words("absent")
        where = where or (lemma == "fall" and word in ("ill", "sick"))
        posed = lemma in words("posture") and word in words("lying")
        how = where or posed or (word == "alone" and not clause.objects)
        # What somebody is not, or where: "is no relation of hers", "were home".
        denied = any(c.lower_ == "no" for c in child.children)
        none = word == "home" or (denied and child.pos_ == "NOUN")
        if (relation == "advmod" and how) or (relation == "attr" and none):
            yield _complement(child)
        if relation == "prep" and verb.lemma_ == "be" and _bare(child):
            yield list(child.subtree)
    # A participle may tell a condition: "was ruined", but no "ruined by fire".
    eventful = any(prep.lower_ in ("by", "on", "at") for prep, _ in clause.obliques)
    lasts = clause.passive and lemma in words("stative") and not eventful
    if verb.tag_ == "VBG":
        lasts = lemma in words("condition") and not clause.objects
    if lasts:
        yield [verb]


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
            resting = prep.lower_ in _INTO and verb.lemma_ in ("be", "remain", "stay")
            if resting and not timed and not (verb.lemma_ == "be" and _bare(prep)):
                yield [prep, *_complement(noun)]
            elif prep.lower_ == "with" and (suffered := _suffered(noun)):
                yield [prep, *suffered]
    if verb.lemma_ == "have":
        for token in clause.objects:
            if suffered := _suffered(token):
                yield [verb, *suffered]


def _suffered(noun: Token) -> list[Token]:
    """A body part in some state, an ailment, or what is worn: else nothing."""
    if noun.lemma_.lower() in words("ailment"):
        return list(noun.subtree)
    below = {child.dep_ for child in noun.children}
    if "poss" in below:
        last = noun.doc[noun.i + 1 : noun.i + 2]
        worn = any(t.lower_ in words("put_on") for t in last)
        return [*_complement(noun), *last] if worn else []
    marked = "amod" in below and noun_class(noun.lemma_) == "body"
    return _complement(noun) if marked else []


def _made_so(clause: Clause) -> Iterator[tuple[Token, list[Token]]]:
    """Objects with the state they are found or left in: "left him lame"."""
    yield from ((noun, _complement(state)) for noun, state in found_so(clause.verb))
    states = [c for c in clause.verb.children if c.dep_ == "oprd" and c.pos_ == "ADJ"]
    for state, noun in product(states, () if clause.passive else clause.objects):
        yield noun, _complement(state)


def _with_joined(token: Token) -> Iterator[list[Token]]:
    return map(_complement, (token, *(t for t in token.conjuncts if t.pos_ == "ADJ")))


def _complement(token: Token) -> list[Token]:
    """A complement without the clauses that hang on it."""
    cut = _CUT | {"xcomp"} if token.pos_ == "ADJ" else _CUT
    kept = (c for c in token.children if c.dep_ not in cut)
    return sorted([token, *(t for c in kept for t in c.subtree)], key=lambda t: t.i)


def _put_in(cast: Cast, member: Member, tokens: list[Token], negated: bool) -> None:
    text = " ".join(cast.parsed.text(tokens).split())
    others = (m for m in cast.all(tokens) if m is not member and m.form == "name")
    if all(other.kind == "place" for other in others):
        cast.give_state(member, f"not {text}" if negated else text, tokens)


def _attributed(child: Token) -> Iterator[list[Token]]:
    """Adjectives beside the noun itself: "the wounded officer", "Ann, now blind,"."""
    before = child.dep_ == "amod" and child.i < child.head.i
    plain = before and child.tag_ in ("JJ", "VBN", "VBG") and child.text[:1].islower()
    sorting = child.lower_ in words("classifying") or child.lower_.endswith("onal")
    if plain and not sorting:
        yield [child]
    after = child.dep_ == "amod" and child.i > child.head.i
    if child.pos_ == "ADJ" and (after or child.dep_ in ("relcl", "appos")):
        yield from _with_joined(child)
    for noun in child.children if child.lower_ == "with" else ():
        if suffered := _suffered(noun):
            yield [child, *suffered]


def add_effects(cast: Cast, phrases: Iterable[VerbPhrase]) -> tuple[VerbPhrase, ...]:
    """The phrases with their effects; affected members get the states that result."""
    at = [(cast.parsed.over([c.verb]).start, c) for c in cast.clauses]
    members, chunk = {member.id: member for member in cast}, cast.parsed.chunk.id
    found = []
    for phrase in phrases:
        spans = phrase.spans
        inside = [c for i, c in at if any(s.start <= i < s.end for s in spans)]
        past = any(clause.verb.tag_ in ("VBD", "VBN") for clause in inside)
        told = phrase.modality == "asserted" or (phrase.modality == "reported" and past)
        own = next((c for c in inside if c.predicate == phrase.predicate), None)
        effects = tuple[Effect, ...]()
        if told and not phrase.negated:
            said = own and tuple(dict.fromkeys(_becoming(cast, own)))
            effects = said or tuple(_usual(cast, phrase, own))
        for effect in effects:
            states, roles = members[effect.actor].states, members[effect.actor].roles
            role = roles[-1].text if roles else None
            states.append(State(effect.after, spans, chunk, role, None, "effect"))
        found.append(replace(phrase, effects=effects))
    return tuple(found)


def _usual(cast: Cast, phrase: VerbPhrase, clause: Clause | None) -> Iterator[Effect]:
    """What the lexicon says that a verb does to whom: "arrest", "lose" and "job"."""
    language = of(cast.parsed.language).having("effects")
    beside = ("advmod", "acomp", "oprd", "prt", "dobj")
    below = clause.verb.children if clause else ()
    near = (c for c in below if c.dep_ in beside or c.tag_ == "RP")
    longer = (f"{c.head.lemma_.lower()} {c.lemma_.lower()}" for c in near)
    key = next((s for s in longer if s in language.pairs("effects")), phrase.predicate)
    affected = defaultdict[str, list[str]](list)
    for argument in (a for a in phrase.arguments if a.actor):
        affected[argument.slot].append(str(argument.actor))
    agents, patients = affected["agent"], affected["patient"]
    kinds = {m.id: m.kind for m in cast if m.id in (*agents, *patients)}
    moved = any(kinds[a] in ("person", "object") for a in patients)
    affected |= {
        "both": [*agents, *patients],
        "undergoer": patients or agents,
        "thing": patients or [a for a in agents if kinds[a] != "person"],
        "leaver": [] if affected["place"] or moved else agents,
    }
    for _, slot, before, after in (r for r in language.table("effects") if r[0] == key):
        for actor in dict.fromkeys(affected[slot]):
            yield Effect(actor, after, None if before == "-" else before)


def _becoming(cast: Cast, clause: Clause) -> Iterator[Effect]:
    """What the clause itself says somebody or something becomes."""
    lemma, results = clause.verb.lemma_.lower(), list[tuple[Token, list[Token]]]()
    if lemma not in words("mental", "speech", "finding"):
        results += _made_so(clause)
    for prep, noun in clause.obliques:
        if prep.lower_ == "into" and lemma in words("changing"):
            changed = clause.patients or clause.subjects
            results += [(token, _complement(noun)) for token in changed]
    for child in clause.verb.children if lemma in words("turning") else ():
        if child.dep_ in ("acomp", "attr") and child.pos_ in ("ADJ", "NOUN"):
            results += [(token, _complement(child)) for token in clause.subjects]
    for token, tokens in results:
        after = " ".join(cast.parsed.text(tokens).split())
        yield from (Effect(member.id, after, None) for member in cast.all([token]))
