"""HippoRAG 2: phrases and passages in one graph, walked from recognised facts.

Gutierrez et al. 2025 ("From RAG to Memory"), sections 3.2 to 3.4; the constants are
those of its repository. With `extractor=llm` a model reads, and says which of the
nearest facts a question needs; the question is embedded twice, under an instruction for
facts and one for passages. What stands for the model else: triples come from rules;
recognition memory keeps of the nearest facts those that tell of something the question
names, from a cosine on; and names that no triple holds are nodes too, for rules find
fewer triples than a model.

On HotpotQA's training questions the walk is worth what plain similarity is, whatever
these settings: rules tie passages by fewer and plainer facts than a model does.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from gswlab.baselines.by_model import FactsReply
from gswlab.baselines.knowledge_graph import Extracting, Later, neighbours
from gswlab.baselines.page_rank import Ranks, RankWalk
from gswlab.baselines.passages import Ranking
from gswlab.baselines.static_graph import grams
from gswlab.models.vectors.embedder import Vectors, query_vector
from gswlab.models.vectors.nearest import cosines

# what a model of vectors that takes instructions is told, in words of our own
_INSTRUCTIONS = {
    "facts": "Find the facts that a question asks after",
    "passages": "Find the passages in which a question is answered",
}
_SHORT = 2  # letters and digits of a phrase too short to have synonyms
_NEAREST = 100  # synonyms of a phrase at most


@dataclass
class HippoRAG(Extracting):
    """Passages by personalised PageRank from the phrases of recognised facts.

    Args:
        facts: how many of the nearest facts are put to recognition (linking_top_k).
        recognition: cosine a fact must have to be recognised: the model's part.
        named: whether the question must also name one of the fact's two phrases.
        phrases: how many of the heaviest phrases the walk starts from.
        damping: chance to go on along an edge.
        passage_weight: of a passage's own similarity in the start of the walk.
        synonym: cosine from which two phrases are tied.
    """

    facts: int = 5
    recognition: float = 0.4
    named: bool = True
    phrases: int = 5
    damping: float = 0.5
    passage_weight: float = 0.05
    synonym: float = 0.8
    _graph: _Graph | None = field(default=None, init=False, repr=False)

    def later(self, chunks: int, questions: int) -> Iterator[Later]:
        """Recognition: an ask a question."""
        yield Later("fact_recognition", FactsReply, questions)

    def index(self, texts: Sequence[str]) -> None:
        """Embed passages, phrases and facts; tie them."""
        embed, found, first = self.vectors().embed, self.extractions, len(texts)
        told = [triple for each in found for triple in each.triples]
        # the phrases of a chunk: ends of its triples, and names that no triple holds
        keys = [
            [*(e.key for e in each.entities), *chain(*(t.ends for t in each.triples))]
            for each in found
        ]
        nodes = {key: first + i for i, key in enumerate(dict.fromkeys(chain(*keys)))}
        pairs = [(nodes[one], nodes[other]) for one, other in (t.ends for t in told)]
        held = {(row, nodes[key]) for row, each in enumerate(keys) for key in each}
        facts = dict(zip((triple.text for triple in told), pairs, strict=True))
        phrases = {triple.text: triple.ends for triple in told}
        # phrases that are near, both ways round, with their cosine
        long = [key for key in nodes if len(key.replace(" ", "")) > _SHORT]
        rows = [nodes[key] for key in long]
        vectors = embed(list(nodes))[[row - first for row in rows]]
        near = neighbours(vectors, self.synonym, _NEAREST)
        edges: dict[tuple[int, int], float] = {
            **Counter([*pairs, *(pair[::-1] for pair in pairs)]),
            **dict.fromkeys(sorted(held), 1.0),
            **{(rows[one], rows[other]): cosine for one, other, cosine in near},
        }
        size = first + len(nodes)
        ends, said = list(facts.values()), [phrases[text] for text in facts]
        spread = Counter(node for _, node in held)
        embedded, walk = (embed(texts), embed(list(facts))), RankWalk.of(size, edges)
        self._graph = _Graph(*embedded, ends, said, [*facts], spread, size, walk)

    def rank(self, question: str) -> Ranking:
        """All chunks by their share of the walk; by similarity if no fact is known."""
        graph = self._graph
        assert graph is not None
        near = scaled(graph.passages @ self._instructed(question, "passages"))
        reset = self._recognised(graph, self._instructed(question, "facts"), question)
        if reset.any():
            reset[: len(near)] = self.passage_weight * near
            near = graph.walk.ranks(reset, self.damping)[: len(near)]
        order = np.argsort(-near, kind="stable")
        return [(int(row), float(near[row])) for row in order]

    def _instructed(self, question: str, wanted: str) -> Vectors:
        """The vector of a question, for a model's reading under its instruction."""
        if self.extractor.by == "model":
            question = f"Instruct: {_INSTRUCTIONS[wanted]}\nQuery: {question}"
        return query_vector(question, self.vectors())

    def _recognised(self, graph: _Graph, asked: Vectors, question: str) -> Ranks:
        """Reset weights of the phrases of the facts that pass recognition."""
        names = set(grams(question)) if self.named else set()
        reset = np.zeros(graph.size)
        near = cosines(graph.facts, asked)
        weights = scaled(near)
        best = np.argsort(-near, kind="stable")[: self.facts]
        listed = "\n".join(f"{n}. {graph.said[row]}" for n, row in enumerate(best, 1))
        shown = {"facts": listed, "question": question}
        (said,) = self.hear("fact_recognition", FactsReply, shown)
        if said is None:
            passed = best[near[best] >= self.recognition]
            told = (set(graph.phrases[row]) for row in passed)
            pairs = zip(passed, told, strict=True)
            kept = [r for r, t in pairs if not (self.named and names.isdisjoint(t))]
        else:
            kept = [
                best[n - 1] for n in dict.fromkeys(said.facts) if 0 < n <= len(best)
            ]
        held: defaultdict[int, list[float]] = defaultdict(list)
        for row in kept:
            for node in graph.ends[row]:
                held[node].append(float(weights[row]) / graph.spread[node])
        means = {node: sum(each) / len(each) for node, each in held.items()}
        for node in sorted(means, key=lambda n: (-means[n], n))[: self.phrases]:
            reset[node] = means[node]
        return reset


def scaled(scores: Vectors) -> Ranks:
    """Scores stretched to [0, 1]; all 1 where they do not differ.

    >>> scaled(np.array([2.0, 4.0, 3.0]))
    array([0. , 1. , 0.5])
    """
    if not len(scores) or np.ptp(scores) == 0:
        return np.ones(len(scores))
    found: Ranks = np.asarray((scores - scores.min()) / np.ptp(scores), np.float64)
    return found


@dataclass
class _Graph:
    """Passages (nodes 0 to n - 1), phrases after them, and the walk over both.

    `ends` are the two phrase nodes of a fact, `phrases` what they are, `said` all of
    it; `spread` counts the passages of a node.
    """

    passages: Vectors
    facts: Vectors
    ends: list[tuple[int, int]]
    phrases: list[tuple[str, str]]
    said: list[str]
    spread: Counter[int]
    size: int
    walk: RankWalk
