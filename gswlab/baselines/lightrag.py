"""LightRAG: two kinds of key into one graph that grows and forgets.

Guo et al. 2024 (LightRAG), sections 3.1 to 3.3; the constants are those of its
repository, its token budgets as shares of what a question may use. With `extractor=llm`
a model extracts, and says the keywords of both levels. What stands for it else: rules,
and for the keywords of a question its names (low level) and its other words (high
level); for descriptions sentences, in any case. An entity's vector
is the mean of those of its name and its relations, not of a text of both: a relation is
embedded once, for itself and for both its ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from gswlab.baselines.bm25 import BM25
from gswlab.baselines.by_model import KeywordsReply
from gswlab.baselines.knowledge_graph import (
    EntityNode,
    EntityTie,
    Later,
    Lookup,
    Merging,
    as_parts,
    in_turn,
)
from gswlab.baselines.passages import Ranking
from gswlab.baselines.triples import phrase
from gswlab.core.budget import cut, retrieved, tokens_of
from gswlab.core.nouns import JSON, Evidence
from gswlab.models.vectors.embedder import query_vector
from gswlab.models.vectors.nearest import best, cosines

CHUNKS = 20  # the nearest ones of mix, and those handed over
CITED = 5  # chunks that an entity or a relation may bring in
LEAST = 0.2  # cosine that a find must have
ENTITIES, RELATIONS = 0.2, 4 / 15  # 6,000 and 8,000 of 30,000 tokens


@dataclass
class LightRAG(Merging):
    """Entities, relations and the chunks that say them, by low- and high-level keys.

    Chunks come first in the evidence, so that it is ranked by what is read; the tables
    of entities and relations follow.

    Args:
        mode: local starts from entities, global from relations, hybrid takes both in
            turn, mix adds the chunks that are nearest themselves.
        top: how many entities, or relations, a key finds.
    """

    mode: Literal["local", "global", "hybrid", "mix"] = "mix"
    top: int = 40

    def later(self, chunks: int, questions: int) -> Iterator[Later]:
        """Keywords: an ask a question."""
        yield Later("query_keywords", KeywordsReply, questions)

    def index(self, texts: Sequence[str]) -> None:
        """Embed what is new; what was embedded before, the embedder still knows."""
        embedder = self.vectors()
        self._lookup = Lookup.of(self.knowledge, self.chunks, embedder, as_parts)
        self._ties = embedder.embed([tie.text for tie in self._lookup.ties])
        self._texts = embedder.embed(texts)

    def rank(self, question: str) -> Ranking:
        """The chunks that nearest, entities and relations bring in, in turn."""
        _, _, chunks = self._search(question)
        return chunks

    def found(self, question: str, budget: int) -> Evidence:
        """Chunks, then entities and relations, each within its share of `budget`."""
        data: dict[str, JSON] = {"by": "lightrag", "mode": self.mode}
        if not self.chunks:
            return retrieved((), data)
        nodes, ties, chunks = self._search(question)
        named = [self._look.entity(node, CITED) for node in nodes if node.told]
        said = [self._look.relation(tie) for tie in ties]
        tables = cut(named, int(ENTITIES * budget)) + cut(said, int(RELATIONS * budget))
        texts = [self.item(row, score) for row, score in chunks]
        left = budget - tokens_of(tables) - bool(tables)  # what joins them is a token
        return retrieved(cut([*cut(texts, left), *tables], budget), data)

    def _search(
        self, question: str
    ) -> tuple[list[EntityNode], list[EntityTie], list[tuple[int, float]]]:
        """What a question brings up, best first; chunks as rows with their cosine."""
        look = self._look
        low, high = (query_vector(k, self.vectors()) for k in self.keywords(question))
        near = self._texts @ query_vector(question, self.vectors())
        local = look.near(low, self.top, LEAST) if self.mode != "global" else []
        scores = cosines(self._ties, high)
        rows = [row for row in best(scores, self.top) if scores[row] >= LEAST]
        wide = [look.ties[row] for row in rows] if self.mode != "local" else []
        nodes = in_turn(local, look.ends(wide))
        ties = in_turn(look.incident(local), wide)
        plain = best(near, CHUNKS) if self.mode == "mix" else []
        cited = [
            list(
                dict.fromkeys(r for one in found for r in look.said(one, near)[:CITED])
            )
            for found in (nodes, ties)
        ]
        chunks = in_turn(plain, *cited)[:CHUNKS]
        return nodes, ties, [(row, float(near[row])) for row in chunks]

    def keywords(self, question: str) -> tuple[str, str]:
        """What a question names, and what else it is about; itself where neither is.

        >>> from gswlab.baselines.triples import Rules
        >>> from gswlab.gsw.operator.rules import SpacyOperator
        >>> LightRAG(Rules(SpacyOperator())).keywords("Who founded the Larch Choir?")
        ('Larch Choir', 'who founded')
        """
        (said,) = self.hear("query_keywords", KeywordsReply, {"question": question})
        if said:
            return ", ".join(said.low) or question, ", ".join(said.high) or question
        names = [entity.name for entity in self.extractor.asked(question)]
        named = {word for name in names for word in phrase(name).split()}
        other = [w for w in BM25(stopwords=True).words(question) if w not in named]
        return ", ".join(names) or question, " ".join(other) or question
