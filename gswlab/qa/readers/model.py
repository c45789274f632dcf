"""What a model is asked to answer with, and the answer of what it replies.

Spans and chapters are those of the items that a reply cites by number. What it cites
and the evidence does not have is refused, and said in the answer's reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Annotated, NamedTuple, TypeAlias

from pydantic import BaseModel, Field

from gswlab.core.cost import Cost
from gswlab.core.document import Document
from gswlab.core.nouns import Answer, Chunk, Episode, Evidence, Item
from gswlab.language.dates.format import shown
from gswlab.language.language import asked_in, of
from gswlab.models.ask import Ask, ModelError
from gswlab.models.ask_trace import ask_told, no_reply
from gswlab.models.model import Model
from gswlab.models.prompt import prompt

_EPISODE = ("date", "place", "protagonist", "kind")


class _Shown(NamedTuple):
    """Evidence as one text, and the items by their numbers in it."""

    text: str
    items: Mapping[int, Item]

    def of_chapter(self, chapter: int) -> tuple[Item, ...]:
        """The items under a chapter; none where the evidence has no such chapter."""
        return tuple(item for item in self.items.values() if item.chapter == chapter)


def as_read(evidence: Evidence, language: str = "en") -> _Shown:
    """Numbered items, chapter by chapter in the order of the book.

    >>> items = Item("Ann left.", (), 3, 1.0), Item("Bo is a cook.", (), None, 1.0)
    >>> print(as_read(Evidence(items, 0)).text)
    Chapter 3
    [1] Ann left.
    <BLANKLINE>
    No chapter
    [2] Bo is a cook.
    """
    ordered = sorted(evidence.items, key=_order)
    items = dict(enumerate(ordered, 1))
    blocks = []
    for chapter, own in groupby(items, key=lambda number: items[number].chapter):
        lines = [line for number in own for line in _lines(number, items, language)]
        blocks.append("\n".join([_heading(chapter, language), *lines]))
    return _Shown("\n\n".join(blocks), items)


def _order(item: Item) -> tuple[bool, int]:
    return item.chapter is None, item.chapter or 0


def _heading(chapter: int | None, language: str) -> str:
    names = of(language).pairs("evidence")
    return names["no chapter"] if chapter is None else names["chapter"].format(chapter)


def _lines(number: int, items: Mapping[int, Item], language: str) -> Iterator[str]:
    """An item on one line, which no heading inside it can break, and its graph."""
    item = items[number]
    yield f"[{number}] {' '.join(item.text.split())}"
    named = dict.fromkeys(pair for pair in _graph(item) if pair[1] in item.text)
    if named:
        names = of(language).pairs("evidence")
        yield "    " + "; ".join(f"{names.get(n, n)}: {value}" for n, value in named)


def _graph(item: Item) -> Iterator[tuple[str, str]]:
    """What is behind an item: names of fields and slots, and what fills them."""
    for episode in item.facts:
        yield from _fields(episode)
    if item.told:
        yield "predicate", item.told.predicate
        yield from ((slot, shown(bound.value)) for slot, bound in item.told.slots)


def _fields(episode: Episode) -> Iterator[tuple[str, str]]:
    for name in _EPISODE:
        if (bound := getattr(episode, name)) is not None:
            yield name, shown(bound.value) if name == "date" else bound.value
    yield from (("participant", bound.value) for bound in episode.participants)


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
    given: _Shown
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
        words, given = prompt("answer", language), as_read(evidence, language)
        turns = words.turns(question=question, evidence=given.text)
        try:
            reply = self.model.ask(Ask(turns, "reader", schema=AnswerReply))
        except ModelError as failure:
            return Answer((), True, (), (), no_reply(failure))
        found = Cited(reply.value, given).answer()
        by = f"{found.reason} [{self.model.model}, answer/{language} {words.hash}]"
        return replace(found, reason=by)

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that answering costs: a call a question, the evidence in full."""
        most = ask_told("answer", AnswerReply) + _ROOM + _LABELS * budget
        return self.model.most(questions, most)
