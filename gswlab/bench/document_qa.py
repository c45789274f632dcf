"""Document QA: the K documents that a retriever hands over, and a window for them.

MemGPT's second task (arXiv 2310.08560, 3.2.1) over the pooled paragraphs of a file of
multi-hop questions. The window has the run's budget of tokens, whatever K is:

=========== =====================================================================
form        of the first K documents that the memory ranks
=========== =====================================================================
paged       those it recalls within the window: what does not fit is not read
shares      each cut to the same share of the window (the paper's baseline)
head, tail  the first, or last, tokens of all of them, one after the other
summary     their sentences that say most of what no other says (extractive)
=========== =====================================================================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import accumulate
from typing import Annotated, Literal

from pydantic import Field

from gswlab.bench.folder import digest_of_files
from gswlab.bench.hotpotqa import Pool, load_hops
from gswlab.bench.task import TaskQuestion, World, Worlds
from gswlab.bench.texts import PATH, existing_file
from gswlab.core.budget import count_tokens, cut, tokens_of
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError, checked
from gswlab.core.nouns import Evidence, Item
from gswlab.core.protocols import Memory
from gswlab.memgpt.nouns import Message
from gswlab.memgpt.summary import MARK, extractive
from gswlab.text.chunks import titled

_COMMAND = "python -m gswlab run experiment=document_qa dataset.file=FILE"
_Form = Literal["paged", "shares", "head", "tail", "summary"]
WHOLE = 400_000  # tokens: more than 700 paragraphs have
_GAP = 2  # tokens that part two documents, at most about


@dataclass
class DocumentQA(Worlds):
    """The first `questions` of a file over its pooled paragraphs; `k` lists every K.

    A run asks each question once for every K, the setting of its row. With `tokens` the
    pool is cut to that length, and questions are those whose gold paragraphs it has.
    """

    file: str | None = field(default=None, metadata=PATH)
    questions: int = 100
    k: tuple[int, ...] = (1, 5, 10, 20, 50, 100, 200, 700)
    form: _Form = "paged"
    tokens: int | None = None

    def __post_init__(self) -> None:
        checked(self.form, _Form, "dataset.form")
        checked(self.questions, Annotated[int, Field(ge=1)], "dataset.questions")
        rule = Annotated[tuple[Annotated[int, Field(ge=1)], ...], Field(min_length=1)]
        self.k = checked(tuple(self.k), rule, "dataset.k")

    @cached_property
    def laid(self) -> tuple[Document, tuple[World, ...]]:
        """One world, the pool; each question is in it once for every K."""
        every = load_hops(existing_file(self.file, "dataset.file", _COMMAND))
        pool = self._cut(Pool.of(every))
        asked = []
        kept = [q for q in every if min(pool.gold(q), default=-1) >= 0]
        for row, question in enumerate(kept[: self.questions]):
            gold = frozenset(pool.chunks[n].id for n in pool.gold(question))
            told = question.question, question.answers
            asked += [TaskQuestion(f"{row}/{k}", *told, str(k), gold) for k in self.k]
        return pool.document, (World("pool", pool.chunks, tuple(asked)),)

    def _cut(self, pool: Pool) -> Pool:
        """The paragraphs from the front that `tokens` tokens have room for."""
        if self.tokens is None:
            return pool
        checked(self.tokens, Annotated[int, Field(ge=1)], "dataset.tokens")
        sizes = (count_tokens(titled(chunk)) + _GAP for chunk in pool.chunks)
        held = sum(total <= self.tokens for total in accumulate(sizes))
        if not held:
            rule = "a document has a paragraph at least"
            problem = f"dataset.tokens={self.tokens} holds none"
            raise GswlabError(problem, rule, f"{_COMMAND} dataset.tokens=512000")
        return Pool(pool.paragraphs[:held])

    def hashes(self) -> dict[str, str]:
        """The SHA-256 of the file, which has paragraphs, questions and gold."""
        path = existing_file(self.file, "dataset.file", _COMMAND)
        return {"questions": digest_of_files(path)}

    def wanted(self, memory: Memory, budget: int) -> int:
        """The whole of K documents is recalled where a form cuts them afterwards."""
        return budget if self.form == "paged" else WHOLE

    def handed(
        self, question: TaskQuestion, evidence: Evidence, budget: int
    ) -> Evidence:
        """What of the first K documents is put into a window of `budget` tokens."""
        cited = [item for item in evidence.items if item.spans]
        ranked = [*dict.fromkeys(item.chapter for item in cited)]
        first = ranked[: int(question.setting)]
        items = [item for item in cited if item.chapter in first]
        if self.form == "paged":
            chosen: Sequence[Item] = items
        elif self.form == "shares":
            share = budget // max(1, len(items)) - _GAP
            chosen = [c for item in items if (c := _shortened(item, share)).text]
        elif self.form == "summary":
            chosen = _summed(items, budget)
        else:
            chosen = _end(items, budget, self.form)
        chosen = cut(chosen, budget)
        return replace(evidence, items=chosen, tokens=tokens_of(chosen))


def _shortened(item: Item, tokens: int, tail: bool = False) -> Item:
    """The first, or last, `tokens` tokens of an item, at a word's end."""
    if tokens <= 0:
        return replace(item, text="", spans=())
    if count_tokens(item.text) <= tokens:
        return item
    words = item.text.split(" ")

    def part(many: int) -> str:
        return " ".join(words[len(words) - many :] if tail else words[:many])

    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        fits = count_tokens(part(middle)) <= tokens
        low, high = (middle, high) if fits else (low, middle - 1)
    return replace(item, text=part(low), spans=())  # not whole: cites nothing


def _end(items: Sequence[Item], budget: int, end: str) -> list[Item]:
    """Items from one end on, the last one that fits in part cut."""
    kept, left = list[Item](), budget
    for item in items if end == "head" else reversed(items):
        part = _shortened(item, left - _GAP, tail=end == "tail")
        if not part.text:
            break
        kept.append(part)
        left -= count_tokens(part.text) + _GAP
    return kept if end == "head" else kept[::-1]


def _summed(items: Sequence[Item], budget: int) -> list[Item]:
    """A summary of all items, folded in as they come."""
    summary, waiting, used = "", list[Message](), 0
    for row, item in enumerate(items):
        size = count_tokens(item.text)
        waiting.append(Message(row, "user", "message", item.text, size, row))
        used += size
        if used > budget:
            summary, waiting, used = extractive(summary, waiting, budget // 2), [], 0
    told = extractive(summary, waiting, budget) if waiting else summary
    lines = [line.removeprefix("user: ") for line in told.split(MARK) if line]
    return [Item(line, (), None, 0.0) for line in lines]
