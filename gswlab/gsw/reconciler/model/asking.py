"""What a prompt shows of a workspace: nouns as lines of JSON, within a budget.

A line holds the text's own words (names, roles, states, what fills a verb phrase) and
the id by which a reply may name the noun; what is not shown cannot be named.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from pydantic import BaseModel

from gswlab.core.budget import count_tokens
from gswlab.core.cost import NOTHING, Cost
from gswlab.core.nouns import JSON, Actor, Chunk, Question, TraceEvent, VerbPhrase
from gswlab.core.workspace import Workspace
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.language.language import language_of
from gswlab.models.ask import Ask, ModelError
from gswlab.models.ask_trace import ask_size, asked_event, failed
from gswlab.models.model import Model
from gswlab.models.prompt import prompt
from gswlab.qa.question.occurrences import occurrence

_T = TypeVar("_T", bound=BaseModel)


@dataclass
class Outcome(Generic[_T]):
    """A valid reply or None, who gave it, and what of it is not believed.

    `refused` are sentences that begin with the path of what they refuse.
    """

    stage: str
    by: str
    value: _T | None
    told: tuple[TraceEvent, ...]
    refused: list[str] = field(default_factory=list)

    def refuse(self, path: str, why: str) -> None:
        """Say what is not believed, and why."""
        self.refused.append(f"{path}: {why}")

    @property
    def events(self) -> tuple[TraceEvent, ...]:
        """What a step says of the ask."""
        if not self.refused:
            return self.told
        data: dict[str, JSON] = {"stage": self.stage, "errors": tuple(self.refused)}
        return (*self.told, TraceEvent("refused", data))


def ask_stage(
    model: Model, stage: str, schema: type[_T], chunk: Chunk, **values: str
) -> Outcome[_T]:
    """Ask the prompt of a stage, in the chunk's language; a failure is an outcome.

    Raises:
        StoppedError: the run was cancelled, or its budget is spent.
    """
    said = prompt(stage, language_of(chunk.text))
    told = asked_event(stage, said, model)
    by = f"{model.model} ({stage})"
    turns = said.turns(chunk=chunk.text, **values)
    try:
        reply = model.ask(Ask(turns, stage, chunk.id, schema))
    except ModelError as failure:
        return Outcome(stage, by, None, (told, failed(stage, failure)))
    return Outcome(stage, by, reply.value, (told,))


def most(
    model: Model, chunks: Sequence[Chunk], shown: int, stages: Mapping[str, type[Any]]
) -> Cost:
    """The most that asks of these stages can cost, one of each a chunk.

    Args:
        model: whom they ask.
        chunks: what is read.
        shown: tokens that a prompt shows beside the chunk, at most.
        stages: the schema of each stage's reply.
    """
    cost, chunk = NOTHING, max((count_tokens(c.text) for c in chunks), default=0)
    for stage, schema in stages.items():
        read = ask_size(stage, schema) + chunk + shown
        cost = cost.plus(model.most(len(chunks), read, model.max_tokens))
    return cost


_EMPTY: tuple[Any, ...] = (None, "", [], {})
_ONCE = ("time", "place")  # the anchored one stands first
_LAST = 4  # roles, states, names and verb phrases of an actor
Card: TypeAlias = dict[str, Any]


def card(**data: Any) -> Card:
    """Data without what is empty.

    >>> card(id="a1", name="Ann", roles=[])
    {'id': 'a1', 'name': 'Ann'}
    """
    return {key: value for key, value in data.items() if value not in _EMPTY}


class Shown(NamedTuple):
    """The cards that a prompt shows, and its text: a line for each."""

    cards: list[Card]
    text: str


def fitted(cards: Iterable[Card], budget: int) -> Shown:
    """The first cards whose lines fit in a budget of tokens, and one in any case."""
    kept: list[Card] = []
    lines: list[str] = []
    for each in cards:
        lines.append(json.dumps(each, ensure_ascii=False))
        budget -= count_tokens(lines[-1]) + 1
        if budget < 0 and kept:
            lines.pop()
            break
        kept.append(each)
    return Shown(kept, "\n".join(lines))


def actor_card(found: Actor, told: Mapping[str, str] | None = None) -> Card:
    """An actor by the text's words; `told` are its verb phrases by their ids."""
    names = (*found.aliases, *(mention.text for mention in found.mentions[-_LAST:]))
    others = [name for name in dict.fromkeys(names) if name not in ("", found.name)]
    return card(
        id=found.id,
        kind=found.kind,
        name=found.name,
        also=others[-_LAST:],
        date=found.value,
        roles=_last(role.text for role in found.roles),
        states=_last(state.text for state in found.states[-2 * _LAST :]),
        told=dict(told or {}),
    )


def _last(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))[-_LAST:]


def _phrase(workspace: Workspace, found: VerbPhrase) -> str:
    told: dict[tuple[str, str], None] = {}
    for slot, bound in occurrence(workspace, found).slots:
        if slot not in _ONCE or slot not in (known for known, _ in told):
            told[slot, bound.value] = None
    words = "; ".join(f"{slot}: {value}" for slot, value in told)
    said = ("not " if found.negated else "") + found.predicate
    return f"{said} ({words})" if words else said


class Acts:
    """Who takes part in what: the verb phrases of a scene's chapter by their actors."""

    def __init__(self, scene: ChunkContext) -> None:
        self.scene = scene
        self.here = self._by_actor(scene.shelf("verb_phrase"))

    def of(self, found: Actor) -> dict[str, str]:
        """What an actor does, in its own chapter and in this one, by id."""
        workspace, chapter = self.scene.workspace, found.chapter
        phrases = self.here.get(found.id, [])
        if chapter not in (None, self.scene.chunk.chapter):
            own = self._by_actor(workspace.in_chapter("verb_phrase", chapter))
            phrases = [*own.get(found.id, ()), *phrases]
        return {each.id: _phrase(workspace, each) for each in phrases[-_LAST:]}

    def _by_actor(self, phrases: Iterable[VerbPhrase]) -> dict[str, list[VerbPhrase]]:
        found: dict[str, list[VerbPhrase]] = {}
        resolve = self.scene.workspace.resolve
        for each in phrases:
            for who in dict.fromkeys(resolve(a.actor or "") for a in each.arguments):
                found.setdefault(who, []).append(each)
        return found


def open_cards(workspace: Workspace, questions: Iterable[Question]) -> Iterator[Card]:
    """Open questions, those of one verb phrase together, with what is known so far."""
    groups: dict[str, list[Card]] = {}
    for each in questions:
        known = [filler.text for filler in each.answers]
        said = card(id=each.id, question=each.text, status=each.status, known=known)
        groups.setdefault(each.verb_phrase or "", []).append(said)
    for event, group in groups.items():
        yield card(id=event, event=_phrase(workspace, workspace.get(event)), open=group)


def card_ids(shown: Card) -> Iterator[str]:
    """The nouns that a card shows: itself, its events, its questions."""
    yield from (i for i in (shown["id"], *shown.get("told", ())) if i)
    yield from (each["id"] for each in shown.get("open", ()))
