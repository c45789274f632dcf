"""What a model is asked to answer with, and the answer of what it replies.

Spans and chapters are those of the items that a reply cites by number. What it cites
and the evidence does not have is refused, and said in the answer's reason.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, TypeAlias

from pydantic import BaseModel, Field

from gswlab.core.nouns import Answer, Item
from gswlab.reader.shown import Shown

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


@dataclass
class Cited:
    """A reply held against the evidence it was given."""

    reply: AnswerReply
    given: Shown
    refused: list[str] = field(default_factory=list)

    def answer(self) -> Answer:
        """The items that cite the evidence; an abstention where there is none."""
        considered = [item for items in self._considered() for item in items]
        found: dict[str, list[Item]] = {}
        for said in self.reply.answers:
            text, items = " ".join(said.text.split()), self._items(said) or considered
            if not text or not items:
                self.refused.append(f"{text!r} rests on nothing of the evidence")
            else:
                found.setdefault(text, []).extend(items)
        if self.reply.cannot_answer or not found:
            return Answer((), True, _chapters(considered), (), self._reason())
        cited = [item for items in found.values() for item in items]
        spans = tuple(dict.fromkeys(span for item in cited for span in item.spans))
        return Answer(tuple(found), False, _chapters(cited), spans, self._reason())

    def _considered(self) -> list[tuple[Item, ...]]:
        """The items of the chapters considered, chapter by chapter."""
        found = {
            c.chapter: self.given.of_chapter(c.chapter) for c in self.reply.chapters
        }
        self.refused += [
            f"chapter {number} is not in the evidence"
            for number, items in found.items()
            if not items
        ]
        return list(found.values())

    def _items(self, said: ItemReply) -> list[Item]:
        known = self.given.items
        numbers = dict.fromkeys(said.evidence)
        self.refused += [
            f"[{n}] is not in the evidence" for n in numbers if n not in known
        ]
        return [known[number] for number in numbers if number in known]

    def _reason(self) -> str:
        """Chapters, entity and why, as the model gave them; then what was refused."""
        reply = self.reply
        parts = [f"chapter {c.chapter}: {c.why}" for c in reply.chapters]
        parts += [f"{reply.entity}: {reply.why}"] if reply.entity else []
        if reply.cannot_answer:
            parts.append("the model says that the evidence cannot answer")
        parts += [f"refused: {what}" for what in dict.fromkeys(self.refused)]
        return " ".join("; ".join(parts).split())


def _chapters(items: list[Item]) -> tuple[int, ...]:
    found = (item.chapter for item in items if item.chapter is not None)
    return tuple(dict.fromkeys(found))
