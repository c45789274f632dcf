"""What a prompt shows of a workspace: nouns as lines of JSON, within a budget.

Where a chapter is read apart its ids count from its first nouns: what is asked of it
is the same whatever was read before.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from gswlab.core.budget import count_tokens
from gswlab.core.nouns import Actor, Place, Question, Time, VerbPhrase
from gswlab.core.step import Alignment
from gswlab.core.workspace import PREFIX
from gswlab.gsw.recall.verbalise import happening
from gswlab.gsw.reconciler.chunk_context import ChunkContext
from gswlab.gsw.reconciler.decide import LOCAL
from gswlab.gsw.reconciler.questions import whereabouts

_EMPTY: tuple[Any, ...] = (None, "", [], {})
_LAST = 4  # roles, states, names and verb phrases of an actor
_ANCHORED = 16  # times, and places, of the chapter
_ANCHORS: tuple[Literal["time", "place"], ...] = ("time", "place")
_Likely = Mapping[str, Sequence[str]]  # new actors: whom each may be
Card: TypeAlias = dict[str, Any]


def card(**data: Any) -> Card:
    """Data without what is empty."""
    return {key: value for key, value in data.items() if value not in _EMPTY}


class CardSheet:
    """The cards that a prompt shows of a scene, a line each, within its budget.

    `ids` maps ids as they are shown to those of the workspace's nouns.
    """

    def __init__(self, scene: ChunkContext) -> None:
        self.scene, self.workspace = scene, scene.workspace
        self.cards, self.ids = list[Card](), dict[str, str]()
        apart, shelf = scene.rules.scope == "chapter", scene.shelf
        firsts = {p: next((n.id for n in shelf(k)), "") for k, p in PREFIX.items()}
        # how many nouns of a kind came before the chapter's, where it is read apart
        self._before = {p: int(i[1:]) - 1 for p, i in firsts.items() if i and apart}

    def filled(self, cards: Iterable[Card], budget: int) -> CardSheet:
        """The first cards whose lines fit a budget of tokens, and one in any case."""
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
        """An actor by the text's words."""
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

    def known(self, actor_id: str, shown_as: str = "", **more: Any) -> Card:
        """An actor of the workspace, with what it does in its chapter and in this."""
        found, resolve = self.scene.actor(actor_id), self.workspace.resolve
        chapter = found.chapter
        here = chapter in (None, self.scene.chunk.chapter)
        own = () if here else self.workspace.in_chapter("verb_phrase", chapter)
        every = (*own, *self.scene.shelf("verb_phrase"))
        acts = ((v, {resolve(a.actor) for a in v.arguments if a.actor}) for v in every)
        phrases = [phrase for phrase, ids in acts if found.id in ids]
        told = {self.shown(v.id): self.told(v) for v in phrases[-_LAST:]}
        return self.actor(found, shown_as, told=told, **more)

    def case(self, of: Alignment, own: Mapping[str, str]) -> Card:
        """Whom a new actor may be, by an id of its `own` or its id, and why."""
        known = list[Card]()
        for each in of.candidates:
            why: Card = {"score": each.score, "features": dict(each.features)}
            known.append(self.known(each.actor, own.get(each.actor, ""), **why))
        return self.known(of.actor, LOCAL + of.new, candidates=known)

    def open(self, actors: Iterable[str]) -> Iterator[Card]:
        """Verb phrases that actors take part in, with their questions still open."""
        groups, wanted = dict[str, list[Question]](), set(actors)
        for each in self.scene.shelf("question"):
            if each.status != "answered" and each.verb_phrase:
                groups.setdefault(each.verb_phrase, []).append(each)
        for event, group in groups.items():
            found: VerbPhrase = self.workspace.get(event)
            ids = (self.workspace.resolve(a.actor or "") for a in found.arguments)
            if wanted.isdisjoint(ids):
                continue
            cards = list[Card]()
            for each in group:
                said = {"question": each.text, "status": each.status}
                known = [filler.text for filler in each.answers]
                cards.append(card(id=self.shown(each.id), **said, known=known))
            yield card(id=self.shown(event), event=self.told(found), open=cards)

    def told(self, found: VerbPhrase) -> str:
        """What happens, as a sentence."""
        said = happening(self.workspace, found)
        return said.text if said else found.predicate

    def of_chunk(self, likely: _Likely) -> Iterator[Card]:
        """The local map of a chunk: actors, verb phrases, who is together."""
        local = self.scene.local
        for new in local.actors:
            may_be = [*map(self.shown, likely[new.id])]
            yield self.actor(new, LOCAL + new.id, may_be=may_be)
        for event in local.verb_phrases:
            said, told = ("not " * event.negated) + event.predicate, event.arguments
            ends = {a.slot: LOCAL + a.actor if a.actor else a.text for a in told}
            yield card(id=self.shown(LOCAL + event.id), event=said, **ends)
        for link in local.links:
            together = [LOCAL + actor for actor in link.actors]
            said = "when" if link.kind == "time" else "where"
            yield card(together=together, **{said: link.iso or link.value})

    def of_workspace(self, likely: _Likely) -> Iterator[Card]:
        """The part of the workspace that a chunk meets, the likeliest actors first."""
        scene, where = self.scene, whereabouts(self.scene)
        first = dict.fromkeys(i for found in likely.values() for i in found)
        cast = dict.fromkeys(actor.id for actor in scene.actors()[::-1])

        def actor(actor_id: str) -> Card:
            last = {slot: where.get((slot, actor_id), [""])[-1] for slot in _ANCHORS}
            return self.known(actor_id, **last)

        def anchor(found: Time | Place) -> Card:
            own = {"id": self.shown(found.id), "date": getattr(found, "value", None)}
            own |= {"place": getattr(found, "name", None)}
            if around := getattr(found, "inside", None):
                own["within"] = self.shown(around)
            coupled = dict.fromkeys(map(self.shown, scene.coupled(found)))
            return card(**own, actors=[*coupled])

        yield from map(actor, first)
        yield from self.open(first)
        for kind in _ANCHORS:
            yield from map(anchor, list(scene.shelf(kind))[-_ANCHORED:])
        yield from (actor(i) for i in cast if i not in first)


def _line(shown: Card) -> str:
    return json.dumps(shown, ensure_ascii=False)


def _last(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))[-_LAST:]
