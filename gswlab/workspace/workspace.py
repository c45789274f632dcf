"""The workspace: an immutable fold of steps.

- `workspace.apply(step)` is the only way a workspace changes; it returns another one.
- Maps are persistent (hash array mapped tries), so every version of a run can be kept
  at once and shares what did not change: `at(k)` is a look-up, not a replay.
- Two indexes ride along, because reconciliation asks for them at every chunk: actors
  by a token of their names, and nouns by chapter. Nothing scans the whole workspace.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from immutables import Map

from gswlab.errors import GswlabError
from gswlab.workspace.nouns import (
    Actor,
    Episode,
    Noun,
    Place,
    Question,
    Relation,
    Time,
    VerbPhrase,
)
from gswlab.workspace.step import Change, Drop, Extend, NounKind, Put, Set, Step

PREFIX: Mapping[NounKind, str] = {
    "actor": "a",
    "verb_phrase": "v",
    "question": "q",
    "time": "t",
    "place": "p",
    "relation": "r",
    "episode": "e",
}
KIND: Mapping[str, NounKind] = {prefix: kind for kind, prefix in PREFIX.items()}


def name_tokens(name: str) -> tuple[str, ...]:
    """Tokens under which a name is indexed; a name without spaces is one token.

    Works in any script: NFKC and casefold, never an alphabet.

    >>> name_tokens("José  ÁLVAREZ"), name_tokens("山田太郎")
    (('josé', 'álvarez'), ('山田太郎',))
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    words = "".join(c if c.isalnum() or c in "'’-" else " " for c in folded).split()
    return tuple(word.strip("'’-") for word in words if word.strip("'’-"))


def id_order(noun_id: str) -> tuple[str, int]:
    """Sort key of ids: by letter, then by number ("a2" before "a10")."""
    return noun_id[:1], int(noun_id[1:] or 0)


@dataclass(frozen=True, slots=True)
class Workspace:
    """What a memory believes after `version` steps. Ids never change their meaning."""

    version: int = 0
    nouns: Map[str, Noun] = field(default_factory=Map)
    retired: Map[str, str | None] = field(default_factory=Map)
    counts: Map[str, int] = field(default_factory=Map)
    names: Map[str, frozenset[str]] = field(default_factory=Map)
    chapters: Map[tuple[str, int | None], tuple[str, ...]] = field(default_factory=Map)
    chunks: Map[str, int] = field(default_factory=Map)

    def apply(self, step: Step) -> Workspace:
        """The workspace after `step`; this one stays as it was."""
        if step.index != self.version:
            raise GswlabError(
                f"step {step.index} cannot follow version {self.version}",
                "steps are applied in order, each once",
                "gswlab.Journal(...).workspace()",
            )
        after = self
        for change in step.changes:
            after = after.change(change)
        chunks = after.chunks
        if step.chunk is not None:
            chunks = chunks.set(step.chunk, step.index)
        return replace(after, version=self.version + 1, chunks=chunks)

    def change(self, change: Change) -> Workspace:
        """One change folded in. Only `apply` and a `Draft` call this."""
        match change:
            case Put(kind=kind, item=item):
                return self._put(kind, item)
            case Extend(id=noun_id, field=name, items=items):
                noun = self.get(noun_id)
                old = getattr(noun, name)
                new = old + tuple(item for item in items if item not in old)
                return self._put(change.kind, replace(noun, **{name: new}))
            case Set(id=noun_id, field=name, value=value):
                noun = replace(self.get(noun_id), **{name: value})
                return self._put(change.kind, noun)
            case Drop(id=noun_id, into=into):
                return self._drop(noun_id, into)

    def get(self, noun_id: str) -> Any:
        """The noun with this id, following merges; KeyError-like error if unknown."""
        found = self.nouns.get(self.resolve(noun_id))
        if found is None:
            raise GswlabError(
                f"no noun has the id {noun_id!r}",
                f"ids of version {self.version} are listed by its table",
                "workspace.to_frame()",
            )
        return found

    def resolve(self, noun_id: str) -> str:
        """The id that `noun_id` lives on under (itself unless it was merged)."""
        while (into := self.retired.get(noun_id)) is not None:
            noun_id = into
        return noun_id

    def __contains__(self, noun_id: object) -> bool:
        return noun_id in self.nouns

    def of(self, kind: NounKind) -> Iterator[Any]:
        """All nouns of a kind, by id."""
        prefix = PREFIX[kind]
        for number in range(1, self.counts.get(prefix, 0) + 1):
            if (noun := self.nouns.get(f"{prefix}{number}")) is not None:
                yield noun

    @property
    def actors(self) -> tuple[Actor, ...]:
        return tuple(self.of("actor"))

    @property
    def verb_phrases(self) -> tuple[VerbPhrase, ...]:
        return tuple(self.of("verb_phrase"))

    @property
    def questions(self) -> tuple[Question, ...]:
        return tuple(self.of("question"))

    @property
    def times(self) -> tuple[Time, ...]:
        return tuple(self.of("time"))

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(self.of("place"))

    @property
    def relations(self) -> tuple[Relation, ...]:
        return tuple(self.of("relation"))

    @property
    def episodes(self) -> tuple[Episode, ...]:
        return tuple(self.of("episode"))

    def in_chapter(self, kind: NounKind, chapter: int | None) -> tuple[Any, ...]:
        """Nouns of a kind whose `chapter` is this one, in order of arrival."""
        ids = self.chapters.get((kind, chapter), ())
        return tuple(self.nouns[noun_id] for noun_id in ids if noun_id in self.nouns)

    def named(self, name: str) -> tuple[Actor, ...]:
        """Actors that share at least one name token with `name`, by id."""
        ids: set[str] = set()
        for token in name_tokens(name):
            ids |= self.names.get(token, frozenset())
        return tuple(cast(Actor, self.nouns[i]) for i in sorted(ids, key=id_order))

    def __repr__(self) -> str:
        conflicts = sum(1 for actor in self.actors for n in actor.notes)
        return (
            f"Workspace(version {self.version}, {len(self.actors)} actors, "
            f"{len(self.verb_phrases)} verb phrases, {len(self.episodes)} episodes, "
            f"{conflicts} notes)"
        )

    def _put(self, kind: NounKind, noun: Noun) -> Workspace:
        old = self.nouns.get(noun.id)
        prefix, number = noun.id[:1], int(noun.id[1:])
        counts = self.counts
        if number > counts.get(prefix, 0):
            counts = counts.set(prefix, number)
        names = self.names
        if isinstance(noun, Actor):
            names = _reindexed(names, noun.id, old, noun)
        return replace(
            self,
            nouns=self.nouns.set(noun.id, noun),
            retired=self.retired.delete(noun.id)
            if noun.id in self.retired
            else self.retired,
            counts=counts,
            names=names,
            chapters=_shelved(self.chapters, kind, old, noun),
        )

    def _drop(self, noun_id: str, into: str | None) -> Workspace:
        old = self.nouns[noun_id]
        names = self.names
        if isinstance(old, Actor):
            names = _reindexed(names, noun_id, old, None)
        return replace(
            self,
            nouns=self.nouns.delete(noun_id),
            retired=self.retired.set(noun_id, into),
            names=names,
        )


def _keys(actor: Noun | None) -> frozenset[str]:
    if not isinstance(actor, Actor):
        return frozenset()
    return frozenset(t for n in (actor.name, *actor.aliases) for t in name_tokens(n))


def _reindexed(
    names: Map[str, frozenset[str]], noun_id: str, old: Noun | None, new: Noun | None
) -> Map[str, frozenset[str]]:
    before, after = _keys(old), _keys(new)
    for token in before - after:
        names = names.set(token, names[token] - {noun_id})
    for token in after - before:
        names = names.set(token, names.get(token, frozenset()) | {noun_id})
    return names


def _shelved(
    chapters: Map[tuple[str, int | None], tuple[str, ...]],
    kind: NounKind,
    old: Noun | None,
    new: Noun,
) -> Map[tuple[str, int | None], tuple[str, ...]]:
    key = (kind, getattr(new, "chapter", None))
    if old is None:
        return chapters.set(key, (*chapters.get(key, ()), new.id))
    before = (kind, getattr(old, "chapter", None))
    if before != key:
        left = tuple(i for i in chapters.get(before, ()) if i != new.id)
        chapters = chapters.set(before, left)
        return chapters.set(key, (*chapters.get(key, ()), new.id))
    return chapters


class Draft:
    """A step in the making: changes are recorded and seen at once.

    >>> draft = Draft(Workspace())
    >>> draft.put("actor", Actor(draft.new_id("actor"), "person", "Ann Ray"))
    >>> [actor.name for actor in draft.workspace.actors]
    ['Ann Ray']
    """

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.changes: list[Change] = []

    def new_id(self, kind: NounKind) -> str:
        prefix = PREFIX[kind]
        return f"{prefix}{self.workspace.counts.get(prefix, 0) + 1}"

    def put(self, kind: NounKind, item: Noun) -> None:
        self._record(Put(kind, item))

    def extend(self, noun_id: str, name: str, items: Iterable[object]) -> None:
        """Append what is not there yet; nothing is recorded when nothing is new."""
        noun_id = self.workspace.resolve(noun_id)
        old = getattr(self.workspace.get(noun_id), name)
        new = tuple(dict.fromkeys(item for item in items if item not in old))
        if new:
            self._record(Extend(KIND[noun_id[:1]], noun_id, name, new))

    def set(self, noun_id: str, name: str, value: object) -> None:
        """Replace a field; nothing is recorded when it already has the value."""
        noun_id = self.workspace.resolve(noun_id)
        if getattr(self.workspace.get(noun_id), name) != value:
            self._record(Set(KIND[noun_id[:1]], noun_id, name, value))

    def drop(self, noun_id: str, into: str | None = None) -> None:
        self._record(Drop(KIND[noun_id[:1]], noun_id, into))

    def _record(self, change: Change) -> None:
        self.workspace = self.workspace.change(change)
        self.changes.append(change)
