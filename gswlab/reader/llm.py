"""The reader that asks a model: evidence and a question to an answer that cites it.

- a model reads nothing but the evidence, numbered under its chapters;
- it says which chapters it considered and why, on whom the answer turns and why, and
  cites items by number, so that an answer's spans and chapters are the evidence's own;
- it may say that the evidence cannot answer; without evidence it is not asked;
- a call that fails is an abstention that says so.

Source: arXiv 2511.07587, appendix (answering) and figure 11.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from gswlab.core.cost import Cost
from gswlab.core.document import Document
from gswlab.core.nouns import Answer, Chunk, Evidence
from gswlab.models.ask import Ask, ModelError
from gswlab.models.ask_trace import no_reply, told
from gswlab.models.model import Model
from gswlab.models.prompt import prompt
from gswlab.question.parse import asked_in
from gswlab.reader.reply import AnswerReply, Cited
from gswlab.reader.shown import as_read

_ROOM = 300  # tokens of a question, at most about
_LABELS = 4  # times its own length that evidence grows to with numbers and labels


@dataclass
class LLMReader:
    """Answers by asking `model`; abstains without a call where there is no evidence."""

    model: Model

    def answer(self, question: str, evidence: Evidence) -> Answer:
        """What a model reads off the evidence, or why nothing.

        Raises:
            StoppedError: cancelled, or the next call could overspend the budget.
        """
        if not evidence.items:
            return Answer((), True, (), (), "there is no evidence to answer from")
        language = asked_in(question)
        words, given = prompt("answer", language), as_read(evidence, language)
        turns = words.turns(question=question, evidence=given.text)
        try:
            reply = self.model.ask(Ask(turns, "reader", schema=AnswerReply))
        except ModelError as failure:
            return Answer((), True, (), (), no_reply(failure))
        found = Cited(reply.value, given).answer()
        by = f"{found.reason} [{self.model.model}, answer/{language} {words.hash}]"
        return replace(found, reason=by)

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that answering costs: a call a question, the evidence in full."""
        most = told("answer", AnswerReply) + _ROOM + _LABELS * budget
        return self.model.most(questions, most)
