"""GSW with chains: questions of several hops followed over question-answer pairs.

A question is taken apart; each part is asked of the pairs of the workspace, nearest in
meaning or about an actor it names, and its answers stand in the next one. A beam of
chains is kept by how well pairs fit their parts, and the chain the whole question.

Source: arXiv 2602.15156. Grammar stands for its model's decomposition, the cosine for
its re-ranker. What episodes answer is GSW's own.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import prod
from operator import attrgetter
from typing import Literal, NamedTuple

import numpy as np

from gswlab.core.budget import cut, retrieved
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk, Evidence, Item, Occurrence
from gswlab.gsw.memory import GSW
from gswlab.gsw.recall.evidence import View
from gswlab.gsw.recall.verbalise import retold
from gswlab.language.keys import name_key
from gswlab.language.language import language_of
from gswlab.language.pipeline import Token, model
from gswlab.models.vectors.embedder import Embedder, Vectors, query_vector
from gswlab.qa.cue import Cue
from gswlab.qa.question.asked_for import lists
from gswlab.qa.question.names import parse_question
from gswlab.text.chunks import titled

_BEGIN = attrgetter("document", "span.start")
_ANSWERS = ("patient", "agent", "recipient", "place", "role", "time")
_Telling = tuple[Item, Occurrence, Chunk | None]  # a sentence, of what, and where
BACK = "#1"
_CLAUSES = frozenset({"relcl", "acl"})
_COMPARES = re.compile(
    r"^\W*(?:are|is|was|were|do|does|did|has|have|had|can|could|will)\b", re.I
)
_CHOICE = re.compile(r"\bor\s+(?:the\s+)?[\"“A-Z\d]")
_NAMES = frozenset(
    {"PERSON", "ORG", "GPE", "LOC", "FAC", "NORP", "WORK_OF_ART", "PRODUCT", "EVENT"}
)
_RUN = re.compile(
    r"(?<!^)\b[A-Z][\w'’.-]*(?:\s+(?:(?:of|the|and|de)\s+)*[A-Z][\w'’.-]*)*"
)
_SHORTEST = 2  # words that have to be left of a question


class Tellers:
    """All that a workspace tells: sentences, their vectors, and who is in which."""

    def __init__(self, view: View, embedder: Embedder) -> None:
        self.view, self.embedder, known = view, embedder, view.tellings
        ordered, found = sorted(view.chunks.values(), key=_BEGIN), {}
        for one in known.told:
            said, chunk = retold(known.workspace, one), None
            for span in one.spans[:1] if ordered else ():  # the chunk it lies in
                at = bisect_right(ordered, (span.document, span.start), key=_BEGIN) - 1
                last = ordered[max(at, 0)]
                chunk = last if last.document == span.document else None
            if said.text and one.slots:
                spans = said.spans or one.spans
                item = Item(said.text, spans, one.chapter, 0.0, told=one)
                found[said.text, chunk] = item, one, chunk
        self.told = sorted(found.values(), key=lambda each: each[1].spans[:1])
        self.of, texts = defaultdict[str, list[int]](list), list[str]()
        for row, (item, one, chunk) in enumerate(self.told):
            for actor in dict.fromkeys(b.id for _, b in one.slots if b.id):
                self.of[actor].append(row)
            title = chunk.title if chunk else None
            texts.append(": ".join(filter(None, (title, item.text))))
        self.vectors = embedder.embed(texts)

    def near(self, asked: str, actors: Iterable[str], most: int) -> dict[int, float]:
        """Rows and cosines: the nearest of all, and the nearest of these actors'."""
        cosines = self.vectors @ query_vector(asked, self.embedder)
        rows = {int(row) for row in np.argsort(-cosines, kind="stable")[:most]}
        own = np.array(sorted({r for a in actors for r in self.of.get(a, ())}), np.intp)
        rows |= {int(r) for r in own[np.argsort(-cosines[own], kind="stable")[:most]]}
        return {row: float(cosines[row]) for row in sorted(rows)}


def decompose(question: str) -> tuple[tuple[str, ...], ...]:
    """Chains of sub-questions: one, or one a name where names are compared.

    >>> decompose("Where did the mason who built Tall Mill come from?")
    (('the mason who built Tall Mill', 'Where did #1 come from?'),)
    """
    text = " ".join(question.split())
    if not text or language_of(text) != "en":
        return ((text,),)
    doc = model("en")(text)
    # Where names stand: the recogniser's, and runs of capitals it has missed.
    found = [(e.start_char, e.end_char) for e in doc.ents if e.label_ in _NAMES]
    runs = (run.span() for run in _RUN.finditer(text))
    missed = [r for r in runs if not any(a < r[1] and r[0] < b for a, b in found)]
    names = sorted(found + missed)
    if (_COMPARES.search(text) or _CHOICE.search(text)) and len(names) > 1:
        # once for each name it compares, without the others
        alone = [list(text) for _ in names]
        for kept, letters in zip(names, alone, strict=True):
            for start, end in (name for name in names if name != kept):
                letters[start:end] = " " * (end - start)
        return tuple((" ".join("".join(letters).split()),) for letters in alone)
    # Nouns with a clause, else with a name of theirs: the deepest is asked first.
    nouns = [t for t in doc if t.head.pos_ in ("NOUN", "PROPN")]
    clauses = [t for t in nouns if t.dep_ in _CLAUSES]
    owned = [t for t in nouns if t.dep_ == "prep" and t.head.pos_ == "NOUN"]
    owned = [t for t in owned if any(o.ent_type_ in _NAMES for o in t.subtree)]
    for group in (clauses, owned):
        group.sort(key=lambda t: -len([*t.ancestors]))
    for tie in (*clauses, *owned):
        start, end = tie.head.left_edge.i, tie.right_edge.i + 1
        asks = any(_asks(t) for t in (*tie.head.lefts, *tie.subtree))
        if not asks and end - start + _SHORTEST <= len(doc):
            before, after = doc[:start].text_with_ws, doc[end:].text
            joint = "" if after[:1] in "?.,;" else " "
            rest = f"{before}{BACK}{joint}{after}".strip()
            return ((doc[start:end].text, rest),)
    return ((text, f"{text} {BACK}"),)


def _asks(word: Token) -> bool:
    """Whether a word is what the question asks by; a relative pronoun is not."""
    if word.tag_ not in ("WDT", "WP", "WRB", "WP$"):
        return False
    clause = next((a for a in word.ancestors if a.dep_ in _CLAUSES), None)
    opens = clause is not None and word.i - clause.left_edge.i <= 1
    return not opens or word.lower_ == "what"


class Chain(NamedTuple):
    """Pairs followed so far, the fit of each, and the last one's answer."""

    rows: tuple[int, ...] = ()
    fits: tuple[float, ...] = ()
    answer: str = ""
    score: float = 0.0


@dataclass
class GSWChain(GSW):
    """The workspace memory, its plain questions followed along chains."""

    beam: int = 5  # chains kept at each hop
    searched: int = 20  # pairs found by meaning, and as many of the actors named
    reranked: int = 15  # of these, how many go on
    kept: int = 15  # chains whose pairs are handed over
    alpha: float = 0.5  # of the pairs' fit in a score, beside nearness to the question
    named: float = 0.1  # added to the fit of a pair about an actor that is named
    answers: int = 2  # of one pair, that are followed
    nearest: int = 40  # pairs nearest to the whole question, handed over after chains
    handed: Literal["pairs", "chunks"] = "chunks"  # sentences, or who says them
    _tellers: Tellers | None = field(default=None, init=False, repr=False)

    def recall(self, question: str, budget: int) -> Evidence:
        """The pairs of the best chains within `budget` tokens."""
        view = self.view()
        own = super().recall(question, budget)
        if any(item.facts for item in own.items):
            return own
        cue = parse_question(question, view.names)
        # The latest of somebody is asked of nobody else whom the question mentions.
        latest = cue.order == "latest" and cue.protagonist is not None
        known = view.actors(question, cue if latest else Cue())
        asks = question.rstrip().endswith("?") and known
        if not asks and (latest or lists(question, cue)):
            return own
        threads = decompose(question)
        tellers = self._told(view)
        whole = query_vector(question, tellers.embedder)
        chains = list[Chain]()
        if tellers.told:
            # 1. The best chains of all threads of the question, best first.
            share = -(-self.kept // len(threads))
            for hops in threads:
                chains += self._followed(tellers, hops, whole)[:share]
            chains.sort(key=lambda each: -each.score)
            # 2. Pairs by themselves: what no chain has led to, nearest first.
            near = tellers.near(question, (), self.nearest)
            chains += [Chain((r,)) for r in sorted(near, key=lambda r: (-near[r], r))]
        # 3. Each pair, or the chunk that says it, under its best chain.
        items: dict[object, Item] = {}
        for best, row in ((each, row) for each in chains for row in each.rows):
            item, _, chunk = tellers.told[row]
            if chunk and self.handed == "chunks":
                item = Item(titled(chunk), (chunk.span,), chunk.chapter, 0.0)
            items.setdefault((item.text, item.spans), replace(item, score=best.score))
        asked = tuple(" → ".join(hops) for hops in threads)
        found = cut(list(items.values()), budget)
        return retrieved(found, {"by": "gsw_chain", "asked": asked})

    def _followed(
        self, tellers: Tellers, hops: Sequence[str], whole: Vectors
    ) -> list[Chain]:
        """A beam of chains, a pair longer at each hop."""
        chains = [Chain()]
        for number, hop in enumerate(hops, 1):
            most = self.kept if number == len(hops) else self.beam
            longer = {
                (each.rows, each.answer): each
                for known in chains
                for each in self._longer(tellers, known, hop, whole)
            }
            chains = sorted(longer.values(), key=lambda c: (-c.score, c.rows))[:most]
        return chains

    def _longer(
        self, tellers: Tellers, known: Chain, hop: str, whole: Vectors
    ) -> Iterator[Chain]:
        """A chain with one pair more, for each pair and answer that may come next."""
        asked = hop.replace(BACK, known.answer)
        actors = [actor.id for actor in tellers.view.actors(asked, Cue())]
        near = tellers.near(asked, actors, self.searched)
        own = {row for actor in actors for row in tellers.of.get(actor, ())}
        fit = {row: cos + self.named * (row in own) for row, cos in near.items()}
        ranked = sorted(fit, key=lambda row: (-fit[row], row))[: self.reranked]
        best = max((fit[row] for row in ranked), default=1.0)
        for row in (row for row in ranked if row not in known.rows):
            fits = (*known.fits, max(fit[row], 0.0) / (best if best > 0 else 1.0))
            rows, (item, told, _) = (*known.rows, row), tellers.told[row]
            middle = tellers.vectors[list(rows)].mean(axis=0)
            nearness = float(middle @ whole) / (float(np.linalg.norm(middle)) or 1.0)
            fitting = float(prod(fits) ** (1 / len(fits)))  # the geometric mean
            score = self.alpha * fitting + (1 - self.alpha) * nearness
            # What it adds to the question; the sentence where it adds nothing.
            said = dict.fromkeys(b.value for b in told.fillers(*_ANSWERS))
            new = [v for v in said if not set(name_key(v)) <= set(name_key(asked))]
            for answer in new[: self.answers] or (item.text,):
                yield Chain(rows, fits, answer, score)

    def _told(self, view: View) -> Tellers:
        """What the workspace tells, embedded once for each version of it."""
        if self.embedder is None:
            rule = "chains go from pair to pair by meaning"
            raise GswlabError("gsw_chain has no embedder", rule, "embedder=minilm")
        if self._tellers is None or self._tellers.view is not view:
            self._tellers = Tellers(view, self.embedder)
        return self._tellers
