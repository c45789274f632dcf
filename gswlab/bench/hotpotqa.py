"""Files of multi-hop questions: five layouts, one noun.

========== ================================================ ========================
layout     context                                          gold
========== ================================================ ========================
HotpotQA   [[title, [sentence, ...]], ...]                  [[title, sentence], ...]
its table  {title: [...], sentences: [[...], ...]}          {title: [], sent_id: []}
titled     [[title, text], ...]                             gold_titles
MuSiQue    paragraphs: title, paragraph_text                is_supporting
ours       paragraphs: [{title, text}, ...]                 gold: [row, ...]
========== ================================================ ========================

A file is a JSON list or JSON lines. Ours has `question`, `answers` (a list), and may
have `id` and `kind`; rows of `gold` count paragraphs from 0.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate, pairwise
from math import log
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, Field

from gswlab.bench.bill import Running
from gswlab.bench.epbench import refused
from gswlab.bench.folder import digest_of_files
from gswlab.bench.measures import exact, f1, recall
from gswlab.bench.report import AnswerRow, grouped_figures, means, share
from gswlab.bench.statistics import clusters, interval
from gswlab.bench.task import Exchange, Task, World
from gswlab.bench.texts import PATH, existing_file
from gswlab.core.budget import tokens_of
from gswlab.core.document import Chapter, Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Chunk, Evidence, Span, TraceEvent
from gswlab.gedig import PRICED
from gswlab.gedig.record import recorded_prices
from gswlab.language.language import language_of
from gswlab.text.sentences import sentences


@dataclass(frozen=True, slots=True)
class HopParagraph:
    """A titled paragraph; one sentence where the file keeps no split."""

    title: str
    sentences: tuple[str, ...]

    @classmethod
    def of(cls, title: str, sentences: Sequence[str]) -> HopParagraph:
        """Joined without loss: a space is put only where no sentence brings one."""
        parts = list(sentences[:1])
        for before, text in pairwise(sentences):
            parted = not text or before[-1:].isspace() or text[0].isspace()
            parts.append(text if parted else f" {text}")
        return cls(title, tuple(parts))

    @property
    def text(self) -> str:
        """All sentences in one string; the title is not in it."""
        return "".join(self.sentences)

    def bounds(self) -> Iterator[tuple[int, int]]:
        """Where each sentence of the file lies in the text."""
        return pairwise(accumulate(map(len, self.sentences), initial=0))


@dataclass(frozen=True, slots=True)
class HopQuestion:
    """A question, its paragraphs and its gold.

    `answers` are equally good; `gold` are rows of `paragraphs`; `facts` are gold
    (paragraph, sentence) rows where the file has them. No memory or reader ever gets
    more of it than `question`.
    """

    id: str
    question: str
    answers: tuple[str, ...]
    paragraphs: tuple[HopParagraph, ...]
    gold: frozenset[int]
    kind: str = ""
    facts: frozenset[tuple[int, int]] | None = None


_RULE = "a JSON list, or JSON lines, in one of the layouts that gswlab.bench names"
_COMMAND = "python -m gswlab run experiment=hotpotqa dataset.file=FILE"
_Text = Annotated[str, Field(min_length=1)]


class _Row(BaseModel):
    question: _Text
    answer: _Text
    id: Annotated[str, Field(alias="_id")] = ""
    type: str = ""

    def by_title(
        self, paragraphs: Sequence[HopParagraph], facts: Iterable[tuple[str, int]]
    ) -> HopQuestion:
        """Gold is named by title; a fact beyond a paragraph's end is a slip."""
        facts, texts, answers = list(facts), tuple(paragraphs), (self.answer,)
        rows = _rows(texts, [title for title, _ in facts])
        named = ((rows[title], sentence) for title, sentence in facts)
        known = frozenset((r, s) for r, s in named if s < len(texts[r].sentences))
        told = answers, texts, frozenset(rows.values()), self.type, known
        return HopQuestion(self.id, self.question, *told)


def _listed(value: Any) -> Any:
    """The rows of a table of titles and something else; what is none as it is."""
    if isinstance(value, dict) and {*map(type, value.values())} == {list}:
        columns = (own for key, own in value.items() if key != "title")
        others: list[Any] = next(columns, [])
        return [*zip(value.get("title", []), others, strict=True)]
    return value


class _Official(_Row):
    context: Annotated[list[tuple[str, list[str]]], BeforeValidator(_listed)]
    supporting_facts: Annotated[list[tuple[str, int]], BeforeValidator(_listed)]

    def noun(self) -> HopQuestion:
        paragraphs = [HopParagraph.of(*pair) for pair in self.context]
        return self.by_title(paragraphs, self.supporting_facts)


class _Titled(_Row):
    context: list[tuple[str, str]]
    gold_titles: list[str]

    def noun(self) -> HopQuestion:
        paragraphs = tuple(HopParagraph(title, (text,)) for title, text in self.context)
        gold = frozenset(_rows(paragraphs, self.gold_titles).values())
        told = (self.answer,), paragraphs, gold, self.type
        return HopQuestion(self.id, self.question, *told)


class _Musique(BaseModel):
    class Part(BaseModel):
        title: str
        paragraph_text: str
        is_supporting: bool

    id: str
    question: _Text
    answer: _Text
    answer_aliases: list[str] = []
    paragraphs: list[Part]

    def noun(self) -> HopQuestion:
        parts = self.paragraphs
        texts = tuple(HopParagraph(p.title, (p.paragraph_text,)) for p in parts)
        gold = frozenset(n for n, p in enumerate(parts) if p.is_supporting)
        answers = (self.answer, *self.answer_aliases)
        kind = self.id.partition("__")[0]  # "2hop", "3hop1", ...
        return HopQuestion(self.id, self.question, answers, texts, gold, kind)


class _Ours(BaseModel):
    class Part(BaseModel):
        title: str = ""
        text: _Text

    question: _Text
    answers: Annotated[list[_Text], Field(min_length=1)]
    paragraphs: list[Part]
    gold: list[Annotated[int, Field(ge=0)]]
    id: str = ""
    kind: str = ""

    def noun(self) -> HopQuestion:
        paragraphs = tuple(HopParagraph(p.title, (p.text,)) for p in self.paragraphs)
        if strange := [row for row in self.gold if row >= len(paragraphs)]:
            raise ValueError(f"gold names paragraph {strange[0]}, which is not there")
        told = tuple(self.answers), paragraphs, frozenset(self.gold)
        return HopQuestion(self.id, self.question, *told, self.kind)


def _rows(paragraphs: Sequence[HopParagraph], titles: Iterable[str]) -> dict[str, int]:
    """The row of each title that is named: of several so titled, the first."""
    first = {p.title: row for row, p in reversed([*enumerate(paragraphs)])}
    wanted = set(titles)
    if lost := sorted(wanted - first.keys()):
        raise ValueError(f"gold title {lost[0]!r} is none of its paragraphs")
    return {title: first[title] for title in wanted}


def load_hops(path: str | Path) -> tuple[HopQuestion, ...]:
    """The questions of a file in any of the layouts; a bad row is named."""
    path = Path(path)
    with refused(path, _RULE, _COMMAND):
        text = path.read_text("utf-8")
        lines = (line for line in text.split("\n") if line.strip())
        whole = text.lstrip().startswith("[")
        rows = json.loads(text) if whole else [json.loads(line) for line in lines]
    if not rows:
        raise GswlabError(f"{path} holds no question", _RULE, _COMMAND)
    found = []
    for number, row in enumerate(rows):
        where = f"question {number} of {path}"
        with refused(where, _RULE, _COMMAND, "a question of any layout"):
            if not isinstance(row, dict):
                raise ValueError("it is no object")
            if "paragraphs" in row:
                layout: Any = _Ours if "gold" in row else _Musique
            elif "gold_titles" in row:
                layout = _Titled
            else:
                layout = _Official
            found.append(layout.model_validate(row).noun())
    return tuple(found)


# What is searched: each question's own paragraphs, or one pool of all of them.

_NAME = "paragraphs"


@dataclass(frozen=True)
class Pool:
    """Distinct paragraphs of questions, in order, as one document and its chunks."""

    paragraphs: tuple[HopParagraph, ...]

    @classmethod
    def of(cls, questions: Sequence[HopQuestion]) -> Pool:
        """All paragraphs, each once; those without text are left out."""
        every = (p for q in questions for p in q.paragraphs if p.text.strip())
        return cls(tuple(dict.fromkeys(every)))

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """A chunk a paragraph, in order."""
        found, at = [], 0
        for row, p in enumerate(self.paragraphs):
            start = at + len(_head(p))
            span = Span(_NAME, start, start + len(p.text))
            named = f"{_NAME}:{row + 1}:{row}", _NAME, row + 1, row
            found.append(Chunk(*named, p.text, span, p.title or None))
            at = span.end + 2
        return tuple(found)

    @cached_property
    def document(self) -> Document:
        """The paragraphs under their titles, an empty line between two."""
        text = "\n\n".join(f"{_head(p)}{p.text}" for p in self.paragraphs)
        chapters = tuple(Chapter(c.chapter, c.title, c.span) for c in self.chunks)
        return Document(_NAME, text, chapters, None, language_of(text))

    @cached_property
    def _rows(self) -> dict[HopParagraph, int]:
        return {paragraph: row for row, paragraph in enumerate(self.paragraphs)}

    def rows(self, question: HopQuestion) -> tuple[int, ...]:
        """A question's own paragraphs, each once, in its order."""
        known = (p for p in question.paragraphs if p in self._rows)
        return tuple(self._rows[p] for p in dict.fromkeys(known))

    def gold(self, question: HopQuestion) -> frozenset[int]:
        """The paragraphs the answer takes; -1 is one without text."""
        own = question.paragraphs
        return frozenset(self._rows.get(own[n], -1) for n in question.gold)

    def row(self, span: Span) -> int:
        """The paragraph a span lies in; a title is its paragraph's."""
        ends = bisect_right(self.chunks, span.start, key=lambda c: c.span.end)
        return min(ends, len(self.chunks) - 1)

    def ranked(self, evidence: Evidence) -> tuple[int, ...]:
        """The paragraphs that evidence cites, each once, in its order."""
        cited = (self.row(span) for item in evidence.items for span in item.spans)
        return tuple(dict.fromkeys(cited))


def _head(paragraph: HopParagraph) -> str:
    return f"{paragraph.title}\n" if paragraph.title else ""


# What a row scores: recall by paragraphs and by tokens, facts, and what gates did.

DEPTHS = (2, 5, 10)
TOKENS = (300, 450, 670, 1000, 1500)
AREA = "area@300-1500"
TOKEN_FIGURES = (*(f"recall@{count}t" for count in TOKENS), AREA)
_Part = tuple[int, int]  # paragraph and sentence, or first and last character


def fact_f1(
    question: HopQuestion, pool: Pool, spans: Sequence[Span], *, own_split: bool
) -> float | None:
    """F1 of the sentences an answer cites with the supporting facts, where known.

    With `own_split` sentences are ours and a gold one is any that shares characters
    with a supporting fact; else they are the file's.
    """
    if question.facts is None:
        return None

    def meets(part: _Part, others: Iterable[_Part]) -> bool:
        return any(part[0] < end and start < part[1] for start, end in others)

    gold, cited = set[_Part](), set[_Part]()
    for row in pool.rows(question):
        paragraph, base = pool.paragraphs[row], pool.chunks[row].span.start
        known, home = list(paragraph.bounds()), question.paragraphs.index(paragraph)
        split = sentences(paragraph.text) if own_split else known
        facts = [known[s] for p, s in question.facts if p == home]
        said = [(s.start - base, s.end - base) for s in spans if pool.row(s) == row]
        gold |= {(row, n) for n, part in enumerate(split) if meets(part, facts)}
        cited |= {(row, n) for n, part in enumerate(split) if meets(part, said)}
    same = len(gold & cited)
    return 2 * same / (len(gold) + len(cited)) if same else 0.0


def by_tokens(
    evidence: Evidence, pool: Pool, gold: Collection[int]
) -> dict[str, float]:
    """Recall of gold paragraphs within so many tokens, and the area under that."""
    left, found = set(gold), []  # after how many tokens each that is found was there
    for count, item in enumerate(evidence.items, 1):
        if new := {pool.row(span) for span in item.spans} & left:
            left -= new
            found += [tokens_of(evidence.items[:count])] * len(new)
    share = 1 / len(gold) if gold else 0.0
    low, high = TOKENS[0], TOKENS[-1]
    points = {
        f"recall@{most}t": sum(share for at in found if at <= most) if gold else 1.0
        for most in TOKENS
    }
    under = sum(log(high / max(low, at)) for at in found if at < high)
    return {**points, AREA: share * under / log(high / low) if gold else 1.0}


GATE_MEANS = ("ag_first", "ag_last", "dg_first", "dg_last", "gauge", "edges",
              "rounds", "forced")  # fmt: skip


def gated(trace: Sequence[TraceEvent]) -> dict[str, Any] | None:
    """What a question's trace tells of gates; None where nothing decided."""
    made = [event for event in trace if "action" in event.data]
    if not made:
        return None
    prices = recorded_prices(trace)
    actions = [str(event.data["action"]) for event in made]
    told: dict[str, Any] = {
        "decisions": len(made),
        "fires": sum(bool(price.data["ag"]) for price in prices),
        "follows": actions.count("follow"),
        "rounds": sum(action != "answer" for action in actions),
        "forced": float(bool(made[-1].data.get("forced"))),
    }
    if not prices:
        return told
    first, last = prices[0].data, prices[-1].data
    for gate in ("ag", "dg"):
        told |= {f"{gate}_first": float(first[gate]), f"{gate}_last": float(last[gate])}
    told["gauge"] = float(last["g_min"])
    told["edges"] = sum(len(price.data["edges"]) for price in prices)
    return told


HOP_FIGURES = (
    *(f"recall@{k}" for k in DEPTHS),
    *("em", "f1", "fact_f1", "fact_f1_own_split", "evidence_tokens"),
    *TOKEN_FIGURES,
)


@dataclass
class Hops(Task):
    """Questions over paragraphs: HotpotQA, MuSiQue, or a file of one's own.

    In the world `own` every question has a memory of its own paragraphs; in `pool` one
    memory reads them all. A reader is handed the first `paragraphs` that are recalled.
    With `first`, only so many questions are asked, and only their paragraphs read.
    """

    file: str | None = field(default=None, metadata=PATH)
    world: Literal["own", "pool"] = "own"
    paragraphs: int = 5
    first: int | None = None
    shown: ClassVar = HOP_FIGURES
    bounded: ClassVar = "recall@5"

    def __post_init__(self) -> None:
        for name, count in (("paragraphs", self.paragraphs), ("first", self.first)):
            if count is not None and count < 1:
                problem = f"dataset.{name} cannot be {count}"
                raise GswlabError(problem, "1 or more", f"{_COMMAND} dataset.{name}=5")

    def document(self) -> Document:
        """All paragraphs, each once: the text that every span points into."""
        return self.searched.document

    def chunks(self) -> tuple[Chunk, ...]:
        """What one memory reads; nothing where every question has its own."""
        return () if self.apart else self.searched.chunks

    @property
    def apart(self) -> bool:
        """Where every question has a memory of its own paragraphs."""
        return self.world != "pool"

    @cached_property
    def questions(self) -> Sequence[HopQuestion]:
        """The questions, with their gold: for scoring alone."""
        return load_hops(self._path)[: self.first]

    @cached_property
    def searched(self) -> Pool:
        """The paragraphs of all questions."""
        return Pool.of(self.questions)

    @cached_property
    def worlds(self) -> tuple[World, ...]:
        """A world a question, of its own paragraphs."""
        chunks, rows = self.searched.chunks, self.searched.rows
        own = ((q, tuple(chunks[row] for row in rows(q))) for q in self.questions)
        return tuple(World(q.id, read, (q,)) for q, read in own)

    @property
    def _path(self) -> Path:
        return existing_file(self.file, "dataset.file", _COMMAND)

    def hashes(self) -> dict[str, str]:
        """The content hash of the file."""
        return {"questions": digest_of_files(self._path)}

    def keys(self, number: int, world: World, question: Any) -> tuple[object, Any]:
        """All is timed under a question's number, its world too."""
        return number, number

    def handed(self, question: Any, evidence: Evidence, budget: int) -> Evidence:
        """The items up to the one that would bring in too many paragraphs."""
        seen: set[int] = set()
        items = []
        for item in evidence.items:
            seen |= {self.searched.row(span) for span in item.spans}
            if len(seen) > self.paragraphs:
                break
            items.append(item)
        return replace(evidence, items=tuple(items), tokens=tokens_of(items))

    def scored(self, asked: Exchange) -> dict[str, Any]:
        """Recall of all that was recalled, what gates did, and the answer's worth."""
        question, pool, evidence = asked.question, self.searched, asked.recalled
        gold, ranked = pool.gold(question), pool.ranked(evidence)
        said, spans = ", ".join(asked.answer.items), asked.answer.spans
        return {
            "id": question.id,
            "kind": question.kind,
            "ranked": [row + 1 for row in ranked[: DEPTHS[-1]]],
            "gold": sorted(row + 1 for row in gold),
            **{f"recall@{k}": recall(ranked, gold, k) for k in DEPTHS},
            **by_tokens(evidence, pool, gold),
            "gates": gated(evidence.trace),
            "em": exact(said, question.answers),
            "f1": f1(said, question.answers),
            "fact_f1": fact_f1(question, pool, spans, own_split=False),
            "fact_f1_own_split": fact_f1(question, pool, spans, own_split=True),
        }

    def figures(self, rows: Sequence[AnswerRow]) -> dict[str, Any]:
        """Over all questions and by kind; those that share gold are drawn together."""
        told = {"world": self.world, "questions": len(rows), **means(rows, HOP_FIGURES)}
        pairs = zip(rows, clusters(rows), strict=True)
        gates = [(own, home) for row, home in pairs if (own := row.get("gates"))]
        if gates:  # means over questions, and the rates of AG and of links followed
            told["gates"] = {}
            for name in GATE_MEANS:
                if kept := [(own[name], home) for own, home in gates if name in own]:
                    mean = interval(*map(list, zip(*kept, strict=True)))
                    told["gates"][name] = mean.to_dict()
            counts, homes = zip(*gates, strict=True)
            for name in ("fires", "follows"):
                told["gates"][name] = share(counts, name, "decisions", homes)
        kinds = grouped_figures([row for row in rows if row["kind"]], "kind")
        by_kind = {kind: means(kinds[kind], HOP_FIGURES) for kind in sorted(kinds)}
        return {**told, "by_kind": by_kind}


def completeness(lab: Running) -> list[tuple[float, bool]]:
    """Of each price but a question's first: g_min, and whether all gold was held."""
    world, found = lab.dataset.searched, []
    for question in lab.dataset.questions:
        left = set(world.gold(question))
        for number, event in enumerate(lab.recall(question.question).trace):
            if number and event.kind == PRICED:
                found.append((float(str(event.data["g_min"])), not left))
            left -= {world.row(span) for span in event.spans}
    return found
