"""What a question is about, as a model says it: its names and dates, one item each.

Source: arXiv 2511.07587, appendix (query entities).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated

from pydantic import BaseModel, Field

from gswlab.core.cost import Cost
from gswlab.core.nouns import TraceEvent
from gswlab.language.language import asked_in
from gswlab.models.ask import Ask, ModelError, Reply
from gswlab.models.ask_trace import ask_told, asked, failed
from gswlab.models.model import Model
from gswlab.models.prompt import Prompt, prompt
from gswlab.qa.question.names import whole

_STAGE = "query_ner"
_REPLY = 300  # tokens of a list of names, at most
_ROOM = 300  # tokens of a question, at most about


class NamesReply(BaseModel):
    """The names and dates of a question, each as the question has it."""

    entities: list[Annotated[str, Field(max_length=120)]] = Field(max_length=12)


@dataclass(frozen=True, slots=True)
class Entities:
    """What a model says a question names, None where it failed; and what came of it."""

    names: tuple[str, ...] | None
    events: tuple[TraceEvent, ...]


@dataclass
class QuestionNames:
    """The names of questions, each question asked about once."""

    model: Model
    _known: dict[str, Entities] = field(default_factory=dict, repr=False)

    def of(self, question: str) -> Entities:
        """The names in a question; names that it does not have are refused.

        Raises:
            StoppedError: cancelled, or the next call could overspend the budget.
        """
        self.expect([question])
        return self._known[question]

    def expect(self, questions: Iterable[str]) -> None:
        """Ask about several questions at once."""
        new = [q for q in dict.fromkeys(questions) if q not in self._known]
        replies = self.model.ask_all(map(_ask, new))
        for question, reply in zip(new, replies, strict=True):
            self._known[question] = self._entities(question, reply)

    def _entities(self, question: str, reply: Reply | ModelError) -> Entities:
        was_asked = asked(_STAGE, _words(question), self.model)
        if isinstance(reply, ModelError):
            return Entities(None, (was_asked, failed(_STAGE, reply)))
        names, absent = whole(question, reply.value.entities)
        reasons = (f"{name!r} is no name in the question" for name in absent)
        data = ({"stage": _STAGE, "reason": reason} for reason in reasons)
        refused = (TraceEvent("refused", one) for one in data)
        return Entities(names, (was_asked, *refused))

    def most(self, questions: int) -> Cost:
        """The most that naming costs: a call a question."""
        return self.model.most(questions, ask_told(_STAGE, NamesReply) + _ROOM, _REPLY)


def _words(question: str) -> Prompt:
    return prompt(_STAGE, asked_in(question))


def _ask(question: str) -> Ask:
    turns = _words(question).turns(question=question)
    return Ask(turns, _STAGE, schema=NamesReply, max_tokens=_REPLY)
