"""What kind of actor a name is: votes from its grammar, its words and the parser.

The parser's label is one weak voice: it takes rare places for people and rare people
for organisations. Grammar is stronger (nobody is "inside Ann"; a hall never smiles).
"""

from __future__ import annotations

from gswlab.core.nouns import Span
from gswlab.language.event_types import names_occasion
from gswlab.language.lexicon import (
    first_name_gender,
    is_place_name,
    noun_class,
    noun_kind,
    words,
)
from gswlab.operator.cast import Member
from gswlab.operator.names import Name
from gswlab.operator.parse import Parsed
from gswlab.operator.runs import POSSESSIVE
from gswlab.operator.usage import (
    from_address,
    from_list,
    from_possession,
    from_preposition,
)

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
