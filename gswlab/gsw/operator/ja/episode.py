"""Votes of a Japanese chunk for its episode: when, where, who, and what kind of event.

Where the talk goes on about one person Japanese says nothing, so what is felt without
saying by whom (胸が高鳴った) speaks for whoever は last made the topic.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gswlab.core.nouns import NAME_FORMS, Mention, Term, Vote
from gswlab.gsw.operator.clauses import FOCUS
from gswlab.gsw.operator.episode_votes import (
    Speaks,
    member_votes,
    told_dates,
    told_places,
)
from gswlab.gsw.operator.event_type_votes import BARE, CONTENT_POS, kind_vote, weighed
from gswlab.gsw.operator.ja import clauses as ja
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.gsw.operator.parse import Parsed
from gswlab.language.pipeline import Token

OPENS_WITHIN = 6  # characters before a date that still opens its sentence (そして、…)
_PART = "(の(朝|昼|夕方|夜|晩|午前|午後))?"
_AWAY = re.compile(f"{_PART}(から|まで|以来|以降|以前|より前|生まれ|付|締切|予定)")
_FORWARD = re.compile("翌|次の|あくる|[後ち]$")
_OWNER = 0.8  # 横浜の港で: the scene is at what it owns
# By the case after a place: the weight, and that of a verb of the group.
_CASES = {
    "で": (2.0, "", 2.0),
    "に": (1.8, "stay_verb", 2.2),
    "へ": (1.0, "motion_verb", 1.4),
    "まで": (1.0, "motion_verb", 1.4),
    "を": (0.6, "reach_verb", 2.5),
    "と": (0.7, "writing_verb", 0.1),  # what a ticket says is not where it is read
    **dict.fromkeys(ja.SUBJECT, (1.0, "", 1.0)),
}


def japanese_votes(parsed: Parsed, cast: Cast) -> tuple[Vote, ...]:
    """What a Japanese chunk says about the episode it belongs to."""
    placed = [member for member in cast if member.scores["place"] > 0]
    return (
        *told_dates(cast, _of_another_time, _moves),
        *told_places(parsed, placed, _as_place),
        *_people(parsed, cast),
        *_occasions(parsed, cast),
    )


def _of_another_time(token: Token) -> str:
    """The word that sends a date to another time than the scene's, or ''."""
    if after := _AWAY.match(token.doc.text[token.idx + len(token) :]):
        return after.group()
    verb = ja.clause_head(token)
    return verb.text if verb and ja.does(verb, "other_time_verb") else ""


def _moves(member: Member, token: Token, start: int, relative: bool) -> bool:
    """The narration moves: a day opens its sentence."""
    forward = not relative or _FORWARD.search(member.name) is not None
    return forward and start - token.sent.start_char <= OPENS_WITHIN


def opens_day(parsed: Parsed, token: Token) -> bool:
    """Whether a token stands in a sentence that a date opens: 三日後、花子は…"""
    before = [date for date in parsed.dates if date.end <= token.idx]
    start = token.sent.start_char
    return any(0 <= date.start - start <= OPENS_WITHIN for date in before)


def _as_place(token: Token) -> tuple[float, str]:
    """Weight and reason of one mention as the scene's place."""
    marks, verb = ja.particle(token), ja.clause_head(token)
    if marks.startswith("から") or ja.does(verb, "away_verb"):
        return 0.2, f"{marks} and its verb point elsewhere"
    if marks.startswith("の") and token.dep_ == "nmod":
        weight, reason = _as_place(token.head)
        return round(_OWNER * weight, 3), f"part of it: {reason}"
    case = marks.rstrip("はも") or marks
    weight, group, most = _CASES.get(case, (0.7, "", 0.7))
    meant = group and ja.does(verb, group)
    return (most, f"{case}, by its verb") if meant else (weight, case or "it is named")


def _occasions(parsed: Parsed, cast: Cast) -> Iterator[Vote]:
    """Votes for the kinds of event that the chunk names."""
    labelled = ((parsed.text(run), run) for run in _compounds(parsed, cast))
    for label, run in (pair for pair in labelled if names_event(*pair)):
        weight, reason = _context(run[-1])
        weight *= BARE if label in ja.group("event_suffix") else 1.0
        yield kind_vote(parsed, label, run, weight, reason)


def _compounds(parsed: Parsed, cast: Cast) -> Iterator[list[Token]]:
    """Nouns with the nouns before them that say their field; names apart."""
    for token in parsed.doc:
        if token.pos_ != "NOUN" or token.dep_ == "compound" or _in_name(token, cast):
            continue
        run, no_field = [token], ja.group("no_field")
        for word in reversed([c for c in token.lefts if c.dep_ == "compound"]):
            if word.pos_ not in ("NOUN", "VERB", "ADJ") or word.text in no_field:
                break
            run.insert(0, word)
        yield run


def names_event(label: str, run: Sequence[Token]) -> bool:
    """Whether a noun is made as kinds of event are: 古本市, 写真展."""
    apart = not label.endswith(tuple(ja.group("event_anyway")))
    if apart and label.endswith(tuple(ja.group("not_event"))):
        return False
    if any("固有名詞" in token.tag_ for token in run):
        return False
    bare = label in ja.group("event_suffix") and label not in ja.group("event_bare")
    return not bare and label.endswith(tuple(ja.group("event_suffix")))


def _context(head: Token) -> tuple[float, str]:
    """How strongly the clause presents a noun as the event that takes place."""
    marks, verb = ja.particle(head), ja.clause_head(head)
    attended = marks in ("を", "に", "へ", "には") and ja.does(verb, "attend_verb")
    at = marks.startswith("で") or head.head.text in ja.group("part_noun")
    other = any(c.text in ja.group("other_event") for c in head.lefts)
    alike = head.head.lemma_ in ja.group("like")
    rows = (
        (marks in ja.SUBJECT and ja.does(verb, "event_verb"), 1.0, "it takes place"),
        (attended, 0.5, "somebody comes to it"),
        (at and not attended, 0.5, "the scene is at it"),
        (other or alike, -1.5, "another one than this"),
    )
    return weighed(head, rows)


def compound_terms(parsed: Parsed, cast: Cast) -> tuple[Term, ...]:
    """Content words of the chunk by lemma, compounds also whole; each once."""
    found: dict[str, Term] = {}
    for run in _compounds(parsed, cast):
        if len(run) > 1:
            label = parsed.text(run)
            found.setdefault(label, Term(label, parsed.over(run), "NOUN"))
    for token in parsed.doc:
        # Counters, helping verbs, times, and nouns that only say where or when.
        helps = token.tag_ == "動詞-非自立可能" or token.tag_.startswith("接尾辞")
        timed = token.ent_type_ in ("Date", "Time") or "助数詞" in token.tag_
        little = helps or timed or token.text in ja.group("part_noun")
        content = token.pos_ in CONTENT_POS and not token.is_stop
        if content and not little and not _in_name(token, cast):
            verb = token.pos_ == "VERB" and token.dep_ != "compound"
            lemma = ja.dictionary_form(token) if verb else token.lemma_
            found.setdefault(lemma, Term(lemma, parsed.over([token]), token.pos_))
    return tuple(sorted(found.values(), key=lambda term: (term.span, term.lemma)))


def _in_name(token: Token, cast: Cast) -> bool:
    member = cast.at(token)
    return member is not None and member.form in ("name", "short", "date")


def _people(parsed: Parsed, cast: Cast) -> Iterator[Vote]:
    """Votes for the focus, for each name as protagonist, and for who takes part."""
    outside = [t for t in parsed.doc if parsed.quote(t) is None]
    for token in (t for t in outside if t.text in FOCUS and t.pos_ == "PRON"):
        focus, subject = FOCUS[token.text], ja.is_subject(token)
        inner = token.head.text in ja.group("inner_noun")
        if subject or inner or focus == "narrator":
            spans, weight = (parsed.over([token]),), 1.0 if subject else 0.5
            yield Vote("focus", focus, weight, f"told through {token.text!r}", spans)
    # Something inner is told and nobody is named: it is the topic's.
    topic: Member | None = None
    for token in outside:
        member = cast.headed(token)
        if member and _may_be_person(member) and ja.particle(token).endswith(ja.TOPIC):
            topic = member
        own = {c.pos_ for c in token.lefts if c.dep_ == "nmod"} & {"PRON", "PROPN"}
        inner = token.text in ja.group("inner_noun") and not own
        alone = inner and ja.marked_subjects(token.head) == [token]
        heart = alone and ja.particle(token) in ("が", "は")
        verb = token.dep_ == "ROOT" and token.pos_ == "VERB"
        feels = verb and not ja.marked_subjects(token)
        if topic and (heart or (feels and ja.does(token, "inner_verb"))):
            what = token.text if heart else ja.dictionary_form(token)
            reason = f"{what!r} is told, and the talk is of {topic.name!r}"
            yield Vote("protagonist", topic.id, 0.5, reason, (parsed.over([token]),))
    for member in cast:
        if not member.plural and _may_be_person(member):
            yield from member_votes(parsed, member, _judged)


def _may_be_person(member: Member) -> bool:
    return member.form in ("pronoun", "narrator") or member.kind == "person"


def _judged(parsed: Parsed, token: Token, mention: Mention) -> Iterator[Speaks]:
    subject, felt = ja.is_subject(token), _inner(token)
    own = token.dep_ == "nmod" and token.head.text in ja.group("inner_noun")
    if parsed.quote(token) is not None:
        return
    named = mention.form in NAME_FORMS
    if subject and named:
        yield -1.0, f"a narrator would not say {mention.text!r} of himself", "narrator"
        yield from _as_subject(parsed, token, felt)
    elif subject:  # a pronoun or noun that goes on about someone: small votes, but many
        yield (0.5, f"inner verb {felt!r}", "") if felt else (0.1, "acts", "")
    elif own:
        yield 1.2 if named else 0.4, f"the own {token.head.text!r} is told", ""
    elif named and (verb := ja.clause_head(token)):
        others = (t for t in ja.marked_subjects(verb) if t != token)
        if focus := [FOCUS[t.text] for t in others if t.text in FOCUS]:
            reason = f"stands beside the subject in the clause of {token.text!r}"
            yield -2.0, reason, focus[0]


def _inner(subject: Token) -> str:
    """What a subject perceives or feels: a verb's, or 佐藤は胸が高鳴った; else ''."""
    verb = subject.head
    if not ja.is_subject(subject):
        return ""
    if ja.does(verb, "inner_verb"):
        return ja.dictionary_form(verb)
    hearts = (t.text for t in ja.marked_subjects(verb))
    return next((str(t) for t in hearts if t in ja.group("inner_noun")), "")


def _as_subject(parsed: Parsed, token: Token, felt: str) -> Iterator[Speaks]:
    if felt:
        yield 1.2, f"feels or perceives: {felt!r}", ""
    elif not ja.does(token.head, "speech_verb"):
        yield 0.3, f"acts: {token.head.text!r}", ""
    if ja.particle(token).endswith(ja.TOPIC):
        yield 0.5, "は makes it what the talk is of", ""
        if opens_day(parsed, token):
            yield 2.0, "a day is opened with what it does", ""
    for other in token.head.lefts:
        if other.text in FOCUS and ja.particle(other) in ("を", "に"):
            yield -2.0, f"acts on {other.text!r}, so is someone else", FOCUS[other.text]
