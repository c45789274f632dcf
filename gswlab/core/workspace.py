"""The workspace: an immutable fold of steps.

- `workspace.apply(step)` is the only way a workspace changes; it returns another one.
- Maps are persistent (hash array mapped tries), so every version of a run can be kept
  at once and shares what did not change: `at(k)` is a look-up, not a replay.
- An index rides along, because reconciliation asks for it at every chunk: actors by
  their name and by a token of their names, and nouns by chapter. Nothing scans the
  whole workspace.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache, reduce
from typing import Any, Generic, TypeAlias, TypeVar, cast

from immutables import Map

from gswlab.core.display import DataFrame, Displayed, framed
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import (
    Actor,
    Episode,
    Noun,
    Place,
    Question,
    Relation,
    Time,
    VerbPhrase,
    label,
)
from gswlab.core.step import Change, Drop, Extend, NounKind, Put, Set, Step

NOUNS: Mapping[NounKind, type[Noun]] = {
    "actor": Actor,
    "verb_phrase": VerbPhrase,
    "question": Question,
    "time": Time,
    "place": Place,
    "relation": Relation,
    "episode": Episode,
}
PREFIX: Mapping[NounKind, str] = {kind: kind[0] for kind in NOUNS}
KIND: Mapping[str, NounKind] = {prefix: kind for kind, prefix in PREFIX.items()}
GLANCE = ("id", "kind", "label", "chapter", "chunk")


@lru_cache(maxsize=65536)
def name_tokens(name: str) -> tuple[str, ...]:
    """Tokens under which a name is indexed; a name without spaces is one token.

    Works in any script: NFKC and casefold, never an alphabet.

    >>> name_tokens("José  ÁLVAREZ"), name_tokens("山田太郎")
    (('josé', 'álvarez'), ('山田太郎',))
    """
    folded = unicodedata.normalize("NFKC", name).casefold()
    # marks (category M) are the vowels of Indic scripts, Thai and decomposed accents
    words = "".join(
        c if c.isalnum() or c in "'’-" or unicodedata.category(c)[0] == "M" else " "
        for c in folded
    ).split()
    return tuple(word.strip("'’-") for word in words if word.strip("'’-"))


_LONGEST = 8  # characters of a person's name in a script without spaces
_UNSPACED = 0x2E80  # the first character of those scripts


def id_order(noun_id: str) -> tuple[str, int]:
    """Sort key of ids: by letter, then by number ("a2" before "a10")."""
    return noun_id[:1], int(noun_id[1:] or 0)


# Sets of ids are maps too: a frozenset of "the" or of a book without chapters would be
# copied whole at every chunk, and once more for every version that is kept.
Index: TypeAlias = "Map[str | tuple[str, int | None], Map[str, None]]"


_Noun = TypeVar("_Noun", bound=Noun)


class _Living(Generic[_Noun]):
    """The living nouns of a kind, by id: `workspace.actors`."""

    def __init__(self, kind: NounKind) -> None:
        self.kind = kind

    def __get__(self, workspace: Workspace, owner: object = None) -> tuple[_Noun, ...]:
        return tuple(workspace.of(self.kind))


@dataclass(frozen=True, slots=True)
class Workspace(Displayed):
    """What a memory believes after `version` steps. Ids never change their meaning."""

    version: int = 0
    nouns: Map[str, Noun] = field(default_factory=Map)
    retired: Map[str, str | None] = field(default_factory=Map)
    counts: Map[str, int] = field(default_factory=Map)
    shelves: Index = field(default_factory=Map)
    chunks: Map[str, int] = field(default_factory=Map)
    actors = _Living[Actor]("actor")
    verb_phrases = _Living[VerbPhrase]("verb_phrase")
    questions = _Living[Question]("question")
    times = _Living[Time]("time")
    places = _Living[Place]("place")
    relations = _Living[Relation]("relation")
    episodes = _Living[Episode]("episode")

    def apply(self, step: Step) -> Workspace:
        """The workspace after `step`; this one stays as it was."""
        if step.index != self.version:
            problem = f"step {step.index + 1} cannot follow version {self.version}"
            rule = "steps are applied in order, each once"
            raise GswlabError(problem, rule, "gswlab.Journal(...).workspace()")
        before, made, after = _LAST["step"]
        same = (made.chunk, made.undoes) == (step.chunk, step.undoes)
        if before is self and made.changes is step.changes and same:
            return after
        nouns, chunks = self.fold(step.changes), self.chunks
        if step.undoes is not None:
            for chunk in [c for c, at in chunks.items() if at == step.undoes]:
                chunks = chunks.delete(chunk)
        if step.chunk is not None and step.chunk in chunks:
            at = chunks[step.chunk] + 1
            problem = f"chunk {step.chunk!r} was read by step {at}"
            rule = "a chunk is read once, unless that step was undone"
            raise GswlabError(problem, rule, "journal.undo()")
        if step.chunk is not None:
            chunks = chunks.set(step.chunk, step.index)
        after = replace(nouns, version=self.version + 1, chunks=chunks)
        _LAST["step"] = self, step, after
        return after

    def fold(self, changes: tuple[Change, ...]) -> Workspace:
        """The workspace after changes that are no step yet: its version stays."""
        before, made, after = _LAST["draft"]
        if before is self and made is changes:
            return after
        return reduce(Workspace.change, changes, self)

    def change(self, change: Change) -> Workspace:
        """One change folded in. Only `fold` and a `Draft` call this."""
        match change:
            case Put(kind=kind, item=item):
                return self._put(kind, item)
            case Extend(id=noun_id, field=name, items=items):
                # a main character has thousands of mentions: that `items` are new was
                # seen to when the step was drafted, and is not searched for again
                noun = self.get(noun_id)
                noun = replace(noun, **{name: getattr(noun, name) + items})
                return self._put(change.kind, noun)
            case Set(id=noun_id, field=name, value=value):
                noun = replace(self.get(noun_id), **{name: value})
                return self._put(change.kind, noun)
            case Drop(id=noun_id, into=into):
                return self._drop(noun_id, into)

    def get(self, noun_id: str) -> Any:
        """The noun with this id, following merges; KeyError-like error if unknown."""
        found = self.nouns.get(self.resolve(noun_id))
        if found is None:
            rule = f"ids of version {self.version} are listed by its table"
            command = "workspace.to_frame()"
            raise GswlabError(f"no noun has the id {noun_id!r}", rule, command)
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
    def all(self) -> Iterator[Noun]:
        """Its nouns, kind by kind and by id."""
        return (noun for kind in NOUNS for noun in self.of(kind))

    def in_chapter(self, kind: NounKind, chapter: int | None) -> tuple[Any, ...]:
        """Nouns of a kind whose `chapter` is this one, in order of arrival."""
        ids = self.shelves.get((kind, chapter), Map())
        return tuple(self.nouns[noun_id] for noun_id in sorted(ids, key=id_order))

    def named(self, name: str) -> tuple[Actor, ...]:
        """Actors that share at least one name token with `name`, by id."""
        return self._keyed(name_tokens(name))

    def called(self, name: str) -> tuple[Actor, ...]:
        """Actors whose name has the tokens of `name` and no other, by id."""
        return self._keyed(_whole(name))

    def _keyed(self, keys: Iterable[str]) -> tuple[Actor, ...]:
        ids = {i for key in keys for i in self.shelves.get(key, Map())}
        return tuple(cast(Actor, self.nouns[i]) for i in sorted(ids, key=id_order))

    def __repr__(self) -> str:
        conflicts = sum(1 for actor in self.actors for n in actor.notes)
        return (
            f"Workspace(version {self.version}, {len(self.actors)} actors, "
            f"{len(self.verb_phrases)} verb phrases, {len(self.episodes)} episodes, "
            f"{conflicts} notes)"
        )

    def to_frame(self, kind: NounKind | None = None) -> DataFrame:
        """A table of all nouns, or of one kind with all its fields."""
        if kind is None:
            return framed(GLANCE, self.glance()).set_index("id")
        names = [f.name for f in fields(NOUNS[kind])]
        rows = [[getattr(noun, n) for n in names] for noun in self.of(kind)]
        return framed(names, rows).set_index("id")

    def glance(self) -> list[tuple[Any, ...]]:
        """A row a noun, of any kind: what `GLANCE` names."""
        return [
            (n.id, KIND[n.id[0]], label(n), n.chapter, getattr(n, "chunk", None))
            for n in self.all
        ]

    def _put(self, kind: NounKind, noun: Noun) -> Workspace:
        old = self.nouns.get(noun.id)
        prefix, number = noun.id[:1], int(noun.id[1:])
        counts, retired = self.counts, self.retired
        if number > counts.get(prefix, 0):
            counts = counts.set(prefix, number)
        if noun.id in retired:
            retired = retired.delete(noun.id)
        nouns, before, after = self.nouns.set(noun.id, noun), _keys(old), _keys(noun)
        shelves = _moved(self.shelves, noun.id, before, after)
        return Workspace(self.version, nouns, retired, counts, shelves, self.chunks)

    def _drop(self, noun_id: str, into: str | None) -> Workspace:
        old = self.nouns.get(noun_id)
        if old is None or (into is not None and self.resolve(into) == noun_id):
            problem = f"{noun_id!r} cannot be dropped into {into!r}"
            rule = f"a live noun of version {self.version}, into another one or None"
            raise GswlabError(problem, rule, "workspace.to_frame()")
        if into is not None:
            self.get(into)
        return replace(
            self,
            nouns=self.nouns.delete(noun_id),
            retired=self.retired.set(noun_id, into),
            shelves=_moved(self.shelves, noun_id, _keys(old), frozenset()),
        )


_Keys: TypeAlias = "frozenset[str | tuple[str, int | None]]"


def _keys(noun: Noun | None) -> _Keys:
    """The shelves a noun stands on: its chapter's, and those of an actor's names."""
    if noun is None:
        return frozenset()
    own = {(KIND[noun.id[:1]], noun.chapter)}
    if not isinstance(noun, Actor):
        return frozenset(own)
    found = {t for n in (noun.name, *noun.aliases) for t in name_tokens(n)}
    halves = (half for t in found if noun.kind == "person" for half in _halves(t))
    return frozenset(own.union(found, halves, _whole(noun.name)))


def _whole(name: str) -> tuple[str, ...]:
    """The key of a whole name among those of its tokens, which have no space."""
    tokens = name_tokens(name)
    return (f" {' '.join(tokens)}",) if tokens else ()


def _halves(token: str) -> set[str]:
    """What may be the family or the given name in one written without spaces."""
    if not 2 < len(token) <= _LONGEST or min(map(ord, token)) < _UNSPACED:
        return set()
    return {half for i in range(1, len(token)) for half in (token[:i], token[i:])}


def _moved(index: Index, noun_id: str, before: _Keys, after: _Keys) -> Index:
    """`noun_id` taken from the shelves `before` and put on the shelves `after`."""
    for key in before - after:
        left = index[key].delete(noun_id)
        index = index.set(key, left) if left else index.delete(key)
    for key in after - before:
        index = index.set(key, index.get(key, Map()).set(noun_id, None))
    return index


# A chunk is folded once: a draft has seen each change it made, and a journal takes the
# step that a memory has just taken. What was folded last is known by identity alone.
_LAST: dict[str, tuple[Workspace | None, Any, Workspace]] = {
    "draft": (None, (), Workspace()),
    "step": (None, Step(0, None), Workspace()),
}

# What is in the long fields that were extended last. A field is known by identity, so
# that one of another run or version is looked through anew.
_HELD: dict[tuple[str, str], tuple[tuple[object, ...], Map[object, None]]] = {}
_LONG, _MOST = 32, 1024  # items worth an index, and indexes kept


def _held(noun_id: str, name: str, items: tuple[object, ...]) -> Container[object]:
    """The items of a field, to ask whether one is among them."""
    if len(items) < _LONG:
        return items
    of, known = _HELD.get((noun_id, name), ((), Map()))
    if of is not items:
        if len(_HELD) >= _MOST:
            _HELD.clear()
        known = Map(dict.fromkeys(items))
        _HELD[noun_id, name] = items, known
    return known


class Draft:
    """A step in the making: changes are recorded and seen at once.

    >>> draft = Draft(Workspace())
    >>> draft.put("actor", Actor(draft.new_id("actor"), "person", "Ann Ray"))
    >>> [actor.name for actor in draft.workspace.actors]
    ['Ann Ray']
    """

    def __init__(self, workspace: Workspace) -> None:
        self.before = self.workspace = workspace
        self.changes: list[Change] = []

    def taken(self) -> tuple[Change, ...]:
        """The changes so far, for a step; whoever folds them next has them folded."""
        changes = tuple(self.changes)
        _LAST["draft"] = self.before, changes, self.workspace
        return changes

    def new_id(self, kind: NounKind) -> str:
        """The next id of a kind: the same one until a noun is put under it."""
        prefix = PREFIX[kind]
        return f"{prefix}{self.workspace.counts.get(prefix, 0) + 1}"

    def put(self, kind: NounKind, item: Noun) -> None:
        """Add a noun, or put it in place of all that its id had before."""
        self._record(Put(kind, item))

    def extend(self, noun_id: str, name: str, items: Iterable[object]) -> None:
        """Append what is not there yet; nothing is recorded when nothing is new."""
        noun_id = self.workspace.resolve(noun_id)
        known = _held(noun_id, name, getattr(self.workspace.get(noun_id), name))
        new = tuple(dict.fromkeys(item for item in items if item not in known))
        if new:
            self._record(Extend(KIND[noun_id[:1]], noun_id, name, new))
            if isinstance(known, Map):
                known = known.update(dict.fromkeys(new))
                _HELD[noun_id, name] = getattr(self.workspace.get(noun_id), name), known

    def set(self, noun_id: str, name: str, value: object) -> None:
        """Replace a field; nothing is recorded when it already has the value."""
        noun_id = self.workspace.resolve(noun_id)
        if getattr(self.workspace.get(noun_id), name) != value:
            self._record(Set(KIND[noun_id[:1]], noun_id, name, value))

    def drop(self, noun_id: str, into: str | None = None) -> None:
        """Retire a noun, merged where `into` is set; `GswlabError` unless it lives."""
        self._record(Drop(KIND[noun_id[:1]], noun_id, into))

    def _record(self, change: Change) -> None:
        self.workspace = self.workspace.change(change)
        self.changes.append(change)
