"""GraphRAG: a graph cut into communities, each with a report.

Edge et al. 2024 ("From Local to Global"); the constants are those of its repository,
its token budgets as shares of what a question may use. With `extractor=llm` a model
extracts (no gleaning), writes the reports, and says and scores the points of global
search. What stands for it else: rules, sentences for reports and points, and the
question's cosine for their scores; for descriptions sentences, in any case.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import igraph
import leidenalg

from gswlab.baselines.by_model import PointsReply, ReportReply
from gswlab.baselines.knowledge_graph import (
    EntityNode,
    EntityTie,
    Knowledge,
    Later,
    Lookup,
    Merging,
    PlainSentence,
    as_text,
)
from gswlab.baselines.passages import Ranking
from gswlab.core.budget import count_tokens, cut, retrieved, tokens_of
from gswlab.core.nouns import JSON, Evidence, Item, TraceEvent
from gswlab.core.step import Step
from gswlab.models.vectors.embedder import query_vector
from gswlab.models.vectors.nearest import best

# Communities by hierarchical Leiden (Traag et al. 2019), by leidenalg on igraph.


@dataclass
class Community:
    """Entities that belong together, by key; `number` counts all communities."""

    number: int
    level: int
    members: tuple[str, ...]
    parent: int | None = None
    children: list[int] = field(default_factory=list)


def communities(
    weights: Mapping[tuple[str, str], float],
    cap: int = 10,
    largest: bool = False,
    seed: int = 0xDEADBEEF,
) -> list[Community]:
    """All communities, parents before children; nodes and edges in sorted order.

    Args:
        weights: of undirected edges, each given once.
        cap: members from which on a community is split again.
        largest: leave out what is not tied to the largest connected component.
        seed: of the partition's random order.
    """
    names = sorted({end for ends in weights for end in ends})
    rows = {name: row for row, name in enumerate(names)}
    edges = sorted((rows[a], rows[b], weight) for (a, b), weight in weights.items())
    whole = igraph.Graph(len(names), [(a, b) for a, b, _ in edges])
    whole.vs["name"] = names
    whole.es["weight"] = [weight for _, _, weight in edges]
    if largest and whole.vcount():
        whole = whole.connected_components().giant()
    found: list[Community] = []
    waiting: list[tuple[igraph.Graph, Community | None]] = [(whole, None)]
    while waiting:
        graph, parent = waiting.pop(0)
        if not graph.vcount():
            continue
        # Leiden's partition by modularity, resolution 1, until nothing improves
        modularity = leidenalg.ModularityVertexPartition
        lots = leidenalg.find_partition(
            graph, modularity, weights="weight", n_iterations=-1, seed=seed
        )
        parts = [list(part) for part in lots if part]
        if parent and len(parts) < 2:
            continue
        for part in parts:
            members = tuple(sorted(graph.vs[row]["name"] for row in part))
            child = Community(len(found), 0, members)
            if parent:
                child.level, child.parent = parent.level + 1, parent.number
                parent.children.append(child.number)
            found.append(child)
            if len(part) > cap:
                waiting.append((graph.induced_subgraph(part), child))
    return found


# Reports of communities without a model: the sentences its context is made of.

_TITLE = 3  # names that a title holds


@dataclass(frozen=True)
class CommunityReport:
    """A community told by sentences; `rating` is its share of the chunks, 0 to 10;
    `short` findings make its summary. `said` is what a model wrote off them: a line of
    the whole, then of what it found."""

    community: int
    level: int
    title: str
    findings: tuple[PlainSentence, ...]
    rating: float
    short: int = 2
    said: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """What it says, a line each: a model's words, else the sentences."""
        return self.said or tuple(told.text for told in self.findings)

    @property
    def summary(self) -> str:
        """Title and first lines: what is handed over where the whole is too long."""
        return "\n".join([self.title, *self.lines[: self.short]])

    @property
    def text(self) -> str:
        """The title and all lines."""
        return "\n".join([self.title, *self.lines])


@dataclass(frozen=True)
class Reporter:
    """Writes reports bottom-up: `read` tokens of context in, `written` tokens out."""

    look: Lookup
    communities: Sequence[Community]
    read: int
    written: int

    def reports(self) -> dict[int, CommunityReport]:
        """A report a community, by its number."""
        inside = self._inside()
        chunks = [
            {chunk for key in each.members for chunk in self.look.nodes[key].chunks}
            for each in self.communities
        ]
        most = max(map(len, chunks), default=1) or 1
        found: dict[int, CommunityReport] = {}
        for each in sorted(self.communities, key=lambda c: (-c.level, c.number)):
            ties = inside[each.number]
            told = within(self._context(each, ties, inside, found), self.written)
            rating = 10 * len(chunks[each.number]) / most
            degree = {key: len(self.look.around.get(key, ())) for key in each.members}
            first = sorted(each.members, key=lambda key: (-degree[key], key))[:_TITLE]
            title = ", ".join(self.look.nodes[key].name for key in first)
            found[each.number] = CommunityReport(
                each.number, each.level, title, told, rating
            )
        return dict(sorted(found.items()))

    def _inside(self) -> list[list[EntityTie]]:
        """The relations of each community whose two ends lie in it, best first."""
        homes: dict[str, list[int]] = {}
        for each in self.communities:
            for member in each.members:
                homes.setdefault(member, []).append(each.number)
        inside: list[list[EntityTie]] = [[] for _ in self.communities]
        for tie in sorted(self.look.ties, key=lambda t: (-self.look.rank(t), t.ends)):
            other = set(homes.get(tie.target, ()))
            for number in homes.get(tie.source, ()):
                if number in other:
                    inside[number].append(tie)
        return inside

    def _context(
        self,
        community: Community,
        ties: Sequence[EntityTie],
        inside: Sequence[Sequence[EntityTie]],
        known: Mapping[int, CommunityReport],
    ) -> tuple[PlainSentence, ...]:
        """The rows of a community as sentences; reports take the place of the most."""
        own = self._rows(ties)
        replaced: set[tuple[str, str]] = set()
        reported: list[PlainSentence] = []
        sizes = {c: _tokens(self._rows(inside[c])) for c in community.children}
        for child in sorted(sizes, key=lambda c: (-sizes[c], c)):
            if _tokens([*reported, *own]) <= self.read:
                break
            replaced |= {tie.ends for tie in inside[child]}
            reported += known[child].findings
            own = self._rows([tie for tie in ties if tie.ends not in replaced])
        return within(dict.fromkeys([*reported, *own]), self.read)

    def _rows(self, ties: Sequence[EntityTie]) -> list[PlainSentence]:
        """The sentences of relations, each after those that first name its ends."""
        rows: dict[PlainSentence, None] = {}
        for tie in ties:
            for end in tie.ends:
                rows |= dict.fromkeys(self.look.nodes[end].told[:1])
            rows |= dict.fromkeys(tie.told)
        return list(rows)


def within(told: Iterable[PlainSentence], budget: int) -> tuple[PlainSentence, ...]:
    """Sentences from the front, as many as `budget` tokens hold, each with a line."""
    kept: list[PlainSentence] = []
    for each in told:
        budget -= _tokens([each])
        if budget < 0:
            break
        kept.append(each)
    return tuple(kept)


def _tokens(told: Iterable[PlainSentence]) -> int:
    return sum(count_tokens(each.text) + 1 for each in told)


_NAMED = 30  # entities that a chunk may have
READ = 8000  # tokens of a report's context
TEXTS, REPORTS, TABLES = 0.5, 0.15, 0.35  # shares of the budget of local search


@dataclass
class GraphRAG(Merging):
    """Local search for questions about named things, global for those about it all.

    Local evidence is chunks, reports, then entities with their relations: chunks come
    first, so that it is ranked by what is read. Global evidence is points, best first.

    Args:
        search: local or global.
        top: how many entities a question finds; outside relations are at most as many
            for each of them.
        cap: members from which on a community is split again.
        largest: leave what is outside the largest connected component without a
            community (the repository's default; a small corpus then has hardly any).
        seed: of Leiden.
        level: of the reports that global search asks, and the leaves above it.
        written: tokens of a report.
        asked: how many reports are asked for points.
    """

    search: Literal["local", "global"] = "local"
    top: int = 10
    cap: int = 10
    largest: bool = False
    seed: int = 0xDEADBEEF
    level: int = 2
    written: int = 2000
    asked: int = 20
    knowledge: Knowledge = field(
        default_factory=lambda: Knowledge(phrases=False), init=False, repr=False
    )
    communities: list[Community] = field(default_factory=list, init=False, repr=False)
    reports: dict[int, CommunityReport] = field(
        default_factory=dict, init=False, repr=False
    )

    def later(self, chunks: int, questions: int) -> Iterator[Later]:
        """A report a community: no more than entities; points of so many reports."""
        most = chunks * _NAMED
        yield Later("community_report", ReportReply, most, READ)
        if self.search == "global":
            asks = questions * self.asked
            yield Later("community_points", PointsReply, asks, self.written)

    def index(self, texts: Sequence[str]) -> None:
        """Partition the graph and write the reports."""
        embedder = self.vectors()
        self._lookup = Lookup.of(self.knowledge, self.chunks, embedder, as_text)
        weights = {tie.ends: float(tie.weight) for tie in self._lookup.ties}
        self.communities = communities(weights, self.cap, self.largest, self.seed)
        reporter = Reporter(self._lookup, self.communities, READ, self.written)
        self.reports = self._written(reporter.reports())

    def _written(
        self, reports: Mapping[int, CommunityReport]
    ) -> dict[int, CommunityReport]:
        """Reports in the words of a model, where one is asked and has any."""
        shown = (
            {"members": one.title, "sentences": "\n".join(one.lines)}
            for one in reports.values()
        )
        found = dict(reports)
        replies = self.hear("community_report", ReportReply, *shown)
        for number, said in zip(reports, replies, strict=True):
            if said:
                lines = tuple(filter(None, (said.summary, *said.findings)))
                new = replace(reports[number], title=said.title, said=lines)
                found[number] = new
        return found

    def finish(self) -> Step:
        """Make what was read a graph with its reports; each is an event of the step."""
        step = super().finish()
        events = list(step.events)
        for report in self.reports.values() if step.events else ():
            spans = tuple(dict.fromkeys(told.span for told in report.findings))
            where = {"community": report.community, "level": report.level}
            title = {"title": report.title}
            events.append(TraceEvent("reported", {**where, **title}, spans))
        return replace(step, events=tuple(events))

    def rank(self, question: str) -> Ranking:
        """Chunks of the nearest entities: by entity, then by relations they tell."""
        rows: dict[int, float] = {}
        for place, node in enumerate(self._near(question)):
            # the chunks that tell most of its relations first
            ties, at = self._look.around.get(node.key, ()), self._look.rows
            told = {c: sum(c in tie.chunks for tie in ties) for c in node.chunks}
            for chunk in sorted(told, key=lambda c: (-told[c], at[c])):
                rows.setdefault(at[chunk], 1 / (1 + place))
        return list(rows.items())

    def found(self, question: str, budget: int) -> Evidence:
        """Evidence within `budget` tokens, each kind within its share."""
        data: dict[str, JSON] = {"by": "graphrag", "search": self.search}
        if not self.chunks:
            return retrieved((), data)
        searches = {"local": self._local, "global": self._global}
        return retrieved(cut(searches[self.search](question, budget), budget), data)

    def _local(self, question: str, budget: int) -> list[Item]:
        nodes = self._near(question)
        texts = [self.item(row, score) for row, score in self.rank(question)]
        reports = self._reports(nodes, int(REPORTS * budget))
        tables: list[Item] = []
        for count in range(1, len(nodes) + 1):  # one entity more, with its relations
            more = self._table(nodes[:count])
            if tokens_of(more) > int(TABLES * budget):
                break
            tables = more
        return [*cut(texts, int(TEXTS * budget)), *reports, *tables]

    def _near(self, question: str) -> list[EntityNode]:
        query = query_vector(question, self.vectors())
        return self._look.near(query, self.top, -1.0)

    def _reports(self, nodes: Sequence[EntityNode], budget: int) -> list[Item]:
        """Reports by how many of the entities they tell of, until they fill the budget.

        One whose whole does not fit is handed over short.
        """
        keys = {node.key for node in nodes}
        shared = {c.number: len(keys & set(c.members)) for c in self.communities}
        found = [number for number, count in shared.items() if count]
        rating = {number: self.reports[number].rating for number in found}
        kept: list[Item] = []
        for number in sorted(found, key=lambda n: (-shared[n], -rating[n], n)):
            report, score = self.reports[number], float(shared[number])
            whole = self._look.item(report.text, report.findings, score)
            few = report.findings[: report.short]
            forms = whole, self._look.item(report.summary, few, score)
            fits = (form for form in forms if tokens_of([*kept, form]) <= budget)
            if (form := next(fits, None)) is None:
                break
            kept.append(form)
        return kept

    def _table(self, nodes: Sequence[EntityNode]) -> list[Item]:
        """Entities, then relations: those among them, then those that leave them."""
        keys = {node.key for node in nodes}
        ties = self._look.incident(nodes)
        among = [tie for tie in ties if set(tie.ends) <= keys]
        links = Counter(end for tie in ties for end in tie.ends if end not in keys)
        out = [tie for tie in ties if not set(tie.ends) <= keys]
        out.sort(key=lambda tie: -max(links[end] for end in tie.ends))
        chosen = [*among, *out[: self.top * len(nodes)]]
        rows = [self._look.entity(node, 1) for node in nodes]
        return rows + [self._look.relation(tie) for tie in chosen]

    def _global(self, question: str, budget: int) -> list[Item]:
        """Points of the nearest reports by score; what scores nothing is dropped."""
        embedder, query = self.vectors(), query_vector(question, self.vectors())
        # of the level, or a leaf above it
        level = [
            report
            for report in self.reports.values()
            if report.level == self.level
            or (
                report.level < self.level
                and not self.communities[report.community].children
            )
        ]
        near = embedder.embed([report.summary for report in level]) @ query
        chosen = [level[row] for row in best(near, self.asked)]
        shown = ({"report": r.text, "question": question} for r in chosen)
        heard = self.hear("community_points", PointsReply, *shown)
        if any(heard):
            return _pointed(self._look, zip(chosen, heard, strict=True))
        points = list(dict.fromkeys(told for r in chosen for told in r.findings))
        scores = embedder.embed([told.text for told in points]) @ query
        return [
            self._look.item(points[row].text, (points[row],), float(scores[row]))
            for row in best(scores, len(points))
            if scores[row] >= 0.005  # of 0 to 100: 0 is dropped
        ]


def _pointed(
    look: Lookup, heard: Iterable[tuple[CommunityReport, PointsReply | None]]
) -> list[Item]:
    """The points that a model made of reports, best first; what scores 0 is dropped."""
    items = [
        look.item(point.text, report.findings, float(point.score))
        for report, said in heard
        for point in (said.points if said else ())
        if point.score
    ]
    return sorted(items, key=lambda item: -item.score)
