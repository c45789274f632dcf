"""What a noun speaks of: a person, a place, a vehicle, a body of people, or none.

One log-linear score over the noun, the words beside it and its grammar. Its weights are
learned (`language/en/entities.tsv`); nothing is a person by default.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from gswlab.core.nouns import ActorKind
from gswlab.gsw.operator.names import Name
from gswlab.language.lexicon import (
    first_name_gender,
    is_place_name,
    noun_class,
    noun_kind,
    words,
)
from gswlab.language.log_linear import log_linear
from gswlab.language.pipeline import Token

_NOUNLY = frozenset({"pobj", "dobj", "nsubj", "nsubjpass", "conj", "appos", "attr"})


def is_premises(name: Name) -> bool:
    """Whose house, shop or church a place is: "at Lindqvist's", "of St Olave's"."""
    saint = name.tokens[0].lower_ in ("st", "st.")
    if saint and name.head.dep_ in _NOUNLY - {"pobj"}:  # they filled St Olave's
        return any(child.dep_ == "case" for child in name.head.children)
    return _owns(name.head) and (saint or name.head.head.lower_ != "of")


def rule_kind(head: Token) -> ActorKind:
    """What a common noun names where it stands: "the mews", "past the baker's"."""
    lemma, told = head.lemma_.lower(), [c for c in head.children if c.i < head.i]
    # Nouns that are places only where they stand so: "in the study", but not "in step".
    plural = head.tag_ == "NNS" and noun_class(head.lower_) == "place"
    here = plural or lemma in words("place_here")
    # In it, as far as it, to it, reaching or leaving it.
    word, verb = head.head.lower_, head.head.lemma_.lower()
    inside = word in words("locative") or (word == "as" and as_far(head.head))
    if head.dep_ == "dobj":
        inside = verb in words("reaching") or verb == "leave"
    elif word in ("to", "from"):
        verb = head.head.head.lemma_.lower()
        inside = verb in words("motion") | words("carrying")
    ground = bool(told) and here and inside
    shop = _owns(head) and head.head.lower_ != "of"
    made = any(f"{c.lower_}_{lemma}" in words("place_compound") for c in told[-1:])
    known = head.lower_ in words("place") or mistaken_place(head)  # "mews": no "mew"
    if ground or shop or made or known:
        return "place"
    return "person" if head.pos_ == "ADJ" else noun_kind(head.lemma_)


def as_far(preposition: Token) -> bool:
    """Whether "as" ends "as far as", "as far off as": it leads to a place."""
    before = preposition.doc[max(0, preposition.i - 2) : preposition.i]
    return any(token.lower_ == "far" for token in before)


def mistaken_place(token: Token) -> bool:
    """Whether a noun of places was parsed as an adjective: "her sister's flat"."""
    if token.pos_ not in ("ADJ", "ADV") or noun_class(token.lower_) != "place":
        return False
    if token.i in (0, len(token.doc) - 1):
        return False
    before, after = token.nbor(-1), token.nbor(1)
    closed = after.is_punct or after.pos_ in ("ADP", "SCONJ", "VERB", "AUX", "CCONJ")
    return closed and before.tag_ in ("DT", "PRP$", "POS")


def _owns(head: Token) -> bool:
    """Whether a possessive stands without what is possessed."""
    return head.dep_ == "pobj" and any(c.dep_ == "case" for c in head.children)


_GROUPS = (
    "place_head", "surname_head", "organisation_head", "profession", "kin", "vessel",
    "vehicle", "honorific", "honorific_m", "honorific_f", "place_here", "institution",
    "person", "place", "anybody", "body", "pronominal", "by_age", "by_order", "role_m",
    "role_f", "dweller", "settlement", "share", "place_ending", "event_time",
)  # fmt: skip


class Sort(NamedTuple):
    """What a noun speaks of: `sort` is None where it is nobody and no place."""

    kind: ActorKind
    sort: str | None
    odds: float


SORTS: dict[str, ActorKind] = {
    "person": "person", "building": "place", "land": "place", "town": "place",
    "organisation": "organisation", "vehicle": "object",
}  # fmt: skip
_BAR = 0.45  # of all that is no sort; chosen on held-out books
# Where a dictionary names these, its sense stands: a bakery is a place also to whom
# a score takes its baker for a person.
_STANDING = ("place", "organisation", "object", "work", "time")


def sort_of(head: Token, quoted: bool = False, named: str = "") -> Sort:
    """The most likely sort, and the kind: of people by it, else by the dictionary."""
    found = log_linear("en/entities.tsv").odds(noun_features(head, quoted, named))
    none = found.pop("none")
    best = max(found, key=found.__getitem__)
    likely = 1 - none >= _BAR
    kind = SORTS[best] if likely else "abstract"
    if not named:
        rule = rule_kind(head)
        kind = rule if head.pos_ == "ADJ" or rule in _STANDING else kind
    return Sort(kind, best if likely else None, found[best] if likely else none)


def noun_features(head: Token, quoted: bool, named: str = "") -> dict[str, float]:
    """What the scorer sees; `named` is the kind of a name, empty for a common noun."""
    lemma, lower = head.lemma_.lower(), head.lower_
    kind = noun_class(lemma) or noun_class(lower) or "-"
    seen = [f"name of {named}" if named else f"rule {rule_kind(head)}", "any"]
    seen += [f"noun {lemma}", f"tag {head.tag_}", f"class {kind}", f"ends {lower[-3:]}"]
    seen += [f"label {head.ent_type_ or '-'}"]
    told = (g for g in _GROUPS if lower in words(g) or lemma in words(g))
    seen += [f"in {group}" for group in told]
    if head.text[:1].isupper():
        printed = head.text.isupper() and len(head) > 1
        seen += [f"capital {head.tag_}", "capitals" if printed else "capital"]
        seen += [f"first name {first_name_gender(head.text) or '-'}"]
        seen += ["place name"] * is_place_name(head.text)
        seen += ["opens"] * (head.is_sent_start or head.i == 0)
        if head.i and head.nbor(-1).text[:1].isupper():
            seen += [f"after {head.nbor(-1).lower_}", "after capital"]
    above, dep = head.head, head.dep_
    seen += [f"dep {dep}"]
    if dep == "pobj":
        word, verb = above.lower_, above.head
        seen += [f"{word} _", f"{word} {noun_class(head.lemma_) or '-'}"]
        seen += [f"{verb.lemma_.lower()} {word} _"]
        seen += [f"way {noun_class(verb.lemma_) or verb.pos_} {word}"]
    elif above != head:
        kind = noun_class(above.lemma_) or "-"
        seen += [f"{dep} {above.lemma_.lower()}", *([f"has {kind}"] * (dep == "poss"))]
        seen += [f"and {kind} {above.ent_type_}"] * (dep == "conj")
    return dict.fromkeys((*seen, *_own(head), *(["quoted"] * quoted)), 1.0)


def _own(head: Token) -> Iterator[str]:
    """What hangs on the noun: its article, owner, adjectives, clauses."""
    told = {"det": "-", "poss": "-"}
    kind = noun_class(head.lemma_) or "-"
    for child in head.children:
        if child.dep_ in told:
            own = child.lower_ if child.pos_ != "NOUN" else "noun"
            told[child.dep_] = own if child.pos_ != "PROPN" else "name"
        elif child.dep_ in ("amod", "compound", "nummod") and child.i < head.i:
            yield from (f"own {child.dep_}", f"{child.dep_} {child.lemma_.lower()}")
            yield f"{child.dep_} class {noun_class(child.lemma_) or '-'}"
        elif child.dep_ in ("relcl", "acl", "appos"):
            yield f"own {child.dep_}"
            relative = child.subtree if child.dep_ == "relcl" else ()
            yield from (f"that {t.lower_}" for t in relative if t.tag_[0] == "W")
        elif child.dep_ == "prep":
            yield f"own {child.lower_}"
            inner = [t for t in child.children if t.dep_ == "pobj"]
            named = (noun_class(t.lemma_) or t.ent_type_ for t in inner)
            yield from (f"{kind} {child.lower_} {name}" for name in named)
    the = f"the {told['det']}"
    yield from (the, f"my {told['poss']}", f"{the} {kind} {head.tag_}")
    yield from (f"{the} {head.dep_}", f"{kind} {head.dep_}")
