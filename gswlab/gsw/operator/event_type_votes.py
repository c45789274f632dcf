"""What kind of event: labels the chunk names, and the words that show one.

A label is a head that can name an event ("workshop", or what begins, is attended or
has a "during" before it) with the nouns that say its field ("pottery"); evaluation and
order ("grand", "third") are no part of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gswlab.core.nouns import Term, Vote
from gswlab.gsw.operator.clauses import SUBJECTS
from gswlab.gsw.operator.mentions import Cast
from gswlab.gsw.operator.parse import Parsed
from gswlab.language.event_types import Inventory, is_doing, label_of, may_name_occasion
from gswlab.language.lexicon import first_name_gender, noun_class, words
from gswlab.language.pipeline import Token
from gswlab.language.stems import EVERYDAY, numbers, stem

Reasons = Iterable[tuple[object, float, str]]  # what holds, its weight, and why
CONTENT_POS = ("NOUN", "VERB", "ADJ", "PROPN")
_PLAINLY = 1.0  # weight of a label that leaves no name inside it
BARE = 0.35  # a head alone ("the festival") says the form, not the kind
_TAKES_PLACE = ("event", "act")
_NESTED = ("compound", "amod", "npadvmod")  # "change" in "change ringing practice"
_NOMINAL = ("nsubj", "nsubjpass", "dobj", "pobj", "attr", "appos", "conj", "ROOT")


def occasion_votes(parsed: Parsed, cast: Cast) -> Iterator[Vote]:
    """Votes for the kinds of event that the chunk names."""
    composed = list(_composed(parsed, cast))
    longer = [v.spans[0] for v in composed if v.weight >= _PLAINLY]
    for vote in _own_names(parsed):
        (own,) = vote.spans  # "parish council meeting" names no "council meeting"
        if all(o == own or own.start < o.start or o.end < own.end for o in longer):
            yield vote
    yield from composed


def _composed(parsed: Parsed, cast: Cast) -> Iterator[Vote]:
    """Heads of events with the nouns before them, as grammar joins them."""
    for token in parsed.doc:
        # What is done to the noun before it: "the wine bottling", no "dividing a cake".
        does = token.dep_ in _NOMINAL and is_doing(token.lower_)
        does = does and any(t.dep_ == "compound" for t in token.lefts)
        does = does and not any(t.dep_ in ("dobj", "prt") for t in token.rights)
        noun = does or token.pos_ in ("NOUN", "PROPN")
        field = token.dep_ == "compound" or _owns(token)
        if field or not noun or _in_name(token, cast):
            continue
        weight, reason = _context(token)
        kept, lemma = _modifiers(token), token.lemma_.lower()
        # By its form a noun heads a kind of event, or by what its clause says of it.
        if Inventory.general().is_form(lemma):
            heads = bool(kept) or (weight >= 1.0 and lemma not in EVERYDAY)
        else:
            act = noun_class(lemma) in _TAKES_PLACE
            heads = bool(kept) and weight >= (1.5 if does else 2.0 if act else 2.5)
        if heads:
            label = label_of([_word(t) for t in (*kept, token)])
            weight = weight if kept else BARE * weight
            yield kind_vote(parsed, label, [*kept, token], weight, reason)


def kind_vote(
    parsed: Parsed, label: str, tokens: list[Token], weight: float, reason: str
) -> Vote:
    """A vote for a kind of event; what is said in a quotation weighs less."""
    told = weight * (0.8 if parsed.quote(tokens[-1]) else 1.0)
    return Vote("kind", label, round(told, 3), reason, (parsed.over(tokens),))


def _own_names(parsed: Parsed) -> Iterator[Vote]:
    """Kinds that go by a name of their own ("book signing"), found word by word."""
    names = Inventory.general().own_names
    tokens = [token for token in parsed.doc if token.is_alpha]
    stems = [stem(token.lower_) for token in tokens]
    for i in range(len(tokens)):
        for size in (3, 2, 1):
            if (label := names.get(tuple(stems[i : i + size]))) is None:
                continue
            run = tokens[i : i + size]
            # Words of a label's stems may spell another: a "knight" is no knighting.
            last, head = run[-1].lower_, label.replace("-", " ").split()[-1]
            if not last.isascii() or last in numbers(head):
                of = run[-1].head  # "exercise" of a mine rescue
                more = run[-1].dep_ == "compound" and of in tokens[i + size :]
                more &= noun_class(of.lemma_) in _TAKES_PLACE
                run = tokens[i : tokens.index(of) + 1] if more else run
                said = label_of([parsed.text(run)])
                plain = said.replace(" ", "").isalpha() and said.isascii()
                spelt = label if plain and not more else said  # "repair café"
                yield kind_vote(parsed, spelt, run, 1.5, f"named: {label!r}")
                break


def _word(token: Token) -> str:
    """A label's word: singular where the tagger is sure, as written otherwise."""
    word = token.lemma_ if token.tag_ == "NNS" and token.dep_ != "poss" else token.text
    return word.lower() + (_mark(token) if token.dep_ == "poss" else "")


def _mark(token: Token) -> str:
    """The apostrophe, perhaps with its s, of a word that owns; else nothing."""
    return next((t.lower_ for t in token.rights if t.dep_ == "case"), "")


def _owns(token: Token) -> bool:
    """Whether an owner is part of a label, several or on a poster: "Sweeps' Ball"."""
    if token.dep_ != "poss" or any(t.dep_ == "poss" for t in token.lefts):
        return False
    several = _mark(token) in ("'", "’") and not first_name_gender(token.lower_)
    printed = token.text[:1].isupper() and token.head.text[:1].isupper()
    return several or (printed and noun_class(token.lower_).startswith("person"))


def _modifiers(head: Token) -> list[Token]:
    """The words before (or after "of") a head that say its field, in text order."""
    beside = ("compound", "amod", "nmod")
    before = [t for t in head.lefts if t.dep_ in beside or _owns(t)]
    # however deep: "Dry" in "Dry Stone Walling Day"
    inner = (t for m in before for t in m.subtree if t.i < m.i and t.dep_ in _NESTED)
    kept = sorted(filter(_says_field, (*inner, *before)), key=lambda token: token.i)
    if not kept and head.lemma_.lower() not in EVERYDAY:  # no "show of hands"
        of = (c for c in head.rights if c.dep_ == "prep" and c.lower_ in ("of", "for"))
        below = (t for prep in of for t in prep.children if t.dep_ == "pobj")
        return [*filter(_says_field, below)][:1]
    return kept


def _says_field(token: Token) -> bool:
    if _owns(token):
        return True
    said = token.is_alpha or "-" in token.text
    if not said or token.ent_type_ in ("DATE", "TIME", "CARDINAL", "ORDINAL"):
        return False
    lower, inventory = token.lower_, Inventory.general()
    # "a travelling clinic" is about no travel, but "a dry stone walling course" is
    does = is_doing(lower) and token.pos_ in ("VERB", "ADJ")
    done = any(t.dep_ in _NESTED for t in token.lefts)
    done |= token.i > 0 and token.nbor(-1).dep_ in ("compound", "nmod")
    plain = token.dep_ == "amod" and not done and not token.text[:1].isupper()
    if does and plain and inventory.words.get(stem(lower)) != lower:
        return False
    if stem(token.lemma_.lower()) in inventory.fields or stem(lower) in inventory.forms:
        return True
    if lower in words("no_field"):
        return False
    head = token.head  # "course" of "dry" and "stone"
    while head.dep_ == "compound":
        head = head.head
    if token.pos_ == "ADJ":  # "Lost Property Sale", as on a poster
        printed = token.text[:1].isupper() and _announced(head)
        field = any(t.dep_ == "compound" for t in head.lefts)  # "amateur radio night"
        return printed or (field and noun_class(lower).startswith("person"))
    if token.pos_ == "PROPN":
        form = stem(head.lower_) in inventory.forms or is_doing(head.lower_)
        plain = token.text[:1].islower() or not first_name_gender(lower)
        return (_announced(head) and form) or (plain and bool(noun_class(lower)))
    return token.pos_ in ("NOUN", "VERB")


def _context(head: Token) -> tuple[float, str]:
    """How strongly the clause presents a noun as the event that takes place."""
    determiners = {c.lower_ for c in head.lefts if c.dep_ in ("det", "poss")}
    some = determiners & {"a", "an", "some", "any", "another", "no", "every"}
    verb, before = head.head, {c.lower_ for c in head.lefts}
    prep = verb.lower_ if head.dep_ == "pobj" else ""
    held = 1.0 if prep == "during" else 0.5
    # at the Corn Exchange: where it was
    venue = prep in ("at", "in") and head.lower_ in words("place_head")
    # Only what takes place begins, is put off or under way.
    off = any(t.dep_ == "prt" and t.lower_ == "off" for t in verb.rights)
    way = (c.lower_ for t in verb.rights if t.lower_ == "under" for c in t.children)
    happens = off or "way" in way or verb.lemma_ in words("event_verb")
    attended = head.dep_ == "dobj" and verb.lemma_ in words("attend_verb")
    met = "the" in determiners and verb.head.lemma_ in words("gather_verb")
    other = before & words("other_event")
    rows = (
        (_announced(head) and not venue, 1.0, "written as a title"),
        (some, -0.3, ""),
        (determiners and not some, 0.5, ""),
        (head.tag_ in ("NNS", "NNPS"), -0.4, ""),
        (prep in words("event_prep") and not venue, held, f"after {prep!r}"),
        (head.dep_ in SUBJECTS and happens, 1.0, f"it does {verb.lemma_!r}"),
        (attended, 1.0, f"someone does {verb.lemma_!r} it"),
        (met and prep in ("to", "for"), 1.0, f"{verb.head.lemma_!r} {prep!r} it"),
        (before & words("recurring"), 0.8, "it recurs"),
        (other or prep in ("like", "than", "as"), -1.5, "of another time or thing"),
    )
    return weighed(head, rows)


def weighed(head: Token, rows: Reasons) -> tuple[float, str]:
    """The weight of a noun as a kind of event by what holds of it, and why."""
    held = [row for row in rows if row[0]]
    reasons = (repr(head.text), *(reason for *_, reason in held if reason))
    return 1.0 + sum(more for _, more, _ in held), f"named: {', '.join(reasons)}"


def _announced(head: Token) -> bool:
    """Whether a compound is written as posters and programmes do: "Seed Swap"."""
    inside = [t for t in head.lefts if t.dep_ == "compound" or _owns(t)]
    return bool(inside) and all(t.text[:1].isupper() for t in (*inside, head))


def content_terms(parsed: Parsed, cast: Cast) -> tuple[Term, ...]:
    """Content words of the chunk by lemma, each once, without those of names."""
    found: dict[str, Term] = {}
    for token in parsed.doc:
        content = token.pos_ in CONTENT_POS and token.is_alpha and not token.is_stop
        if content and not _in_name(token, cast):
            term = Term(token.lemma_.lower(), parsed.over([token]), token.pos_)
            found.setdefault(term.lemma, term)
    return tuple(found.values())


def _in_name(token: Token, cast: Cast) -> bool:
    if (member := cast.at(token)) is None or not member.named:
        return False
    texts = member.name.lower().split()
    street = texts[-1] in words("surname_head")  # "Linden Parade", no "the"
    street &= not any(t.dep_ == "det" for t in token.lefts)
    if member.kind == "place" and not street and may_name_occasion(texts):
        return False  # "Repair Clinic": a venue only if some chapter happens there
    return member.kind in ("person", "place", "time")
