"""What a question is about, as a model says it: its names and dates, one item each.

Source: arXiv 2511.07587, appendix (query entities).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Annotated, NamedTuple

from pydantic import BaseModel, Field

from gswlab.core.cost import Cost
from gswlab.core.nouns import TraceEvent
from gswlab.language.keys import key_words
from gswlab.language.language import asked_in
from gswlab.models.ask import Ask
from gswlab.models.ask_trace import Asking, ask_size, hear
from gswlab.models.model import Model
from gswlab.models.prompt import prompt
from gswlab.qa.question.stopwords import is_scaffold

_STAGE = "query_ner"
_REPLY = 300  # tokens of a list of names, at most
_ROOM = 300  # tokens of a question, at most about


class NamesReply(BaseModel):
    """The names and dates of a question, each as the question has it."""

    entities: list[Annotated[str, Field(max_length=120)]] = Field(max_length=12)


class Entities(NamedTuple):
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
        for question, heard in hear(self.model, {q: _ask(q) for q in new}).items():
            names, reply = None, heard.value(NamesReply)
            if reply:
                said = [" ".join(name.split()) for name in reply.entities]
                names = tuple(name for name in said if _names(question, name))
                wrong = (name for name in said if name not in names)
                heard.refused += (f"{n!r} is no name in the question" for n in wrong)
            self._known[question] = Entities(names, heard.events)

    def most(self, questions: int) -> Cost:
        """The most that naming costs: a call a question."""
        return self.model.most(questions, ask_size(_STAGE, NamesReply) + _ROOM, _REPLY)


def _names(question: str, name: str) -> bool:
    """Whether a question has a name; words that all questions are built of are none."""
    telling = any(not is_scaffold(word.text) for word in key_words(name))
    return telling and name.lower() in question.lower()


def _ask(question: str) -> Asking:
    words = prompt(_STAGE, asked_in(question))
    turns = words.turns(question=question)
    return Asking(words, Ask(turns, _STAGE, schema=NamesReply, max_tokens=_REPLY))
