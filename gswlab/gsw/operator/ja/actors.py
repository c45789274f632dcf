"""Japanese actors: GiNZA's fine labels, name suffixes and a general word list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gswlab.core.nouns import MentionForm
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator import coreference as coref
from gswlab.gsw.operator.actors import add_dates
from gswlab.gsw.operator.ja import clauses as ja
from gswlab.gsw.operator.ja.episode import names_event, opens_day
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.language.language import of
from gswlab.language.pipeline import Token

_FAMILY, _GIVEN = "人名-姓", "人名-名"
_ARGUMENTS = frozenset({"nsubj", "obj", "obl", "iobj", "nmod", "ROOT", "dislocated"})
_SHORTEST = 2  # characters of a noun whose last one says what it is: 受付所, 学校


def find_actors(cast: Cast, workspace: Workspace) -> None:
    """Add the dates, names, common nouns and pronouns of a Japanese chunk."""
    add_dates(cast)
    parsed = cast.parsed
    for quote in parsed.quotes:
        inside = parsed.within(quote.start + 1, quote.end - 1)
        if quote.title and inside:
            member = cast.add(parsed.text(inside), "name")
            member.vote("work", 2.0, "a title in 『』", parsed.over(inside))
            cast.mention(member, inside, inside[-1], "name")
    reading = _Reading(cast, workspace)
    for run in noun_runs(cast):
        reading.add(run)
    coref.add_pronouns(cast)


class _Reading:
    """Phrases of a chunk to members, those met before and those of the chapter."""

    def __init__(self, cast: Cast, workspace: Workspace) -> None:
        self.cast, self.members = cast, dict[str, Member]()
        self.met = workspace.in_chapter("actor", cast.parsed.chunk.chapter)

    def add(self, run: Sequence[Token]) -> None:
        """One noun phrase: whom it mentions, and what that says of them."""
        cast, head = self.cast, run[-1]
        titled = head.text in ja.group("suffix") and len(run) > 1
        named = list(run[:-1] if titled else run)
        proper = titled or is_name_run(named)
        text = cast.parsed.text(named)
        form: MentionForm = "name" if proper else "nominal"
        owner = None if proper else self._described(head)
        if not proper and owner is None:
            text, form = self._known_as(named, text)
        member = owner or self._known(text, form, named, head if titled else None)
        if form == "name" and member.name != text:
            form = "short"
        vote_use(cast, member, run, proper and not titled)
        cast.mention(member, run, head, form)
        if titled:
            member.alias(cast.parsed.text(run))
        role = head.text in ja.group("suffix_role") if titled else form == "nominal"
        if role and member.kind == "person":
            said = [head] if titled else run
            cast.give_role(member, cast.parsed.text(said), said)

    def _described(self, head: Token) -> Member | None:
        """Whom a role noun describes: 太郎は記者である, 容疑者の佐藤健."""
        said = ja.is_said(head) and is_role(head) and not ja.is_denied(head)
        if subject := ja.subject_of(head) if said else None:
            found = self.cast.headed(subject)
            return found if found and found.kind == "person" else None
        name, titled = head.head, head.head.text in ja.group("suffix")
        role = head.dep_ == "nmod" and ja.particle(head) == "の" and is_role(head)
        person = titled or "人名" in name.tag_ or name.ent_type_ == "Person"
        if not (role and person):
            return None
        parts = [c for c in name.lefts if c.dep_ == "compound"]
        run = parts if titled and parts else [*parts, name]
        return self._known(self.cast.parsed.text(run), "name", run, None)

    def _known(
        self, text: str, form: MentionForm, named: Sequence[Token], title: Token | None
    ) -> Member:
        """Who is so called: 山田 is the one 山田太郎; whoever is nobody's is new."""
        called = (m for m in self.members.values() if m.form == form == "name")
        people = (m for m in called if m.kind == "person")
        longer = [m for m in people if m.name.startswith(text) or m.name.endswith(text)]
        member = self.members.get(text) or (longer[0] if len(longer) == 1 else None)
        if member is None:
            member = self.members[text] = self.cast.add(text, form)
            vote_phrase(self.cast, member, named, title)
        return member

    def _known_as(self, run: Sequence[Token], text: str) -> tuple[str, MentionForm]:
        """The name a bare noun is short for (港 for 汐見港), else the noun itself."""
        head = run[-1]
        if any(c.dep_ == "nmod" for c in head.lefts):
            return text, "nominal"
        places = (m for m in (*self.members.values(), *self.met) if m.kind == "place")
        named = dict.fromkeys(m.name for m in places if m.name.endswith(text))
        longer = [name for name in named if name != text]
        if len(longer) == 1:
            return longer[0], "short"
        # 翌日、警察署で: the scene has moved, and no other place is named for it.
        site = text in ja.group("named_place") and ja.particle(head) in ("で", "に")
        return text, "name" if site and opens_day(self.cast.parsed, head) else "nominal"


def is_name_run(run: Sequence[Token]) -> bool:
    """Whether a word of a phrase is a name's, or it names a place: 岬灯台."""
    named = any(
        (token.ent_type_ == "Person" and token.text not in ja.group("person"))
        or "固有名詞" in token.tag_
        or ja.is_latin(token)
        for token in run
    )
    place = len(run) > 1 and run[-1].text in ja.group("named_place")
    return named or (place and not ja.particle(run[0]))


def noun_runs(cast: Cast) -> Iterator[list[Token]]:
    """The noun phrases of a chunk that nothing mentions yet, head last."""
    doc = cast.parsed.doc
    # Nouns that say who or where: no mere quality.
    naming = frozenset().union(*map(ja.group, ("person", "place", "named_place")))
    for token in doc:
        called = "人名" in token.tag_ and token.dep_ != "compound"  # 「佐藤です」
        said = ja.is_said(token)
        argument = called or said or token.dep_ in _ARGUMENTS
        noun = token.pos_ in ("NOUN", "PROPN") and argument and not ja.is_part(token)
        noun = noun and token.text not in ja.group("formal_noun")
        if not noun and (token.dep_ == "compound" or not ja.is_latin(token)):
            continue
        if cast.at(token) is not None or token.ent_type_ in ("Date", "Time"):
            continue
        # 船員ではない: nobody is a sailor; 留守だ, 働き者だ: a state
        named = "固有名詞" in token.tag_ or token.ent_type_ or token.text in naming
        plain = token.pos_ == "NOUN" and not named and ja.subject_of(token) is not None
        if said and (plain or ja.is_denied(token)):
            continue
        after = doc[token.i + 1].tag_ if token.i + 1 < len(doc) else ""
        if token.tag_.endswith(_FAMILY) and after.endswith(_GIVEN):
            continue  # read with the given name, however the parser ties them
        lefts = (c for c in token.lefts if not c.is_space)
        parts = [c for c in lefts if c.dep_ in ("compound", "nummod")]
        before = doc[token.i - 1] if token.i else token
        if token.tag_.endswith(_GIVEN) and before.tag_.endswith(_FAMILY) and not parts:
            parts = [before]
        yield [*parts, token]


def vote_phrase(
    cast: Cast, member: Member, tokens: Sequence[Token], suffix: Token | None
) -> None:
    """Evidence from a phrase itself, when it is first read, and its usual gender."""
    span, last = cast.parsed.over(tokens), tokens[-1]
    name, nominal = member.name, member.form == "nominal"

    def vote(holds: object, kind: str, weight: float, reason: str) -> None:
        if holds:
            member.vote(kind, weight, reason, span)

    vote(suffix is not None, "person", 3.0, f"suffix {suffix}")
    for kind, labels in of("ja").groups("labels").items():
        vote(last.ent_type_ in labels, kind, 1.0, f"parser label {last.ent_type_}")
    vote("人名" in last.tag_, "person", 1.0, "tagged as a personal name")
    vote("地名" in last.tag_, "place", 1.5, "tagged as a place name")
    for group in ("person", "organisation", "place", "work"):
        listed = ja.group(group)
        ends = name.endswith(tuple(word for word in listed if len(word) > 1))
        vote(ends or last.text in listed, group, 0.8, f"ends in a word for a {group}")
    common = all(token.pos_ != "PROPN" for token in tokens)
    event = common and nominal and names_event(name, tokens)
    vote(event, "abstract", 1.0, "made like a kind of event")
    long = len(tokens) > 1 or len(last.text) > _SHORTEST
    built = name[-1:] in ja.group("place_ending") and long
    vote(built, "place", 0.6, f"ends in {name[-1:]}")
    endings = (e for e in ja.group("person_ending") if name.endswith(e))
    ending = next(endings, "") if common and len(name) > _SHORTEST else ""
    vote(ending, "person", 0.6, f"ends in {ending}")
    vote(is_role(last) and nominal, "person", 0.5, "a role")
    other = "object" if nominal else "abstract"
    vote(not member.votes, other, 0.2, "nothing else is known")
    # 姉, 恵子; 兄, 太郎
    given = last.tag_.endswith(_GIVEN) and len(last.text) > 1
    for gender, group in (("m", "male"), ("f", "female")):
        ended = given and last.text[-1] in ja.group(f"{group}_ending")
        if ended or last.text in ja.group(group):
            member.gender = gender


def vote_use(cast: Cast, member: Member, run: Sequence[Token], named: bool) -> None:
    """Evidence from what a phrase does in its clause: で and へ are for places."""
    head, above = run[-1], run[-1].head
    marks, verb, subject = ja.particle(head), ja.clause_head(head), ja.is_subject(head)
    comes = marks.startswith("に") and ja.does(verb, "reaching_verb")
    at = comes or marks.startswith(("で", "へ"))
    meets = marks.startswith(("に", "と")) and ja.does(verb, "meeting_verb")
    lies = above.text in ja.group("lies_in") and head.pos_ == "PROPN"
    speaks = ja.does(above, "speech_verb") or ja.does(above, "inner_verb")
    staffed = marks == "の" and above.text in ja.group("suffix_role")
    place, people = member.scores["place"] > 0, member.scores["organisation"] > 0
    unknown = not place and member.scores["person"] <= 0
    front = marks.startswith("の") and above.text in ja.group("side")
    # a school or an office is where something happens, or who does it
    office = people and (place or head.text in ja.group("named_place"))
    rows = (
        (named and at, "place", 1.0, "something happens there"),
        (named and meets, "person", 1.0, "somebody meets or is spoken to"),
        (named and lies and marks == "の", "place", 1.2, f"a {above.text} lies there"),
        (named and speaks and subject, "person", 1.0, "speaks, feels or perceives"),
        (staffed and (unknown or people), "organisation", 1.2, f"has a {above.text}"),
        (office and (at or front), "place", 0.6, "it is a building"),
        (office and subject, "organisation", 0.6, "does something"),
    )
    for holds, kind, weight, reason in rows:
        if holds:
            member.vote(kind, weight, reason, cast.parsed.over(run))


def is_role(token: Token) -> bool:
    """Whether a common noun says what somebody is: 記者, 容疑者."""
    return token.text in ja.group("person") or token.ent_type_ == "Position_Vocation"
