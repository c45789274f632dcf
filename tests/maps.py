"""Local maps written by hand: what an operator would read off a few sentences."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gswlab.core.nouns import (
    Actor,
    Argument,
    Chunk,
    Effect,
    Link,
    LocalMap,
    Mention,
    Question,
    Relation,
    Role,
    Span,
    State,
    VerbPhrase,
    Vote,
)
from gswlab.core.workspace import Workspace

_FORM_KINDS = {"date": "time"}


@dataclass
class Story:
    """A document told chunk by chunk; every phrase must stand in its chunk's text."""

    document: str = "story"
    start: int = 0
    index: int = 0

    def tell(self, text: str, chapter: int | None = 1) -> Telling:
        span = Span(self.document, self.start, self.start + len(text))
        number = f"{self.document}:{chapter or 0}:{self.index}"
        chunk = Chunk(number, self.document, chapter, self.index, text, span)
        self.start, self.index = span.end + 1, self.index + 1
        return Telling(chunk)


@dataclass
class Telling:
    """One chunk and the local map that is being written for it."""

    chunk: Chunk
    parts: dict[str, list[Any]] = field(default_factory=dict)

    def span(self, text: str) -> Span:
        at = self.chunk.text.index(text)
        start = self.chunk.span.start + at
        return Span(self.chunk.document, start, start + len(text))

    def actor(
        self,
        name: str,
        form: str = "name",
        kind: str = "person",
        roles: tuple[str, ...] = (),
        states: tuple[str, ...] = (),
        votes: tuple[Vote, ...] = (),
        **more: Any,
    ) -> str:
        spans = (self.span(name),)
        local_id = self._id("a", "actors")
        actor = Actor(
            local_id,
            _FORM_KINDS.get(form, kind),  # type: ignore[arg-type]
            name,
            roles=tuple(Role(r, spans, self.chunk.id) for r in roles),
            states=tuple(State(s, spans, self.chunk.id) for s in states),
            mentions=(Mention(spans[0], form, self.chunk.id, name),),  # type: ignore[arg-type]
            votes=votes,
            **more,
        )
        return self._add("actors", actor)

    def does(
        self,
        predicate: str,
        agent: str | None = None,
        patient: str | None = None,
        effect: tuple[str | None, str] | None = None,
        **more: Any,
    ) -> str:
        slots = {"agent": agent, "patient": patient}
        slots |= {s: more.pop(s) for s in ("place", "time", "recipient") if s in more}
        arguments = tuple(
            Argument(slot, actor, (self.chunk.span,), actor)  # type: ignore[arg-type]
            for slot, actor in slots.items()
            if actor
        )
        changed = patient or agent or ""
        effects = (Effect(changed, effect[1], effect[0]),) if effect else ()
        verb_phrase = VerbPhrase(
            self._id("v", "verb_phrases"),
            predicate,
            arguments,
            effects,
            (self.chunk.span,),
            description=(self.chunk.text,),
            **more,
        )
        return self._add("verb_phrases", verb_phrase)

    def asks(self, text: str, slot: str, verb_phrase: str | None, **more: Any) -> str:
        number = self._id("q", "questions")
        return self._add("questions", Question(number, text, slot, verb_phrase, **more))

    def link(
        self, kind: str, actors: tuple[str, ...], value: str | None, **m: Any
    ) -> None:
        spans = (self.span(value),) if value and value in self.chunk.text else ()
        self.parts.setdefault("links", []).append(Link(kind, actors, value, spans, **m))  # type: ignore[arg-type]

    def relate(self, source: str, kind: str, target: str) -> str:
        number = self._id("r", "relations")
        spans = (self.chunk.span,)
        return self._add(
            "relations", Relation(number, source, target, kind, spans=spans)
        )

    def apart(self, one: str, other: str) -> None:
        self.parts.setdefault("apart", []).append((one, other))

    def local(self) -> LocalMap:
        parts = {name: tuple(items) for name, items in self.parts.items()}
        return LocalMap(self.chunk.id, **parts)

    def into(self, reconciler: Any, workspace: Workspace) -> Any:
        """The workspace after this chunk."""
        step = reconciler.reconcile(workspace, self.local(), self.chunk)
        return workspace.apply(step)

    def _id(self, letter: str, name: str) -> str:
        return f"{letter}{len(self.parts.get(name, ())) + 1}"

    def _add(self, name: str, item: Any) -> str:
        self.parts.setdefault(name, []).append(item)
        return str(item.id)
