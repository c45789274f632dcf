"""What kind of actor a name is: votes from its grammar, its words and the parser.

The parser's label is one weak voice: it takes rare places for people and rare people
for organisations. Grammar is stronger (nobody is "inside Ann"; a hall never smiles).
"""

from __future__ import annotations

from spacy.tokens import Token

from gswlab.core.nouns import Span
from gswlab.gsw.operator.clauses import Clause
from gswlab.gsw.operator.mentions import Member
from gswlab.gsw.operator.names import POSSESSIVE, Name
from gswlab.gsw.operator.nominals import is_premises
from gswlab.gsw.operator.parse import Parsed
from gswlab.language.event_types import names_occasion
from gswlab.language.lexicon import (
    first_name_gender,
    is_place_name,
    noun_class,
    noun_kind,
    words,
)

# What the use of a name says about its kind: what it does and where it stands.

_AGENCY = (
    ("speech", 2.0, "says something"),
    ("mental", 1.6, "perceives or thinks"),
    ("motion", 1.2, "moves"),
    ("agentive", 1.0, "acts"),
)
_SAILING = frozenset({"sail", "dock", "anchor", "capsize", "founder", "sink"})
_OF_SHIPS = frozenset({"bow", "deck", "hull", "mast", "stern", "wreck"})
_STATES = 0.2  # of what speaks for a person: "China takes part" is told of a place
_DESTINATION = frozenset({"to", "from"})


def vote_agency(parsed: Parsed, member: Member, clause: Clause, head: Token) -> None:
    """Evidence from being the subject of `clause`."""
    if clause.passive:
        return
    lemma, span = clause.verb.lemma_.lower(), parsed.over([head, clause.verb])
    if lemma in _SAILING and any(c.lower_ == "the" for c in head.children):
        member.vote("object", 1.5, f"a ship: {lemma}", span)
        return
    for group, weight, reason in _AGENCY:
        if lemma in words(group):
            weight *= _STATES if _is_state(member, head) else 1.0
            member.vote("person", weight, f"{reason}: {lemma}", span)
            return
    if lemma in words("scenery"):
        member.vote("place", 0.5, f"looks like a scene: {lemma}", span)
        return
    if clause.objects:
        member.vote("person", 0.4, f"subject of {lemma} with an object", span)


def _is_state(member: Member, head: Token) -> bool:
    """Whether a name is a country's or city's, which say and do as people do."""
    return head.ent_type_ == "GPE" and is_place_name(member.name)


def _may_be_left(member: Member, head: Token) -> bool:
    usual = first_name_gender(member.name.split()[0]) is not None
    return usual or head.ent_type_ == "PERSON"


def _vehicle(noun: Token) -> bool:
    lemma = noun.lemma_.lower()
    return noun.pos_ == "NOUN" and lemma in words("vehicle") | words("vessel")


def vote_addressed(parsed: Parsed, member: Member, clause: Clause, head: Token) -> None:
    """Evidence from an object: one thanks people, and reaches places."""
    lemma, span = clause.verb.lemma_.lower(), parsed.over([head, clause.verb])
    if lemma in words("addressing"):
        member.vote("person", 1.2, f"object of {lemma}", span)
    elif lemma in words("reaching"):
        member.vote("place", 0.8, f"object of {lemma}", span)
    elif lemma in words("leaving") and any(_vehicle(s) for s in clause.subjects):
        member.vote("place", 1.5, f"a vehicle may {lemma} it", span)
    elif lemma in words("leaving") and not _may_be_left(member, head):
        member.vote("place", 0.9, f"object of {lemma}", span)


def from_preposition(member: Member, name: Name, span: Span) -> None:
    """Evidence from the preposition before a name: "inside" is for places."""
    prep = _preposition(name)
    if prep is None or name.quoted:
        return
    word, verb = prep.lower_, prep.head
    if word == "aboard" or (word == "of" and verb.lemma_.lower() in _OF_SHIPS):
        member.vote("object", 1.5 * name.article, f"{verb.text} {word} the name", span)
    elif word in words("locative_strong"):
        member.vote("place", 1.8, f"{word} the name", span)
    elif word in _DESTINATION and _goes(verb):
        member.vote("place", 1.0, f"{verb.lemma_} {word} the name", span)
    elif word in ("at", "in") and verb.lemma_.lower() not in _aimed():
        found = verb.lemma_.lower() in ("find", "recognise", "see")  # in Ann, a friend
        weight = 2.2 if word == "in" and not (name.titles or found) else 1.4
        member.vote("place", weight, f"{word} the name", span)
    elif word in words("locative") and word not in ("by", "beside", "behind"):
        if verb.lemma_.lower() not in _aimed():
            member.vote("place", 0.5, f"{word} the name", span)
    elif way := _way(word, verb):
        member.vote("place", 1.5, way, span)
    elif word == "to" and verb.lemma_.lower() in words("speech"):
        member.vote("person", 1.2, f"{verb.lemma_} to the name", span)
    elif word == "of" and _placed(verb) and not _is_person(name):
        weight = 2.5 if verb.lemma_.lower() in words("settlement") else 1.0
        member.vote("place", weight, f"{verb.text} of the name", span)
    elif word == "with":
        member.vote("person", 0.4, "with the name", span)


def _way(word: str, head: Token) -> str:
    """Where one goes: out of Sorley, a train for Sorley, left for Sorley."""
    if word == "of" and head.lower_ == "out" and head.head.lemma_ in words("motion"):
        return "out of the name"
    left = head.lemma_.lower() in words("leaving")
    return (
        f"{head.lemma_} for the name"
        if word == "for" and (left or _vehicle(head))
        else ""
    )


def from_list(member: Member, name: Name, span: Span) -> None:
    """A name after a comma that follows a place: "in Station Road, Marlow End"."""
    first = (*name.titles, *name.tokens)[0]
    if first.i < 2 or first.nbor(-1).text != "," or name.titles:
        return
    before = first.nbor(-2)
    premises = before.dep_ == "case" and before.head.dep_ == "pobj"
    if premises:  # "at St Olave's, Marlow End"
        before = before.head
    named = before.lower_ in words("place_head") and before.text[:1].isupper()
    if named and before.dep_ != "pobj" and _closes(name.tokens[-1]):
        member.vote("place", 1.2, f"an address that begins in a {before.lower_}", span)
    governed = before.dep_ == "pobj" and before.head.lower_ in words("locative")
    if (named or premises) and governed:
        weight = 2.2 if premises else 1.2
        member.vote("place", weight, f"a list that begins in a {before.lower_}", span)


def _closes(last: Token) -> bool:
    """Whether a sentence or line ends after a name."""
    after = last.nbor(1) if last.i + 1 < len(last.doc) else None
    return after is None or after.is_space or after.text in (".", ";", ")")


def from_address(member: Member, name: Name, quoted: bool, span: Span) -> None:
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
    found = head.head if head.dep_ in ("pobj", "pcomp") else None
    if head.dep_ == "conj" and head.head.dep_ == "pobj":
        found = head.head.head
    if found is None:
        first = (*name.titles, *name.tokens)[0]
        before = first.nbor(-1) if first.i else first
        if before.dep_ in ("det", "poss") and before.i:
            before = before.nbor(-1)
        found = before if before.lower_ in words("locative_strong") else None
    return found if found is not None and found.pos_ != "VERB" else None


def _is_person(name: Name) -> bool:
    return noun_kind(name.tokens[-1].text) == "person"


def _goes(verb: Token) -> bool:
    """Whether "to" or "from" is said of a way: ran to, the road to, took a train to."""
    while verb.pos_ in ("ADV", "ADP", "PART") and verb.head != verb:
        verb = verb.head  # "travelled up from"
    ways = (verb, *(c for c in verb.children if c.dep_ == "dobj"))
    on_way = any(way.lemma_.lower() in words("way_to") for way in ways)
    return on_way or verb.lemma_.lower() in words("motion")


def _placed(noun: Token) -> bool:
    """Whether what is "of" the name is a place or lives in one."""
    lives = noun.lemma_.lower() in words("dweller")
    return noun.pos_ in ("NOUN", "ADV") and (lives or noun_kind(noun.lemma_) == "place")


def _aimed() -> frozenset[str]:
    return words("looking") | words("mental") | words("speech")


def from_possession(member: Member, name: Name, span: Span) -> None:
    """Evidence from what a name has: a voice, a sister, an entrance."""
    if name.head.dep_ in ("compound", "nmod", "amod"):
        noun = name.head.head
        if noun.pos_ == "NOUN" and noun_class(noun.lemma_) == "place":
            member.vote("place", 0.5, f"names a {noun.lemma_}", span)
    if is_premises(name):
        member.vote("place", 2.4, "somebody's, without a noun", span)
    if name.head.dep_ != "poss":
        return
    noun = name.head.head
    lemma = noun.lemma_.lower()
    if lemma in words("body") or noun.lower_ in words("body"):
        member.vote("person", 1.6, f"has a {lemma}", span)
    elif lemma in words("kin"):
        member.vote("person", 1.4, f"has a {lemma}", span)


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


def vote_kind(parsed: Parsed, member: Member, name: Name) -> None:
    """All evidence that one occurrence of a name gives about its kind."""
    span = parsed.over(name.tokens)
    _from_label(member, name, span)
    _from_shape(member, name, span)
    if names_occasion([t.lower_ for t in name.tokens]):
        _from_occasion(member, name, span)
    elif name.tokens[0].lower_ in words("feast") and not name.titles:
        _celebrates(member, "feast", span)
    elif not name.quoted:
        _from_words(member, name, span)
    _from_noun_before(member, name, span)
    from_preposition(member, name, span)
    from_possession(member, name, span)
    from_list(member, name, span)
    from_address(member, name, parsed.quote(name.head) is not None, span)


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
    elif name.article and _is_initials(member.name):
        member.vote("organisation", 1.0, "the + initials", span)
        member.vote("person", -0.8, "the + initials", span)
    elif name.article and _is_family(name):
        member.vote("person", 0.8, "the + a family's name", span)
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
    elif any(t.text in POSSESSIVE for t in name.tokens[1:-1]):
        member.vote("person", -1.5, "somebody's, with a noun", span)
        member.vote("place", 0.6, "somebody's, with a noun", span)
    elif len(capitals) in (2, 3):
        member.vote("person", 0.45, "a run of two or three capitals", span)
    else:
        member.vote("person", 0.2, "a capital without article", span)


def _from_noun_before(member: Member, name: Name, span: Span) -> None:
    """A noun that says what is named: "the schooner Marigold", "the novel Ember"."""
    first = (*name.titles, *name.tokens)[0]
    inside = len(name.tokens) > 1 and name.tokens[-1].lower_ not in words("place_head")
    vessel = first if inside else first.nbor(-1) if first.i else first
    if vessel.lower_ in words("vessel"):
        member.vote("object", 2.5, f"called a {vessel.lower_}", span)
        member.vote("person", -1.5, f"called a {vessel.lower_}", span)
    for noun in (c for c in name.head.children if c.i == first.i - 1):
        kind = noun_kind(noun.lemma_)
        beside = noun.dep_ in ("compound", "nmod", "amod") and noun.text.islower()
        if beside and kind != "abstract" and (noun.pos_ == "NOUN" or kind == "work"):
            member.vote(kind, 2.0, f"called a {noun.lemma_}", span)


def _from_occasion(member: Member, name: Name, span: Span) -> None:
    """A form of event after common words; streets too are named so: "Linden Parade"."""
    head = name.tokens[-1].lower_
    if head in words("surname_head") and not name.article:
        member.vote("place", 1.0, f"a street may be called {head}", span)
        member.vote("abstract", 1.0, f"a {head}, by common words alone", span)
    else:
        _celebrates(member, head, span)


def _from_inside(member: Member, name: Name, texts: list[str], span: Span) -> None:
    """What a name says whose last word says nothing: "State Library Victoria"."""
    if any(word in words("place_head") for word in texts[1:-1]):
        weight = 2.0 if is_place_name(name.tokens[-1].text) else 0.6
        member.vote("place", weight, "a place word inside the name", span)
    if _lettered(texts):
        member.vote("object", 2.5, "a thing with a letter", span)


def _lettered(texts: list[str]) -> bool:
    """Whether a name is a thing's with a letter: "Exhibit A", but no "Rose B."."""
    thing = noun_class(texts[0]) and not first_name_gender(texts[0])
    return bool(thing) and len(texts) == 2 and len(texts[1]) == 1


def _celebrates(member: Member, what: str, span: Span) -> None:
    reason = f"a {what}, by common words alone"
    for kind, weight in (("abstract", 3.0), ("person", -2.0), ("place", -2.0)):
        member.vote(kind, weight, reason, span)


def _from_words(member: Member, name: Name, span: Span) -> None:
    texts = [t.lower_ for t in name.tokens]
    head = _head_word(name, texts)
    several = len(texts) > 1 or name.article
    # "Gideon Marsh" may be a man and "Tamarack Marsh" a marsh: such heads say less.
    family = head in words("surname_head") and len(texts) == 2 and not name.article
    several &= len(texts) > 1 or head not in words("place_only_after")  # "the Head"
    heads = [row for row in _HEADS if several and head in words(row[0])]
    for group, kind, weight in heads:
        reason = f"{group.replace('_', ' ')}: {head}"
        member.vote(kind, (0.6 if family else 1.0) * weight / len(heads), reason, span)
    if heads and not family and not first_name_gender(texts[0]):
        member.vote("person", -1.0, f"{head} heads names of other kinds", span)
    if len(texts) > 1 and texts[0] in words("place_opener"):
        member.vote("place", 1.5, f"{name.tokens[0].text} opens names of places", span)
    if not heads:
        _from_inside(member, name, texts, span)
    common = noun_class(head) if len(texts) > 1 and not heads else ""
    if _names_thing(common) and not first_name_gender(texts[0]):
        member.vote("person", -0.8, f"{head} names a thing or place", span)
    if common in ("place", "organisation") and not first_name_gender(texts[0]):
        weight = 0.4 if len(texts) == 2 and not name.article else 0.7
        member.vote(common, weight, f"{head} names a kind of {common}", span)
    if common.startswith("person") and name.article:
        member.vote("person", 2.4, f"{head} names a kind of person", span)
    built = len(texts) > 1 and not heads and _built_of(head)
    if built and not first_name_gender(texts[0]):
        member.vote("place", 1.5, f"{head} is built like a place word", span)
    known = noun_class(head) if name.article and len(texts) > 1 else ""
    if known in ("object", "event", "work") and head not in words("place_head"):
        kind = "abstract" if known == "event" else known
        member.vote(kind, 0.8, f"{head} is a kind of {known}", span)
    if is_place_name(name.text):
        weight = 0.8 if first_name_gender(texts[0]) else 1.2
        member.vote("place", weight, "a known name of a place", span)
    if not name.article and "of" not in texts and first_name_gender(texts[0]):
        weight = 0.6 if family or is_place_name(name.text) else 0.4 if heads else 1.2
        member.vote("person", weight, f"first name {name.tokens[0].text}", span)


def _is_family(name: Name) -> bool:
    """Whether a plural name acts or is acted on: "the Pascoes had to be got out"."""
    acts = name.head.dep_ in ("nsubj", "nsubjpass") and name.head.head.lemma_ != "be"
    several = len(name.tokens) == 1 and name.head.tag_ == "NNPS"
    return acts and several and not is_place_name(name.text)


def _is_initials(name: str) -> bool:
    """Whether a name is its words' initials: EU, V&A."""
    return name.isupper() and name.replace("&", "").isalpha() and len(name) < 6


def _names_thing(common: str) -> bool:
    return common in ("place", "organisation", "object", "work", "event", "act")


def _built_of(head: str) -> bool:
    """Whether a word ends in one of places after a common one: "rope" + "works"."""
    return any(
        head.endswith(ending) and noun_class(head.removesuffix(ending))
        for ending in words("place_ending")
    )


def _head_word(name: Name, texts: list[str]) -> str:
    """The word that says what a name names: "Museum" in "Museum of Small Things"."""
    head = texts[texts.index("of") - 1] if "of" in texts else texts[-1]
    numbered = head.isdigit() or (name.tokens[-1].text.isupper() and len(head) == 1)
    return texts[max(0, len(texts) - 2)] if numbered else head
