"""The way of every call: cassette, pace, budget, server, ledger, cassette."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from gswlab.core.cost import Entry
from gswlab.llm.cassette import Cassette
from gswlab.llm.ledger import Ledger
from gswlab.llm.pace import Pace
from gswlab.llm.turn import Turn

JSON = dict[str, Any]


@dataclass(frozen=True)
class Calls:
    """Replies by their requests, made when they are not recorded."""

    cassette: Cassette | None
    ledger: Ledger
    pace: Pace
    replay_only: bool

    def recorded(self, request: JSON) -> JSON | None:
        """What the cassette has for a request."""
        return self.cassette.get(request) if self.cassette else None

    def kept(self, request: JSON, reply: JSON) -> JSON:
        """A reply, recorded; another process may have recorded one before."""
        return self.cassette.put(request, reply) if self.cassette else reply

    def replayed(self, entry: Entry) -> None:
        """Count what the cassette answered."""
        self.ledger.add(replace(entry, outcome="cached"))

    def made(
        self,
        request: JSON,
        most: Entry,
        send: Callable[[], JSON],
        turn: Turn | None = None,
    ) -> JSON:
        """A call, in its turn and within the budget, counted whatever comes of it.

        Raises:
            StoppedError: cancelled, or the budget does not hold `most`.
        """
        if self.replay_only:
            raise (self.cassette or Cassette("no cassette")).missing(request)
        turn = turn or Turn()
        self.pace.wait()
        turn.wait()
        self.ledger.hold(most)
        turn.leave()
        entry = replace(most, outcome="failed", input_tokens=0, output_tokens=0)
        started = time.perf_counter()
        try:
            reply = send()
            read, wrote = int(reply["input_tokens"]), int(reply["output_tokens"])
            entry = replace(most, input_tokens=read, output_tokens=wrote)
        finally:
            seconds = round(time.perf_counter() - started, 6)
            self.ledger.settle(most, replace(entry, seconds=seconds))
        return reply
