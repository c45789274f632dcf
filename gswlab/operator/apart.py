"""Who cannot be whom: pairs of mentions that grammar keeps distinct.

Precision first: a pair is listed only where English binding allows no other reading
(subject and plain object of one verb, members of a list, possessor and possessed, a
pronoun and a name it commands, a speaker and the names he calls).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spacy.tokens import Token

from gswlab.operator.cast import Cast, Member
from gswlab.operator.clauses import Clause, is_listed
from gswlab.operator.parse import Parsed

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
