"""What a prompt shows of a workspace: nouns as lines of JSON, within a budget.

A line holds the text's own words (names, roles, states, what fills a verb phrase) and
the id by which a reply may name the noun; what is not shown cannot be named. Where a
chapter is read apart from others its ids count from its first nouns: what is asked of
it is the same whatever was read before, so that it can be asked ahead of its turn.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from pydantic import BaseModel

from gswlab.core.budget import count_tokens
from gswlab.core.cost import NOTHING, Cost
from gswlab.core.document import Document
from gswlab.core.nouns import JSON, Actor, Chunk, Question, TraceEvent, VerbPhrase
from gswlab.core.workspace import PREFIX, Workspace
from gswlab.gsw.operator.model.stages import sample
from gswlab.gsw.operator.rules import SpacyOperator
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.language.language import language_of
from gswlab.models.ask import Ask, ModelError, Reply
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


@dataclass
class Ahead:
    """A model, and its replies to asks that were made ahead of their turn.

    The `first` to ask keeps what was said; who asks the same in turn is given it, and
    asks again what had no reply.
    """

    model: Model
    said: dict[str, Reply] = field(default_factory=dict)
    first: bool = False
    asks: list[Ask] = field(default_factory=list)  # that nobody answered
    # what asks about chunks are worth: told once, of a chapter the best are then made
    worth: dict[str, float] = field(default_factory=dict)
    chosen: set[str] | None = None

    def allows(self, chunk: str, worth: float) -> bool:
        """Whether a chunk is to be asked about, where calls are few."""
        self.worth[chunk] = worth
        return self.chosen is None or chunk in self.chosen

    def ask(self, ask: Ask) -> Reply:
        """The reply, once for both; `ModelError` where there is none."""
        key = f"{ask.stage} {ask.chunk} {ask.messages[-1]['content']}"
        known = None if self.first else self.said.pop(key, None)
        said = known or self.model.ask(ask)
        if self.first:
            self.said[key] = said
        return said


@dataclass
class _Unheard(Ahead):
    """Whom nobody answers: it keeps what is asked."""

    def ask(self, ask: Ask) -> Reply:
        self.asks.append(ask)
        raise ModelError("nobody is asked")


@dataclass(frozen=True, slots=True)
class AskingReconciler(RulesReconciler):
    """Rules that ask a model; a prompt shows at most `budget` tokens of a workspace."""

    model: Model = field(kw_only=True)
    budget: int = 2000
    ahead: Ahead = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        RulesReconciler.__post_init__(self)
        object.__setattr__(self, "ahead", Ahead(self.model))

    def likely(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """What reading costs if rules read some of it, and nobody answers."""
        twin, workspace = self.silent(), Workspace()
        some, reads = sample(chunks), SpacyOperator()
        for chunk in some:
            local = reads.extract(chunk, workspace)
            workspace = workspace.apply(twin.reconcile(workspace, local, chunk))
        share = len(chunks) / max(len(some), 1)
        return self.model.likely(twin.ahead.asks).times(share)

    def silent(self) -> AskingReconciler:
        """One that nobody answers, and that says what asks would be worth."""
        twin = replace(self)
        object.__setattr__(twin, "ahead", _Unheard(self.model, worth={}))
        return twin

    def choose(self, worth: Mapping[str, float], calls: int) -> None:
        """Ask about the best of these chunks alone, and about none twice."""
        best = sorted(worth, key=lambda chunk: -worth[chunk])[:calls]
        self.ahead.chosen = (self.ahead.chosen or set()) | {c for c in best if worth[c]}

    def rehearsing(self) -> AskingReconciler:
        """One that asks first, and keeps for this one what it was told."""
        twin = replace(self)
        object.__setattr__(twin, "ahead", replace(self.ahead, first=True))
        return twin


def ask_stage(
    ahead: Ahead, stage: str, schema: type[_T], chunk: Chunk, **values: str
) -> Outcome[_T]:
    """Ask the prompt of a stage, in the chunk's language; a failure is an outcome.

    Raises:
        StoppedError: the run was cancelled, or its budget is spent.
    """
    said, model = prompt(stage, language_of(chunk.text)), ahead.model
    told = asked_event(stage, said, model)
    by = f"{model.model} ({stage})"
    turns = said.turns(chunk=chunk.text, **values)
    try:
        reply = ahead.ask(Ask(turns, stage, chunk.id, schema))
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
    """The cards that a prompt shows, its text, a line for each, and what its ids are.

    `ids` maps those of the workspace's nouns from what is shown to what they are.
    """

    cards: list[Card]
    text: str
    ids: dict[str, str]

    def among(self, cards: Sequence[Card]) -> dict[str, str]:
        """The ids of some nouns alone."""
        wanted = {each["id"] for each in cards}
        return {name: i for name, i in self.ids.items() if i in wanted}


_OF_IDS = ("id", "may_be", "actors", "together", "open", "candidates")


def _named(value: Any, before: Mapping[str, int]) -> Any:
    """Ids, or cards with ids, as they are shown: counted from `before`, by kind."""
    if isinstance(value, str):
        kind, number = value[:1], value[1:]
        known = kind in before and number.isdigit()
        return f"{kind}{int(number) - before[kind]}" if known else value
    if isinstance(value, list):
        return [_named(each, before) for each in value]
    named = {key: _named(value[key], before) for key in _OF_IDS if key in value}
    if told := value.get("told"):
        named["told"] = {_named(key, before): said for key, said in told.items()}
    return {**value, **named}


def _before(scene: ChunkContext) -> dict[str, int]:
    """How many nouns of a kind came before the chapter's, where it is read apart."""
    if scene.scope != "chapter":
        return {}
    firsts = {p: next((n.id for n in scene.shelf(k)), "") for k, p in PREFIX.items()}
    return {prefix: int(first[1:]) - 1 for prefix, first in firsts.items() if first}


def fitted(cards: Iterable[Card], budget: int, scene: ChunkContext) -> Shown:
    """The first cards whose lines fit in a budget of tokens, and one in any case."""
    kept: list[Card] = []
    lines: list[str] = []
    before = _before(scene)
    for each in cards:
        lines.append(json.dumps(_named(each, before), ensure_ascii=False))
        budget -= count_tokens(lines[-1]) + 1
        if budget < 0 and kept:
            lines.pop()
            break
        kept.append(each)
    ids = {_named(i, before): i for each in kept for i in _card_ids(each)}
    return Shown(kept, "\n".join(lines), ids)


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


def _card_ids(shown: Card) -> Iterator[str]:
    """The nouns that a card shows: itself, its events, its questions."""
    yield from (i for i in (shown.get("id"), *shown.get("told", ())) if i)
    inside = (*shown.get("open", ()), *shown.get("candidates", ()))
    yield from (each["id"] for each in inside)
