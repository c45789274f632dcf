"""What speaks for the kind of a Japanese actor: labels, endings and particles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spacy.tokens import Token

from gswlab.gsw.operator.ja.clauses import (
    denied,
    does,
    is_latin,
    is_subject,
    particle,
    verb_of,
    words,
)
from gswlab.gsw.operator.ja.clauses import words_grammar as scenic
from gswlab.gsw.operator.ja.episode import names_event
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.language.lexicon import first_name_gender, groups

# Japanese noun phrases: a noun that is an argument, with its compounds before it.

_NOUNS = ("NOUN", "PROPN")
_TOPICS = ("nsubj", "dislocated")
_ARGUMENTS = frozenset({"nsubj", "obj", "obl", "iobj", "nmod", "ROOT", "dislocated"})


def runs(cast: Cast) -> Iterator[list[Token]]:
    """The noun phrases of a chunk that nothing mentions yet, head last."""
    for token in cast.parsed.doc:
        called = "人名" in token.tag_ and token.dep_ != "compound"  # 「佐藤です」
        argument = token.dep_ in _ARGUMENTS or is_predicate(token)
        noun = token.pos_ in _NOUNS and (called or argument) and not is_part(token)
        noun = noun and token.text not in words("formal_noun")
        if not noun and (token.dep_ == "compound" or not is_latin(token)):
            continue
        if cast.at(token) is not None or token.ent_type_ in ("Date", "Time"):
            continue
        if is_predicate(token) and (denied(token) or _is_quality(token)):
            continue  # 船員ではない: nobody is a sailor; 留守だ: a state
        if family(token) and token.i + 1 < len(token.doc) and given(token.nbor()):
            continue  # read with the given name, however the parser ties them
        before = [c for c in token.lefts if not c.is_space]
        parts = [c for c in before if c.dep_ in ("compound", "nummod")]
        if given(token) and token.i and family(token.nbor(-1)) and not parts:
            parts = [token.nbor(-1)]
        yield [*parts, token]


def family(token: Token) -> bool:
    """Whether a token is a family name."""
    return token.tag_.endswith("人名-姓")


def given(token: Token) -> bool:
    """Whether a token is a given name."""
    return token.tag_.endswith("人名-名")


def is_part(token: Token) -> bool:
    """Whether a noun only counts or locates something."""
    counted = "助数詞" in token.tag_ and any(c.pos_ == "NUM" for c in token.lefts)
    counted = counted or token.ent_type_.startswith("N_")  # 八十人
    return token.text in scenic("part_noun") or counted


def is_predicate(noun: Token) -> bool:
    """Whether a noun is what its clause says of the subject: 記者である, 留守で、."""
    joins = particle(noun) == "で" and any(c.dep_ == "nsubj" for c in noun.lefts)
    return joins or any(c.dep_ == "cop" for c in noun.children)


def _is_quality(noun: Token) -> bool:
    """Whether a predicate noun only says how its subject is: 留守, 働き者."""
    naming = words("person") | words("place") | words("named_place")
    plain = noun.pos_ == "NOUN" and "固有名詞" not in noun.tag_ and not noun.ent_type_
    return plain and noun.text not in naming and subject_of(noun) is not None


def subject_of(noun: Token) -> Token | None:
    """Of what a predicate noun is said, in its clause or one it is joined to."""
    for joined in (c for c in noun.lefts if c.dep_ in ("advcl", "acl")):
        found = [c for c in joined.lefts if c.dep_ in _TOPICS]
        if found and not any(c.dep_ in _TOPICS for c in noun.lefts):
            return found[-1]
    clause = noun
    while True:
        found = [c for c in clause.lefts if c.dep_ in _TOPICS and c.i < noun.i]
        if found:
            return found[-1]
        if clause.dep_ not in ("acl", "advcl", "conj") or clause.head == clause:
            return None
        clause = clause.head


def whole(noun: Token) -> Token:
    """What a noun that only locates is a part of: 改札 of 改札の前."""
    while is_part(noun):
        owner = [c for c in noun.lefts if c.dep_ == "nmod" and particle(c) == "の"]
        if not owner:
            break
        noun = owner[-1]
    return noun


_SHORTEST = 2  # characters of a noun whose last one says what it is: 受付所, 学校


def vote_kind(
    cast: Cast, member: Member, tokens: Sequence[Token], suffix: Token | None
) -> None:
    """Evidence from a phrase itself, when it is first read, and its usual gender."""
    span, last = cast.parsed.over(tokens), tokens[-1]
    if suffix is not None:
        member.vote("person", 3.0, f"suffix {suffix.text}", span)
    for kind, weight, reason in _tagged(tokens):
        member.vote(kind, weight, reason, span)
    for group in ("person", "organisation", "place", "work"):
        if last.text in words(group) or _ends(member.name, words(group)):
            member.vote(group, 0.8, f"ends in a word for a {group}", span)
    common = all(token.pos_ != "PROPN" for token in tokens)
    if common and member.form == "nominal" and names_event(member.name, tokens):
        member.vote("abstract", 1.0, "made like a kind of event", span)
    if _ends_as_place(member.name) and (len(tokens) > 1 or len(last.text) > _SHORTEST):
        member.vote("place", 0.6, f"ends in {member.name[-1]}", span)
    elif common and _built_as_place(last):
        member.vote("place", 0.6, f"ends in {last.text[-1]}", span)
    ending = next((e for e in words("person_ending") if member.name.endswith(e)), "")
    if common and ending and len(member.name) > _SHORTEST:
        member.vote("person", 0.6, f"ends in {ending}", span)
    if "地名" in tokens[0].tag_ and member.score("place") > 0:
        member.vote("place", 0.8, "named after a place", span)
    if is_role(last) and member.form == "nominal":
        member.vote("person", 0.5, "a role", span)
    if not member.votes:
        kind = "object" if member.form == "nominal" else "abstract"
        member.vote(kind, 0.2, "nothing else is known", span)
    member.gender = _gender(last)


def _tagged(tokens: Sequence[Token]) -> Iterator[tuple[str, float, str]]:
    """What the parser, or a list of usual first names, says of a phrase."""
    last = tokens[-1]
    for kind, labels in groups("ja/labels.tsv").items():
        if last.ent_type_ in labels:
            yield kind, 1.0, f"parser label {last.ent_type_}"
    if "人名" in last.tag_:
        yield "person", 1.0, "tagged as a personal name"
    if "地名" in last.tag_:
        yield "place", 1.5, "tagged as a place name"
    if is_latin(tokens[0]) and first_name_gender(tokens[0].text):
        yield "person", 1.0, "begins with a usual first name"


def vote_use(cast: Cast, member: Member, run: Sequence[Token]) -> None:
    """Evidence from the particle after a name: で and へ are for places."""
    head, span = run[-1], cast.parsed.over(run)
    if particle(head).startswith(("で", "へ")):
        member.vote("place", 1.0, "で or へ puts something there", span)
    if particle(head).startswith("に") and does(verb_of(head), "reaching_verb"):
        member.vote("place", 1.0, "somebody comes there", span)
    if particle(head).startswith(("に", "と")) and does(verb_of(head), "meeting_verb"):
        member.vote("person", 1.0, "somebody meets or is spoken to", span)
    lies = particle(head) == "の" and head.head.text in words("lies_in")
    if lies and head.pos_ == "PROPN":
        member.vote("place", 1.2, f"a {head.head.text} lies there", span)
    if is_subject(head) and _speaks(head.head):
        member.vote("person", 1.0, "speaks, feels or perceives", span)


def vote_institution(cast: Cast, member: Member, head: Token) -> None:
    """Whether a school or an office is where something happens, or who does it."""
    staffed = particle(head) == "の" and head.head.text in words("suffix_role")
    unknown = member.score("place") <= 0 and member.score("person") <= 0
    if staffed and (unknown or member.score("organisation") > 0):
        span = cast.parsed.over([head, head.head])
        member.vote("organisation", 1.2, f"has a {head.head.text}", span)
    built = head.text in words("named_place") or member.score("place") > 0
    if not built or member.score("organisation") <= 0:
        return
    kind = "organisation" if is_subject(head) else ""
    if _is_site(head):
        kind = "place"
    if kind:
        reason = "something happens there" if kind == "place" else "does something"
        member.vote(kind, 0.6, reason, cast.parsed.over([head]))


def _is_site(head: Token) -> bool:
    """Whether something happens there, somebody comes there, or it has a front."""
    follows = particle(head)
    if follows.startswith("の"):
        return head.head.text in words("side")
    comes = follows.startswith("に") and does(verb_of(head), "reaching_verb")
    return comes or follows.startswith(("で", "へ"))


def _speaks(verb: Token) -> bool:
    return does(verb, "speech_verb") or does(verb, "inner_verb")


def is_role(token: Token) -> bool:
    """Whether a common noun says what somebody is: 記者, 容疑者."""
    return token.text in words("person") or token.ent_type_ == "Position_Vocation"


def _ends_as_place(name: str) -> bool:
    return name[-1:] in words("place_ending")


def _built_as_place(noun: Token) -> bool:
    """Whether a noun of two characters ends in one for a place, and is no act: 隣村."""
    built = len(noun.text) == _SHORTEST and noun.text[-1] in words("place_short_ending")
    named = "人名" in noun.tag_ or noun.text[0] in "同当本"  # 同館: that one again
    return built and not named and "サ変" not in noun.tag_


def _gender(last: Token) -> str | None:
    """What a noun or the ending of a given name says: 姉, 恵子; 兄, 太郎."""
    for gender, group in (("f", "female"), ("m", "male")):
        if last.text in words(group):
            return gender
        if (
            given(last)
            and len(last.text) > 1
            and last.text[-1] in words(f"{group}_ending")
        ):
            return gender
    return None


def _ends(name: str, group: frozenset[str]) -> bool:
    return any(len(word) > 1 and name.endswith(word) for word in sorted(group))
