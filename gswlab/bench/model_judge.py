"""The judge that asks a model: which items of an answer are the gold's, and how far.

The model is told what kind of thing is asked for, the gold and the answer's items, not
the question; it says which item is which gold, found (1) or merely related (0.5).

- an item of which it says nothing is wrong: what is left out costs precision;
- an item that holds several of the gold counts once for each of them, a gold counts
  once: no figure can pass 1, as EpBench's own can;
- an answer that only says it does not know has no items, nor has an abstention;
- for full event details the gold is the text of the chapters, the answer one item;
- a call that fails leaves an answer without a right item, and says so.

Source: EpBench (Huet et al.); the GSW paper (arXiv 2511.07587) uses the same prompt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal, NamedTuple

from pydantic import BaseModel, Field

from gswlab.bench.epbench import EpQuestion
from gswlab.bench.judge import Verdict, fold
from gswlab.core.budget import count_tokens
from gswlab.core.cost import Cost
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Answer, Chunk
from gswlab.language.language import asked_in
from gswlab.models.ask import Ask, ModelError, Reply
from gswlab.models.ask_trace import ask_size, no_reply
from gswlab.models.model import Model
from gswlab.models.prompt import prompt

_WORTH: Mapping[str, float] = {"found": 1.0, "related": 0.5, "missing": 0.0}
_REPLY = 2000  # tokens of a verdict, which names pairs of numbers, at most about
_ROOM = 1500  # tokens of gold and answer around prompt and chapter, at most about


class PairReply(BaseModel):
    """An item of the answer, the gold that it is, and whether it says it outright."""

    item: int
    gold: int
    score: Literal["found", "related", "missing"]


class JudgeReply(BaseModel):
    """Whether an answer only says that it does not know; else what of it is right."""

    knows_nothing: bool
    explanation: Annotated[str, Field(max_length=400)]
    pairs: list[PairReply] = Field(max_length=80)


class _Case(NamedTuple):
    """An answer to be judged, by number: unique gold and unique items."""

    gold: tuple[str, ...]
    items: tuple[str, ...]
    ask: Ask


@dataclass
class LLMJudge:
    """A judge that asks `model`; `document` has the chapters of full event details."""

    model: Model
    document: Document | None = None

    @property
    def name(self) -> str:
        """What rows name it by."""
        return f"llm:{self.model.model}"

    def verdicts(self, pairs: Sequence[tuple[EpQuestion, Answer]]) -> list[Verdict]:
        """A verdict an answer, in their order; `StoppedError` where no call is left."""
        cases = [self._case(question, answer) for question, answer in pairs]
        replies = self.model.ask_all(case.ask for case in cases if case.items)
        none = (), (), (), self.name, "no item to judge"
        return [
            self._judged(case, next(replies))
            if case.items
            else Verdict(case.gold, *none)
            for case in cases
        ]

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that judging costs: a call a question, with the longest chapter."""
        longest = max(map(count_tokens, _texts(document).values()))
        said = max(ask_size(name, JudgeReply) for name in ("judge", "judge_full_event"))
        return self.model.most(questions, said + _ROOM + longest, _REPLY)

    def _case(self, question: EpQuestion, answer: Answer) -> _Case:
        items = () if answer.abstained else _unique(answer.items)
        if question.asked == "Full event details":
            gold = tuple(map(str, dict.fromkeys(question.chapters)))
            texts, items = self._chapters(question), (" ".join(items),)[: len(items)]
            name, kind = "judge_full_event", {}
        else:
            texts = gold = _unique(question.gold)
            name, kind = "judge", {"kind": question.asked}
        words = prompt(name, asked_in(question.question))
        turns = words.turns(**kind, gold=_numbered(texts), answer=_numbered(items))
        ask = Ask(turns, "judge", schema=JudgeReply, max_tokens=_REPLY)
        return _Case(gold, items, ask)

    def _chapters(self, question: EpQuestion) -> tuple[str, ...]:
        texts = _texts(self.document) if self.document else {}
        found = dict.fromkeys(question.chapters)
        if missing := [number for number in found if number not in texts]:
            rule = "full event details are judged by the text of their chapters"
            raise GswlabError(f"the judge has no chapter {missing[0]}", rule)
        return tuple(texts[number] for number in found)

    def _judged(self, case: _Case, reply: Reply | ModelError) -> Verdict:
        if isinstance(reply, ModelError):
            many, why = len(case.items), no_reply(reply)
            judged = (None,) * many, (0.0,) * many, self.name, why
            return Verdict(case.gold, case.items, *judged)
        said: JudgeReply = reply.value
        if said.knows_nothing:
            return Verdict(case.gold, (), (), (), self.name, said.explanation)
        best: dict[int, PairReply] = {}  # one pair a gold, the best
        refused: list[str] = []
        for pair in sorted(said.pairs, key=lambda pair: -_WORTH[pair.score]):
            if not 1 <= pair.item <= len(case.items):
                refused.append(f"there is no item {pair.item}")
            elif not 0 <= pair.gold <= len(case.gold):
                refused.append(f"there is no gold {pair.gold}")
            elif pair.gold and _WORTH[pair.score]:
                best.setdefault(pair.gold, pair)
        # What counts as one item each: its text, its gold or none, what it is worth.
        units: list[tuple[str, int | None, float]] = []
        for row, item in enumerate(case.items, 1):
            own = [pair for pair in best.values() if pair.item == row]
            units += [(item, pair.gold - 1, _WORTH[pair.score]) for pair in own]
            units += [] if own else [(item, None, 0.0)]
        items, matches, worths = zip(*units, strict=True)
        reason = "; refused: ".join([said.explanation, *refused])
        return Verdict(case.gold, items, matches, worths, self.name, reason)


def _texts(document: Document) -> dict[int | None, str]:
    """The text of every chapter by its number."""
    spans = {chapter.number: chapter.span for chapter in document.chapters}
    return {n: document.text[s.start : s.end] for n, s in spans.items()}


def _unique(texts: Sequence[str]) -> tuple[str, ...]:
    found: dict[str, str] = {}
    for text in texts:
        found.setdefault(fold(text), " ".join(text.split()))
    return tuple(found.values())


def _numbered(texts: Sequence[str]) -> str:
    return "\n".join(f"[{n}] {text}" for n, text in enumerate(texts, 1)) or "-"
