"""`gate=self`: a model is asked whether what is held is enough, and what is missing.

It chooses from the same offers as every other gate. A call that fails takes the first
list's next passage and says so; after `calls` calls a question is answered, `forced`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from gswlab.core.errors import checked
from gswlab.language.language import language_of
from gswlab.memory.gedig.episode import Decision, Episode
from gswlab.memory.gedig.gates import either
from gswlab.models.ask import Ask, ModelError
from gswlab.models.ask_trace import no_reply
from gswlab.models.model import Model
from gswlab.models.prompt import prompt
from gswlab.text.chunks import titled

STAGE = "enough"
_LONGEST = 200  # tokens of a reply


class EnoughReply(BaseModel):
    """What is missing, and where to look for it."""

    missing: Annotated[str, Field(max_length=600)]
    next: Literal["answer", "link", "list"]


@dataclass
class Judged:
    """Reads on until `model` says that it is enough."""

    model: Model
    calls: int = 6

    def __post_init__(self) -> None:
        checked(self.calls, Annotated[int, Field(ge=1)], "gate.calls")

    def decide(self, episode: Episode) -> Decision:
        """The first passage unasked; then what the model says.

        Raises:
            StoppedError: cancelled, or the next call could overspend the budget.
        """
        if not episode.held:
            return either(episode, follow=False, why="nothing is held yet")
        if episode.step > self.calls:
            return Decision("answer", reason="no call is left", forced=True)
        try:
            said = self._asked(episode)
        except ModelError as failure:
            return either(episode, follow=False, why=no_reply(failure))
        if said.next == "answer":
            return Decision("answer", reason="the model misses nothing")
        return either(episode, said.next == "link", f"missing: {said.missing}")

    def _asked(self, episode: Episode) -> EnoughReply:
        question = episode.sight.question
        chunks = [episode.field.chunks[row] for row in episode.held]
        evidence = "\n\n".join(map(titled, chunks))
        words = prompt(STAGE, language_of(question))
        turns = words.turns(question=question, evidence=evidence)
        ask = Ask(turns, STAGE, schema=EnoughReply, max_tokens=_LONGEST)
        reply: EnoughReply = self.model.ask(ask).value
        return reply
