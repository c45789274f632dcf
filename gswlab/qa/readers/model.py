"""What a model is asked to answer with, and the answer of what it replies.

Spans and chapters are those of the items that a reply cites by number. What it cites
and the evidence does not have is refused, and said in the answer's reason.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Annotated, TypeAlias

from pydantic import BaseModel, Field

from gswlab.core.cost import Cost
from gswlab.core.document import Document
from gswlab.core.nouns import Answer, Chunk, Evidence, Item
from gswlab.language.language import asked_in, of
from gswlab.models.ask import Ask, ModelError
from gswlab.models.ask_trace import ask_size, no_reply
from gswlab.models.model import Model
from gswlab.models.prompt import prompt
from gswlab.qa.readers.cue import chapters_of, resting_on


def as_read(evidence: Evidence, language: str = "en") -> tuple[str, dict[int, Item]]:
    """Evidence as one text, chapter by chapter, and its items by their numbers."""
    words = of(language).pairs("evidence")
    ordered = sorted(evidence.items, key=lambda i: (i.chapter is None, i.chapter or 0))
    items = dict(enumerate(ordered, 1))
    blocks = []
    for chapter, own in groupby(items, key=lambda number: items[number].chapter):
        heading = words["no chapter" if chapter is None else "chapter"]
        lines = [heading.format(chapter)]
        for number in own:
            # an item on one line, which no heading inside it can break, and its graph
            item = items[number]
            lines.append(f"[{number}] {' '.join(item.text.split())}")
            told = [f"{words.get(n, n)}: {s}" for n, s in dict.fromkeys(item.graph)]
            again = item.behind in item.text
            lines += [] if again else [f"    {'; '.join(told)}"]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks), items


_Why: TypeAlias = Annotated[str, Field(max_length=240)]


class ChapterReply(BaseModel):
    """A chapter that was considered, and what it has to do with the question."""

    chapter: int
    why: _Why


class ItemReply(BaseModel):
    """One item of an answer, and the numbers of the evidence that it rests on."""

    text: Annotated[str, Field(max_length=400)]
    evidence: list[int] = Field(max_length=20)


class AnswerReply(BaseModel):
    """An answer, its reasons first: one item, or as many as the question wants."""

    chapters: list[ChapterReply] = Field(max_length=20)
    entity: Annotated[str, Field(max_length=120)]
    why: _Why
    cannot_answer: bool
    answers: list[ItemReply] = Field(max_length=60)


def _cited(reply: AnswerReply, known: Mapping[int, Item]) -> Answer:
    """A reply held against its evidence: what cites it, else an abstention."""
    refused: list[str] = []
    # 1. the items of the chapters considered, chapter by chapter
    considered: list[Item] = []
    for chapter in dict.fromkeys(c.chapter for c in reply.chapters):
        under = [item for item in known.values() if item.chapter == chapter]
        considered += under
        refused += [] if under else [f"chapter {chapter} is not in the evidence"]
    # 2. what is answered, by the items that it cites
    found: dict[str, list[Item]] = {}
    for said in reply.answers:
        numbers, text = dict.fromkeys(said.evidence), " ".join(said.text.split())
        refused += [f"[{n}] is not in the evidence" for n in numbers if n not in known]
        items = [known[n] for n in numbers if n in known] or considered
        if not text or not items:
            refused.append(f"{text!r} rests on nothing of the evidence")
        else:
            found.setdefault(text, []).extend(items)
    # 3. chapters, entity and why, as the model gave them; then what was refused
    parts = [f"chapter {c.chapter}: {c.why}" for c in reply.chapters]
    parts += [f"{reply.entity}: {reply.why}"] if reply.entity else []
    if reply.cannot_answer:
        parts.append("the model says that the evidence cannot answer")
    parts += [f"refused: {what}" for what in dict.fromkeys(refused)]
    reason = " ".join("; ".join(parts).split())
    if reply.cannot_answer or not found:
        return Answer((), True, chapters_of(considered), (), reason)
    cited = [item for items in found.values() for item in items]
    return resting_on(cited, found, reason)


_ROOM = 300  # tokens of a question, at most about
_LABELS = 4  # times its own length that evidence grows to with numbers and labels


@dataclass
class LLMReader:
    """Answers by asking `model`; abstains without a call where there is no evidence."""

    model: Model

    def answer(self, question: str, evidence: Evidence) -> Answer:
        """What a model reads off the evidence, or why nothing.

        Raises:
            StoppedError: cancelled, or the next call could overspend the budget.
        """
        if not evidence.items:
            return Answer((), True, (), (), "there is no evidence to answer from")
        language = asked_in(question)
        words, (text, items) = prompt("answer", language), as_read(evidence, language)
        turns = words.turns(question=question, evidence=text)
        try:
            reply = self.model.ask(Ask(turns, "reader", schema=AnswerReply))
        except ModelError as failure:
            return Answer((), False, (), (), no_reply(failure))
        found = _cited(reply.value, items)
        by = f"{found.reason} [{self.model.model}, answer/{language} {words.hash}]"
        return replace(found, reason=by)

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that answering costs: a call a question, the evidence in full."""
        most = ask_size("answer", AnswerReply) + _ROOM + _LABELS * budget
        return self.model.most(questions, most)
