"""The control loop: a policy decides, a call is made, until there is nothing to go on.

1) ask the policy  2) make its call  3) put both into the queue  4) make room  5) go on?

What goes before what when several want a next step: a warning of memory pressure, a
call that failed, a heartbeat that was asked for, a message nobody has answered yet.
Whatever a policy does, a turn ends: its calls, equal calls and failures are counted.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from gswlab.memgpt.context import MainContext, Settings
from gswlab.memgpt.core_memory import Block, Core, EditError
from gswlab.memgpt.functions import CallError, checked_call
from gswlab.memgpt.nouns import Hit, HitPage, packed_call, packed_event, truncated
from gswlab.memgpt.policy import Policy, PolicyStep, Result, Why
from gswlab.memgpt.window import AgentTurn, TurnOutcome

_ALERTS = {
    "failed": "the last call failed; mend it, or do something else",
    "forced": "nobody has got a reply yet; go on, and reply with send_message",
}


def run_turn(policy: Policy, tools: Tools, why: Why | None) -> AgentTurn:
    """The steps of a turn whose message is in the queue; `why` None waits for none."""
    main, most = tools.main, tools.main.settings
    decide, last = policy.mind(main), None
    forced, reason, calls, failures = why == "received", "", 0, 0
    outcome: TurnOutcome = "heard" if why is None else "silent"
    said, hits, made = list[str](), dict[str, Hit](), Counter[str]()
    if main.make_room():
        why = why or "warned"
    while why:
        # 1) ask the policy
        step = decide(why, last)
        calls += 1
        if not (step.function or step.problem or (forced and not said)):
            if step.thought:  # nothing is called and nobody waits: it is kept, no more
                main.enter("assistant", "call", _written(step))
            break
        # 2) make its call
        last = tools.call(step)
        failures = 0 if last.ok else failures + 1
        same = _counted(made, step)
        # 3) put both into the queue
        if last.ok and step.function == "send_message":
            said.append(last.data["message"])
        _enter(main, step, last, hits)
        # 4) make room
        pressed = main.make_room()
        # 5) go on, where no limit is reached?
        if stop := _stopped(most, calls, failures, same, made[same]):
            if stop[0] != "call_limit" or not said:
                outcome, reason = stop
            break
        why = _next(pressed, last, forced and not said)
        if why in _ALERTS:
            alert = packed_event(type="heartbeat", reason=_ALERTS[why])
            main.enter("user", "alert", alert)
    if reason:
        main.tell("stopped", {"outcome": outcome, "reason": reason})
        if not said:
            told = f"the last message got no reply: {reason}"
            main.enter("user", "alert", packed_event(type="system_alert", message=told))
    elif said:
        outcome = "replied"
    return AgentTurn(tuple(said), outcome, reason, calls, tuple(hits.values()))


def _counted(made: Counter[str], step: PolicyStep) -> str:
    """Count a call among those made; what equal calls have in common, for people."""
    if step.function is None:
        same = "no function"
    else:
        given = json.dumps(step.arguments, sort_keys=True, default=str)
        same = truncated(f"{step.function}({given})", 60)
    if step.function != "page":  # a page is of what was searched last: another one then
        for page in [call for call in made if call.startswith("page(")]:
            del made[page]
    made[same] += 1
    return same


def _stopped(
    most: Settings, calls: int, failures: int, same: str, times: int
) -> tuple[TurnOutcome, str] | None:
    """Why no further call is made, where a limit is reached."""
    if calls >= most.calls:
        return "call_limit", f"{calls} calls were made, the most is {most.calls}"
    if failures >= most.failures:
        return "failures", f"{failures} calls in a row failed"
    if times >= most.repeats:
        return "repeated_call", f"{same} was called {times} times"
    return None


def _next(pressed: bool, last: Result, unanswered: bool) -> Why | None:
    if pressed:
        return "warned"
    if not last.ok:
        return "failed"
    if last.heartbeat:
        return "heartbeat"
    return "forced" if unanswered else None


def _enter(
    main: MainContext, step: PolicyStep, result: Result, hits: dict[str, Hit]
) -> None:
    """Put a call and what came of it into the queue; its hits are gathered."""
    if result.ok and step.function == "send_message":
        main.enter("assistant", "message", result.data["message"])
        main.tell("replied", {"message": result.data["message"]})
        return
    main.enter("assistant", "call", _written(step))
    found = result.page.hits if result.page else ()
    keys = tuple(hit.key for hit in found)
    new = main.paging.refer(keys, main.queue.resident)
    hits |= {hit.key: hit for hit in found if hit.key not in hits}
    each = max(20, main.capacity // (3 * max(1, len(found))) - 20)
    items = [truncated(hit.text, each) for hit in found]
    told = {"function": step.function, "status": "OK" if result.ok else "Failed"}
    said = {"type": "result", **told, "message": result.text, "items": items or None}
    main.enter("function", "result", packed_event(**said), items=keys)
    if new:
        spans = tuple(span for key in new if (span := hits[key].row.span))
        main.tell("paged_in", {"ids": tuple(new)}, spans)
    if resident := tuple(key for key in keys if key not in new):
        main.tell("hit", {"ids": resident})
    given = json.dumps(step.arguments, ensure_ascii=False, sort_keys=True, default=str)
    number = result.page.number if result.page else None
    data = {**told, "reason": result.text[:500], "arguments": given[:500]}
    main.tell("called", {**data, "page": number, **result.data})


def _written(step: PolicyStep) -> str:
    if step.function is None:
        return packed_event(thought=step.thought or None, problem=step.problem or None)
    arguments = step.arguments
    if not isinstance(arguments, dict):
        arguments = {"given": str(arguments)[:200]}
    return packed_call(step.function[:60], arguments, step.thought)


class Tools:
    """What each function of an agent does; a call that fails says why and what to do.

    `page` goes on with whatever was searched last.
    """

    def __init__(self, main: MainContext) -> None:
        self.main = main
        self._last: Callable[[int], HitPage] | None = None

    def call(self, step: PolicyStep) -> Result:
        """Make the call that was decided on; whatever is wrong with it is a result."""
        if step.problem or step.function is None:
            advice = "call one function; only send_message is seen by anybody"
            return Result(False, f"{step.problem or 'nothing was called'}; {advice}")
        try:
            given, warning = checked_call(step.function, step.arguments)
            result: Result = getattr(self, f"_{step.function}")(given)
        except (CallError, EditError) as error:
            return Result(False, str(error))
        if warning:
            result = replace(result, text=f"{result.text}\n({warning})")
        going = step.going or getattr(given, "request_heartbeat", False)
        return replace(result, heartbeat=going)

    def _send_message(self, given: Any) -> Result:
        if not given.message.strip():
            raise CallError("the message is empty; say something, or do not send")
        return Result(True, "sent", data={"message": given.message})

    def _pause_heartbeats(self, given: Any) -> Result:
        main = self.main
        if main.now is None:
            raise CallError("no event had a time yet, so no pause can begin")
        until = datetime.fromisoformat(main.now) + timedelta(minutes=given.minutes)
        main.paused = until.isoformat()
        return Result(True, f"timed events are ignored until {main.paused}")

    def _core_memory_append(self, given: Any) -> Result:
        return self._edited(Core.append, given.key, given.value)

    def _core_memory_replace(self, given: Any) -> Result:
        return self._edited(Core.replace, given.key, given.old, given.new)

    def _edited(self, edit: Callable[..., Block], label: str, *words: str) -> Result:
        core = self.main.storage.core
        before = core.block(label)
        after = edit(core, label, *words)
        try:
            _ = self.main.capacity
        except EditError:
            core.put(before)
            raise
        data = {"block": label, "before": before.value, "after": after.value}
        used = f"{len(after.value)} of {after.limit} characters"
        return Result(True, f"{label} now has {used}", data=data)

    def _archival_memory_insert(self, given: Any) -> Result:
        kept = self.main.storage.archival.insert(given.content, self.main.now)
        if not kept:
            raise CallError("the content is empty; give the words to keep")
        ids = tuple(passage.key for passage in kept)
        return Result(True, f"kept as {', '.join(ids)}", data={"passages": ids})

    def _archival_memory_search(self, given: Any) -> Result:
        return self._found(given, self.main.search_archival, given.query)

    def _recall_memory_search(self, given: Any) -> Result:
        return self._found(given, self.main.search_recall, given.query)

    _conversation_search = _recall_memory_search

    def _conversation_search_date(self, given: Any) -> Result:
        first, last = given.start_date, given.end_date
        if first > last:
            raise CallError(f"start_date {first} is after end_date {last}; swap them")
        return self._found(given, self.main.storage.recall.between, first, last)

    def _found(self, given: Any, search: Callable[..., HitPage], *asked: str) -> Result:
        settings = self.main.settings
        size = getattr(given, "count", settings.page) * settings.batch
        self._last = partial(search, *asked, size)
        return self._page(given)

    def _page(self, given: Any) -> Result:
        if self._last is None:
            raise CallError("nothing was searched in this turn; search first")
        number = getattr(given, "number", getattr(given, "page", 0))
        page = self._last(number)
        if number > page.last:
            raise CallError(f"there is no page {number}; the last one is {page.last}")
        return Result(True, page.header, page)
