"""Japanese actors: GiNZA's fine labels, name suffixes and a general word list."""

from __future__ import annotations

from collections.abc import Sequence

from gswlab.core.nouns import MentionForm
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator import coreference as coref
from gswlab.gsw.operator.clauses import Clause
from gswlab.gsw.operator.coreference import Apart
from gswlab.gsw.operator.ja.clauses import is_denied, is_latin, particle, vocabulary
from gswlab.gsw.operator.ja.episode import opens_day
from gswlab.gsw.operator.ja.noun_phrases import (
    is_role,
    is_said,
    noun_runs,
    subject_of,
    vote_institution,
    vote_phrase,
    vote_use,
)
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.gsw.operator.parse import Parsed
from gswlab.language.pipeline import Token


def japanese_cast(
    parsed: Parsed, clauses: Sequence[Clause], apart: Apart, workspace: Workspace
) -> Cast:
    """Dates, names, common nouns and pronouns of a Japanese chunk."""
    cast = Cast(parsed)
    for date in parsed.dates:
        if tokens := parsed.within(date.start, date.end):
            member = cast.add(date.text, "date")
            member.value = date.value
            member.vote("time", 3.0, "a date or time expression", parsed.over(tokens))
            cast.mention(member, tokens, tokens[-1], "date")
    for quote in parsed.quotes:
        inside = parsed.within(quote.start + 1, quote.end - 1)
        if quote.title and inside:
            member = cast.add(parsed.text(inside), "name")
            member.vote("work", 2.0, "a title in 『』", parsed.over(inside))
            cast.mention(member, inside, inside[-1], "name")
    reading = _Reading(cast, workspace)
    for run in noun_runs(cast):
        reading.add(run)
    coref.add_pronouns(cast, clauses, apart)
    return cast


SENSEI = "先生"


class _Reading:
    """Phrases of a chunk to members, those met before and those of the chapter."""

    def __init__(self, cast: Cast, workspace: Workspace) -> None:
        self.cast, self.members = cast, dict[str, Member]()
        self.met = workspace.in_chapter("actor", cast.parsed.chunk.chapter)

    def add(self, run: Sequence[Token]) -> None:
        """One noun phrase: whom it mentions, and what that says of them."""
        cast, head = self.cast, run[-1]
        titled = head.text in vocabulary("suffix") and len(run) > 1
        named = list(run[:-1] if titled else run)
        proper = titled or is_name_run(named)
        text = cast.parsed.text(named)
        form: MentionForm = "name" if proper else "nominal"
        owner = None if proper else self._described(head)
        if not proper and owner is None:
            text, form = self._known_as(named, text)
        full = self._full(text) if form == "name" else None
        member = owner or self.members.get(text) or full
        if form == "name" and member is not None and member.name != text:
            form = "short"
        if member is None:
            member = self._new(text, form, named, head if titled else None)
        if proper and not titled:
            vote_use(cast, member, run)
        vote_institution(cast, member, head)
        cast.mention(member, run, head, form)
        if titled:
            member.alias(cast.parsed.text(run))
        role = head.text in vocabulary("suffix_role") if titled else form == "nominal"
        if role and member.kind == "person" and text != SENSEI:
            said = [head] if titled else run
            cast.give_role(member, cast.parsed.text(said), said)

    def _new(
        self, text: str, form: MentionForm, named: Sequence[Token], title: Token | None
    ) -> Member:
        member = self.members[text] = self.cast.add(text, form)
        vote_phrase(self.cast, member, named, title)
        return member

    def _described(self, head: Token) -> Member | None:
        """Whom a role noun describes: 太郎は記者である, 容疑者の佐藤健."""
        said = is_said(head) and is_role(head) and not is_denied(head)
        if subject := subject_of(head) if said else None:
            found = self.cast.headed(subject)
            return found if found and found.kind == "person" else None
        name, titled = head.head, head.head.text in vocabulary("suffix")
        role = head.dep_ == "nmod" and particle(head) == "の" and is_role(head)
        person = titled or "人名" in name.tag_ or name.ent_type_ == "Person"
        if not (role and person):
            return None
        parts = [c for c in name.lefts if c.dep_ == "compound"]
        run = parts if titled and parts else [*parts, name]
        text = self.cast.parsed.text(run)
        met = self.members.get(text) or self._full(text)
        return met or self._new(text, "name", run, None)

    def _full(self, text: str) -> Member | None:
        """The one full name a family or given name is part of: 山田 for 山田太郎."""
        people = (
            m for m in self.members.values() if m.form == "name" and m.kind == "person"
        )
        longer = [m for m in people if m.name.startswith(text) or m.name.endswith(text)]
        return longer[0] if len(longer) == 1 else None

    def _known_as(self, run: Sequence[Token], text: str) -> tuple[str, MentionForm]:
        """The name a bare noun is short for (港 for 汐見港), else the noun itself."""
        head = run[-1]
        if text == SENSEI:
            return self._teacher(), "nominal"
        if any(c.dep_ == "nmod" for c in head.lefts):
            return text, "nominal"
        places = (m for m in (*self.members.values(), *self.met) if m.kind == "place")
        named = dict.fromkeys(m.name for m in places if m.name.endswith(text))
        longer = [name for name in named if name != text]
        if len(longer) == 1:
            return longer[0], "short"
        # 翌日、警察署で: the scene has moved, and no other place is named for it.
        site = text in vocabulary("named_place") and particle(head) in ("で", "に")
        return text, "name" if site and opens_day(self.cast.parsed, head) else "nominal"

    def _teacher(self) -> str:
        """What 先生 alone is: the role of the one teacher or doctor already met."""
        met = [m.roles for m in self.cast if m.form != "nominal"]
        met += [actor.roles for actor in self.met]
        known = {role.text for roles in met for role in roles}
        fits = known & vocabulary("called_sensei")
        return fits.pop() if SENSEI not in known and len(fits) == 1 else SENSEI


def is_name_run(run: Sequence[Token]) -> bool:
    """Whether a word of a phrase is a name's, or it names a place: 岬灯台."""
    named = any(
        (token.ent_type_ == "Person" and token.text not in vocabulary("person"))
        or "固有名詞" in token.tag_
        or is_latin(token)
        for token in run
    )
    place = len(run) > 1 and run[-1].text in vocabulary("named_place")
    return named or (place and not particle(run[0]))
