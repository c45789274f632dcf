"""What a question is about, as a model says it: its names and dates, one item each.

Source: arXiv 2511.07587, appendix (query entities).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated

from pydantic import BaseModel, Field

from gswlab.llm.ask import Ask, ModelError
from gswlab.llm.asked import asked, failed
from gswlab.llm.cost import Cost
from gswlab.llm.model import Model
from gswlab.llm.prompt import prompt
from gswlab.question.named import whole
from gswlab.question.parse import asked_in
from gswlab.text import Language, count_tokens
from gswlab.workspace.nouns import TraceEvent

STAGE = "query_ner"
_REPLY = 300  # tokens of a list of names, at most
_ROOM = 500  # tokens of schema and question around the prompt, at most about


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
        if question not in self._known:
            self._known[question] = self._asked(question)
        return self._known[question]

    def _asked(self, question: str) -> Entities:
        words = prompt(STAGE, asked_in(question))
        turns = words.turns(question=question)
        was_asked = asked(STAGE, words, self.model)
        ask = Ask(turns, STAGE, schema=NamesReply, max_tokens=_REPLY)
        try:
            reply = self.model.ask(ask)
        except ModelError as failure:
            return Entities(None, (was_asked, failed(STAGE, failure)))
        names, absent = whole(question, reply.value.entities)
        reasons = (f"{name!r} is not in the question" for name in absent)
        told = ({"stage": STAGE, "reason": reason} for reason in reasons)
        refused = (TraceEvent("refused", data) for data in told)
        return Entities(names, (was_asked, *refused))

    def most(self, questions: int, language: Language) -> Cost:
        """The most that naming costs: a call a question."""
        told = count_tokens(prompt(STAGE, language).system)
        return self.model.most(questions, told + _ROOM, _REPLY)
