"""A query of the graph that a model writes for a question, checked before use."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from pydantic import BaseModel, Field

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import TraceEvent
from gswlab.memory.plot.cypher import Query, query_of
from gswlab.memory.plot.outline import Outline
from gswlab.models.ask import Ask, ModelError
from gswlab.models.ask_trace import asked, failed
from gswlab.models.model import Model
from gswlab.models.prompt import prompt

STAGE = "graph_query"
_REPLY = 300  # tokens of a query, at most
_NAMES = 200  # characters of the plot that a model is told of


class QueryReply(BaseModel):
    """One query."""

    cypher: Annotated[str, Field(max_length=600)]


class Written(NamedTuple):
    """A query, None where none can be used; and what came of asking for it."""

    query: Query | None
    events: tuple[TraceEvent, ...]


def written(question: str, outline: Outline, model: Model) -> Written:
    """The query that a model writes for a question.

    Raises:
        StoppedError: cancelled, or the next call could overspend the budget.
    """
    words = prompt(STAGE, outline.language)
    people = [id_ for id_ in outline.nodes if id_ not in outline.order][:_NAMES]
    relations = {r for ties in outline.ties.values() for _, _, r in ties}
    turns = words.turns(
        question=question,
        characters=", ".join(map(outline.name, people)),
        relations=", ".join(sorted(relations)),
    )
    was_asked = asked(STAGE, words, model)
    try:
        reply = model.ask(Ask(turns, STAGE, schema=QueryReply, max_tokens=_REPLY))
        return Written(query_of(reply.value.cypher), (was_asked,))
    except ModelError as failure:
        return Written(None, (was_asked, failed(STAGE, failure)))
    except GswlabError as refusal:
        data = {"stage": STAGE, "reason": str(refusal)}
        return Written(None, (was_asked, TraceEvent("refused", data)))
