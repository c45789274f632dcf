"""Who a pronoun or "the professor" means, by rules over the parse of one chunk.

- a pronoun takes the best antecedent before it that agrees and that grammar allows;
- without one it stays a local actor named by the pronoun, for the reconciler to align;
- a narrator's I is one actor; an I inside a quotation is its speaker.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spacy.tokens import Token

from gswlab.gsw.operator.clauses import SUBJECTS, Clause, is_listed
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.gsw.operator.parse import Parsed
from gswlab.language.lexicon import first_name_gender, words

# Who cannot be whom: pairs of mentions that grammar keeps distinct.

REFLEXIVE = frozenset(
    [
        "myself",
        "yourself",
        "himself",
        "herself",
        "itself",
        "ourselves",
        "themselves",
        "themself",
        "oneself",
    ]
)
_PERSONAL = frozenset(
    [
        "i",
        "me",
        "he",
        "him",
        "she",
        "her",
        "they",
        "them",
        "we",
        "us",
        "you",
        "it",
        "his",
        "its",
        "their",
        "my",
        "our",
        "your",
    ]
)
# After others a plain pronoun may mean the subject ("she looked behind her").
_AIMED = frozenset({"at", "to", "about", "by", "against", "upon", "for", "of"})

_NOMINAL = frozenset({"NOUN", "PROPN", "PRON"})


class Apart:
    """The pairs of head tokens that cannot corefer."""

    def __init__(self, parsed: Parsed, clauses: Sequence[Clause]) -> None:
        self.pairs: set[tuple[int, int]] = set()
        for clause in clauses:
            self._put(_within(clause))
            self._put(_commanded(parsed, clause))
        for token in parsed.doc:
            self._put(_listed(token))
            if token.dep_ == "poss":
                self._put([(token, token.head)])
        self._put(_quoted(parsed))

    def _put(
        self, pairs: Iterator[tuple[Token, Token]] | list[tuple[Token, Token]]
    ) -> None:
        for one, two in pairs:
            if one.i != two.i:
                self.pairs.add((min(one.i, two.i), max(one.i, two.i)))

    def __call__(self, one: int, two: int) -> bool:
        """Whether two head tokens, by their index in either order, are a pair."""
        return (min(one, two), max(one, two)) in self.pairs


def _within(clause: Clause) -> Iterator[tuple[Token, Token]]:
    """The subject against objects and, where no snake hides, obliques of its verb."""
    others = [*clause.objects, *clause.recipients]
    for prep, token in clause.obliques:
        pronoun = token.lower_ in _PERSONAL
        if not pronoun or prep.lower_ in _AIMED:
            others.append(token)
    # Whose purpose an infinitive tells is open ("hired Rui to show her round").
    purpose = clause.verb.dep_ in ("advcl", "acl") and clause.verb.tag_ == "VB"
    for subject in () if purpose else clause.subjects:
        for other in others:
            if other.lower_ not in REFLEXIVE:
                yield subject, other
    for i, one in enumerate(clause.objects):
        for two in (*clause.objects[i + 1 :], *clause.recipients):
            if two.lower_ not in REFLEXIVE:
                yield one, two


def _commanded(parsed: Parsed, clause: Clause) -> Iterator[tuple[Token, Token]]:
    """A subject pronoun against every name later in its own clause and below it."""
    for subject in clause.subjects:
        if subject.lower_ not in _PERSONAL or subject.head != clause.verb:
            continue
        for token in clause.verb.subtree:
            named = token.pos_ in ("PROPN", "NOUN") and token.i > clause.verb.i
            if not named or token.dep_ in ("attr", "appos", "compound", "oprd"):
                continue
            if _below(token, clause.verb) and _same_voice(parsed, subject, token):
                yield subject, token


def _below(token: Token, verb: Token) -> bool:
    """Whether no coordinated or loosely joined clause lies between verb and token."""
    while token != verb:
        if token.dep_ == "parataxis" or token.head == token:
            return False
        if token.dep_ == "conj" and token.pos_ in ("VERB", "AUX"):
            return False
        token = token.head
    return True


def _same_voice(parsed: Parsed, one: Token, two: Token) -> bool:
    return parsed.quote(one) is parsed.quote(two)


def _listed(token: Token) -> Iterator[tuple[Token, Token]]:
    if token.pos_ not in _NOMINAL:
        return
    others = list(token.conjuncts) if token.dep_ == "conj" else []
    if is_listed(token):
        others += [token.head, *token.conjuncts]
        yield from ((token.head, t) for t in token.conjuncts if t.pos_ in _NOMINAL)
    yield from ((token, t) for t in others if t.pos_ in _NOMINAL)


def _quoted(parsed: Parsed) -> Iterator[tuple[Token, Token]]:
    """A speaker against the names in what he says, unless he gives his own."""
    for quote in parsed.quotes:
        if quote.speaker is None:
            continue
        inside = [t for t in parsed.doc if parsed.quote(t) == quote]
        lemmas = {t.lower_ for t in inside}
        if lemmas & {"i", "my"} and lemmas & {"am", "'m", "’m", "name", "called"}:
            continue
        bare = all(token.pos_ in ("PROPN", "PUNCT", "SPACE") for token in inside)
        sentence = parsed.doc[quote.speaker].sent
        if bare and not any(t.lower_ in ("you", "your") for t in sentence):
            continue  # “Ann Ray,” she said: a call, or her own name
        for token in inside:
            if token.pos_ == "PROPN":
                yield parsed.doc[quote.speaker], token


def _matters(member: Member) -> bool:
    """Whether an actor could be taken for another: people, and whatever has a name."""
    return member.form != "date" and (
        member.form != "nominal" or member.kind == "person"
    )


def apart_ids(cast: Cast, apart: Apart) -> tuple[tuple[str, str], ...]:
    """The pairs of local ids kept apart, each once, in the order of the text."""
    doc, found = cast.parsed.doc, dict[tuple[str, ...], None]()
    for one, two in sorted(apart.pairs):
        a, b = cast.at(doc[one]), cast.at(doc[two])
        if a is None or b is None or a is b or not (_matters(a) and _matters(b)):
            continue
        found[tuple(sorted((a.id, b.id), key=lambda i: int(i[1:])))] = None
    return tuple((pair[0], pair[1]) for pair in found)


# Which antecedent a pronoun takes: the most present one that agrees.

_REACH = 3
GENDER = {
    **dict.fromkeys(("she", "her", "hers", "herself", "彼女"), "f"),
    **dict.fromkeys(("he", "him", "his", "himself", "彼"), "m"),
    **dict.fromkeys(("it", "its", "itself"), "n"),
    **dict.fromkeys(("they", "them", "their", "theirs", "themselves"), "they"),
    "彼ら": "they",
}


def best_antecedent(
    cast: Cast, token: Token, gender: str, apart: Apart
) -> Member | None:
    """The most present member that fits a pronoun, None if nobody does."""
    scored = [
        _Scored(score, member)
        for member in cast
        if _fits(cast, member, gender)
        and not _only_called(cast, member, token)
        and not any(apart(token.i, index) for index in member.heads)
        and (score := _salience(cast, member, token)) > 0
    ]
    scored.sort(key=lambda s: -s.score)
    return scored[0].member if scored else None


def _fits(cast: Cast, member: Member, gender: str) -> bool:
    if member.form in ("pronoun", "date", "narrator"):
        return member.form == "pronoun" and member.gender == gender
    if gender == "they":
        doc = cast.parsed.doc
        listed = any(doc[i].dep_ == "conj" or doc[i].conjuncts for i in member.heads)
        return not listed and (member.plural or member.kind == "organisation")
    if member.plural:
        return False
    if gender == "n":
        return member.kind not in ("person", "time") and member.form == "nominal"
    if member.form == "nominal":
        return member.kind == "person" and member.gender in (None, gender)
    person = member.prior == "person" or _may_be_person(member)
    return person and suggested(member) in (None, gender)


def _only_called(cast: Cast, member: Member, token: Token) -> bool:
    """Whether a speaker's own quotation is all that names the member so far."""
    parsed = cast.parsed
    spoken = [quote for quote in parsed.quotes if quote.speaker == token.i]
    before = [parsed.quote(parsed.doc[i]) for i in member.heads if i < token.i]
    return bool(before) and all(quote in spoken for quote in before)


def _may_be_person(member: Member) -> bool:
    """Whether little speaks against a person: a pronoun is evidence itself."""
    behind = member.score(member.kind) - member.score("person")
    return behind < 0.6 and member.score("person") > 0


def suggested(member: Member) -> str | None:
    """The gender stated, else the one a first name suggests (to find it, no more)."""
    if member.gender is not None or member.form != "name":
        return member.gender
    guess = first_name_gender(member.name.split()[0])
    return guess if guess in ("f", "m") else None


def _salience(cast: Cast, member: Member, token: Token) -> float:
    """How present a member is at `token`: near, subject, named, in the same voice."""
    parsed = cast.parsed
    before = [i for i in member.heads if i < token.i]
    if not before:
        return 0.0
    last = parsed.doc[before[-1]]
    distance = parsed.sentence[token.i] - parsed.sentence[last.i]
    if distance > _REACH:
        return 0.0
    score = 2.0 - 0.4 * distance
    score += 0.6 if last.dep_ in SUBJECTS else 0.2 * (last.dep_ == "dobj")
    score += {"name": 0.3, "pronoun": 0.5}.get(member.form, 0.0)
    score += 0.3 if suggested(member) == GENDER[token.lower_] else 0.0
    score += 0.1 * min(3, len(before)) + 0.1 * last.i / token.i
    score += 0.3 if member.kind == "person" else 0.0
    if last.dep_ in ("poss", "compound", "pobj"):
        score -= 0.2
    if (parsed.quote(last) is None) != (parsed.quote(token) is None):
        score -= 0.8
    return score


@dataclass(frozen=True)
class _Scored:
    score: float
    member: Member


_NAME = {"f": "she", "m": "he", "they": "they"}
FIRST = frozenset(
    [
        "i",
        "me",
        "my",
        "mine",
        "myself",
        "私",
        "わたし",
        "わたくし",
        "僕",
        "ぼく",
        "俺",
        "おれ",
    ]
)


def add_pronouns(cast: Cast, clauses: Sequence[Clause], apart: Apart) -> None:
    """Give every pronoun its member, left to right."""
    subject = {c.verb.i: c.subjects for c in clauses}
    for token in cast.parsed.doc:
        word = token.lower_
        if token.pos_ != "PRON" or cast.at(token) is not None:
            continue
        if word in FIRST:
            _first_person(cast, token)
        elif word in REFLEXIVE and word in GENDER:
            _reflexive(cast, token, subject)
        elif word in GENDER and not _empty(token):
            _third_person(cast, token, apart)


def nominal(cast: Cast, head: Token) -> Member | None:
    """Whom a definite noun names again: "the professor" after "a professor"."""
    if head.i in (speakers := introduced(cast)):
        return speakers[head.i]
    determiner = {c.lower_ for c in head.children if c.dep_ in ("det", "poss")}
    if not determiner & {"the", "this", "that"}:
        return None
    lemma = head.lemma_.lower()
    plural = head.tag_ == "NNS"
    for member in reversed(cast.members):
        if member.form == "nominal" and member.plural == plural:
            doc = cast.parsed.doc
            if doc[member.heads[-1]].lemma_.lower() == lemma and _agree(
                head, doc[member.heads[0]]
            ):
                return member
        if member.form == "name" and lemma in _role_heads(cast, member):
            return member
    return None


def _agree(one: Token, two: Token) -> bool:
    """Two mentions of one noun differ if both have adjectives and share none."""
    a = {c.lower_ for c in one.children if c.dep_ in ("amod", "compound", "poss")}
    b = {c.lower_ for c in two.children if c.dep_ in ("amod", "compound", "poss")}
    return not a or bool(a & b)


def _role_heads(cast: Cast, member: Member) -> set[str]:
    """Head nouns of what a name is called: its titles, appositions, compounds."""
    found = set()
    for index in member.heads:
        head = cast.parsed.doc[index]
        near = [*head.children, *([head.head] if head.dep_ == "appos" else [])]
        for token in near:
            if token.dep_ in ("appos", "compound", "nmod") or token == head.head:
                found.add(token.lemma_.lower())
        if head.dep_ in SUBJECTS and head.head.lemma_ == "be":
            found |= {c.lemma_.lower() for c in head.head.children if c.dep_ == "attr"}
    return found


def introduced(cast: Cast) -> dict[int, Member]:
    """Who gives a name as their own: speaker's token (-1: narrator) to member."""
    found = {}
    for member in cast:
        for head in (cast.parsed.doc[i] for i in member.heads):
            if head.lower_ in words("place_head"):
                continue  # "This is I, at Alder Hall" is told by nobody called a hall
            if member.form == "name" and _own_name(head):
                quote = cast.parsed.quote(head)
                speaker = quote.speaker if quote else -1
                if speaker is not None:
                    found[speaker] = member
    return found


def _own_name(head: Token) -> bool:
    """Whether a name is said of oneself: "I am Ann", "my name is Ann", "I, Ann"."""
    if head.dep_ == "appos":
        return head.head.lower_ in ("i", "me")
    if head.dep_ not in ("attr", "oprd"):
        return False
    subjects = [c for c in head.head.children if c.dep_ in ("nsubj", "nsubjpass")]
    return any(
        t.lower_ == "i"
        or (t.lemma_ == "name" and any(c.lower_ == "my" for c in t.children))
        for t in subjects
    )


def _first_person(cast: Cast, token: Token) -> None:
    quote = cast.parsed.quote(token)
    if quote is not None:
        if quote.speaker is None:
            return
        speaker = cast.at(cast.parsed.doc[quote.speaker])
        if speaker is not None:
            cast.mention(speaker, [token], token, "pronoun")
        return
    found = [m for m in cast if m.form == "narrator"]
    if -1 in (named := introduced(cast)):
        found = [named[-1]]
        span = cast.parsed.over([token])
        named[-1].vote("person", 1.5, "gives the name as his or her own", span)
    name = token.text if cast.parsed.language == "ja" else "I"
    member = found[0] if found else cast.add(name, "narrator")
    cast.mention(member, [token], token, "narrator")
    if not found:
        span = cast.parsed.over([token])
        member.vote("person", 2.0, "tells the story in the first person", span)


def _reflexive(cast: Cast, token: Token, subject: dict[int, tuple[Token, ...]]) -> None:
    for ancestor in token.ancestors:
        for candidate in subject.get(ancestor.i, ()):
            member = cast.at(candidate)
            if member is not None:
                _bind(cast, member, token)
                return


def _empty(token: Token) -> bool:
    """Whether "it" stands for nothing ("it rained", "it was clear that ...")."""
    if token.lower_ != "it":
        return False
    verb = token.head
    return token.dep_ == "expl" or any(
        c.dep_ in ("ccomp", "csubj", "xcomp") for c in verb.children
    )


def _third_person(cast: Cast, token: Token, apart: Apart) -> None:
    gender = GENDER[token.lower_]
    best = introduced(cast).get(token.i) or best_antecedent(cast, token, gender, apart)
    if best is not None:
        _bind(cast, best, token)
        return
    if gender == "n":
        return
    name = token.text if cast.parsed.language == "ja" else _NAME[gender]
    member = _unbound(cast, token, gender, apart) or cast.add(name, "pronoun")
    if not member.mentions:
        member.gender, member.plural = gender, gender == "they"
        weight = 0.4 if gender == "they" else 1.0
        span = cast.parsed.over([token])
        member.vote("person", weight, f"called {token.lower_}", span)
    cast.mention(member, [token], token, "pronoun")


def _unbound(cast: Cast, token: Token, gender: str, apart: Apart) -> Member | None:
    """An earlier unbound pronoun of this class that the token may continue."""
    for member in cast:
        same = member.form == "pronoun" and member.gender == gender
        if same and not any(apart(token.i, index) for index in member.heads):
            return member
    return None


def _bind(cast: Cast, member: Member, token: Token) -> None:
    cast.mention(member, [token], token, "pronoun")
    gender = GENDER.get(token.lower_)
    if gender in ("f", "m"):
        member.gender = member.gender or gender
        if member.form in ("name", "nominal"):
            span = cast.parsed.over([token])
            member.vote("person", 0.8, f"called {token.lower_}", span)
