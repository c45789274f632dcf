"""What kind of actor a noun or a name is, by votes of its words and its grammar.

What a noun speaks of is one learned log-linear score (`language/en/entities.tsv`):
nothing is a person by default. For a name the parser's label is one weak voice, and
grammar is stronger (nobody is "inside Ann").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gswlab.core.nouns import ActorKind, Span
from gswlab.gsw.operator.clauses import Clause
from gswlab.gsw.operator.mentions import Member
from gswlab.gsw.operator.names import Name
from gswlab.gsw.operator.parse import Parsed
from gswlab.language.event_types import names_occasion
from gswlab.language.lexicon import (
    first_name_gender,
    groups_with,
    is_place_name,
    noun_class,
    noun_kind,
    table,
    words,
)
from gswlab.language.log_linear import log_linear
from gswlab.language.pipeline import Token

Says = tuple[str, float, str]  # kind, weight and reason
_AGENCY = (
    ("speech", 2.0, "says something"), ("mental", 1.6, "perceives or thinks"),
    ("motion", 1.2, "moves"), ("agentive", 1.0, "acts"),
)  # fmt: skip
_STATES = 0.2  # of what speaks for a person: "China takes part" is told of a place
_HEADS = (
    ("place_head", "place", 2.0), ("organisation_head", "organisation", 1.6),
    ("event_head", "abstract", 2.0), ("work_head", "work", 1.2),
)  # fmt: skip


def vote_agency(parsed: Parsed, member: Member, clause: Clause, head: Token) -> None:
    """Evidence from being the subject of `clause`."""
    lemma, span = clause.verb.lemma_.lower(), parsed.over([head, clause.verb])
    ship = lemma in words("sailing") and any(c.lower_ == "the" for c in head.children)
    # Countries and cities say and do as people do.
    share = _STATES if head.ent_type_ == "GPE" and is_place_name(member.name) else 1.0
    does = ((w, reason) for group, w, reason in _AGENCY if lemma in words(group))
    weight, reason = next(does, (0.4 / share if clause.objects else 0.0, "does"))
    if ship and not clause.passive:
        member.vote("object", 1.5, f"a ship: {lemma}", span)
    elif weight and not clause.passive:
        body = head.ent_type_ == "ORG" and head.text.isupper()  # UKIP wins seats
        body |= member.name.split()[-1].lower() in words("organisation_head")
        kind: ActorKind = "organisation" if body else "person"
        member.vote(kind, weight * share, f"{reason}: {lemma}", span)


def vote_kind(parsed: Parsed, member: Member, name: Name) -> None:
    """All evidence that one occurrence of a name gives about its kind."""
    for says in (_shape, _words, _preposition, _beside):
        for kind, weight, reason in says(name):
            member.vote(kind, weight, reason, parsed.over(name.tokens))


def _shape(name: Name) -> Iterator[Says]:
    """The parser's label, and what the first shape that fits says of each kind."""
    several, the = len(name.tokens) > 1, name.article
    labels = [token.ent_type_ for token in name.tokens if token.ent_type_]
    for label, kind, weight in table("en/labels.tsv"):
        if label in labels[-1:]:
            # in novels somebody is taken for one: never the BBC, the Giants
            sure = label != "ORG" or the or name.text.isupper()
            share = 1.0 if sure else 0.4 if several else 0.2
            yield kind, share * float(weight), f"parser label {label}"
    capitals = sum(t.text[:1].isupper() for t in name.tokens)
    initials = name.text.isupper() and name.text.isalpha() and len(name.text) < 6
    number = name.tokens[-1].text[:1].isdigit() or name.tokens[0].like_num
    # A plural that acts is a family: "the Pascoes had to be got out".
    acts = name.head.dep_ in ("nsubj", "nsubjpass") and name.head.head.lemma_ != "be"
    family = acts and name.head.tag_ == "NNPS" and not several
    shapes: list[tuple[object, str, dict[str, float]]] = [
        (name.quoted, "a title in quotation marks", {"work": 1.2 if several else 0.5}),
        (name.titles, "a title before it", {"person": 3.0}),
        (the and initials, "the + initials", {"organisation": 1.0, "person": -0.8}),
        (the and family, "the + a family's name", {"person": 0.8}),
        (the, "the + a capital", {"person": -0.8, "place": 0.6 if several else 0.3}),
        (number, "with a number", {"person": -1.0, "place": 0.4}),
        ("&" in name.text, "joined by &", {"organisation": 1.2, "person": -1.5}),
        (capitals in (2, 3), "two or three capitals", {"person": 0.45}),
        (True, "a capital without article", {"person": 0.2}),
    ]
    _, reason, votes = next(shape for shape in shapes if shape[0])
    yield from ((kind, weight, reason) for kind, weight in votes.items())


def _words(name: Name) -> Iterator[Says]:
    """What a name's words say, the lists of names and places, and the noun before."""
    texts, the = [token.lower_ for token in name.tokens], name.article
    street = texts[-1] in words("surname_head") and not the  # "Linden Parade"
    feast = texts[0] in words("feast") and not name.titles
    if feast or (names_occasion(texts) and not street):
        for kind, weight in (("abstract", 3.0), ("person", -2.0), ("place", -2.0)):
            yield kind, weight, "an occasion, by common words alone"
    elif not name.quoted:
        called = first_name_gender(texts[0]) is not None
        yield from _head_says(name, texts, called)
        if texts[1:] and texts[0] in words("place_opener"):
            yield "place", 1.5, f"{texts[0]} opens names of places"
        if placed := is_place_name(name.text):
            yield "place", 0.8 if called else 1.2, "a known name of a place"
        if called and not the and "of" not in texts:
            headed = any(texts[-1] in words(group) for group, *_ in _HEADS)
            weight = 0.6 if placed or headed else 1.2
            yield "person", weight, f"first name {texts[0]}"
    # "the schooner Marigold", "the novel Ember"
    for noun in (c for c in name.head.children if c.i == name.first.i - 1):
        group = noun.lemma_ in words("organisation_head")
        kind = "organisation" if group else noun_kind(noun.lemma_)
        beside = noun.dep_ in ("compound", "nmod", "amod") and noun.text.islower()
        if beside and kind != "abstract" and (noun.pos_ == "NOUN" or kind == "work"):
            yield kind, 2.0, f"called a {noun.lemma_}"


def _head_says(name: Name, texts: Sequence[str], called: bool) -> Iterator[Says]:
    """The word that heads a name: "Museum" in "Museum of Small Things"."""
    head, the, last = texts[-1], name.article, name.tokens[-1]
    if "of" in texts:
        head = texts[texts.index("of") - 1]
    if head.isdigit() or (last.text.isupper() and len(head) == 1):
        head = texts[max(0, len(texts) - 2)]
    # "Gideon Marsh" may be a man and "Tamarack Marsh" a marsh: such heads say less.
    family = head in words("surname_head") and len(texts) == 2 and not the
    several = len(texts) > 1 or (the and head not in words("place_only_after"))
    heads = [row for row in _HEADS if several and head in words(row[0])]
    for group, kind, weight in heads:
        share = (0.6 if family else 1.0) / len(heads)
        yield kind, share * weight, f"{group.replace('_', ' ')}: {head}"
    common = noun_class(head) if len(texts) > 1 and not heads else ""
    if common.startswith("person") and the:
        yield "person", 2.4, f"{head} names a kind of person"
    if called and (not heads or family):
        return
    things = ("place", "organisation", "object", "work", "event", "act")
    if common in things or (heads and not family):
        yield "person", -0.9, f"{head} names a thing or place"
    if common and len(texts[-1]) == 1:  # "Exhibit A"
        yield "object", 2.5, "a thing with a letter"
    elif common in ("place", "organisation"):
        yield common, 0.7 if the else 0.4, f"{head} names a kind of {common}"


def _preposition(name: Name) -> Iterator[Says]:
    """The preposition before a name: "inside" is for places."""
    head = name.head.head if name.head.dep_ == "conj" else name.head
    prep = name.first.nbor(-1) if name.first.i else name.first
    if head.dep_ in ("pobj", "pcomp"):  # else the word right before the name
        prep = head.head
    elif prep.lower_ not in words("locative_strong"):
        return
    word, verb = prep.lower_, prep.head
    lemma = verb.lemma_.lower()
    aboard = word == "aboard" or (word == "of" and lemma in words("ship_part"))
    aimed = lemma in words("looking", "mental", "speech")
    located = word in words("locative") and not aimed
    weak = 0.0 if word in ("by", "beside", "behind") else 0.5
    body = {t.lower_ for t in name.tokens} & words("organisation_head")  # in the Senate
    kind_of = noun_kind(lemma)
    dwelt = lemma in words("dweller") or kind_of == "place"
    lies = 2.5 if lemma in words("settlement") else 1.0
    named = verb.pos_ == "PROPN" and kind_of != "person"
    rows = (
        (aboard and name.article, "object", 1.5),
        (word in words("locative_strong"), "place", 1.8),
        (_goes(word, verb), "place", 1.2),
        (word == "as" and as_far(prep), "place", 1.5),
        (located and body, "place", 0.0),
        (located, "place", {"in": 2.2, "at": 1.4}.get(word, weak)),
        (word == "to" and lemma in words("speech"), "person", 1.2),
        (word == "of" and dwelt, "place", lies),
        (word == "of" and named, "place", 1.0),  # Hallett & Sons of Yeovil
    )
    for _, kind, weight in [row for row in rows if row[0] and not name.quoted][:1]:
        yield kind, weight, f"{lemma} {word} the name"


def _goes(word: str, verb: Token) -> bool:
    """Whether a way is told: ran to, the road to, took a train to, raced out of."""
    if word == "for":
        return verb.lemma_.lower() in words("leaving", "vehicle")
    if word not in ("to", "from") and (word, verb.lower_) != ("of", "out"):
        return False
    ways = (verb, *(c for c in verb.children if c.dep_ == "dobj"))
    on_way = any(way.lemma_.lower() in words("way_to") for way in ways)
    return on_way or verb.lemma_.lower() in words("motion", "coming")


def _beside(name: Name) -> Iterator[Says]:
    """What a name has (a voice, a sister), and being called: "Dear Ann,", “Ann!”."""
    verb = name.head.head.lemma_.lower()
    if name.head.dep_ == "poss" and verb in words("body", "kin"):
        yield "person", 1.5, f"has a {verb}"
    # Whose house, shop or church a place is: "at Lindqvist's", "filled St Olave's".
    owns, saint = _owns(name.head), name.tokens[0].lower_ in ("st", "st.")
    if saint and name.head.dep_ not in ("pobj", "poss"):
        owns = any(child.dep_ == "case" for child in name.head.children)
    if owns and (saint or name.head.head.lower_ != "of"):
        yield "place", 2.4, "somebody's, without a noun"
    if name.head.dep_ == "dobj" and (verb == "leave" or verb in words("reaching")):
        yield "place", 1.0, f"{verb} the name"
    doc, i = name.first.doc, name.first.i
    *_, place, before = ("", "", *(t.lower_ for t in doc[max(0, i - 2) : i]))
    after = doc[name.tokens[-1].i + 1 :][:1].text
    lies = before == "," and after in (",", ".", ";") and name.head.dep_ != "nsubj"
    if before in ("dear", "dearest"):
        yield "person", 2.0, "addressed in a letter"
    elif lies and place in words("place_head"):
        yield "place", 1.2, "behind a place and a comma"
    elif before in (",", "“", '"') and after in (",", "!", "?"):
        yield "person", 0.5, "called by name"


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
        inside = verb in words("motion", "carrying")
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
    likely = 1 - found.pop("none") >= _BAR
    best = max(found, key=found.__getitem__)
    kind = SORTS[best] if likely else "abstract"
    if not named:
        rule = rule_kind(head)
        kind = rule if head.pos_ == "ADJ" or rule in _STANDING else kind
    return Sort(kind, best if likely else None, found[best])


def vote_sort(member: Member, found: Sort, noun: str, span: Span) -> None:
    """Which sort of its kind a noun says a member is, if any."""
    if found.sort is not None:
        reason = f"{noun} speaks of a {found.sort} with {found.odds:.2f}"
        member.vote(found.sort, round(found.odds, 2), reason, span, "sort")


def noun_features(head: Token, quoted: bool, named: str = "") -> dict[str, float]:
    """What the scorer sees; `named` is the kind of a name, empty for a common noun."""
    lemma, lower = head.lemma_.lower(), head.lower_
    kind = noun_class(lemma) or noun_class(lower) or "-"
    seen = [f"name of {named}" if named else f"rule {rule_kind(head)}", "any"]
    seen += [f"noun {lemma}", f"tag {head.tag_}", f"class {kind}", f"ends {lower[-3:]}"]
    seen += [f"label {head.ent_type_ or '-'}"]
    seen += [f"in {group}" for group in groups_with(_GROUPS, lower, lemma)]
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
