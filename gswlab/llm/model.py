"""A model behind any OpenAI-compatible address: ask it one thing or many.

>>> model = Model("http://127.0.0.1:8000/v1", "some-model")
>>> model.ask(Ask(messages, "reader")).text                         # doctest: +SKIP
>>> for outcome in model.ask_all(asks): ...                         # doctest: +SKIP

What is notable here:

- what was asked before is replayed from the cassette and costs nothing;
- many asks run at once, their outcomes come in the order of the asks, and a failure is
  one of the outcomes: only a spent budget, `cancel` or a server that refuses every ask
  ends the run;
- how a server is held to a schema is no part of the request that is recorded, so a
  cassette serves whichever form the server turned out to take.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial, reduce
from threading import Event
from typing import Annotated, Any, ClassVar

from pydantic import Field

from gswlab.core.budget import count_tokens
from gswlab.core.cost import HOW, NOTHING, Cost, Entry
from gswlab.core.errors import checked
from gswlab.llm.ask import Ask, ModelError, Reply
from gswlab.llm.calls import Calls
from gswlab.llm.cassette import Cassette
from gswlab.llm.endpoint import Endpoint
from gswlab.llm.forms import Forms
from gswlab.llm.ledger import Ledger
from gswlab.llm.pace import Pace
from gswlab.llm.schema import instruction, parsed, schema_of
from gswlab.llm.turn import Turn

_Positive = Annotated[float, Field(gt=0, allow_inf_nan=False)]
_Count = Annotated[int, Field(ge=0)]
_MOST_SAID = 4000  # characters of a bad reply that its repair repeats
_PER_MESSAGE = 8  # tokens of a chat template around a message, at most about


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

    def __post_init__(self) -> None:
        for name in ("max_tokens", "timeout", "concurrency", "per_minute"):
            if (value := getattr(self, name)) is not None:
                checked(value, _Positive, f"llm.{name}")
        checked(self.retries, _Count, "llm.retries")
        cassette = Cassette(self.cassette) if self.cassette else None
        shared = f"{self.cassette}.pace" if self.cassette else None
        pace = Pace(self.per_minute, self._cancelled, shared)
        self.endpoint = self._served()
        self.forms = Forms()
        self.calls = Calls(cassette, self.ledger, pace, self.replay_only)

    def _served(self) -> Endpoint:
        return Endpoint(self.base_url, self.key_env, self.timeout, self.retries)

    def ask(self, ask: Ask, turn: Turn | None = None) -> Reply:
        """The reply to one ask, with one chance to mend what does not fit its schema.

        With a `turn`, it takes of the budget after those before it.

        Raises:
            ModelError: no reply, or none that fits; the run can go on.
            StoppedError: cancelled, or the next call could overspend the budget.
        """
        reply, errors = self._tried(ask, turn)
        if errors:
            said = "The reply does not fit:\n" + "\n".join(errors[:50])
            said += "\nReply again with one JSON object in which this is mended."
            reply, errors = self._tried(ask.then(reply.text[:_MOST_SAID], said), turn)
        if errors:
            problem = f"{self.model} gave no valid reply to {ask.stage} {ask.chunk}"
            raise ModelError(problem, tuple(errors), reply.text)
        return reply

    def ask_all(self, asks: Iterable[Ask]) -> Iterator[Reply | ModelError]:
        """The outcomes of many asks, in their order, `concurrency` at a time.

        What is left of a budget goes to the first of them.
        """
        waiting: deque[Future[Reply | ModelError]] = deque()
        turn: Turn | None = None
        with ThreadPoolExecutor(self.concurrency) as pool:
            try:
                for ask in asks:
                    turn = Turn(turn)
                    waiting.append(pool.submit(self._outcome, ask, turn))
                    if len(waiting) >= 4 * self.concurrency:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            finally:
                for future in reversed(waiting):  # none may wait for one that is gone
                    future.cancel()

    def cancel(self) -> None:
        """Make no further call; those under way end by themselves."""
        self._cancelled.set()

    def estimate(self, asks: Iterable[Ask]) -> Cost:
        """The most that asks can cost that are not recorded, made all at once.

        A call may last until its time-out; repairs and tries after it are left out.
        """
        entries = (
            replace(self._most(ask), outcome="cached")
            if self.calls.recorded(self._request(ask))
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

    def _outcome(self, ask: Ask, turn: Turn) -> Reply | ModelError:
        try:
            return self.ask(ask, turn)
        except ModelError as failure:
            return failure
        finally:
            turn.leave()

    def _tried(self, ask: Ask, turn: Turn | None) -> tuple[Reply, list[str]]:
        """A reply, and what is wrong with it."""
        request = self._request(ask)
        if data := self.calls.recorded(request):
            used = int(data["input_tokens"]), int(data["output_tokens"])
            self.calls.replayed(self._entry(ask.stage, ask.chunk, *used))
            replayed = True
        else:
            how = self._settings(ask)
            send = partial(self.forms.chat, self.endpoint, ask, **how)
            fresh = self.calls.made(request, self._most(ask), send, turn)
            data, replayed = self.calls.kept(request, fresh), False
        value, errors = parsed(data["text"], ask.schema) if ask.schema else (None, [])
        if errors and data["cut"]:
            cut = f"the whole reply: cut off at {self._longest(ask)} tokens"
            errors.insert(0, cut)
        calls = tuple((name, given) for name, given in data.get("calls", ()))
        return Reply(data["text"], value, data["cut"], replayed, calls), errors

    def _most(self, ask: Ask) -> Entry:
        """The most that an ask can cost, in about the model's own tokens."""
        texts = [message["content"] for message in ask.messages]
        if ask.schema:
            texts.append(instruction(ask.schema))
        texts += [json.dumps(tool, ensure_ascii=False) for tool in ask.tools]
        tokens = sum(count_tokens(text) + _PER_MESSAGE for text in texts)
        return self._entry(ask.stage, ask.chunk, tokens, self._longest(ask))

    def _longest(self, ask: Ask) -> int:
        """The tokens that a reply may have."""
        return min(self.max_tokens, ask.max_tokens or self.max_tokens)

    def _entry(self, stage: str, chunk: str | None, read: int, wrote: int) -> Entry:
        return Entry(stage, chunk, self.model, "fresh", read, wrote, 0.0)

    def _settings(self, ask: Ask) -> dict[str, Any]:
        """How a reply is drawn."""
        named = {name: getattr(self, name) for name in ("model", "temperature", "seed")}
        return {**named, "max_tokens": self._longest(ask)}

    def _request(self, ask: Ask) -> dict[str, Any]:
        """What a reply depends on, and the cassette keeps it by."""
        return {
            "server": self.endpoint.name,
            **self._settings(ask),
            "messages": [dict(message) for message in ask.messages],
            "schema": schema_of(ask.schema) if ask.schema else None,
            **({"tools": list(ask.tools)} if ask.tools else {}),
        }
