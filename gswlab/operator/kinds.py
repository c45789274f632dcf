"""What kind of actor a name is: votes from its grammar, its words and the parser.

The parser's label is one weak voice: it takes rare places for people and rare people
for organisations. Grammar is stronger (nobody is "inside Ann"; a hall never smiles).
"""

from __future__ import annotations

from spacy.tokens import Token

from gswlab.operator.cast import Member
from gswlab.operator.clauses import Clause
from gswlab.operator.lexicon import (
    first_name_gender,
    is_place_name,
    noun_class,
    noun_kind,
    words,
)
from gswlab.operator.names import Name
from gswlab.operator.parse import Parsed
from gswlab.workspace.nouns import Span

_LABELS = {
    "PERSON": ("person", 0.6),
    "GPE": ("place", 0.5),
    "LOC": ("place", 0.6),
    "FAC": ("place", 0.6),
    "ORG": ("organisation", 0.4),
    "WORK_OF_ART": ("work", 0.3),
    "EVENT": ("abstract", 0.5),
    "PRODUCT": ("object", 0.3),
    "NORP": ("abstract", 0.3),
    "LAW": ("work", 0.5),
    "LANGUAGE": ("abstract", 0.5),
}
_HEADS = (
    ("place_head", "place", 2.0),
    ("organisation_head", "organisation", 1.6),
    ("event_head", "abstract", 2.0),
    ("work_head", "work", 1.2),
)
_AGENCY = (
    ("speech", 2.0, "says something"),
    ("mental", 1.6, "perceives or thinks"),
    ("motion", 1.2, "moves"),
    ("agentive", 1.0, "acts"),
)
_DESTINATION = frozenset({"to", "from"})


def vote_kind(parsed: Parsed, member: Member, name: Name) -> None:
    """All evidence that one occurrence of a name gives about its kind."""
    span = parsed.over(name.tokens)
    _from_label(member, name, span)
    _from_shape(member, name, span)
    if not name.quoted:
        _from_words(member, name, span)
    _from_preposition(member, name, span)
    _from_possession(member, name, span)
    _from_address(member, name, parsed.quote(name.head) is not None, span)


def vote_agency(parsed: Parsed, member: Member, clause: Clause, head: Token) -> None:
    """Evidence from being the subject of `clause`."""
    if clause.passive:
        return
    lemma, span = clause.verb.lemma_.lower(), parsed.over([head, clause.verb])
    for group, weight, reason in _AGENCY:
        if lemma in words(group):
            member.vote("person", weight, f"{reason}: {lemma}", span)
            return
    if lemma in words("scenery"):
        member.vote("place", 0.5, f"looks like a scene: {lemma}", span)
        return
    if clause.objects:
        member.vote("person", 0.4, f"subject of {lemma} with an object", span)


def vote_addressed(parsed: Parsed, member: Member, clause: Clause, head: Token) -> None:
    """Evidence from an object: one thanks people, and reaches places."""
    lemma, span = clause.verb.lemma_.lower(), parsed.over([head, clause.verb])
    if lemma in words("addressing"):
        member.vote("person", 1.2, f"object of {lemma}", span)
    elif lemma in words("reaching"):
        member.vote("place", 0.8, f"object of {lemma}", span)


def _from_label(member: Member, name: Name, span: Span) -> None:
    labels = [t.ent_type_ for t in name.tokens if t.ent_type_]
    if labels and labels[-1] in _LABELS:
        kind, weight = _LABELS[labels[-1]]
        weight *= 0.5 if labels[-1] == "ORG" and len(name.tokens) == 1 else 1.0
        member.vote(kind, weight, f"parser label {labels[-1]}", span)


def _from_shape(member: Member, name: Name, span: Span) -> None:
    capitals = [t for t in name.tokens if t.text[:1].isupper()]
    if name.quoted:
        weight = 1.2 if len(name.tokens) > 1 else 0.5
        member.vote("work", weight, "a title in quotation marks", span)
    elif name.titles:
        member.vote("person", 3.0, f"title {name.titles[-1].text}", span)
    elif name.article and len(capitals) > 1:
        member.vote("place", 0.6, "the + several capitals", span)
        member.vote("person", -1.0, "the + several capitals", span)
    elif name.article:
        member.vote("person", -0.8, "the + a capital", span)
        member.vote("place", 0.3, "the + a capital", span)
    elif name.tokens[-1].text[:1].isdigit():
        member.vote("place", 0.2, "a name with a number", span)
        member.vote("person", -0.6, "a name with a number", span)
    elif "&" in member.name:
        member.vote("organisation", 1.2, "a name joined by &", span)
        member.vote("person", -1.5, "a name joined by &", span)
    elif len(capitals) in (2, 3):
        member.vote("person", 0.45, "a run of two or three capitals", span)
    else:
        member.vote("person", 0.2, "a capital without article", span)


def _from_words(member: Member, name: Name, span: Span) -> None:
    texts = [t.lower_ for t in name.tokens]
    head = _head_word(name, texts)
    several = len(texts) > 1 or name.article
    # "Gideon Marsh" may be a man and "Tamarack Marsh" a marsh: such heads say less.
    family = head in words("surname_head") and len(texts) == 2 and not name.article
    heads = [row for row in _HEADS if several and head in words(row[0])]
    for group, kind, weight in heads:
        reason = f"{group.replace('_', ' ')}: {head}"
        member.vote(kind, (0.6 if family else 1.0) * weight / len(heads), reason, span)
    if heads and not family and not first_name_gender(texts[0]):
        member.vote("person", -1.0, f"{head} heads names of other kinds", span)
    if len(texts) > 1 and texts[0] in words("place_opener"):
        member.vote("place", 1.5, f"{name.tokens[0].text} opens names of places", span)
    inner = any(word in words("place_head") for word in texts[1:-1])
    if inner and not heads:
        member.vote("place", 0.6, "a place word inside the name", span)
    common = noun_kind(head) if len(texts) > 1 and not heads else ""
    if common in ("place", "organisation") and not first_name_gender(texts[0]):
        member.vote(common, 1.0, f"{head} names a kind of {common}", span)
    known = noun_class(head) if name.article and len(texts) > 1 else ""
    if known in ("object", "event", "work") and head not in words("place_head"):
        kind = "abstract" if known == "event" else known
        member.vote(kind, 0.8, f"{head} is a kind of {known}", span)
    if is_place_name(name.text):
        member.vote("place", 0.8, "a known name of a place", span)
    if not name.article and "of" not in texts and first_name_gender(texts[0]):
        weight = 0.6 if family or is_place_name(name.text) else 0.4 if heads else 1.2
        member.vote("person", weight, f"first name {name.tokens[0].text}", span)


def _head_word(name: Name, texts: list[str]) -> str:
    """The word that says what a name names: "Museum" in "Museum of Small Things"."""
    head = texts[texts.index("of") - 1] if "of" in texts else texts[-1]
    numbered = head.isdigit() or (name.tokens[-1].text.isupper() and len(head) == 1)
    return texts[max(0, len(texts) - 2)] if numbered else head


def _from_preposition(member: Member, name: Name, span: Span) -> None:
    prep = _preposition(name)
    if prep is None or name.quoted:
        return
    word, verb = prep.lower_, prep.head
    if word in words("locative_strong"):
        member.vote("place", 1.8, f"{word} the name", span)
    elif word in _DESTINATION and verb.lemma_.lower() in words("motion"):
        member.vote("place", 1.0, f"{verb.lemma_} {word} the name", span)
    elif word in ("at", "in") and verb.lemma_.lower() not in _aimed():
        member.vote("place", 1.4, f"{word} the name", span)
    elif word in words("locative") and word not in ("by", "beside", "behind"):
        if verb.lemma_.lower() not in _aimed():
            member.vote("place", 0.5, f"{word} the name", span)
    elif word == "to" and verb.lemma_.lower() in words("speech"):
        member.vote("person", 1.2, f"{verb.lemma_} to the name", span)
    elif word == "for" and verb.lemma_.lower() in words("leaving"):
        member.vote("place", 1.0, f"{verb.lemma_} for the name", span)
    elif word == "of" and _placed(verb):
        member.vote("place", 1.0, f"{verb.text} of the name", span)
    elif word == "with":
        member.vote("person", 0.4, "with the name", span)


def _from_address(member: Member, name: Name, quoted: bool, span: Span) -> None:
    """Being called: "Dear Ann,", “Come in, Ann!”."""
    first, last = (*name.titles, *name.tokens)[0], name.tokens[-1]
    before = first.nbor(-1).text if first.i else ""
    after = last.nbor(1).text if last.i + 1 < len(last.doc) else ""
    if before.lower() in ("dear", "dearest"):
        member.vote("person", 2.0, "addressed in a letter", span)
    elif quoted and before in (",", "“", '"') and after in (",", ".", "!", "?"):
        member.vote("person", 0.8, "called by name", span)


def _preposition(name: Name) -> Token | None:
    """What governs the name: in the parse, or else the word right before it."""
    head = name.head
    found = head.head if head.dep_ == "pobj" else None
    if head.dep_ == "conj" and head.head.dep_ == "pobj":
        found = head.head.head
    if found is None:
        first = (*name.titles, *name.tokens)[0]
        before = first.nbor(-1) if first.i else first
        if before.dep_ in ("det", "poss") and before.i:
            before = before.nbor(-1)
        found = before if before.lower_ in words("locative_strong") else None
    return found if found is not None and found.pos_ != "VERB" else None


def _placed(noun: Token) -> bool:
    """Whether what is "of" the name is a place or lives in one."""
    lives = noun.lemma_.lower() in words("dweller")
    return noun.pos_ == "NOUN" and (lives or noun_kind(noun.lemma_) == "place")


def _aimed() -> frozenset[str]:
    return words("looking") | words("mental") | words("speech")


def _from_possession(member: Member, name: Name, span: Span) -> None:
    if name.head.dep_ in ("compound", "nmod", "poss", "amod"):
        noun = name.head.head
        if noun.pos_ == "NOUN" and noun_class(noun.lemma_) == "place":
            member.vote("place", 0.5, f"names a {noun.lemma_}", span)
    if name.head.dep_ != "poss":
        return
    noun = name.head.head
    lemma = noun.lemma_.lower()
    if lemma in words("body") or noun.lower_ in words("body"):
        member.vote("person", 1.6, f"has a {lemma}", span)
    elif lemma in words("kin"):
        member.vote("person", 1.4, f"has a {lemma}", span)
