"""Steps that only tell what a memory did, given nouns to draw: its store, step by step.

A kept chunk is a passage, an entity of an extraction an entity, a triple a line, an
entry of a window a message that is retired when it is evicted. These nouns are for the
eye: the workspace knows none of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any, cast

from gswlab.core.nouns import (
    Actor,
    ActorKind,
    Chunk,
    Mention,
    Note,
    Relation,
    Span,
    State,
    short,
)
from gswlab.core.step import Change, Drop, Put, Set, Step
from gswlab.core.workspace import PREFIX
from gswlab.memgpt.window import Moment, moments

KINDS = {"entity": "entities", "passage": "passages", "message": "messages"}
_NAME = 48  # characters of a text that name its passage
# what reading an event of a known kind raises where it has another layout than ours
OTHER_LAYOUT = (AttributeError, KeyError, TypeError, ValueError)


def windows(steps: Sequence[Step], chunks: Iterable[Chunk]) -> dict[int, Moment]:
    """The window of an agent after each step that has one, by the step's index."""
    try:
        return {moment.index: moment for moment in moments(steps, chunks)}
    except OTHER_LAYOUT:
        return {}


class Pictured(Step):
    """A step whose changes are for the eye: its memory has made no other."""

    __slots__ = ()


def pictured(steps: Iterable[Step], chunks: Iterable[Chunk]) -> list[Step]:
    """The same steps; those without changes get the nouns that their events name."""
    made, texts = list(steps), list(chunks)
    if any(step.changes for step in made) or not any(step.events for step in made):
        return made
    told = windows(made, texts)
    picture = _Picture({chunk.id: chunk for chunk in texts})
    return [picture.drawn(step, told.get(step.index)) for step in made]


class _Picture:
    """What the events so far have named: ids of nouns and of ties, and who is gone."""

    def __init__(self, chunks: Mapping[str, Chunk]) -> None:
        self.chunks = chunks
        self.ids: dict[tuple[str, str], str] = {}
        self.ties: dict[tuple[str, str, str], str] = {}
        self.gone: set[str] = set()
        self.changes: list[Change] = []

    def drawn(self, step: Step, moment: Moment | None) -> Step:
        """The step with what it brings into the picture, and takes out of it."""
        self.changes, chunk, passage = [], self.chunks.get(step.chunk or ""), None
        for event in step.events:
            data: Mapping[str, Any] = event.data
            if event.kind in ("kept", "inserted") and chunk:
                passage = self._passage(data, event.spans or (chunk.span,), chunk)
            elif event.kind == "extracted" and chunk:
                self._extraction(data, chunk, passage)
            elif event.kind == "forgotten":
                for (kind, key), noun_id in self.ids.items():
                    kept = self.chunks.get(key) if kind == "passage" else None
                    if kept and kept.document == str(data.get("document")):
                        self._drop(noun_id)
        if moment:
            self._window(moment, chunk)
        rest = {f.name: getattr(step, f.name) for f in fields(step)}
        return Pictured(**{**rest, "changes": tuple(self.changes)})

    def _passage(
        self, data: Mapping[str, Any], spans: tuple[Span, ...], chunk: Chunk
    ) -> str:
        state = State("kept as it is", spans, chunk.id)
        titled = chunk.title if chunk.chapter is None else None  # it has many
        name = titled or short(chunk.text, _NAME)
        noun = Actor("", "object", name, states=(state,), chunk=chunk.id)
        passage = self._noun("passage", chunk.id, noun)
        # what a graph store says of passages: they are its nodes
        for tie in map(_list, _list(data.get("ties"))):
            ends = [self.ids.get(("passage", str(end))) for end in tie[::2]]
            if len(tie) == 3 and ends[0] and ends[1]:
                self._tie(ends[0], ends[1], str(tie[1]))
        return passage

    def _extraction(
        self, data: Mapping[str, Any], chunk: Chunk, passage: str | None
    ) -> None:
        parted = map(_list, _list(data.get("triples")))
        triples = [tuple(map(str, triple)) for triple in parted if len(triple) == 3]
        names = map(str, _list(data.get("entities")))
        at = chunk.span.start
        for name in dict.fromkeys((*names, *(t[i] for t in triples for i in (0, 2)))):
            # where the chunk says the name, as it is written
            found = re.finditer(re.escape(name), chunk.text) if name else ()
            said = ((at + hit.start(), at + hit.end()) for hit in found)
            spans = (Span(chunk.document, *ends) for ends in said)
            mentions = (Mention(span, "name", chunk.id, name) for span in spans)
            noun = Actor("", "object", name, mentions=tuple(mentions))
            made = self._noun("entity", name, noun)
            if passage:
                self._tie(passage, made, "names")
        for subject, verb, object_ in triples:
            self._tie(self.ids["entity", subject], self.ids["entity", object_], verb)

    def _window(self, moment: Moment, chunk: Chunk | None) -> None:
        """Messages that left, came, and were paged in or found."""
        for key in moment.went:
            self._drop(self.ids.get(("message", key)))
        for entry in (entry for entry in moment.entries if entry.id in moment.came):
            spans = (chunk.span,) if chunk and entry.text == chunk.text else ()
            said = f"{entry.kind} of the {entry.role}, {entry.tokens} tokens"
            state = State(said, spans, chunk.id if chunk else "")
            name = short(entry.text, _NAME) or f"{entry.kind} {entry.id}"
            self._noun("message", entry.id, Actor("", "object", name, states=(state,)))
        for key in dict.fromkeys((*moment.paged_in, *moment.hits)):
            noun_id = self.ids.get(("message", key))
            if noun_id and noun_id not in self.gone:
                how = "found in the window" if key in moment.hits else "paged in"
                note = Note(f"{how} at step {moment.index + 1}")
                self.changes.append(Set("actor", noun_id, "notes", (note,)))

    def _noun(self, kind: str, key: str, noun: Actor) -> str:
        """The id of a noun, which is put into the picture if it is not there."""
        known = self.ids.get((kind, key))
        if known and known not in self.gone:
            return known
        made = self.ids[kind, key] = known or f"{PREFIX['actor']}{len(self.ids) + 1}"
        self.gone.discard(made)
        named = replace(noun, id=made, kind=cast("ActorKind", kind))
        self.changes.append(Put("actor", named))
        return made

    def _drop(self, noun_id: str | None) -> None:
        if noun_id and noun_id not in self.gone:
            self.gone.add(noun_id)
            self.changes.append(Drop("actor", noun_id))

    def _tie(self, source: str, target: str, kind: str) -> None:
        if source != target and (source, target, kind) not in self.ties:
            made = f"{PREFIX['relation']}{len(self.ties) + 1}"
            self.ties[source, target, kind] = made
            self.changes.append(Put("relation", Relation(made, source, target, kind)))


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else []
