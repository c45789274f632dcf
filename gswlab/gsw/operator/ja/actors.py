"""Japanese actors: GiNZA's fine labels, name suffixes and a general word list."""

from __future__ import annotations

from collections.abc import Sequence

from spacy.tokens import Token

from gswlab.core.nouns import MentionForm
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator import coreference as coref
from gswlab.gsw.operator.clauses import Clause
from gswlab.gsw.operator.coreference import Apart
from gswlab.gsw.operator.ja.clauses import is_latin, particle, vocabulary
from gswlab.gsw.operator.ja.episode import opens_day
from gswlab.gsw.operator.ja.noun_phrases import (
    noun_runs,
    vote_institution,
    vote_phrase,
    vote_use,
)
from gswlab.gsw.operator.ja.roles import SENSEI, described_by, master, named_after
from gswlab.gsw.operator.mentions import Cast, Member
from gswlab.gsw.operator.parse import Parsed


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


class _Reading:
    """Phrases of a chunk to members, those met before and those of the chapter."""

    def __init__(self, cast: Cast, workspace: Workspace) -> None:
        self.cast, self.workspace = cast, workspace
        self.members: dict[str, Member] = {}
        met = workspace.in_chapter("actor", cast.parsed.chunk.chapter)
        self.places = tuple(actor.name for actor in met if actor.kind == "place")

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
        member = owner or self.members.get(text) or self._full(text, form)
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
        """Whom a role noun describes: the name after it, or the subject before it."""
        if (subject := described_by(head)) is not None:
            found = self.cast.headed(subject)
            return found if found is not None and found.kind == "person" else None
        if not (run := named_after(head)):
            return None
        text = self.cast.parsed.text(run)
        met = self.members.get(text) or self._full(text, "name")
        return met or self._new(text, "name", run, None)

    def _full(self, text: str, form: MentionForm) -> Member | None:
        """The one full name a family or given name is part of: 山田 for 山田太郎."""
        if form != "name":
            return None
        longer = [
            member
            for name, member in self.members.items()
            if (name.startswith(text) or name.endswith(text))
            and member.form == "name"
            and member.kind == "person"
        ]
        return longer[0] if len(longer) == 1 else None

    def _known_as(self, run: Sequence[Token], text: str) -> tuple[str, MentionForm]:
        """The name a bare noun is short for (港 for 汐見港), else the noun itself."""
        head = run[-1]
        if text == SENSEI:
            return master(self.cast, self.workspace), "nominal"
        if any(c.dep_ == "nmod" for c in head.lefts):
            return text, "nominal"
        here = [m.name for m in self.members.values() if m.kind == "place"]
        named = (n for n in (*here, *self.places) if n.endswith(text))
        longer = [name for name in dict.fromkeys(named) if name != text]
        if len(longer) == 1:
            return longer[0], "short"
        # 翌日、警察署で: the scene has moved, and no other place is named for it.
        site = text in vocabulary("named_place") and particle(head) in ("で", "に")
        moved = site and opens_day(self.cast.parsed, head)
        return text, "name" if moved else "nominal"


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
