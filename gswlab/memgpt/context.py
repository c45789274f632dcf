"""Main context: what is in the window, what enters it, what is evicted and why.

The capacity of the queue is what the window has left: C_total - C_system - C_working -
C_reserved, the last being the functions' definitions and the room for a reply.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from typing import Any

from gswlab.core.budget import count_tokens
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import JSON, Span, TraceEvent
from gswlab.memgpt import functions
from gswlab.memgpt.core_memory import EditError
from gswlab.memgpt.nouns import Kind, Message, Role, dates_in, packed, shortened, shown
from gswlab.memgpt.settings import Settings
from gswlab.memgpt.storage import Storage
from gswlab.memgpt.summary import by_model, extractive
from gswlab.memgpt.window import Paging, Part, PartName, Window
from gswlab.models.model import Model
from gswlab.models.prompt import prompt

# The FIFO queue: what of a conversation is in the window, and what goes when it
# fills.


@dataclass
class Queue:
    """Entries in order, the summary before them; `hidden` counts what it stands for."""

    entries: list[Message] = field(default_factory=list)
    summary: str = ""
    hidden: int = 0

    @property
    def first(self) -> str:
        """The first entry as it is shown: the summary, "" while nothing was evicted."""
        if not self.hidden:
            return ""
        said = f"{self.hidden} earlier entries are out of the window; their summary:"
        return packed(type="summary", message=f"{said} {self.summary}".strip())

    @property
    def tokens(self) -> int:
        """Tokens of all that is in the queue, the summary included."""
        return count_tokens(self.first) + sum(entry.tokens for entry in self.entries)

    @property
    def resident(self) -> frozenset[str]:
        """The ids in the window: messages, and what results have paged in."""
        said = {e.key for e in self.entries if e.kind == "message"}
        return frozenset(said.union(*(entry.items for entry in self.entries)))

    def evictable(self, tokens: int, to: int | None = None) -> list[Message]:
        """The oldest entries that have `tokens` tokens together, whole turns of them.

        The newest turn is kept, unless the rest is still more than `to` tokens: then
        its oldest calls go too, each with its result, but never the last ones.
        """
        *older, current = [
            list(turn) for _, turn in groupby(self.entries, lambda entry: entry.turn)
        ] or [[]]
        gone: list[Message] = []
        for turn in older:
            if _sum(gone) >= tokens:
                return gone
            gone += turn
        for pair in _pairs(current)[:-1]:
            if to is None or self.tokens - _sum(gone) <= to:
                break
            gone += pair
        return gone

    def drop(self, gone: Iterable[Message]) -> None:
        """Take entries out."""
        ids = {entry.id for entry in gone}
        self.entries = [entry for entry in self.entries if entry.id not in ids]


def _sum(entries: Iterable[Message]) -> int:
    return sum(entry.tokens for entry in entries)


def _pairs(turn: list[Message]) -> list[list[Message]]:
    """Calls of a turn, each with what came of it; what was received is of none."""
    pairs: list[list[Message]] = []
    for entry in turn:
        if entry.role == "assistant" or (entry.kind == "result" and not pairs):
            pairs.append([entry])
        elif pairs:
            pairs[-1].append(entry)
    return pairs


# What is always in the window: instructions, core memory, functions, room to reply.

counted = lru_cache(maxsize=256)(count_tokens)  # these texts repeat, turn after turn


def fixed(settings: Settings, storage: Storage) -> list[Part]:
    """The parts that are never evicted, in the order a model is sent them."""
    return [
        _sized("system", "", system(settings, storage)),
        *(_sized("core", b.label, f"{b}\n") for b in storage.core.blocks()),
        _sized("functions", "", functions.manual(settings.language)),
        Part("reply", "", settings.reply, ""),
    ]


def system(settings: Settings, storage: Storage) -> str:
    """The instructions, and how much lies outside of the window."""
    told = prompt("memgpt", settings.language).system
    recall, archival = len(storage.recall), len(storage.archival)
    tags = ", ".join(storage.archival.tags())
    counts = f"recall storage: {recall} messages; archival storage: {archival}"
    tagged = f"; tags: {tags}" if tags else ""
    return f"{told}\n\n{counts} passages{tagged}\n\n"


def _sized(part: PartName, id_: str, text: str) -> Part:
    return Part(part, id_, counted(text), text)


LEAST = 600  # tokens that the queue must have
# One entry takes at most this part of the queue: a message, a call, its result and the
# summary (an eighth) fit together, with what alerts say.
MOST = {"message": 4, "call": 8, "result": 3, "alert": 8}
WARNING = (
    "The window is nearly full: old messages will leave it soon. They stay in recall"
    " storage; what you need at hand belongs in core memory or archival storage now."
)


@dataclass
class MainContext:
    """The window of one agent, and the events of the turn under way.

    `turn` counts what was received; `now` is the latest time that an event had;
    `warned` holds from a warning to the next flush.
    """

    settings: Settings
    storage: Storage
    model: Model | None = None
    queue: Queue = field(default_factory=Queue)
    turn: int = 0
    now: str | None = None
    paused: str | None = None
    warned: bool = False
    received: Message | None = None
    events: list[TraceEvent] = field(default_factory=list)
    paging: Paging = field(default_factory=Paging)

    def load(self) -> None:
        """Read the queue and its counters back from the file."""
        known = self.storage.state()
        said = known.get("summary", ""), known.get("hidden", 0)
        self.queue = Queue(self.storage.recall.get(known.get("queue", [])), *said)
        self.turn, self.warned = known.get("turn", 0), known.get("warned", False)
        self.now, self.paused = known.get("now"), known.get("paused")
        self.received = None

    def save(self) -> None:
        """Keep what `load` reads."""
        names = ("turn", "now", "paused", "warned")
        said = {"summary": self.queue.summary, "hidden": self.queue.hidden}
        rows = [entry.id for entry in self.queue.entries]
        self.storage.keep(queue=rows, **said, **{n: getattr(self, n) for n in names})

    def begin(self, time: str | None) -> None:
        """A new turn, at a time or at the last one known."""
        self.turn += 1
        self.now, self.received = time or self.now, None
        self.events, self.paging = [], Paging()

    def tell(
        self, kind: str, data: Mapping[str, JSON], spans: tuple[Span, ...] = ()
    ) -> None:
        """Add an event to the turn's trace."""
        self.events.append(TraceEvent(kind, data, spans))

    @property
    def capacity(self) -> int:
        """Tokens that the queue may have.

        Raises:
            EditError: less than `LEAST` are left beside what is always there.
        """
        always = sum(part.tokens for part in fixed(self.settings, self.storage))
        left = self.settings.window - always
        if left < LEAST:
            said = (
                f"the window of {self.settings.window} tokens has {always} always in it"
            )
            raise EditError(f"{said}; the queue needs {LEAST}: make blocks shorter")
        return left

    def check(self) -> None:
        """That the window is large enough.

        Raises:
            GswlabError: it is not.
        """
        try:
            _ = self.capacity
        except EditError as error:
            problem, _, rule = str(error).partition("; ")
            more = 2 * self.settings.window
            raise GswlabError(problem, rule, f"memory.window={more}") from None

    def enter(self, role: Role, kind: Kind, text: str, **of: Any) -> Message:
        """Keep an entry in recall storage and put it at the end of the queue.

        What is longer than its part of the queue is cut and says so; a message is
        whole in recall storage.
        """
        text, said = text.encode("utf-8", "replace").decode(), kind == "message"
        most = self.capacity // MOST[kind]
        time = self.now if said else None
        # an agent quotes: what it calls yesterday is of the day it quotes
        dates = dates_in(text, time) if said and role == "user" else ()
        if not said:
            text = shortened(text, most)
        new = Message(0, role, kind, text, 0, self.turn, time=time, dates=dates, **of)
        if said and count_tokens(text) > most:
            new = replace(new, most=most)
        new = replace(new, tokens=count_tokens(shown(new)))
        kept = self.storage.recall.append(new)
        self.queue.entries.append(kept)
        spans = (kept.span,) if kept.span else ()
        data: dict[str, JSON] = {"id": kept.key, "entry": kind, "role": role}
        self.tell("entered", {**data, "tokens": kept.tokens}, spans)
        return kept

    def make_room(self) -> bool:
        """Evict when the queue is over its capacity; whether a warning was given."""
        prompt, settings = self.window().prompt, self.settings
        pressed = prompt > settings.warn * settings.window
        at_once = pressed and settings.pressure == "summarise"
        if at_once or self.queue.tokens > self.capacity:
            self.flush()
        elif pressed and not self.warned and settings.pressure == "warn":
            self.warned = True
            self.tell("warned", {"prompt": prompt, "window": settings.window})
            self.enter("user", "alert", packed(type="system_alert", message=WARNING))
            self.fit()
            return True
        return False

    def fit(self) -> None:
        """Evict when the queue is over its capacity."""
        if self.queue.tokens > self.capacity:
            self.flush()

    def flush(self) -> None:
        """Evict about `evict` of the queue, whole turns, and sum up what has gone."""
        queue = self.queue
        share = int(self.settings.evict * queue.tokens)
        gone = queue.evictable(share, self.capacity)
        if not gone:
            return
        before = queue.resident
        queue.drop(gone)
        out = tuple(sorted(before - queue.resident))
        self.paging.page_outs += len(out)
        spans = tuple(entry.span for entry in gone if entry.span)
        tokens, ids = sum(e.tokens for e in gone), tuple(e.key for e in gone)
        data: dict[str, JSON] = {"ids": ids, "tokens": tokens, "paged_out": out}
        self.tell("evicted", data, spans)
        queue.summary = self._summary(gone)
        queue.hidden += len(gone)
        self.warned = False
        size = count_tokens(queue.first)
        said: dict[str, JSON] = {"hidden": queue.hidden, "text": queue.summary}
        self.tell("summarised", {"tokens": size, **said})

    def _summary(self, gone: list[Message]) -> str:
        settings = self.settings
        most = min(settings.summary_tokens, self.capacity // 8)
        if settings.summary == "extractive":
            return extractive(self.queue.summary, gone, most)
        if self.model is None:
            raise GswlabError("memory.summary=llm has no model", *Model.SHARED)
        given = settings.language, self.queue.summary, gone, most, settings.window
        said, events = by_model(self.model, *given)
        self.events += events
        return said

    def forgot(self, keys: set[str]) -> None:
        """Take what was deleted out of the queue, and out of the summary.

        A result that had paged it in goes too; the summary is written anew from what
        was evicted and is left.
        """
        queue = self.queue
        entries = [e for e in queue.entries if not keys & {e.key, *e.items}]
        first = entries[0].id if entries else None
        if queue.hidden:
            left = self.storage.recall.before(first)
            queue.hidden = len(left)
            most = min(self.settings.summary_tokens, self.capacity // 8)
            queue.summary = extractive("", left, most)
        queue.entries = entries
        self.save()

    def window(self) -> Window:
        """All that is in the window now, part by part."""
        parts = fixed(self.settings, self.storage)
        if first := self.queue.first:
            parts.append(Part("summary", "summary", count_tokens(first), first))
        for entry in self.queue.entries:
            parts.append(Part(entry.kind, entry.key, entry.tokens, shown(entry)))
        return Window(self.settings.window, tuple(parts))
