"""Who decides what an agent does next: a script, or a model. Never both in one run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol, runtime_checkable

from gswlab.memgpt.nouns import Message, Page

if TYPE_CHECKING:
    from gswlab.memgpt.agent import Agent


# Why a policy is asked, in the order in which one goes before another.
Why = Literal["warned", "failed", "heartbeat", "forced", "received", "timer"]


@dataclass(frozen=True, slots=True)
class Decision:
    """One step of a policy: a thought nobody is shown, and a call or none.

    `problem` says why what a model said is no call; without either it has nothing to
    do. `calls` is how often a model was asked.
    """

    function: str | None = None
    arguments: Any = field(default_factory=dict)
    thought: str = ""
    problem: str = ""
    calls: int = 1


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a call: its status, what the caller is told, and the page found."""

    ok: bool
    text: str
    page: Page | None = None
    heartbeat: bool = False
    data: Mapping[str, Any] = field(default_factory=dict)


class Mind(Protocol):
    """A policy at work on one message that was received."""

    def decide(self, why: Why, last: Result | None) -> Decision:
        """The next step, given why one is wanted and what the last call returned."""
        ...


@runtime_checkable
class Policy(Protocol):
    """What `policy=` chooses. `name` stands in every row of results."""

    @property
    def name(self) -> str:
        """What stands in a row of results."""

    def mind(self, agent: Agent, received: Message) -> Mind:
        """Who decides the steps that follow one received message."""
