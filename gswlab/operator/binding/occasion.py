"""What kind of event: labels the chunk names, and the words that show one.

A label is a head that can name an event ("workshop", or anything that begins, is
attended or has a "during" before it) with the nouns that say its field ("pottery").
Evaluation and order ("annual", "grand", "third") are no part of a kind.
"""

from __future__ import annotations

from collections.abc import Iterator

from spacy.tokens import Token

from gswlab.kinds import Inventory, label_of
from gswlab.kinds.inventory import EVERYDAY, stem
from gswlab.operator.binding.grammar import words
from gswlab.operator.cast import Cast
from gswlab.operator.lexicon import first_name_gender, noun_class
from gswlab.operator.occasions import may_name_occasion
from gswlab.operator.parse import Parsed
from gswlab.workspace.nouns import Term, Vote

CONTENT = ("NOUN", "VERB", "ADJ", "PROPN")
BARE = 0.35  # a head alone ("the festival") says the form, not the kind


def occasion_votes(parsed: Parsed, cast: Cast) -> Iterator[Vote]:
    """Votes for the kinds of event that the chunk names."""
    yield from _own_names(parsed)
    for token in parsed.doc:
        if token.pos_ not in ("NOUN", "PROPN") or token.dep_ == "compound":
            continue
        if _in_name(token, cast):
            continue
        weight, reason = _context(token)
        kept = _modifiers(token)
        if not _names_event(token, weight, kept):
            continue
        label = label_of([*(_word(t) for t in kept), _word(token)])
        weight = weight if kept else BARE * weight
        yield _vote(parsed, label, [*kept, token], weight, f"named: {reason}")


def _vote(
    parsed: Parsed, label: str, tokens: list[Token], weight: float, reason: str
) -> Vote:
    if parsed.quote(tokens[-1]) is not None:
        weight *= 0.8
    return Vote("kind", label, round(weight, 3), reason, (parsed.over(tokens),))


def _own_names(parsed: Parsed) -> Iterator[Vote]:
    """Kinds that go by a name of their own ("book signing"), found word by word."""
    names = Inventory.general().own_names
    tokens = [token for token in parsed.doc if token.is_alpha]
    stems = [stem(token.lower_) for token in tokens]
    for i in range(len(tokens)):
        for size in (3, 2, 1):
            label = names.get(tuple(stems[i : i + size]))
            if label is not None and len(stems) >= i + size:
                run = tokens[i : i + size]
                yield _vote(parsed, label, run, 1.5, f"named: {label!r}")
                break


def _names_event(token: Token, weight: float, kept: list[Token]) -> bool:
    """Whether a noun heads a kind of event here: by its form, or by its clause."""
    lemma = token.lemma_.lower()
    if stem(lemma) in Inventory.general().forms:
        return bool(kept) or (weight >= 1.0 and lemma not in EVERYDAY)
    needed = 2.0 if noun_class(lemma) in ("event", "act") else 2.5
    return bool(kept) and weight >= needed


def _word(token: Token) -> str:
    """A label's word: singular where the tagger is sure, as written otherwise."""
    lower = str(token.lower_)
    return str(token.lemma_.lower()) if token.tag_ == "NNS" else lower


def _modifiers(head: Token) -> list[Token]:
    """The words before (or after "of") a head that say its field, in text order."""
    before = [t for t in head.lefts if t.dep_ in ("compound", "amod", "nmod")]
    nested = [t for m in before for t in m.lefts if t.dep_ in ("compound", "amod")]
    kept = [t for t in (*nested, *before) if _says_field(t)]
    if kept:
        return sorted(kept, key=lambda token: token.i)
    of = [c for c in head.rights if c.dep_ == "prep" and c.lower_ in ("of", "for")]
    below = [t for prep in of for t in prep.children if t.dep_ == "pobj"]
    return [t for t in below if _says_field(t)][:1]


def _says_field(token: Token) -> bool:
    if not token.is_alpha and "-" not in token.text:
        return False
    lower, lemma = token.lower_, token.lemma_.lower()
    if token.ent_type_ in ("DATE", "TIME", "CARDINAL", "ORDINAL"):
        return False
    inventory = Inventory.general()
    if stem(lemma) in inventory.fields or stem(lower) in inventory.forms:
        return True
    if token.pos_ == "ADJ" or lower in words("no_field"):
        return False
    if token.pos_ == "PROPN":
        titled = _announced(token.head) and stem(token.head.lower_) in inventory.forms
        return titled or (bool(noun_class(lower)) and not first_name_gender(lower))
    return token.pos_ in ("NOUN", "VERB")


def _context(head: Token) -> tuple[float, str]:
    """How strongly the clause presents a noun as the event that takes place."""
    weight, reasons = 1.0, [repr(head.text)]
    if _announced(head):
        weight += 1.0
        reasons.append("written as a title")
    determiners = {c.lower_ for c in head.lefts if c.dep_ in ("det", "poss")}
    if determiners & {"a", "an", "some", "any", "another", "no", "every"}:
        weight -= 0.3
    elif determiners:
        weight += 0.5
    if head.tag_ in ("NNS", "NNPS"):
        weight -= 0.4
    prep = head.head if head.dep_ == "pobj" else None
    if prep is not None and prep.lower_ in words("event_prep"):
        weight += 1.0 if prep.lower_ == "during" else 0.5
        reasons.append(f"after {prep.lower_!r}")
    verb = head.head
    if head.dep_ in ("nsubj", "nsubjpass") and verb.lemma_ in words("event_verb"):
        weight += 1.0
        reasons.append(f"it does {verb.lemma_!r}")
    if head.dep_ == "dobj" and verb.lemma_ in words("attend_verb"):
        weight += 1.0
        reasons.append(f"someone does {verb.lemma_!r} it")
    if {c.lower_ for c in head.lefts} & words("recurring"):
        weight += 0.8
        reasons.append("it recurs")
    if _elsewhere(head, prep):
        weight -= 1.5
        reasons.append("of another time, or only compared")
    return weight, ", ".join(reasons)


def _announced(head: Token) -> bool:
    """Whether a compound is written as posters and programmes do: "Seed Swap"."""
    inside = [t for t in head.lefts if t.dep_ == "compound"]
    return bool(inside) and all(t.text[:1].isupper() for t in (*inside, head))


def _elsewhere(head: Token, prep: Token | None) -> bool:
    likened = prep is not None and prep.lower_ in ("like", "than", "as")
    other = {c.lower_ for c in head.lefts} & words("other_event")
    years = [d for c in head.lefts if c.dep_ == "poss" for d in c.subtree]
    last = {t.lower_ for t in years} & words("other_event")
    return likened or bool(other) or bool(last)


def content_terms(parsed: Parsed, cast: Cast) -> tuple[Term, ...]:
    """Content words of the chunk by lemma, each once, without those of names."""
    found: dict[str, Term] = {}
    for token in parsed.doc:
        if token.pos_ not in CONTENT or not token.is_alpha or token.is_stop:
            continue
        if _in_name(token, cast):
            continue
        lemma = token.lemma_.lower()
        found.setdefault(lemma, Term(lemma, parsed.over([token]), token.pos_))
    return tuple(found.values())


def _in_name(token: Token, cast: Cast) -> bool:
    member = cast.at(token)
    if member is None or member.form not in ("name", "short"):
        return False
    if member.kind == "place" and may_name_occasion(member.name.lower().split()):
        return False  # "Repair Clinic": a venue only if some chapter happens there
    return member.kind in ("person", "place", "time")
