"""MemGPT as a memory of the workbench (arXiv 2310.08560): read chunk by chunk, asked.

- a chunk with a speaker is a message: it enters the queue, the oldest leave, and recall
  storage has them all; a chunk without one is a text for archival storage (`keep`);
- a question is a turn of the agent whose searches page in what it needs; the turn is
  taken back, so that asking changes nothing;
- evidence is what was paged in, best first; then, where the budget has room, what is in
  the window anyway: core memory, the recent messages, the summary.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import ClassVar

from gswlab.baselines.excerpts import SaidLine, packed_by_day
from gswlab.core.budget import cut, tokens_of
from gswlab.core.codec import decode_step, encode_step
from gswlab.core.cost import NOTHING, Cost
from gswlab.core.document import Document
from gswlab.core.nouns import JSON, Chunk, Evidence, Item, TraceEvent
from gswlab.core.protocols import OF_TEXTS
from gswlab.core.step import Step
from gswlab.language.dates.format import format_date
from gswlab.memgpt.agent import Agent
from gswlab.memgpt.nouns import Hit, Message
from gswlab.memgpt.policy import ModelPolicy
from gswlab.memgpt.ranking import line_of
from gswlab.memgpt.storage import NEAREST
from gswlab.memgpt.window import AgentTurn
from gswlab.text.chunks import titled


@lru_cache(maxsize=65536)
def dated_line(message: Message) -> str:
    """A message with its speaker, and what its relative dates come to.

    >>> said = Message(3, "user", "message", "I left yesterday.", 9, 1, "Ann",
    ...                "2024-05-08", dates=(("yesterday", "2024-05-07"),))
    >>> dated_line(said)
    'Ann: I left yesterday. (yesterday: May 07, 2024)'
    """
    known = []
    for words, iso in message.dates:
        day = format_date(iso)
        if not set(day.replace(",", "").split()) <= set(words.replace(",", "").split()):
            known.append(f"{words}: {day}")
    return f"{line_of(message)} ({', '.join(known)})" if known else line_of(message)


def excerpts(hits: Iterable[Hit], budget: int) -> tuple[Item, ...]:
    """An item a day, of as many messages as fit, taken in the order of the hits."""
    said = ((hit.row, hit.score) for hit in hits if isinstance(hit.row, Message))
    lines = (
        SaidLine(
            row.id,
            dated_line(row),
            row.time[:10] if row.time else "",
            (row.span,) if row.span else (),
            score,
        )
        for row, score in said
    )
    return packed_by_day(lines, budget)


@dataclass(kw_only=True)
class MemGPT(Agent):
    """The agent as a memory: `partial_fit`, `finish`, `recall`, `clone`, `forget`.

    `replies` makes it answer every message that it reads, as in a chat; without it the
    policy acts only when it is warned of memory pressure.

    >>> MemGPT().recall("Who left?", 100).items
    ()
    """

    experiments: ClassVar[Sequence[str]] = (*OF_TEXTS, "chat")
    chunks: dict[str, Chunk] = field(default_factory=dict, init=False, repr=False)
    last: AgentTurn | None = field(default=None, init=False, repr=False)

    def partial_fit(self, chunk: Chunk) -> Step:
        """Take a chunk in; the step's events are what happened in its turn.

        With a `file`, a chunk that is in it already gives the step that it gave then.
        """
        self.chunks[chunk.id] = chunk
        if self.file is None:
            return self._read(chunk)
        sql = "SELECT step FROM turns WHERE chunk = ?"
        if known := self.storage.db.one(sql, chunk.id):
            return decode_step(known)
        with self.kept():
            step = self._read(chunk)
            kept = chunk.id, encode_step(step)
            self.storage.db.write("INSERT INTO turns VALUES (?, ?)", *kept)
        return step

    def _read(self, chunk: Chunk) -> Step:
        events: tuple[TraceEvent, ...] = ()
        if chunk.speaker is not None:
            said = self.send if self.replies else self.hear
            of = {"chunk": chunk.id, "span": chunk.span}
            self.last = said(chunk.text, chunk.time, chunk.speaker, **of)
            events = self.last.events
        if self.keep == "all" or (chunk.speaker is None and self.keep != "none"):
            named = f"{chunk.speaker}: {chunk.text}" if chunk.speaker else titled(chunk)
            with self.kept():
                of = {"chunk": chunk.id, "span": chunk.span, "source": chunk}
                kept = self.insert(named, chunk.time, **of)
            ids = tuple(passage.key for passage in kept)
            events += (TraceEvent("inserted", {"ids": ids}, (chunk.span,)),)
        return Step(len(self.chunks) - 1, chunk.id, events=events)

    def finish(self) -> Step:
        """The end of input: what ranked recall can count before a question."""
        if self.recall_by == "ranked":
            self.main.ranked.ready()
        return Step(len(self.chunks), None)

    def recall(self, question: str, budget: int) -> Evidence:
        """What a turn about `question` pages in, within `budget` tokens.

        The turn is undone: no message, edit or insertion of it is kept.
        """
        if not question.strip() or budget < 1:
            return Evidence((), 0)
        if self.recall_by == "ranked" and self.policy.name == "scripted":
            return self._ranked(question, budget)
        turn = self.asked(question, budget)
        items = [*map(self._item, turn.hits), *self._at_hand()]
        # each text once, with the score of its first place, where it stands last
        once = {item.text: item for item in reversed(items)}
        chosen = cut(list(once.values())[::-1], budget)
        return Evidence(chosen, tokens_of(chosen), turn.events)

    def _ranked(self, question: str, budget: int) -> Evidence:
        """Messages, then passages, by likelihood: a script has nothing to decide.

        No turn is made, so the window stays as it is.
        """
        said = self.main.ranked.page(question, max(1, len(self.storage.recall)))
        items = [*excerpts(said.hits, budget)]
        if len(self.storage.archival):
            items += map(self._item, self.main.search_archival(question, NEAREST).hits)
        chosen = cut(items, budget)
        spans = tuple(span for item in chosen for span in item.spans)
        data: dict[str, JSON] = {"query": question, "by": said.by, "of": said.total}
        event = TraceEvent("paged_in", data, spans)
        return Evidence(chosen, tokens_of(chosen), (event,))

    def asked(self, question: str, room: int | None = None) -> AgentTurn:
        """The turn that a question makes, taken back; `room` is the tokens to fill."""
        self.main.room = room
        try:
            with self.kept(undo=True):
                turn = self.send(question)
        finally:
            self.main.room = None
        return turn

    def _at_hand(self) -> Iterator[Item]:
        """What is in the window without a search: blocks, messages, the summary."""
        for block in self.storage.core.blocks():
            if block.value:
                yield Item(f"{block.label}: {block.value}", (), None, 0.0)
        for entry in reversed(self.main.queue.entries):
            if entry.kind == "message":
                yield self._item(Hit(entry, 0.0))
        if self.main.queue.summary:
            yield Item(self.main.queue.summary, (), None, 0.0)

    def _item(self, hit: Hit) -> Item:
        row = hit.row
        chunk = self.chunks.get(row.chunk or "")
        spans = (row.span,) if row.span else ()
        return Item(hit.text, spans, chunk.chapter if chunk else None, hit.score)

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that a model costs: its calls a message and a question, summaries.

        Without replies a message costs a call only at a warning; it is counted as one.
        """
        said = sum(chunk.speaker is not None for chunk in chunks)
        cost = NOTHING
        if isinstance(self.policy, ModelPolicy):
            calls = said * (self.calls if self.replies else 1) + questions * self.calls
            cost = self.policy.model.most(calls, self.window, self.reply)
        if self.summary == "llm" and self.model:
            most = self.model.most(said, self.window, 2 * self.summary_tokens)
            cost = cost.plus(most)
        return cost

    def clone(self) -> MemGPT:
        """The same settings, nothing read, in the memory of the process."""
        given = {f.name: getattr(self, f.name) for f in fields(self) if f.init}
        return type(self)(**{**given, "file": None})


@dataclass(kw_only=True)
class FixedContext(MemGPT):
    """The window alone, as a baseline: an agent whose searches are taken away.

    Every chunk is a message; evidence is what is in the window, the latest first.

    >>> FixedContext().recall("Who left?", 100).items
    ()
    """

    summarises: bool = False

    def _read(self, chunk: Chunk) -> Step:
        """Put a chunk into the queue, whether anybody said it or not."""
        if chunk.speaker is None:
            chunk = replace(chunk, text=titled(chunk), speaker="text")
        return super()._read(chunk)

    def recall(self, question: str, budget: int) -> Evidence:
        """The window, whatever is asked; the summary, where there is one, first."""
        items = list(self._at_hand())
        if self.main.queue.summary:
            summary = items.pop()
            items = [summary, *items] if self.summarises else items
        chosen = cut(items, budget)
        return Evidence(chosen, tokens_of(chosen))

    def _item(self, hit: Hit) -> Item:
        """What nobody said is handed over as it was read."""
        found, chunk = super()._item(hit), self.chunks.get(hit.row.chunk or "")
        said = chunk is None or chunk.speaker
        return found if said else replace(found, text=hit.row.text)
