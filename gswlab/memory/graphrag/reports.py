"""Reports of communities without a model: the sentences its context is made of.

The context of a community is built as for a model: relations inside it by the combined
degree of their ends, each after the rows of its ends, deepest level first; where a
parent's rows overflow, sub-communities are replaced by their reports, the largest
first. A model would rewrite the context; here the report is its sentences, cut short.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gswlab.core.budget import count_tokens
from gswlab.memory.graphrag.communities import Community
from gswlab.memory.knowledge import Tie, Told
from gswlab.memory.lookup import Lookup

_TITLE = 3  # names that a title holds


@dataclass(frozen=True)
class Report:
    """A community told by sentences; `rating` is its share of the chunks, 0 to 10;
    `short` findings make its summary."""

    community: int
    level: int
    title: str
    findings: tuple[Told, ...]
    rating: float
    short: int = 2

    @property
    def summary(self) -> str:
        """Title and first findings: what is handed over where the whole is too long."""
        return self.text_of(self.findings[: self.short])

    @property
    def text(self) -> str:
        """The title and all findings, one a line."""
        return self.text_of(self.findings)

    def text_of(self, findings: Sequence[Told]) -> str:
        """The title and some of the findings, as text."""
        return "\n".join([self.title, *(told.text for told in findings)])


@dataclass(frozen=True)
class Reporter:
    """Writes reports bottom-up: `read` tokens of context in, `written` tokens out."""

    look: Lookup
    communities: Sequence[Community]
    read: int
    written: int

    def reports(self) -> dict[int, Report]:
        """A report a community, by its number."""
        inside = self._inside()
        chunks = [self._chunks(each) for each in self.communities]
        most = max(map(len, chunks), default=1) or 1
        found: dict[int, Report] = {}
        for each in sorted(self.communities, key=lambda c: (-c.level, c.number)):
            ties = inside[each.number]
            told = within(self._context(each, ties, inside, found), self.written)
            rating = 10 * len(chunks[each.number]) / most
            title = self._title(each)
            found[each.number] = Report(each.number, each.level, title, told, rating)
        return dict(sorted(found.items()))

    def _inside(self) -> list[list[Tie]]:
        """The relations of each community whose two ends lie in it, best first."""
        homes: dict[str, list[int]] = {}
        for each in self.communities:
            for member in each.members:
                homes.setdefault(member, []).append(each.number)
        inside: list[list[Tie]] = [[] for _ in self.communities]
        for tie in sorted(self.look.ties, key=lambda t: (-self.look.rank(t), t.ends)):
            other = set(homes.get(tie.target, ()))
            for number in homes.get(tie.source, ()):
                if number in other:
                    inside[number].append(tie)
        return inside

    def _context(
        self,
        community: Community,
        ties: Sequence[Tie],
        inside: Sequence[Sequence[Tie]],
        known: Mapping[int, Report],
    ) -> tuple[Told, ...]:
        """The rows of a community as sentences; reports take the place of the most."""
        own = self._rows(ties)
        replaced: set[tuple[str, str]] = set()
        reported: list[Told] = []
        sizes = {c: _tokens(self._rows(inside[c])) for c in community.children}
        for child in sorted(sizes, key=lambda c: (-sizes[c], c)):
            if _tokens([*reported, *own]) <= self.read:
                break
            replaced |= {tie.ends for tie in inside[child]}
            reported += known[child].findings
            own = self._rows([tie for tie in ties if tie.ends not in replaced])
        return within(dict.fromkeys([*reported, *own]), self.read)

    def _rows(self, ties: Sequence[Tie]) -> list[Told]:
        """The sentences of relations, each after those that first name its ends."""
        rows: dict[Told, None] = {}
        for tie in ties:
            for end in tie.ends:
                rows |= dict.fromkeys(self.look.nodes[end].told[:1])
            rows |= dict.fromkeys(tie.told)
        return list(rows)

    def _title(self, community: Community) -> str:
        degree = {key: len(self.look.around.get(key, ())) for key in community.members}
        best = sorted(community.members, key=lambda key: (-degree[key], key))
        return ", ".join(self.look.nodes[key].name for key in best[:_TITLE])

    def _chunks(self, community: Community) -> set[str]:
        nodes = (self.look.nodes[key] for key in community.members)
        return {chunk for node in nodes for chunk in node.chunks}


def within(told: Iterable[Told], budget: int) -> tuple[Told, ...]:
    """Sentences from the front, as many as `budget` tokens hold, each with a line."""
    kept: list[Told] = []
    for each in told:
        budget -= _tokens([each])
        if budget < 0:
            break
        kept.append(each)
    return tuple(kept)


def _tokens(told: Iterable[Told]) -> int:
    return sum(count_tokens(each.text) + 1 for each in told)
