"""What kind of actor a name is: votes from its grammar, its words and the parser.

The parser's label is one weak voice: it takes rare places for people and rare people
for organisations. Grammar is stronger (nobody is "inside Ann"; a hall never smiles).
"""

from __future__ import annotations

from collections.abc import Iterable

from gswlab.core.nouns import Span
from gswlab.gsw.operator.clauses import Clause
from gswlab.gsw.operator.entities import is_premises
from gswlab.gsw.operator.mentions import Member
from gswlab.gsw.operator.names import POSSESSIVE, Name
from gswlab.gsw.operator.parse import Parsed
from gswlab.language.event_types import names_occasion
from gswlab.language.lexicon import (
    first_name_gender,
    is_place_name,
    noun_class,
    noun_kind,
    table,
    words,
)
from gswlab.language.pipeline import Token

_Row = tuple[object, str, float, str]  # what must hold; kind, weight and reason


def _first(member: Member, span: Span, rows: Iterable[_Row]) -> None:
    """Vote by the first row that holds, if any does."""
    for holds, kind, weight, reason in rows:
        if holds:
            member.vote(kind, weight, reason, span)
            break


_AGENCY = (
    ("speech", 2.0, "says something"),
    ("mental", 1.6, "perceives or thinks"),
    ("motion", 1.2, "moves"),
    ("agentive", 1.0, "acts"),
)
_STATES = 0.2  # of what speaks for a person: "China takes part" is told of a place


def vote_agency(parsed: Parsed, member: Member, clause: Clause, head: Token) -> None:
    """Evidence from being the subject of `clause`."""
    if clause.passive:
        return
    lemma, span = clause.verb.lemma_.lower(), parsed.over([head, clause.verb])
    ship = lemma in words("sailing") and any(c.lower_ == "the" for c in head.children)
    # Countries and cities say and do as people do.
    share = _STATES if head.ent_type_ == "GPE" and is_place_name(member.name) else 1.0
    rows: list[_Row] = [(ship, "object", 1.5, f"a ship: {lemma}")]
    for group, weight, reason in _AGENCY:
        told = f"{reason}: {lemma}"
        rows.append((lemma in words(group), "person", weight * share, told))
    acts = f"subject of {lemma} with an object"
    _first(member, span, [*rows, (clause.objects, "person", 0.4, acts)])


def _vehicle(noun: Token) -> bool:
    lemma = noun.lemma_.lower()
    return noun.pos_ == "NOUN" and lemma in words("vehicle") | words("vessel")


def _from_preposition(member: Member, name: Name, span: Span) -> None:
    """Evidence from the preposition before a name: "inside" is for places."""
    prep = _preposition(name)
    if prep is None or name.quoted:
        return
    word, verb = prep.lower_, prep.head
    lemma, kind = verb.lemma_.lower(), noun_kind(name.tokens[-1].text)
    aboard = word == "aboard" or (word == "of" and lemma in words("ship_part"))
    aimed = lemma in words("looking") | words("mental") | words("speech")
    found = lemma in ("find", "recognise", "see")  # in Ann, a friend
    inside = word == "in" and not (name.titles or found)
    beside = word in ("by", "beside", "behind")
    out = word == "of" and verb.lower_ == "out" and verb.head.lemma_ in words("motion")
    bound = word == "for" and (lemma in words("leaving") or _vehicle(verb))
    lived = lemma in words("dweller") or noun_kind(verb.lemma_) == "place"
    placed = verb.pos_ in ("NOUN", "ADV") and lived and kind != "person"
    lies = 2.5 if lemma in words("settlement") else 1.0
    goes = word in ("to", "from") and _goes(verb)
    at = word in ("at", "in") and not aimed
    near = word in words("locative") and not beside and not aimed
    told = word == "to" and lemma in words("speech")
    rows = (
        (aboard, "object", 1.5 * name.article, f"{verb.text} {word} the name"),
        (word in words("locative_strong"), "place", 1.8, f"{word} the name"),
        (goes, "place", 1.0, f"{verb.lemma_} {word} the name"),
        (at, "place", 2.2 if inside else 1.4, f"{word} the name"),
        (near, "place", 0.5, f"{word} the name"),
        (out, "place", 1.5, "out of the name"),
        (bound, "place", 1.5, f"{verb.lemma_} for the name"),
        (told, "person", 1.2, f"{verb.lemma_} to the name"),
        (word == "of" and placed, "place", lies, f"{verb.text} of the name"),
        (word == "with", "person", 0.4, "with the name"),
    )
    _first(member, span, rows)


def _preposition(name: Name) -> Token | None:
    """What governs the name: in the parse, or else the word right before it."""
    head = name.head
    found = head.head if head.dep_ in ("pobj", "pcomp") else None
    if head.dep_ == "conj" and head.head.dep_ == "pobj":
        found = head.head.head
    if found is None:
        before = name.first.nbor(-1) if name.first.i else name.first
        if before.dep_ in ("det", "poss") and before.i:
            before = before.nbor(-1)
        found = before if before.lower_ in words("locative_strong") else None
    return found if found is not None and found.pos_ != "VERB" else None


def _goes(verb: Token) -> bool:
    """Whether "to" or "from" is said of a way: ran to, the road to, took a train to."""
    while verb.pos_ in ("ADV", "ADP", "PART") and verb.head != verb:
        verb = verb.head  # "travelled up from"
    ways = (verb, *(c for c in verb.children if c.dep_ == "dobj"))
    on_way = any(way.lemma_.lower() in words("way_to") for way in ways)
    return on_way or verb.lemma_.lower() in words("motion")


_HEADS = (
    ("place_head", "place", 2.0),
    ("organisation_head", "organisation", 1.6),
    ("event_head", "abstract", 2.0),
    ("work_head", "work", 1.2),
)
_THINGS = ("place", "organisation", "object", "work", "event", "act")


def vote_kind(parsed: Parsed, member: Member, name: Name) -> None:
    """All evidence that one occurrence of a name gives about its kind."""
    span = parsed.over(name.tokens)
    labels = [t.ent_type_ for t in name.tokens if t.ent_type_]
    for label, kind, weight in table("en/labels.tsv"):
        if label in labels[-1:]:
            share = 0.5 if label == "ORG" and len(name.tokens) == 1 else 1.0
            member.vote(kind, share * float(weight), f"parser label {label}", span)
    _from_shape(member, name, span)
    head = name.tokens[-1].lower_
    if names_occasion([t.lower_ for t in name.tokens]):
        # Streets too are named by a form of event after common words.
        if head in words("surname_head") and not name.article:
            member.vote("place", 1.0, f"a street may be called {head}", span)
            member.vote("abstract", 1.0, f"a {head}, by common words alone", span)
        else:
            _celebrates(member, head, span)
    elif name.tokens[0].lower_ in words("feast") and not name.titles:
        _celebrates(member, "feast", span)
    elif not name.quoted:
        _from_words(member, name, span)
    _from_noun_before(member, name, span)
    _from_preposition(member, name, span)
    # Evidence from what a name has: a voice, a sister, an entrance.
    noun, relation = name.head.head, name.head.dep_
    lemma = noun.lemma_.lower()
    named = relation in ("compound", "nmod", "amod") and noun.pos_ == "NOUN"
    if named and noun_class(noun.lemma_) == "place":
        member.vote("place", 0.5, f"names a {noun.lemma_}", span)
    if is_premises(name):
        member.vote("place", 2.4, "somebody's, without a noun", span)
    bodily = lemma in words("body") or noun.lower_ in words("body")
    if relation == "poss" and (bodily or lemma in words("kin")):
        member.vote("person", 1.6 if bodily else 1.4, f"has a {lemma}", span)
    # Being called: "Dear Ann,", “Come in, Ann!”.
    quoted = parsed.marked(name.head)
    before = name.first.nbor(-1).text if name.first.i else ""
    after = name.after.text if name.after is not None else ""
    if before.lower() in ("dear", "dearest"):
        member.vote("person", 2.0, "addressed in a letter", span)
    elif quoted and before in (",", "“", '"') and after in (",", ".", "!", "?"):
        member.vote("person", 0.8, "called by name", span)


def _celebrates(member: Member, what: str, span: Span) -> None:
    for kind, weight in (("abstract", 3.0), ("person", -2.0), ("place", -2.0)):
        member.vote(kind, weight, f"a {what}, by common words alone", span)


def _from_shape(member: Member, name: Name, span: Span) -> None:
    """The first shape that fits, with what it says of each kind."""
    text, the, several = member.name, name.article, len(name.tokens) > 1
    capitals = sum(t.text[:1].isupper() for t in name.tokens)
    initials = text.isupper() and text.replace("&", "").isalpha() and len(text) < 6
    # A plural that acts is a family: "the Pascoes had to be got out".
    acts = name.head.dep_ in ("nsubj", "nsubjpass") and name.head.head.lemma_ != "be"
    family = acts and not several and name.head.tag_ == "NNPS"
    family = family and not is_place_name(name.text)
    owned = any(t.text in POSSESSIVE for t in name.tokens[1:-1])
    number = name.tokens[-1].text[:1].isdigit()
    shown, work = capitals > 1, {"work": 1.2 if several else 0.5}
    titled = f"title {name.titles[-1].text}" if name.titles else ""
    shapes: list[tuple[object, str, dict[str, float]]] = [
        (name.quoted, "a title in quotation marks", work),
        (titled, titled, {"person": 3.0}),
        (the and initials, "the + initials", {"organisation": 1.0, "person": -0.8}),
        (the and family, "the + a family's name", {"person": 0.8}),
        (the and shown, "the + several capitals", {"place": 0.6, "person": -1.0}),
        (the, "the + a capital", {"person": -0.8, "place": 0.3}),
        (number, "a name with a number", {"place": 0.2, "person": -0.6}),
        ("&" in text, "a name joined by &", {"organisation": 1.2, "person": -1.5}),
        (owned, "somebody's, with a noun", {"person": -1.5, "place": 0.6}),
        (capitals in (2, 3), "a run of two or three capitals", {"person": 0.45}),
        (True, "a capital without article", {"person": 0.2}),
    ]
    _, reason, votes = next(shape for shape in shapes if shape[0])
    for kind, weight in votes.items():
        member.vote(kind, weight, reason, span)


def _from_noun_before(member: Member, name: Name, span: Span) -> None:
    """A noun that says what is named: "the schooner Marigold", "the novel Ember"."""
    first = name.first
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


def _from_words(member: Member, name: Name, span: Span) -> None:
    """What the words of a name say; whatever holds is a vote."""

    def vote(holds: object, kind: str, weight: float, reason: str) -> None:
        if holds:
            member.vote(kind, weight, reason, span)

    texts = [t.lower_ for t in name.tokens]
    the, first, head = name.article, name.tokens[0].text, texts[-1]
    if "of" in texts:  # "Museum" in "Museum of Small Things"
        head = texts[texts.index("of") - 1]
    if head.isdigit() or (name.tokens[-1].text.isupper() and len(head) == 1):
        head = texts[max(0, len(texts) - 2)]
    called, long = bool(first_name_gender(texts[0])), len(texts) > 1
    # "Gideon Marsh" may be a man and "Tamarack Marsh" a marsh: such heads say less.
    family = head in words("surname_head") and len(texts) == 2 and not the
    several = long or (the and head not in words("place_only_after"))  # "the Head"
    heads = [row for row in _HEADS if several and head in words(row[0])]
    share = 0.6 if family else 1.0
    for group, kind, weight in heads:
        reason = f"{group.replace('_', ' ')}: {head}"
        vote(True, kind, share * weight / len(heads), reason)
    other, opener = heads and not family and not called, words("place_opener")
    vote(other, "person", -1.0, f"{head} heads names of other kinds")
    vote(long and texts[0] in opener, "place", 1.5, f"{first} opens names of places")
    if not heads:  # "State Library Victoria"; "Exhibit A", but no "Rose B."
        inside = any(word in words("place_head") for word in texts[1:-1])
        weight = 2.0 if is_place_name(name.tokens[-1].text) else 0.6
        vote(inside, "place", weight, "a place word inside the name")
        lettered = len(texts) == 2 and len(texts[1]) == 1 and noun_class(texts[0])
        vote(lettered and not called, "object", 2.5, "a thing with a letter")
    known = noun_class(head) if long else ""
    common = "" if heads else known
    if not called:
        vote(common in _THINGS, "person", -0.8, f"{head} names a thing or place")
        house = 0.4 if len(texts) == 2 and not the else 0.7
        housed = common in ("place", "organisation")
        vote(housed, common, house, f"{head} names a kind of {common}")
    person = common.startswith("person") and the
    vote(person, "person", 2.4, f"{head} names a kind of person")
    placed = is_place_name(name.text)
    vote(placed, "place", 0.8 if called else 1.2, "a known name of a place")
    weight = 0.6 if family or placed else 0.4 if heads else 1.2
    given = called and not the and "of" not in texts
    vote(given, "person", weight, f"first name {first}")
