"""A model behind any OpenAI-compatible address: ask it one thing or many.

>>> model = Model("http://127.0.0.1:8000/v1", "some-model")
>>> model.ask(Ask(messages, "reader")).text                         # doctest: +SKIP
>>> for outcome in model.ask_all(asks): ...                         # doctest: +SKIP

What is notable here:

- what was asked before is replayed from the cassette and costs nothing;
- many asks run at once, their outcomes come in the order of the asks, and a failure is
  one of the outcomes: only a spent budget, `cancel` or a server that refuses every ask
  ends the run;
- an ask without a usable reply is open: nothing is recorded, and the same command asks
  again; but what a model that always says the same has said, stands;
- how a server wants a request worded is no part of the request that is recorded, so a
  cassette serves whichever dialect the server turned out to speak.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from threading import Event, Lock
from typing import Annotated, Any, ClassVar, NamedTuple

from pydantic import Field

from gswlab.core.budget import count_tokens
from gswlab.core.cost import HOW, NOTHING, Cost, Entry
from gswlab.core.errors import GswlabError, checked
from gswlab.models.ask import (
    Ask,
    ModelError,
    Reply,
    StoppedError,
    instruction,
    parsed_reply,
    schema_of,
)
from gswlab.models.cassette import Cassette
from gswlab.models.dialect import Dialect, blind, moves, refused_move
from gswlab.models.endpoint import Endpoint, RefusedError
from gswlab.models.ledger import Ledger

_Json = dict[str, Any]
# In a line of calls: when the one before has left, and when this one has. What is left
# of a budget goes to those asked first.
_Turn = tuple[Event, Event]

# One rate for all who ask: a call waits for its turn, or until it is cancelled.

_TABLE = "CREATE TABLE IF NOT EXISTS turn (id INTEGER PRIMARY KEY, at REAL NOT NULL)"
_PUT = "INSERT INTO turn VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at"
_FAR = 3600.0  # seconds; a turn beyond was written by a clock that has been set back


@dataclass
class Pace:
    """At most `per_minute` calls, evenly spread; None is no limit.

    With a `file` the rate is that of all processes that name it.
    """

    per_minute: float | None
    cancelled: Event
    file: str | None = None
    _next: float = field(default=0.0, init=False, repr=False)
    _lock: Any = field(default_factory=Lock, init=False, repr=False)

    def wait(self) -> None:
        """Return when the next call may be made.

        Raises:
            StoppedError: it was cancelled meanwhile.
        """
        seconds = 0.0
        if self.per_minute is not None:
            apart = 60 / self.per_minute
            with self._lock:
                if self.file:
                    seconds = self._shared(self.file, apart)
                else:
                    now = time.time()
                    turn = max(now, self._next)
                    self._next, seconds = turn + apart, turn - now
        if self.cancelled.wait(seconds):
            raise StoppedError("the calls were cancelled", "replies so far are kept")

    def _shared(self, file: str, apart: float) -> float:
        try:
            Path(file).absolute().parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(file, 60, isolation_level=None)) as db:
                db.execute("BEGIN IMMEDIATE")
                db.execute(_TABLE)
                row = db.execute("SELECT at FROM turn").fetchone()
                now = time.time()
                after = row[0] if row and row[0] < now + _FAR else now
                turn = max(now, after)
                db.execute(_PUT, (turn + apart,))
                db.execute("COMMIT")
        except (OSError, sqlite3.Error) as error:
            rule = "the rate of all jobs is kept beside the cassette"
            problem = f"{file} cannot be used: {error}"
            raise GswlabError(problem, rule, "llm.cassette=FILE") from error
        return float(turn - now)


_Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
_Count = Annotated[int, Field(ge=0)]
_MOST_SAID = 4000  # characters of a bad reply that its repair repeats
_PER_MESSAGE = 8  # tokens of a chat template around a message, at most about
_ROOM = "room to think"  # beside what a dialect says: no ask has a shorter reply


class _Tried(NamedTuple):
    """An ask as it is recorded, what came back, and what of that does not fit."""

    request: _Json
    data: _Json
    reply: Reply
    errors: list[str]


@dataclass
class Model:
    """A model, its settings and its limits.

    `key_env` names the environment variable with the key; `per_minute` limits calls,
    retries not counted; `replay_only` makes a call that is not recorded an error.
    """

    # one in a lab, for all stages; without one a stage says what gives it one
    SHARED: ClassVar = (
        "a stage that asks a model needs one",
        "llm=local, or llm=openai llm.base_url=URL llm.model=NAME",
    )
    STEADY: ClassVar = False  # whether it says the same whenever it is asked the same
    base_url: str = "https://api.openai.com/v1"
    model: str = "gpt-4o"
    temperature: float = 0.0
    seed: int | None = 0
    max_tokens: int = 4000
    key_env: str = field(default="OPENAI_API_KEY", metadata=HOW)
    timeout: float = field(default=120.0, metadata=HOW)
    retries: int = field(default=4, metadata=HOW)
    concurrency: int = field(default=4, metadata=HOW)
    per_minute: float | None = field(default=None, metadata=HOW)
    cassette: str | None = field(default=None, metadata=HOW)
    replay_only: bool = field(default=False, metadata=HOW)
    ledger: Ledger = field(default_factory=Ledger)
    _cancelled: Event = field(default_factory=Event, init=False, repr=False)
    _counting: Any = field(default_factory=Lock, init=False, repr=False)
    open: int = field(default=0, init=False, repr=False)  # asks to be asked again
    _dialect: Dialect = field(default=frozenset(), init=False, repr=False)
    _taken: set[str] = field(default_factory=set, init=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("max_tokens", "timeout", "concurrency", "per_minute"):
            if (value := getattr(self, name)) is not None:
                checked(value, _Positive, f"llm.{name}")
        checked(self.retries, _Count, "llm.retries")
        self._tape = Cassette(self.cassette) if self.cassette else None
        shared = f"{self.cassette}.pace" if self.cassette else None
        self._pace = Pace(self.per_minute, self._cancelled, shared)
        self.endpoint = self._served()

    def _served(self) -> Endpoint:
        return Endpoint(self.base_url, self.key_env, self.timeout, self.retries)

    def ask(self, ask: Ask, turn: _Turn | None = None) -> Reply:
        """The reply to one ask, with one chance to mend what does not fit its schema.

        With a `turn`, it takes of the budget after those before it.

        Raises:
            ModelError: no reply, or none that fits; the run can go on.
            StoppedError: cancelled, or the next call could overspend the budget.
        """
        try:
            first = last = self._tried(ask, turn)
            if first.errors:
                said = "The reply does not fit:\n" + "\n".join(first.errors[:50])
                said += "\nReply again with one JSON object in which this is mended."
                text = first.reply.text[:_MOST_SAID]
                last = self._tried(ask.then(text, said), turn)
            if last.errors:
                problem = f"{self.model} gave no valid reply to {ask.stage} {ask.chunk}"
                errors, settled = tuple(last.errors), last.reply.replayed or self.STEADY
                raise ModelError(problem, errors, last.reply.text, settled)
        except ModelError as failure:
            with self._counting:
                self.open += not failure.settled
            raise
        if first.errors and not first.reply.replayed:  # it is replayed as it was mended
            self.kept(first.request, first.data)
        return last.reply

    def ask_all(self, asks: Iterable[Ask]) -> Iterator[Reply | ModelError]:
        """The outcomes of many asks, in their order, `concurrency` at a time.

        What is left of a budget goes to the first of them.
        """
        waiting: deque[Future[Reply | ModelError]] = deque()
        before = Event()
        before.set()
        with ThreadPoolExecutor(self.concurrency) as pool:
            try:
                for ask in asks:
                    left = Event()
                    waiting.append(pool.submit(self._outcome, ask, (before, left)))
                    before = left
                    if len(waiting) >= 4 * self.concurrency:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                for future in reversed(waiting):  # none may wait for one that is gone
                    future.cancel()

    def ready(self) -> None:
        """Fail, before any work, where nobody could be asked: no client, or no key."""
        if not self.replay_only:
            self.endpoint.ready()

    def cancel(self) -> None:
        """Make no further call; those under way end by themselves."""
        self._cancelled.set()

    def estimate(self, asks: Iterable[Ask]) -> Cost:
        """The most that asks can cost that are not recorded, made all at once.

        A call may last until its time-out; repairs and tries after it are left out.
        """
        entries = (
            replace(self._most(ask), outcome="cached")
            if self.recorded(self._request(ask))
            else self._most(ask)
            for ask in asks
        )
        cost = reduce(Cost.plus, map(self.ledger.cost, entries), NOTHING)
        return cost._replace(seconds=self.timeout * -(-cost.calls // self.concurrency))

    def most(self, calls: int, read: int, wrote: int | None = None) -> Cost:
        """The most that calls can cost which cannot be written yet, one after another.

        Each reads at most `read` tokens and writes `wrote`, else the longest reply.
        """
        wrote = min(wrote or self.max_tokens, self.max_tokens)
        each = self.ledger.cost(self._entry("", None, read, wrote))
        money = None if each.money is None else calls * each.money
        return Cost(calls, 0, calls * read, calls * wrote, money, calls * self.timeout)

    # The way of every call: cassette, pace, budget, server, ledger, cassette.

    def recorded(self, request: _Json) -> _Json | None:
        """What the cassette has for a request."""
        return self._tape.get(request) if self._tape else None

    def kept(self, request: _Json, reply: _Json) -> _Json:
        """A reply, recorded; another process may have recorded one before."""
        return self._tape.put(request, reply) if self._tape else reply

    def replayed(self, entry: Entry) -> None:
        """Count what the cassette answered."""
        self.ledger.add(replace(entry, outcome="cached"))

    def made(
        self,
        request: _Json,
        most: Entry,
        send: Callable[[], _Json],
        turn: _Turn | None = None,
        known: Callable[[], _Json | None] | None = None,
    ) -> tuple[_Json, bool]:
        """A call, in its turn and within the budget, counted whatever comes of it.

        `send` records what it got. Where another process asked the same meanwhile its
        reply, `known` by now, is taken; second is whether it was.

        Raises:
            StoppedError: cancelled, or the budget does not hold `most`.
        """
        if self.replay_only:
            raise (self._tape or Cassette("no cassette")).missing(request)
        self._pace.wait()
        if turn:
            turn[0].wait()
        self.ledger.hold(most)
        if turn:
            turn[1].set()
        entry = replace(most, outcome="failed", input_tokens=0, output_tokens=0)
        started = time.perf_counter()
        alone = self._tape.asking(request, self._cancelled) if self._tape else None
        try:
            with alone or nullcontext():
                now = known() if known else self.recorded(request)
                reply = now or send()
            read, wrote = int(reply["input_tokens"]), int(reply["output_tokens"])
            entry = replace(most, input_tokens=read, output_tokens=wrote)
            entry = replace(entry, cached_tokens=int(reply.get("cached_tokens", 0)))
            entry = replace(entry, outcome="cached") if now else entry
        finally:
            seconds = round(time.perf_counter() - started, 6)
            self.ledger.settle(most, replace(entry, seconds=seconds))
        return reply, now is not None

    def _outcome(self, ask: Ask, turn: _Turn) -> Reply | ModelError:
        try:
            return self.ask(ask, turn)
        except ModelError as failure:
            return failure
        finally:
            turn[1].set()  # whatever happens: others wait for it

    def _tried(self, ask: Ask, turn: _Turn | None) -> _Tried:
        """A reply, and what is wrong with it; recorded where nothing is."""
        request = self._request(ask)
        if data := self.recorded(request):
            used = int(data["input_tokens"]), int(data["output_tokens"])
            self.replayed(self._entry(ask.stage, ask.chunk, *used))
            return _Tried(request, data, *_read(data, ask, replayed=True))

        def send() -> _Json:
            data = self._sent(ask)
            fits = self.STEADY or not _read(data, ask)[1]
            return self.kept(request, data) if fits else data

        data, known = self.made(request, self._most(ask), send, turn)
        if data["cut"] and data.get("thought") and _ROOM not in self._dialect:
            self._dialect |= {_ROOM}  # thinking took it all: that is not counted now
            data, known = self.made(request, self._most(ask), send, turn)
        return _Tried(request, data, *_read(data, ask, replayed=known))

    def _sent(self, ask: Ask) -> _Json:
        """One reply, in the words that the server takes."""
        made, more = self._dialect, blind("", ask, frozenset(moves(ask, ())))
        kind = "schema" if ask.schema else "calls" if ask.calls else "plain"
        settings = {**self._settings(ask), "max_tokens": self._longest(ask)}
        why, guessing = "", False
        while True:
            try:
                reply = self.endpoint.chat(ask, made, settings)
            except RefusedError as refused:
                why = why or str(refused)
                if move := refused_move(str(refused), ask, made):
                    made |= {move}
                    continue
                if kind not in self._taken and not guessing:
                    guessing, more = True, blind(str(refused), ask, made)
                if (tried := next(more, None)) is None:
                    self._taken.add(kind)  # it is this ask that it does not take
                    said = f"{self.endpoint.base_url} refuses the request: {why}"
                    raise ModelError(said) from None
                made = tried
            else:
                self._dialect |= made
                self._taken.add(kind)
                return reply

    def _most(self, ask: Ask) -> Entry:
        """The most that an ask can cost, in about the model's own tokens."""
        texts = [message["content"] or json.dumps(message) for message in ask.messages]
        if ask.schema:
            texts.append(instruction(ask.schema))
        texts += [json.dumps(tool, ensure_ascii=False) for tool in ask.tools]
        tokens = sum(count_tokens(text) + _PER_MESSAGE for text in texts)
        return self._entry(ask.stage, ask.chunk, tokens, self._longest(ask))

    def _longest(self, ask: Ask) -> int:
        """The tokens that a reply may have, with what is thought before it."""
        if _ROOM in self._dialect:
            return self.max_tokens
        return min(self.max_tokens, ask.max_tokens or self.max_tokens)

    def _entry(self, stage: str, chunk: str | None, read: int, wrote: int) -> Entry:
        return Entry(stage, chunk, self.model, "fresh", read, wrote, 0.0)

    def _settings(self, ask: Ask) -> _Json:
        """How a reply is drawn."""
        drawn = {"model": self.model, "temperature": self.temperature}
        longest = min(self.max_tokens, ask.max_tokens or self.max_tokens)
        return {**drawn, "seed": self.seed, "max_tokens": longest}

    def _request(self, ask: Ask) -> _Json:
        """What a reply depends on, and the cassette keeps it by."""
        return {
            "server": self.endpoint.name,
            **self._settings(ask),
            "messages": [dict(message) for message in ask.messages],
            "schema": schema_of(ask.schema) if ask.schema else None,
            **({"tools": list(ask.tools)} if ask.tools else {}),
            **({"calls": True} if ask.calls else {}),
        }


def _read(data: _Json, ask: Ask, replayed: bool = False) -> tuple[Reply, list[str]]:
    """What was said, and what of it does not fit."""
    text, cut = data["text"], data["cut"]
    value, errors = parsed_reply(text, ask.schema) if ask.schema else (None, [])
    if errors and cut:
        errors.insert(0, f"the whole reply: cut off at {data['output_tokens']} tokens")
    calls = tuple((name, given) for name, given in data.get("calls", ()))
    return Reply(text, value, cut, replayed, calls), errors
