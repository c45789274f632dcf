"""Clauses: every verb of a parse with its arguments, however far away they stand.

Control, coordination, relative clauses and participles share a subject; a passive's
subject is its patient. All later modules read clauses, none the raw verb again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from gswlab.language.lexicon import noun_class, noun_kind, word_pairs, words
from gswlab.language.pipeline import Doc, Token

Modality = Literal["asserted", "hypothetical", "reported", "planned"]
FOCUS = word_pairs("focus")
SUBJECTS = frozenset({"nsubj", "nsubjpass"})
_RELATIVE = frozenset({"who", "whom", "which", "that"})
_NOUNS = frozenset({"NOUN", "PROPN", "PRON", "NUM", "ADJ", "DET", "X"})
_PARTICLES = frozenset({"away", "off", "out"})
_CLOSING = frozenset({"”", '"', "’", "'"})


def is_verb(token: Token) -> bool:
    """Whether a token heads a clause (auxiliaries do not)."""
    if token.dep_ in ("aux", "auxpass", "amod", "compound", "prt", "case"):
        return False
    return token.pos_ in ("VERB", "AUX") and token.tag_ != "MD"


def infinitive(verb: Token) -> bool:
    """Whether "to" stands before the verb."""
    return any(c.dep_ == "aux" and c.tag_ == "TO" for c in verb.children)


def _is_passive(verb: Token) -> bool:
    """Whether the subject suffers the verb, by auxiliary or as a participle."""
    deps = {c.dep_ for c in verb.children}
    if deps & {"auxpass", "nsubjpass"}:
        return True
    if verb.tag_ != "VBN" or deps & {"aux", "dobj"}:
        return False
    if "nsubj" in deps:  # "found herself drawn"
        return verb.dep_ == "ccomp" and verb.head.lemma_.lower() in words("finding")
    if verb.dep_ == "conj":
        return is_verb(verb.head) and _is_passive(verb.head)
    return verb.dep_ in ("acl", "advcl")


def _is_negated(verb: Token) -> bool:
    """Whether the verb is denied: by not, never, nobody, failed to, without."""
    below = list(verb.children)
    arguments = [c for c in below if c.dep_ in ("nsubj", "nsubjpass", "dobj")]
    return (
        any(c.dep_ == "neg" for c in below)
        or any(d.lower_ == "neither" for c in below for d in c.children)
        or (verb.dep_ == "xcomp" and verb.head.lemma_.lower() in words("denying"))
        or (verb.dep_ == "pcomp" and verb.head.lower_ == "without")
        or any(c.lower_ in ("nobody", "nothing", "none") for c in arguments)
        or any(d.lower_ == "no" for c in arguments for d in c.children)
    )


def modality(verb: Token, depth: int = 4) -> Modality:
    """Whether the text asserts the verb, supposes, plans or only reports it."""
    head, lemma = verb.head, verb.head.lemma_.lower()
    helpers = {c.lower_ for c in verb.children if c.dep_ == "aux"}
    marks = {c.lower_ for c in verb.children if c.dep_ == "mark"}
    if helpers & words("future"):
        return "planned"
    asked = verb.doc[verb.sent.end - 1].text == "?"
    seeming = {"as", "though"} <= marks
    may = helpers & words("modal") and verb.lemma_.lower() not in words("senses")
    # "had she known" supposes what "she had known" asserts
    own = [child for child in verb.lefts if child.dep_ in ("aux", *SUBJECTS)]
    opens = own[0].lower_ if verb.dep_ == "advcl" and len(own) > 1 else ""
    inverted = opens in ("had", "were", "should")
    supposed = inverted or marks & {"if", "unless", "whether"}
    if may or asked or seeming or supposed:
        return "hypothetical"
    if depth == 0 or head == verb:
        return "asserted"
    if verb.dep_ == "xcomp" and infinitive(verb):
        above = modality(head, depth - 1)
        steered = lemma in words("object_control") and above == "asserted"
        return "planned" if steered or lemma in words("planning") | {"go"} else above
    if verb.dep_ == "advcl" and infinitive(verb):
        return "planned"
    if verb.dep_ == "ccomp":
        if lemma in words("supposing"):
            return "hypothetical"
        parted = any(token.text in (";", ":") for token in verb.doc[verb.i : head.i])
        return "reported" if lemma in words("speech") and not parted else "asserted"
    if verb.dep_ in ("conj", "xcomp") and is_verb(head) and not helpers:
        return modality(head, depth - 1)
    return "asserted"


@dataclass(frozen=True)
class Clause:
    """One verb. `subjects` stand before it; in a passive they are its patients."""

    verb: Token
    predicate: str
    subjects: tuple[Token, ...] = ()
    objects: tuple[Token, ...] = ()
    recipients: tuple[Token, ...] = ()
    obliques: tuple[tuple[Token, Token], ...] = ()
    passive: bool = False
    negated: bool = False
    modality: Modality = "asserted"

    @property
    def agents(self) -> tuple[Token, ...]:
        """Who does it: in a passive those after its "by", none where there is none."""
        by = tuple(o for p, o in self.obliques if p.dep_ == "agent")
        return by if self.passive else self.subjects

    @property
    def patients(self) -> tuple[Token, ...]:
        """Whom it is done to: a passive's subjects, unless it has objects."""
        return self.subjects if self.passive and not self.objects else self.objects


def find_clauses(doc: Doc) -> tuple[Clause, ...]:
    """The clauses of a doc in order of their verbs."""
    found = list[Clause]()
    for verb in filter(is_verb, doc):
        passive, objects = _is_passive(verb), _objects(verb)
        preps = list[Token]()
        for child in verb.children:
            governs = child.dep_ in ("prep", "agent", "dative")
            if governs and child.pos_ in ("ADP", "SCONJ"):
                preps.append(child)
            if child.dep_ == "prt" or (child.dep_ == "advmod" and child.tag_ == "RB"):
                preps += [c for c in child.children if c.dep_ == "prep"]
        obliques = [pair for prep in preps for pair in _objects_of(prep)]
        occasions = [o for _, o in obliques if noun_class(o.lemma_) in ("event", "act")]
        for noun in (*objects, *occasions):  # "met Tom at Ely", "sang at a fair in Ely"
            named = noun.pos_ in ("PROPN", "PRON")
            hung = (c for c in noun.children if c.dep_ == "prep")
            local = (c for c in hung if c.lower_ in words("locative"))
            near = (o for c in local for o in _objects_of(c))
            obliques += [o for o in near if named or o[1].text[:1].isupper()]
        datives = [c for c in verb.children if c.dep_ == "dative" and c.pos_ in _NOUNS]
        if passive and objects:  # "she was given her job back"
            datives += subjects(verb)
        who, whom = tuple(subjects(verb)), tuple(_members(datives))
        what = tuple(_members(map(_antecedent, objects)))
        mood = (passive, _is_negated(verb), modality(verb))
        slots = (who, what, whom, tuple(obliques))
        found.append(Clause(verb, predicate(verb), *slots, *mood))
    return tuple(found)


def predicate(verb: Token) -> str:
    """The base form with its particles: "pick up"."""
    away = {c for c in verb.children if c.dep_ == "advmod" and c.lower_ in _PARTICLES}
    particles = (c.lower_ for c in verb.children if c.dep_ == "prt" or c in away)
    return " ".join([verb.lemma_.lower(), *particles])


def subjects(verb: Token) -> list[Token]:
    """Who the verb is said of: its own subject, or the one it shares."""
    own = _behind(verb) or [c for c in verb.children if c.dep_ in SUBJECTS]
    if own:
        return _members(map(_antecedent, own))
    last = verb.doc[max(verb.i - 1, verb.sent.start)]  # "on 7 May 2024 Ann Ray met"
    named = last.pos_ == "PROPN" or ord(last.text[0]) > 0x2E7F  # 鈴木花子
    if named and last.dep_ == "pobj" and verb.tag_ in ("VBD", "VBZ", "VBP"):
        return [last]
    head, participle = verb.head, verb.tag_ in ("VBG", "VBN")
    if verb.dep_ == "xcomp":
        below = (c for c in head.children if c.dep_ in ("dobj", "dative"))
        given = [c for c in below if c.pos_ in _NOUNS]
        steered = head.lemma_.lower() in words("object_control")
        if steered and given and not _is_passive(head):
            return _members(given)
    joined = verb.dep_ == "conj" and is_verb(head)
    free = verb.dep_ == "advcl" and (participle or infinitive(verb))
    if verb.dep_ == "xcomp" or joined or free:
        return subjects(head)
    if verb.dep_ == "acl" and participle and head.pos_ in _NOUNS:
        return [head]
    if verb.dep_ == "pcomp" and is_verb(head.head):
        blamed = head.lower_ in ("for", "from")  # "thanked him for coming"
        return (blamed and _objects(head.head)) or subjects(head.head)
    return []


def _behind(verb: Token) -> list[Token]:
    """Who follows the verb, whatever is before it: “Bob?” cried Ann, by it sat Al."""
    lemma = verb.lemma_.lower()
    after = lemma in words("posture") and verb.sent[0].lower_ in words("locative")
    for own in (c for c in verb.lefts if c.dep_ in SUBJECTS):
        after &= own.i == verb.i - 1 and own.left_edge.i <= verb.sent.start + 1
    if verb.i > 1 and lemma in words("speech"):
        last, mark = verb.nbor(-2).text, verb.nbor(-1).text
        # what no comma ends is a name that does something: “The Lark” reported it
        ended = last in (",", "?", "!", ".", "…", "—") or mark == ","
        after |= ended and not _CLOSING.isdisjoint((last, mark))
    behind = [c for c in verb.rights if after and c.dep_ in (*SUBJECTS, "dobj")]
    return sorted(behind, key=lambda token: token.dep_ == "dobj")[:1]


def _objects(verb: Token) -> list[Token]:
    plain = [c for c in verb.children if c.dep_ == "dobj" and c.pos_ in _NOUNS]
    made, behind = (noun for noun, _ in found_so(verb)), _behind(verb)
    return [each for each in (*plain, *made) if each not in behind]


def found_so(verb: Token) -> list[tuple[Token, Token]]:
    """Objects with the state they are found or made in: "found him asleep"."""
    below = [c for c in verb.children if c.dep_ in ("ccomp", "xcomp")]
    pairs = ((noun, state) for state in below for noun in state.children)
    return [(n, s) for n, s in pairs if n.dep_ == "nsubj" and s.pos_ == "ADJ"]


def _objects_of(prep: Token) -> list[tuple[Token, Token]]:
    own = (child for child in prep.children if child.dep_ == "pobj")
    below = (child for child in prep.children if child.dep_ == "prep")
    inner = [pair for child in below for pair in _objects_of(child)]
    return [*((prep, token) for token in _members(own)), *inner]


def _members(tokens: Iterable[Token]) -> list[Token]:
    """Each token and what is coordinated with it."""
    found = list[Token]()
    for token in tokens:
        found.append(token)
        found += [t for t in token.conjuncts if t.i > token.i and t.pos_ in _NOUNS]
        for listed in (c for c in token.children if is_listed(c)):
            found += [listed, *(t for t in listed.conjuncts if t.pos_ in _NOUNS)]
    return list(dict.fromkeys(found))


def is_listed(token: Token) -> bool:
    """Whether an apposition is a list's second member: "Ann, Bob and Cy"."""
    if token.dep_ != "appos" or token.pos_ != token.head.pos_ or not token.conjuncts:
        return False
    things = token.pos_ == "NOUN" and noun_kind(token.lemma_) != "person"
    return things or token.pos_ == "PROPN"


def _antecedent(token: Token) -> Token:
    """The noun a relative pronoun stands for; other tokens stand for themselves."""
    if token.lower_ not in _RELATIVE or token.tag_ not in ("WP", "WDT", "IN", "WP$"):
        return token
    nouns = (above.head for above in token.ancestors if above.dep_ == "relcl")
    return next(nouns, token)


def verb_of(token: Token) -> Token | None:
    """The nearest verb above a token: the clause it stands in."""
    return next(filter(is_verb, token.ancestors), None)
