"""The policy of the paper: a model manages its own memory by calling functions.

- `actions=tools` takes the tool calls of servers that have them; `actions=json` asks
  for one JSON object of a thought and a call, for models that lack them;
- whatever comes back is a decision: broken JSON, no call or no reply are problems that
  the loop answers with advice and counts, never a second try of its own;
- a model is shown main context and nothing else, entries of one role in a row as one
  message, because some servers want roles to take turns.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from gswlab.core.cost import Cost
from gswlab.memgpt import functions
from gswlab.memgpt.functions import THOUGHT, Action
from gswlab.memgpt.nouns import Message, shown
from gswlab.memgpt.policy import Decision, Result, Why
from gswlab.models.ask import Ask, ModelError
from gswlab.models.ask_trace import asked, failed
from gswlab.models.model import Model
from gswlab.models.prompt import prompt

if TYPE_CHECKING:
    from gswlab.memgpt.agent import Agent


_OVERFLOW = re.compile(r"context|too (?:long|large|many tokens)", re.I)


@dataclass(frozen=True)
class ModelPolicy:
    """Decisions by `model`; each asks it once."""

    model: Model
    actions: Literal["tools", "json"] = "tools"

    @property
    def name(self) -> str:
        """What stands in a row of results."""
        return f"llm:{self.model.model}"

    def mind(self, agent: Agent, received: Message) -> ModelMind:
        """The model, at work on one message."""
        return ModelMind(self, agent, received)

    def most(self, calls: int, window: int, reply: int) -> Cost:
        """The most that so many decisions can cost."""
        return self.model.most(calls, window, reply)


@dataclass
class ModelMind:
    """A model that is asked for one call at a time, with all that is in the window."""

    policy: ModelPolicy
    agent: Agent
    received: Message

    def decide(self, why: Why, last: Result | None) -> Decision:
        """What the model wants, or what is wrong with what it said.

        Raises:
            StoppedError: cancelled, or the next call could overspend the budget.
        """
        agent, tools = self.agent, self.policy.actions == "tools"
        language, model = agent.language, self.policy.model
        agent.main.events.append(asked("policy", prompt("memgpt", language), model))
        ask = Ask(
            messages_of(agent, manual=not tools),
            "policy",
            self.received.chunk,
            None if tools else Action,
            agent.reply,
            functions.tools(language) if tools else (),
        )
        try:
            reply = model.ask(ask)
        except ModelError as failure:
            agent.main.events.append(failed("policy", failure))
            if _OVERFLOW.search(str(failure)):
                agent.main.flush()  # by the server's own count it is full
            return Decision(problem=f"no usable reply: {failure.problem}"[:500])
        if not tools:
            return _decided(reply.value)
        return _called(reply.text, reply.calls)


def _decided(action: Action) -> Decision:
    given = action.function, action.arguments, action.thought, action.problem
    return Decision(*given)


def _called(text: str, calls: tuple[tuple[str, str], ...]) -> Decision:
    thought = text.strip()[:THOUGHT]
    if not calls:
        return Decision(thought=thought)
    (name, written), *more = calls
    if more:
        thought = f"{thought} ({len(more)} further calls were not made)".strip()
    try:
        return Decision(name, json.loads(written or "{}"), thought)
    except (ValueError, RecursionError):
        problem = f"the arguments of {name[:60]} are no JSON"
        return Decision(thought=thought, problem=problem)


def messages_of(agent: Agent, manual: bool) -> tuple[dict[str, str], ...]:
    """Main context as the messages of a conversation; `manual` with the functions."""
    main = agent.main
    wanted = ("system", "core", "functions") if manual else ("system", "core")
    always = [part.text for part in main.window().parts if part.part in wanted]
    turns = [("system", "".join(always))]
    turns += [("user", main.queue.first)] if main.queue.first else []
    turns += [
        ("assistant" if entry.role == "assistant" else "user", shown(entry))
        for entry in main.queue.entries
    ]
    runs = groupby(turns, key=lambda turn: turn[0])
    return tuple(
        {"role": role, "content": "\n".join(text for _, text in run)}
        for role, run in runs
    )
