"""The cast of one chunk: its local actors while they are being found."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field, replace

from gswlab.core import nouns
from gswlab.core.nouns import ActorKind, MentionForm
from gswlab.gsw.operator.clauses import Clause
from gswlab.gsw.operator.parse import Parsed
from gswlab.language.pipeline import Token

_KINDS: tuple[ActorKind, ...] = (
    "person", "place", "organisation", "work", "time", "object", "abstract",
)  # fmt: skip


@dataclass
class Member:
    """One local actor; `heads` are the head tokens of its `mentions`, in order."""

    id: str
    name: str
    form: MentionForm
    heads: list[Token] = field(default_factory=list)
    mentions: list[nouns.Mention] = field(default_factory=list)
    beside: list[nouns.Mention] = field(default_factory=list)  # before a turn of talk
    roles: list[nouns.Role] = field(default_factory=list)
    states: list[nouns.State] = field(default_factory=list)
    aliases: list[str] = field(default_factory=list)
    gender: str | None = None
    plural: bool = False
    value: str | None = None
    prior: ActorKind | None = None
    votes: dict[tuple[str, str], nouns.Vote] = field(default_factory=dict)  # by reason
    scores: dict[str, float] = field(default_factory=lambda: defaultdict(float))

    @property
    def named(self) -> bool:
        """Whether the text calls it by a name."""
        return self.form in nouns.NAME_FORMS

    @property
    def kind(self) -> ActorKind:
        """The best reading of the kind votes; without any, the workspace's."""
        best = max(_KINDS, key=self.scores.__getitem__)  # the first of equals
        return best if self.scores[best] > 0 else self.prior or "abstract"

    def vote(
        self,
        candidate: str,
        weight: float,
        why: str,
        span: nouns.Span,
        of: str = "kind",
    ) -> None:
        """Evidence for a kind or sort, or against; a reason counts once a chunk."""
        if (candidate, why) not in self.votes:
            vote = nouns.Vote(of, candidate, weight, why, (span,))
            self.votes[candidate, why] = vote
            self.scores[candidate] += weight * (of == "kind")

    def actor(self, chunk: nouns.Chunk) -> nouns.Actor:
        """The member as an actor of its chunk."""
        told = sorted([*self.beside, *self.mentions], key=lambda mention: mention.span)
        said = tuple(self.aliases), tuple(self.roles), tuple(dict.fromkeys(self.states))
        seen = tuple(told), tuple(self.votes.values()), tuple[nouns.Note, ...]()
        actor = nouns.Actor(self.id, self.kind, self.name, *said, *seen, self.gender)
        return replace(actor, value=self.value, chunk=chunk.id, chapter=chunk.chapter)

    def alias(self, name: str) -> None:
        """Another way the chunk writes the name."""
        if name != self.name and name not in self.aliases:
            self.aliases.append(name)


@dataclass
class Cast:
    """The members of a chunk and the tokens that mention them."""

    parsed: Parsed
    clauses: tuple[Clause, ...] = ()
    apart: Set[frozenset[int]] = frozenset()  # pairs of heads that cannot corefer
    members: list[Member] = field(default_factory=list)
    _head: dict[int, Member] = field(default_factory=dict)
    _cover: dict[int, tuple[Member, nouns.Mention]] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Member]:
        return iter(self.members)

    def add(self, name: str, form: MentionForm) -> Member:
        """A new member without mentions yet."""
        member = Member(f"a{len(self.members) + 1}", name, form)
        self.members.append(member)
        return member

    def mention(
        self, member: Member, tokens: Sequence[Token], head: Token, form: MentionForm
    ) -> None:
        """Say that `tokens`, headed by `head`, mention `member`."""
        span, text = self.parsed.over(tokens), self.parsed.text(tokens)
        mention = nouns.Mention(span, form, self.parsed.chunk.id, text)
        member.mentions.append(mention)
        member.heads.append(head)
        self._head[head.i] = member
        self._cover |= {token.i: (member, mention) for token in tokens}
        # A head may stand outside its own words, where the parse is odd.
        self._cover.setdefault(head.i, (member, mention))

    def party(self, name: str, beside: nouns.Span | None = None) -> Member:
        """Who takes part in a talk by this name; `beside` names them outside a turn."""
        named = (m for m in self if m.form == "name" and name in (m.name, *m.aliases))
        member = next(named, None) or self.add(name, "name")
        if beside is not None:
            told = nouns.Mention(beside, "name", self.parsed.chunk.id, name)
            member.beside += [told] * (told not in member.beside)
            member.vote("person", 3.0, "speaks", beside)
        return member

    def give_role(self, member: Member, text: str, tokens: Iterable[Token]) -> None:
        """A role of a member, once."""
        if text not in {role.text for role in member.roles}:
            spans = (self.parsed.over(tokens),)
            member.roles.append(nouns.Role(text, spans, self.parsed.chunk.id))

    def give_state(self, member: Member, text: str, tokens: Iterable[Token]) -> None:
        """A state of a member in the role it has last, once."""
        if text not in {state.text for state in member.states}:
            role = member.roles[-1].text if member.roles else None
            spans = (self.parsed.over(tokens),)
            member.states.append(nouns.State(text, spans, self.parsed.chunk.id, role))

    def at(self, token: Token) -> Member | None:
        """Whom a token speaks of, as the head of a mention or inside one."""
        covered, _ = self._cover.get(token.i, (None, None))
        return self._head.get(token.i) or covered

    def headed(self, token: Token) -> Member | None:
        """Whom a token speaks of, only as the head of a mention."""
        return self._head.get(token.i)

    def spot(self, token: Token) -> nouns.Mention:
        """The mention a token belongs to; the token must be one of `at`."""
        return self._cover[token.i][1]

    def all(self, tokens: Iterable[Token]) -> list[Member]:
        """The members that `tokens` speak of, in order, each once."""
        return list({m.id: m for t in tokens if (m := self.at(t))}.values())

    def actors(self) -> tuple[nouns.Actor, ...]:
        """The members as actors, in the order of their ids."""
        return tuple(member.actor(self.parsed.chunk) for member in self)
