"""What kind of event: labels the chunk names (写真展, 陶芸教室), and its words.

A label is a noun with what stands before it, when it ends as kinds of event do (会,
展, 祭り, 大会, コンサート). A bare 大会 says the form, not the kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spacy.tokens import Token

from gswlab.core.nouns import Term, Vote
from gswlab.operator.cast import Cast
from gswlab.operator.japanese.binding.grammar import does, verb_of, words
from gswlab.operator.japanese.clauses import particle, predicate
from gswlab.operator.parse import Parsed

CONTENT = ("NOUN", "VERB", "ADJ", "PROPN")
BARE = 0.35  # a head alone (大会) says the form, not the kind


def occasion_votes(parsed: Parsed, cast: Cast) -> Iterator[Vote]:
    """Votes for the kinds of event that the chunk names."""
    for run in _compounds(parsed, cast):
        label, head = parsed.text(run), run[-1]
        if not names_event(label, run):
            continue
        weight, reason = _context(head)
        if label in words("event_suffix"):
            weight *= BARE
        if parsed.quote(head) is not None:
            weight *= 0.8
        yield Vote("kind", label, round(weight, 3), reason, (parsed.over(run),))


def _compounds(parsed: Parsed, cast: Cast) -> Iterator[list[Token]]:
    """Nouns with the nouns before them that say their field; names apart."""
    for token in parsed.doc:
        if token.pos_ != "NOUN" or token.dep_ == "compound" or _in_name(token, cast):
            continue
        before = [c for c in token.lefts if c.dep_ == "compound"]
        kept = [c for c in before if c.pos_ in ("NOUN", "VERB", "ADJ")]
        run = [c for c in kept if c.text not in words("no_field")]
        yield [*run, token] if run == before[len(before) - len(run) :] else [token]


def names_event(label: str, run: Sequence[Token]) -> bool:
    """Whether a noun is made as kinds of event are: 古本市, 写真展."""
    apart = not any(label.endswith(visit) for visit in words("event_anyway"))
    if apart and any(label.endswith(other) for other in words("not_event")):
        return False
    if any("固有名詞" in token.tag_ for token in run):
        return False
    if label in words("event_suffix"):
        return label in words("event_bare")
    return any(label.endswith(suffix) for suffix in words("event_suffix"))


def _context(head: Token) -> tuple[float, str]:
    """How strongly the clause presents a noun as the event that takes place."""
    weight, reasons = 1.0, [f"named: {head.text!r}"]
    marks, verb = particle(head), verb_of(head)
    if marks in ("が", "は", "も") and does(verb, "event_verb"):
        weight += 1.0
        reasons.append("it takes place")
    elif marks in ("を", "に", "へ", "には") and does(verb, "attend_verb"):
        weight += 0.5
        reasons.append(f"somebody does {verb.lemma_!r}" if verb is not None else "")
    elif marks.startswith("で") or head.head.text in words("part_noun"):
        weight += 0.5
        reasons.append("the scene is at it")
    if head.head.lemma_ in words("like") or _elsewhere(head):
        weight -= 1.5
        reasons.append("another one than this")
    return weight, ", ".join(reasons)


def _elsewhere(head: Token) -> bool:
    return any(c.text in words("other_event") for c in head.lefts)


def content_terms(parsed: Parsed, cast: Cast) -> tuple[Term, ...]:
    """Content words of the chunk by lemma, compounds also whole; each once."""
    found: dict[str, Term] = {}
    for run in _compounds(parsed, cast):
        if len(run) > 1:
            label = parsed.text(run)
            found.setdefault(label, Term(label, parsed.over(run), "NOUN"))
    for token in parsed.doc:
        if token.pos_ not in CONTENT or token.is_stop or _in_name(token, cast):
            continue
        if _says_little(token):
            continue
        verb = token.pos_ == "VERB" and token.dep_ != "compound"
        lemma = predicate(token) if verb else token.lemma_
        found.setdefault(lemma, Term(lemma, parsed.over([token]), token.pos_))
    return tuple(sorted(found.values(), key=lambda term: (term.span, term.lemma)))


def _says_little(token: Token) -> bool:
    """Counters, helping verbs, times, and nouns that only say where or when."""
    helping = token.tag_ == "動詞-非自立可能" or token.tag_.startswith("接尾辞")
    timed = token.ent_type_ in ("Date", "Time") or "助数詞" in token.tag_
    return helping or timed or token.text in words("part_noun")


def _in_name(token: Token, cast: Cast) -> bool:
    member = cast.at(token)
    if member is None:
        return False
    return member.form in ("name", "short", "date")
