"""The control loop: a policy decides, a call is made, until there is nothing to go on.

1) ask the policy  2) make its call  3) put both into the queue  4) make room  5) go on?

What goes before what when several want a next step: a warning of memory pressure, a
call that failed, a heartbeat that was asked for, a message nobody has answered yet.
Whatever a policy does, a turn ends: its calls, equal calls and failures are counted.
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gswlab.memgpt.nouns import Hit, Page, call, packed, shortened
from gswlab.memgpt.policy import Decision, Result, Why
from gswlab.memgpt.window import Outcome, Turn

if TYPE_CHECKING:
    from gswlab.memgpt.agent import Agent


@dataclass
class Course:
    """A turn under way."""

    agent: Agent
    forced: bool
    said: list[str] = field(default_factory=list)
    calls: int = 0
    failures: int = 0
    made: Counter[str] = field(default_factory=Counter)
    hits: dict[str, Hit] = field(default_factory=dict)

    def idle(self, decision: Decision) -> bool:
        """Whether nothing is called and nobody waits: a thought is kept, no more."""
        if decision.function or decision.problem or (self.forced and not self.said):
            return False
        if decision.thought:
            self.agent.main.enter("assistant", "call", _written(decision))
        self.calls += decision.calls
        return True

    def made_call(self, decision: Decision) -> Result:
        """Make a call and put it into the queue with what came of it."""
        main, name = self.agent.main, decision.function
        result = self.agent.tools.call(decision)
        self.calls += decision.calls
        self.failures = 0 if result.ok else self.failures + 1
        if name != "page":  # a page is of what was searched last: another one then
            self.made -= Counter({k: n for k, n in self.made.items() if _turns(k)})
        self.made[_same(decision)] += 1
        if result.ok and name == "send_message":
            said = result.data["message"]
            self.said.append(said)
            main.enter("assistant", "message", said)
            main.tell("replied", {"message": said})
            return result
        main.enter("assistant", "call", _written(decision))
        status = "OK" if result.ok else "Failed"
        told = {"function": name, "status": status, "message": result.text}
        self._came(told, result.page)
        number = result.page.number if result.page else None
        data = {"function": name, "status": status, "reason": result.text[:500]}
        data["arguments"] = _given(decision.arguments)
        main.tell("called", {**data, "page": number, **result.data})
        return result

    def _came(self, told: dict[str, str | None], page: Page | None) -> None:
        main = self.agent.main
        hits = page.hits if page else ()
        keys = tuple(hit.key for hit in hits)
        new = main.paging.refer(keys, main.queue.resident)
        self.hits |= {hit.key: hit for hit in hits if hit.key not in self.hits}
        each = main.capacity // (3 * max(1, len(hits)))
        items = [shortened(hit.text, max(20, each - 20)) for hit in hits]
        said = packed(type="result", **told, items=items or None)
        main.enter("function", "result", said, items=keys)
        if new:
            found = (self.hits[key].row.span for key in new)
            spans = tuple(span for span in found if span)
            main.tell("paged_in", {"ids": tuple(new)}, spans)
        if resident := tuple(key for key in keys if key not in new):
            main.tell("hit", {"ids": resident})

    def stopped(self) -> tuple[Outcome, str] | None:
        """Why no further call is made, where a limit is reached."""
        limits = self.agent
        if self.calls >= limits.calls:
            return (
                "call_limit",
                f"{self.calls} calls were made, the most is {limits.calls}",
            )
        if self.failures >= limits.failures:
            return "failures", f"{self.failures} calls in a row failed"
        for name, many in self.made.items():
            if many >= limits.repeats:
                return "repeated_call", f"{name} was called {many} times"
        return None


def run(agent: Agent, why: Why | None) -> Turn:
    """The steps of a turn whose message is in the queue; `why` None waits for none."""
    main = agent.main
    assert main.received
    course = Course(agent, forced=why == "received")
    mind, last, heard = agent.policy.mind(agent, main.received), None, why is None
    if main.make_room():
        why = why or "warned"
    while why:
        decision = mind.decide(why, last)
        if course.idle(decision):
            break
        last = course.made_call(decision)
        pressed = main.make_room()
        if stop := course.stopped():
            if not (stop[0] == "call_limit" and course.said):
                return _stopped(course, *stop)
            break
        why = _next(course, last, pressed)
        if why in ("failed", "forced"):
            main.enter("user", "alert", _heartbeat(why, last))
    told: Outcome = "replied" if course.said else "heard" if heard else "silent"
    return _turn(course, told)


def _next(course: Course, last: Result, pressed: bool) -> Why | None:
    if pressed:
        return "warned"
    if not last.ok:
        return "failed"
    if last.heartbeat:
        return "heartbeat"
    return "forced" if course.forced and not course.said else None


def _heartbeat(why: Why, last: Result) -> str:
    reason = {
        "failed": "the last call failed; mend it, or do something else",
        "forced": "nobody has got a reply yet; go on, and reply with send_message",
    }[why]
    return packed(type="heartbeat", reason=reason)


def _stopped(course: Course, outcome: Outcome, reason: str) -> Turn:
    main = course.agent.main
    main.tell("stopped", {"outcome": outcome, "reason": reason})
    if not course.said:
        told = f"the last message got no reply: {reason}"
        main.enter("user", "alert", packed(type="system_alert", message=told))
    return _turn(course, outcome, reason)


def _turn(course: Course, outcome: Outcome, reason: str = "") -> Turn:
    hits = tuple(course.hits.values())
    return Turn(tuple(course.said), outcome, reason, course.calls, hits)


def _written(decision: Decision) -> str:
    if decision.function is None:
        return packed(
            thought=decision.thought or None, problem=decision.problem or None
        )
    arguments = decision.arguments
    if not isinstance(arguments, dict):
        arguments = {"given": str(arguments)[:200]}
    return call(decision.function[:60], arguments, decision.thought)


def _given(arguments: object) -> str:
    """The arguments of a call as the trace has them."""
    return json.dumps(arguments, ensure_ascii=False, sort_keys=True, default=str)[:500]


def _turns(call: str) -> bool:
    """Whether a call, as `_same` has it, turns a page."""
    return call.startswith("page(")


def _same(decision: Decision) -> str:
    """What two equal calls have in common, for people to read."""
    if decision.function is None:
        return "no function"
    given = json.dumps(decision.arguments, sort_keys=True, default=str)
    return shortened(f"{decision.function}({given})", 60)
