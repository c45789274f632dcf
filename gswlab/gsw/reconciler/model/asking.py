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
from typing import Any, TypeAlias

from pydantic import BaseModel

from gswlab.core.budget import count_tokens
from gswlab.core.cost import NOTHING, Cost
from gswlab.core.document import Document
from gswlab.core.nouns import Actor, Chunk, Question, VerbPhrase
from gswlab.core.workspace import PREFIX
from gswlab.gsw.operator.model.stages import longest, stage_ask
from gswlab.gsw.recall.verbalise import happening
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.models.ask import Reply
from gswlab.models.ask_trace import HeardReply, hear
from gswlab.models.model import Model


@dataclass(frozen=True, slots=True)
class AskingReconciler(RulesReconciler):
    """Rules that ask a model; a prompt shows at most `budget` tokens of a workspace.

    A reply is kept: who asks the same later, after a rehearsal, is given it.
    """

    model: Model = field(kw_only=True)
    budget: int = 2000
    _said: dict[str, HeardReply] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def stages(self) -> Mapping[str, type[BaseModel]]:
        """The schema of each stage that may be asked about a chunk."""
        raise NotImplementedError

    def ask(self, stage: str, chunk: Chunk, **shown: str) -> HeardReply:
        """Ask the prompt of a stage; a failure is an outcome.

        Raises:
            StoppedError: the run was cancelled, or its budget is spent.
        """
        given = {"chunk": chunk.text, **shown}
        asking = stage_ask(stage, chunk, self.stages[stage], given)
        key = f"{stage} {chunk.id} {asking.ask.messages[-1]['content']}"
        heard = self._said.get(key) or hear(self.model, {key: asking})[key]
        if isinstance(heard.outcome, Reply):
            self._said[key] = heard
        return replace(heard, refused=[])

    def estimate(
        self, document: Document, chunks: Sequence[Chunk], questions: int, budget: int
    ) -> Cost:
        """The most that reading these chunks can cost; questions cost it nothing."""
        cost = NOTHING
        for stage, schema in self.stages.items():
            read = longest(stage, schema, chunks) + 2 * self.budget
            cost = cost.plus(self.model.most(len(chunks), read, self.model.max_tokens))
        return cost


_EMPTY: tuple[Any, ...] = (None, "", [], {})
_LAST = 4  # roles, states, names and verb phrases of an actor
Card: TypeAlias = dict[str, Any]


def card(**data: Any) -> Card:
    """Data without what is empty.

    >>> card(id="a1", name="Ann", roles=[])
    {'id': 'a1', 'name': 'Ann'}
    """
    return {key: value for key, value in data.items() if value not in _EMPTY}


class CardSheet:
    """The cards that a prompt shows of a scene, a line each, within its budget.

    `ids` maps ids as they are shown to those of the workspace's nouns.
    """

    def __init__(self, scene: ChunkContext) -> None:
        self.scene, self.workspace = scene, scene.workspace
        self.cards, self.ids = list[Card](), dict[str, str]()
        apart, shelf = scene.scope == "chapter", scene.shelf
        firsts = {p: next((n.id for n in shelf(k)), "") for k, p in PREFIX.items()}
        # how many nouns of a kind came before the chapter's, where it is read apart
        self._before = {p: int(i[1:]) - 1 for p, i in firsts.items() if i and apart}

    def filled(self, cards: Iterable[Card], budget: int) -> CardSheet:
        """The first cards whose lines fit in a budget of tokens, and one in any case.

        A card's ids are those that were shown while it was made.
        """
        kept = dict(self.ids)
        for each in cards:
            budget -= count_tokens(_line(each)) + 1
            if budget < 0 and self.cards:
                self.ids = kept
                break
            self.cards.append(each)
            kept = dict(self.ids)
        return self

    @property
    def text(self) -> str:
        """A line for each card."""
        return "\n".join(map(_line, self.cards))

    def shown(self, noun_id: str) -> str:
        """An id as a prompt has it, and a reply may have it."""
        kind, number, shown = noun_id[:1], noun_id[1:], noun_id
        if kind in self._before and number.isdigit():
            shown = f"{kind}{int(number) - self._before[kind]}"
        self.ids[shown] = noun_id
        return shown

    def actor(self, found: Actor, shown_as: str = "", **more: Any) -> Card:
        """An actor by the text's words, with what it does unless it has another id."""
        names = (*found.aliases, *(m.text for m in found.mentions[-_LAST:]))
        others = [n for n in dict.fromkeys(names) if n not in ("", found.name)]
        own = {
            "id": self.shown(shown_as or found.id),
            "kind": found.kind,
            "name": found.name,
            "also": others[-_LAST:],
            "date": found.value,
            "roles": _last(role.text for role in found.roles),
            "states": _last(state.text for state in found.states[-2 * _LAST :]),
        }
        return card(**{**own, **more})

    def acts(self, found: Actor) -> dict[str, str]:
        """What an actor does, in its own chapter and in this one, by id."""
        chapter, resolve = found.chapter, self.workspace.resolve
        here = chapter in (None, self.scene.chunk.chapter)
        own = () if here else self.workspace.in_chapter("verb_phrase", chapter)
        phrases = [
            phrase
            for phrase in (*own, *self.scene.shelf("verb_phrase"))
            if any(a.actor and resolve(a.actor) == found.id for a in phrase.arguments)
        ]
        return {self.shown(v.id): self.told(v) for v in phrases[-_LAST:]}

    def open(self, questions: Iterable[Question]) -> Iterator[Card]:
        """Open questions, those of one verb phrase together, with what is known."""
        groups: dict[str, list[Question]] = {}
        for each in questions:
            groups.setdefault(each.verb_phrase or "", []).append(each)
        for event, group in groups.items():
            cards = [
                card(
                    id=self.shown(each.id),
                    question=each.text,
                    status=each.status,
                    known=[filler.text for filler in each.answers],
                )
                for each in group
            ]
            told = self.told(self.workspace.get(event))
            yield card(id=self.shown(event), event=told, open=cards)

    def told(self, found: VerbPhrase) -> str:
        """What happens, as a sentence."""
        said = happening(self.workspace, found)
        return said.text if said else found.predicate


def _line(shown: Card) -> str:
    return json.dumps(shown, ensure_ascii=False)


def _last(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))[-_LAST:]
