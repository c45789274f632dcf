"""Japanese through GiNZA: particles give the slots, suffixes and labels the kinds.

The later stages (coreference, effects, questions) are those of English. A subject
that Japanese leaves out is the topic of the talk, noted as a reading, if there is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from gswlab.core.nouns import Note, Slot
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.clauses import Clause
from gswlab.gsw.operator.coreference import empty_cast
from gswlab.gsw.operator.ja import clauses as ja
from gswlab.gsw.operator.ja.actors import find_actors, is_name_run
from gswlab.gsw.operator.ja.episode import OPENS_WITHIN, compound_terms, japanese_votes
from gswlab.gsw.operator.mentions import Cast
from gswlab.gsw.operator.parse import Parsed
from gswlab.gsw.operator.phrases import More, argument, find_links, find_phrases
from gswlab.gsw.operator.roles import add_effects, find_ties
from gswlab.gsw.operator.rules import LanguageRules, RulesRead
from gswlab.language.pipeline import Token

_PLACING = ("で", "に", "へ", "から", "まで")
_BARE: dict[str, Slot] = {"で": "instrument", "から": "place", "へ": "place"}


def _read(parsed: Parsed, workspace: Workspace) -> RulesRead:
    """Who is in a Japanese chunk, their ties, what they do and what they share."""
    cast = empty_cast(parsed, tuple(ja.japanese_clauses(parsed.doc)))
    find_actors(cast, workspace)
    # Whom Japanese leaves out: a clause without a subject goes on about the topic.
    left_out = ((c, c.subjects or _topic(cast, c)) for c in cast.clauses)
    cast.clauses = tuple(replace(clause, subjects=who) for clause, who in left_out)
    kin = ja.group("kin")  # whose relation a noun names: 花子の弟
    relations = find_ties(cast, lambda n: ja.owners(n) if n.text in kin else [])
    _give_states(cast)
    phrases = add_effects(cast, find_phrases(cast, _slot_of, _more))
    return cast, relations, phrases, find_links(cast, _slot_of)


JAPANESE_RULES = LanguageRules(_read, japanese_votes, compound_terms, is_name_run)


def _topic(cast: Cast, clause: Clause) -> tuple[Token, ...]:
    """The head of the last mention that は marks before a verb, else が, if any."""
    verb, quote = clause.verb, cast.parsed.quote
    if verb.dep_ in ("acl", "ccomp") or quote(verb):
        return ()
    before = [
        token
        for token in verb.doc[: verb.i]
        if token.dep_ == "nsubj" and not quote(token)
        if ja.particle(token) in ja.SUBJECT
        if (member := cast.headed(token)) and member.kind == "person"
    ]
    marked = [t for t in before if ja.particle(t).endswith(ja.TOPIC)]
    return tuple((marked or before)[-1:])


def _more(cast: Cast, clause: Clause) -> More:
    """When it was, how the verb ends, and why it has a subject that it does not say."""
    verb, notes = clause.verb, tuple[Note, ...]()
    if left_out := [t for t in clause.subjects if t.head not in (verb, verb.head)]:
        text = f"the subject is left out: {left_out[0].text!r} is what the talk is of"
        notes = (Note(text, (cast.parsed.over(left_out),), cast.parsed.chunk.id),)
    # The dates beside the verb, else the one that opens its sentence.
    dates = [t for t in verb.lefts if (m := cast.at(t)) and m.form == "date"]
    if not dates and verb.dep_ != "acl":
        opening = [t for t in verb.sent[:OPENS_WITHIN] if t.i < verb.i]
        heads = (t for t in opening if (m := cast.headed(t)) and m.form == "date")
        dates = [*heads][:1]
    times = (a for t in dates for a in argument(cast, "time", t))
    return times, ja.tail(verb), notes


def _slot_of(cast: Cast, clause: Clause, case: Token, token: Token) -> Slot | None:
    """The slot that particles give; `token` may be the whole of what they mark."""
    member, marks = cast.at(token), ja.particle(case.head).rstrip("はも")
    kind = member.kind if member else ""
    if kind == "time":
        return None
    if marks.startswith("に") and kind in ("person", "organisation"):
        return "agent" if clause.passive else "recipient"
    if marks in _PLACING and (kind == "place" or token != case.head):  # 鞄の中に
        return "place"
    if marks == "に" and member is not None:  # 光に気づく, 蝋燭に火をつける
        aimed: Slot = "recipient" if clause.objects else "patient"
        return "agent" if clause.passive else aimed
    return _BARE.get(marks)


def _give_states(cast: Cast) -> None:
    """Give members the states that verbs, adjectives and nouns say."""
    for clause in cast.clauses:
        # 眠っている, 浴衣を着ている; not 話していた, 走っていた, 本を読んでいる
        verb, objects = clause.verb, clause.objects
        active = ja.does(verb, "speech_verb") or ja.does(verb, "motion_verb")
        own = all(t.text in ja.group("body") for t in objects)
        worn = own or clause.predicate in ja.group("wearing_verb")
        lasts = worn and not active and any(t.lemma_ == "いる" for t in ja.tail(verb))
        if clause.modality == "asserted" and lasts:
            _give(cast, clause.subjects, [*objects, verb, *_ending(verb)])
        if clause.predicate == "なる" and not clause.negated:
            for token in (t for t in verb.lefts if t.pos_ == "ADJ"):
                _give(cast, clause.subjects, [token])
    for token in cast.parsed.doc:
        if (quote := cast.parsed.quote(token)) is None:
            _say(cast, token)
        elif token.lemma_ in ja.group("feeling") and quote.speaker is not None:
            _give(cast, [cast.parsed.doc[quote.speaker]], [token, *_ending(token)])


def _say(cast: Cast, token: Token) -> None:
    """What an adjective or a noun says of the subject of its clause."""
    predicate = token.dep_ in ("ROOT", "advcl", "conj") and ja.tail(token)
    if token.pos_ == "ADJ" and predicate:
        said = [token, *_ending(token)]
        marked = [c for c in token.lefts if c.dep_ == "nsubj"]
        part = [c for c in marked if c.text in ja.group("body")]
        whole = [c for c in _topics(token) if c not in part]
        if part and not whole:  # 弥助は働き者だが、耳が遠かった
            whole = [c for clause in token.lefts for c in _topics(clause)]
        _give(cast, whole or marked, [*part, *said] if whole else said)
    elif ja.is_said(token) and (subject := ja.subject_of(token)) is not None:
        if ja.is_denied(token):
            _give(cast, [subject], [token, *_ending(token)])
        elif cast.at(token) is None and token.text not in ja.group("formal_noun"):
            owners = [t for c in token.lefts if c.dep_ == "nmod" for t in c.subtree]
            _give(cast, [subject], [*owners, token])


def _topics(clause: Token) -> list[Token]:
    return [c for c in clause.lefts if ja.particle(c).endswith("は")]


def _ending(token: Token) -> Iterator[Token]:
    """The endings that stand right after a word, up to a mark or the next word."""
    endings = {t.i for t in ja.tail(token)}
    for following in token.doc[token.i + 1 :]:
        parted = following.text in ("は", "も") and following.i + 1 in endings
        if not (following.i in endings or parted) or following.text in ("が", "と"):
            return
        yield following


def _give(cast: Cast, subjects: Iterable[Token], said: Sequence[Token]) -> None:
    for member in cast.all(subjects):
        cast.give_state(member, cast.parsed.text(said), said)
