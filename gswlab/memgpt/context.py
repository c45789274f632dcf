"""Main context: what is in the window, what enters it, what is evicted and why.

The capacity of the queue is what the window has left: C_total - C_system - C_working -
C_reserved, the last being the functions' definitions and the room for a reply.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Annotated, Any, Literal, get_origin, get_type_hints

from pydantic import Field

from gswlab.core.budget import count_tokens
from gswlab.core.errors import GswlabError, checked
from gswlab.core.nouns import JSON, Span, TraceEvent
from gswlab.memgpt import functions
from gswlab.memgpt.core_memory import EditError
from gswlab.memgpt.nouns import (
    EntryKind,
    EntryRole,
    HitPage,
    Message,
    dates_in,
    model_text,
    packed_event,
    truncated,
)
from gswlab.memgpt.ranking import Ranked
from gswlab.memgpt.storage import By, How, Storage
from gswlab.memgpt.summary import by_model, extractive
from gswlab.memgpt.window import Paging, Window, WindowPart
from gswlab.models.model import Model
from gswlab.models.prompt import prompt

_Count = Annotated[int, Field(ge=1)]
_Share = Annotated[float, Field(gt=0, le=1)]


@dataclass(kw_only=True)
class Settings:
    """What can be set of an agent, with the published values as defaults.

    Sizes are tokens of cl100k_base, shares from 0 to 1. `window` is the whole context,
    `reply` what is kept free of it for a reply. At `warn` of the window the model is
    warned, or with `pressure=summarise` what is old is evicted at once; when the queue
    is over its capacity, `evict` of it goes. `calls`, `repeats` and `failures` are the
    most calls for one message, the same call in it, and failed calls in a row. `page`
    is the hits of a page, `batch` the pages one search brings in, `prefetch` the hits
    brought in before a message is thought about. `keep` says which chunks archival
    storage gets: those without a speaker (`passages`), `all`, or `none`. `replies` says
    whether what is read is answered as well.
    """

    window: _Count = 8192
    reply: _Count = 512
    pressure: Literal["warn", "summarise"] = "warn"
    warn: _Share = 0.7
    evict: _Share = 0.5
    summary: Literal["extractive", "llm"] = "extractive"
    summary_tokens: _Count = 200
    calls: _Count = 20
    repeats: _Count = 3
    failures: _Count = 3
    page: _Count = 5
    batch: _Count = 1
    prefetch: Annotated[int, Field(ge=0)] = 0
    recall_by: By = "auto"
    archival_by: How = "both"
    keep: Literal["passages", "all", "none"] = "passages"
    replies: bool = False
    persona: str = ""
    human: str = ""
    limit: _Count = 2000
    language: str = "en"
    file: str | None = field(default=None, metadata={"path": True})

    def __post_init__(self) -> None:
        for name, rule in get_type_hints(Settings, include_extras=True).items():
            if get_origin(rule) in (Annotated, Literal):
                checked(getattr(self, name), rule, f"memory.{name}")


@dataclass
class Queue:
    """The FIFO queue: what of a conversation is in the window, and what goes when full.

    Entries are in order, the summary before them; `hidden` counts what it stands for.
    """

    entries: list[Message] = field(default_factory=list)
    summary: str = ""
    hidden: int = 0

    @property
    def first(self) -> str:
        """The first entry as it is shown: the summary, "" while nothing was evicted."""
        if not self.hidden:
            return ""
        said = f"{self.hidden} earlier entries are out of the window; their summary:"
        return packed_event(type="summary", message=f"{said} {self.summary}".strip())

    @property
    def tokens(self) -> int:
        """Tokens of all that is in the queue, the summary included."""
        return count_tokens(self.first) + sum(entry.tokens for entry in self.entries)

    @property
    def resident(self) -> frozenset[str]:
        """The ids in the window: messages, and what results have paged in."""
        said = {e.key for e in self.entries if e.kind == "message"}
        return frozenset(said.union(*(entry.items for entry in self.entries)))

    def evictable(self, tokens: int, to: int) -> list[Message]:
        """The oldest entries that have `tokens` tokens together, whole turns of them.

        The newest turn is kept, unless the rest is still more than `to` tokens: then
        its oldest calls go too, each with its result, but never the last ones.
        """
        turns = groupby(self.entries, lambda entry: entry.turn)
        *older, current = [list(turn) for _, turn in turns] or [[]]
        gone: list[Message] = []
        for turn in older:
            if sum(entry.tokens for entry in gone) >= tokens:
                return gone
            gone += turn
        pairs: list[list[Message]] = []  # what was received is of none
        for entry in current:
            if entry.role == "assistant" or (entry.kind == "result" and not pairs):
                pairs.append([entry])
            elif pairs:
                pairs[-1].append(entry)
        for pair in pairs[:-1]:
            if self.tokens - sum(entry.tokens for entry in gone) <= to:
                break
            gone += pair
        return gone


_counted = lru_cache(maxsize=256)(count_tokens)  # these texts repeat, turn after turn
_STATE = ("turn", "now", "paused", "warned")  # of main context, beside its queue
_LEAST = 600  # tokens that the queue must have
# One entry takes at most this part of the queue: a message, a call, its result and the
# summary (an eighth) fit together, with what alerts say.
_PART = {"message": 4, "call": 8, "result": 3, "alert": 8}
_WARNING = (
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
    room: int | None = None  # tokens that searches are to fill

    @cached_property
    def ranked(self) -> Ranked:
        """Recall storage by likelihood."""
        return Ranked(self.storage.recall, self.storage.archival.embedder)

    def search_archival(self, query: str, size: int, page: int = 0) -> HitPage:
        """A page of archival storage, as `archival_by` searches it."""
        by = self.settings.archival_by
        return self.storage.archival.search(query, size, page, by)

    def search_recall(self, query: str, size: int, page: int = 0) -> HitPage:
        """A page of recall storage as `recall_by` finds it, older than this turn."""
        before = self.received.id if self.received else None
        by = self.settings.recall_by
        if by == "ranked":
            return self.ranked.page(query, size, page, before)
        return self.storage.recall.search(query, size, page, by, before)

    def load(self) -> None:
        """Read the queue and its counters back from the file."""
        known = self.storage.db.state()
        said = known.get("summary", ""), known.get("hidden", 0)
        self.queue = Queue(self.storage.recall.get(known.get("queue", [])), *said)
        for name in _STATE:
            setattr(self, name, known.get(name, getattr(MainContext, name)))
        self.received = None

    def save(self) -> None:
        """Keep what `load` reads."""
        queue, kept = self.queue, {name: getattr(self, name) for name in _STATE}
        kept = {"summary": queue.summary, "hidden": queue.hidden, **kept}
        self.storage.db.keep(queue=[entry.id for entry in queue.entries], **kept)

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

    def fixed(self) -> list[WindowPart]:
        """The parts that are never evicted, in the order a model is sent them.

        Instructions and how much lies outside of the window, core memory, functions,
        room to reply.
        """
        settings, storage = self.settings, self.storage
        told = prompt("memgpt", settings.language).system
        recall, archival = len(storage.recall), len(storage.archival)
        counts = f"recall storage: {recall} messages; archival storage: {archival}"
        tags = ", ".join(storage.archival.tags())
        tagged = f"; tags: {tags}" if tags else ""
        system = f"{told}\n\n{counts} passages{tagged}\n\n"
        manual = functions.manual(settings.language)
        blocks = [(block.label, f"{block}\n") for block in storage.core.blocks()]
        return [
            WindowPart("system", "", _counted(system), system),
            *(WindowPart("core", name, _counted(text), text) for name, text in blocks),
            WindowPart("functions", "", _counted(manual), manual),
            WindowPart("reply", "", settings.reply, ""),
        ]

    @property
    def capacity(self) -> int:
        """Tokens that the queue may have.

        Raises:
            EditError: less than 600 are left beside what is always there.
        """
        window, always = self.settings.window, sum(p.tokens for p in self.fixed())
        if window - always < _LEAST:
            said = f"the window of {window} tokens has {always} always in it"
            raise EditError(f"{said}; the queue needs {_LEAST}: make blocks shorter")
        return window - always

    def enter(self, role: EntryRole, kind: EntryKind, text: str, **of: Any) -> Message:
        """Keep an entry in recall storage and put it at the end of the queue.

        What is longer than its part of the queue is cut and says so; a message is
        whole in recall storage.
        """
        text, said = text.encode("utf-8", "replace").decode(), kind == "message"
        most = self.capacity // _PART[kind]
        time = self.now if said else None
        # an agent quotes: what it calls yesterday is of the day it quotes
        dates = dates_in(text, time) if said and role == "user" else ()
        if not said:
            text = truncated(text, most)
        new = Message(0, role, kind, text, 0, self.turn, time=time, dates=dates, **of)
        if said and count_tokens(text) > most:
            new = replace(new, most=most)
        new = replace(new, tokens=count_tokens(model_text(new)))
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
            alert = packed_event(type="system_alert", message=_WARNING)
            self.enter("user", "alert", alert)
            self.fit()
            return True
        return False

    def fit(self) -> None:
        """Evict when the queue is over its capacity."""
        if self.queue.tokens > self.capacity:
            self.flush()

    def flush(self) -> None:
        """Evict about `evict` of the queue, whole turns, and sum up what has gone."""
        queue, settings = self.queue, self.settings
        gone = queue.evictable(int(settings.evict * queue.tokens), self.capacity)
        if not gone:
            return
        before, dropped = queue.resident, {entry.id for entry in gone}
        queue.entries = [one for one in queue.entries if one.id not in dropped]
        out = tuple(sorted(before - queue.resident))
        self.paging.page_outs += len(out)
        spans = tuple(entry.span for entry in gone if entry.span)
        tokens, ids = sum(e.tokens for e in gone), tuple(e.key for e in gone)
        data: dict[str, JSON] = {"ids": ids, "tokens": tokens, "paged_out": out}
        self.tell("evicted", data, spans)
        most = min(settings.summary_tokens, self.capacity // 8)
        if settings.summary == "extractive":
            queue.summary = extractive(queue.summary, gone, most)
        elif self.model is None:
            raise GswlabError("memory.summary=llm has no model", *Model.SHARED)
        else:
            given = settings.language, queue.summary, gone, most, settings.window
            queue.summary, events = by_model(self.model, *given)
            self.events += events
        queue.hidden += len(gone)
        self.warned = False
        size = count_tokens(queue.first)
        said: dict[str, JSON] = {"hidden": queue.hidden, "text": queue.summary}
        self.tell("summarised", {"tokens": size, **said})

    def forgot(self, keys: set[str]) -> None:
        """Take what was deleted out of the queue, and out of the summary.

        A result that had paged it in goes too; the summary is written anew from what
        was evicted and is left.
        """
        queue = self.queue
        entries = [e for e in queue.entries if not keys & {e.key, *e.items}]
        if queue.hidden:
            left = self.storage.recall.before(entries[0].id if entries else None)
            queue.hidden = len(left)
            most = min(self.settings.summary_tokens, self.capacity // 8)
            queue.summary = extractive("", left, most)
        queue.entries = entries
        self.save()

    def window(self) -> Window:
        """All that is in the window now, part by part."""
        parts = self.fixed()
        if first := self.queue.first:
            parts.append(WindowPart("summary", "summary", count_tokens(first), first))
        for entry in self.queue.entries:
            text = model_text(entry)
            parts.append(WindowPart(entry.kind, entry.key, entry.tokens, text))
        return Window(self.settings.window, tuple(parts))
