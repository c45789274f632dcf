"""What each function does; a call that fails says why and what to do instead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from gswlab.memory.memgpt.core import Block, EditError
from gswlab.memory.memgpt.functions import CallError, checked
from gswlab.memory.memgpt.nouns import Page
from gswlab.memory.memgpt.policy import Decision, Result

if TYPE_CHECKING:
    from gswlab.memory.memgpt.agent import Agent

Search = Callable[[int], Page]


class Tools:
    """The functions of one agent. `page` goes on with whatever was searched last."""

    def __init__(self, agent: Agent) -> None:
        self.agent = agent
        self._last: Search | None = None

    def call(self, decision: Decision) -> Result:
        """Make the call that was decided on; whatever is wrong with it is a result."""
        if decision.problem or decision.function is None:
            advice = "call one function; only send_message is seen by anybody"
            return Result(
                False, f"{decision.problem or 'nothing was called'}; {advice}"
            )
        try:
            given, warning = checked(decision.function, decision.arguments)
            result: Result = getattr(self, f"_{decision.function}")(given)
        except (CallError, EditError) as error:
            return Result(False, str(error))
        if warning:
            result = replace(result, text=f"{result.text}\n({warning})")
        return replace(result, heartbeat=getattr(given, "request_heartbeat", False))

    def _send_message(self, given: Any) -> Result:
        if not given.message.strip():
            raise CallError("the message is empty; say something, or do not send")
        return Result(True, "sent", data={"message": given.message})

    def _pause_heartbeats(self, given: Any) -> Result:
        main = self.agent.main
        if main.now is None:
            raise CallError("no event had a time yet, so no pause can begin")
        until = datetime.fromisoformat(main.now) + timedelta(minutes=given.minutes)
        main.paused = until.isoformat()
        return Result(True, f"timed events are ignored until {main.paused}")

    def _core_memory_append(self, given: Any) -> Result:
        core = self.agent.storage.core
        return self._edited(given.key, lambda: core.append(given.key, given.value))

    def _core_memory_replace(self, given: Any) -> Result:
        core, words = self.agent.storage.core, (given.old, given.new)
        return self._edited(given.key, lambda: core.replace(given.key, *words))

    def _edited(self, label: str, edit: Callable[[], Block]) -> Result:
        core = self.agent.storage.core
        before = core.block(label)
        after = edit()
        try:
            _ = self.agent.main.capacity
        except EditError:
            core.put(before)
            raise
        data = {"block": label, "before": before.value, "after": after.value}
        used = f"{len(after.value)} of {after.limit} characters"
        return Result(True, f"{label} now has {used}", data=data)

    def _archival_memory_insert(self, given: Any) -> Result:
        kept = self.agent.insert(given.content)
        if not kept:
            raise CallError("the content is empty; give the words to keep")
        ids = tuple(passage.key for passage in kept)
        return Result(True, f"kept as {', '.join(ids)}", data={"passages": ids})

    def _archival_memory_search(self, given: Any) -> Result:
        agent, size = self.agent, given.count * self.agent.batch
        return self._found(lambda n: agent.search_archival(given.query, size, n))

    def _recall_memory_search(self, given: Any) -> Result:
        return self._recalled(given.query, given.count * self.agent.batch, 0)

    def _conversation_search(self, given: Any) -> Result:
        size = self.agent.page * self.agent.batch
        return self._recalled(given.query, size, given.page)

    def _recalled(self, query: str, size: int, page: int) -> Result:
        return self._found(lambda n: self.agent.search_recall(query, size, n), page)

    def _conversation_search_date(self, given: Any) -> Result:
        first, last, recall = (
            given.start_date,
            given.end_date,
            self.agent.storage.recall,
        )
        if first > last:
            raise CallError(f"start_date {first} is after end_date {last}; swap them")
        size = self.agent.page * self.agent.batch
        return self._found(lambda n: recall.between(first, last, size, n), given.page)

    def _page(self, given: Any) -> Result:
        if self._last is None:
            raise CallError("nothing was searched in this turn; search first")
        return self._found(self._last, given.number)

    def _found(self, search: Search, number: int = 0) -> Result:
        self._last = search
        page = search(number)
        if number > page.last:
            raise CallError(f"there is no page {number}; the last one is {page.last}")
        return Result(True, page.header, page)
