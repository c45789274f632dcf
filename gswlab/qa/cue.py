"""Cues: what a question says about episodes, answered by set operations.

- a `Cue` names any of date, place, protagonist and content, what is asked and in
  which order; it knows no wording (`gswlab.qa.question.names` does);
- an `EpisodeIndex` is built once per version of a workspace; a cue is then a handful
  of dictionary look-ups and one intersection, whatever the number of episodes;
- names are compared folded (NFKC, casefold, no articles, no titles), in any script;
  kinds of event by the stems of their content words.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, TypeAlias, TypeVar

from gswlab.core.nouns import Bound, Episode, Place
from gswlab.core.workspace import Workspace
from gswlab.language.keys import date_keys, kind_stems, name_key

Asked = Literal["times", "places", "entities", "contents", "other_entities", "details"]
FIELD_OF = {"times": "date", "places": "place", "entities": "protagonist"}
FIELD_OF |= {"contents": "kind"}  # of an episode, by what is asked
Order = Literal["chronological", "latest", "all"]

_Key = TypeVar("_Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Cue:
    """What a question fixes, what it asks for, and in which order."""

    date: str | None = None
    place: str | None = None
    protagonist: str | None = None
    content: str | None = None
    asked: Asked = "contents"
    order: Order = "all"
    rest: tuple[str, ...] = ()

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the four fields that are set, in a fixed order."""
        names = ("date", "place", "protagonist", "content")
        return tuple(name for name in names if getattr(self, name) is not None)


@dataclass(frozen=True)
class EpisodeIndex:
    """Episodes by every value a cue can name. `EpisodeIndex.of(...)` builds it."""

    episodes: tuple[Episode, ...]

    @classmethod
    def of(cls, source: EpisodeSource) -> EpisodeIndex:
        """An index of a workspace's or of any episodes, in the order of the text."""
        if isinstance(source, EpisodeIndex):
            return source
        told = _placed(source) if isinstance(source, Workspace) else source
        return cls(tuple(sorted(told, key=text_order)))

    @cached_property
    def _numbers(self) -> Mapping[tuple[str, Hashable], set[int]]:
        """The numbers of the episodes by what a cue may fix of them."""
        return by_key(map(_keys, self.episodes))

    def having(self, name: str, *keys: Hashable) -> set[int]:
        """The numbers of the episodes that have all of these keys."""
        held = [self._numbers.get((name, key), set()) for key in keys]
        return set.intersection(*held) if held else set()

    def of_kind(self, label: str, recognised: frozenset[str] | None = None) -> set[int]:
        """Episodes of a kind: so labelled, or `recognised`; else told in its words."""
        stems = kind_stems(label)
        labelled = self.having("kind", *stems)
        found = {n for n in labelled if _is_called(stems, self.episodes[n].kind)}
        found = found.union(*(self.having("id", one) for one in recognised or ()))
        unknown = recognised is None and not found
        return self.having("told", *stems) if unknown else found


def _keys(one: Episode) -> Iterator[tuple[str, Hashable]]:
    """All by which a cue finds an episode, each with the name of what it is."""
    held: dict[str, Iterable[Hashable]] = {
        "id": [one.id],
        "date": date_keys(one.date.value) if one.date else (),
        "place": map(name_key, surfaces(one.place)),
        "protagonist": map(name_key, surfaces(one.protagonist)),
        "kind": (stem for name in surfaces(one.kind) for stem in kind_stems(name)),
        "told": (stem for term in one.terms for stem in kind_stems(term.lemma)),
    }
    return ((name, key) for name, keys in held.items() for key in keys)


def by_key(held: Iterable[Iterable[_Key]]) -> dict[_Key, set[int]]:
    """The numbers of what has each key."""
    found: dict[_Key, set[int]] = {}
    for number, keys in enumerate(held):
        for key in keys:
            found.setdefault(key, set()).add(number)
    return found


def _is_called(stems: Set[str], kind: Bound | None) -> bool:
    return any(stems <= kind_stems(label) for label in surfaces(kind))


EpisodeSource: TypeAlias = EpisodeIndex | Workspace | Iterable[Episode]


def answer_cue(
    source: EpisodeSource, cue: Cue, recognised: frozenset[str] | None = None
) -> tuple[Episode, ...]:
    """The episodes that fit every cue, in the order of the text; none if no cue is set.

    `recognised` are ids of episodes judged to be of the kind asked for, whatever they
    call it; what fits carries the cue's own words as an alias of its kind.
    """
    index, chosen = EpisodeIndex.of(source), list[set[int]]()
    for name in ("date", "place", "protagonist"):
        if (said := getattr(cue, name)) is not None:
            key = said if name == "date" else name_key(said)
            chosen.append(index.having(name, key))
    if cue.content is not None:
        chosen.append(index.of_kind(cue.content, recognised))
    numbers = sorted(set.intersection(*chosen)) if chosen else ()
    found = [index.episodes[number] for number in numbers]
    stems = kind_stems(cue.content or "")
    for at, episode in enumerate(found):
        if stems and episode.kind and not _is_called(stems, episode.kind):
            aliases = (*episode.kind.aliases, cue.content or "")
            kind = replace(episode.kind, aliases=aliases)
            found[at] = replace(episode, kind=kind)
    return tuple(found)


def text_order(episode: Episode) -> tuple[str, int, int]:
    """Where the text tells the episode."""
    return episode.document, episode.chapter or 0, episode.order


def surfaces(bound: Bound | None) -> tuple[str, ...]:
    """Every way a field is written; none when it is unknown."""
    return () if bound is None else (bound.value, *bound.aliases)


def around(workspace: Workspace, place: Place | None) -> tuple[str, ...]:
    """The names of a place and of those that contain it: room, building, city."""
    names: dict[str, None] = {}
    while place is not None and place.name and place.name not in names:
        names[place.name] = None
        outer = workspace.nouns.get(workspace.resolve(place.inside or ""))
        place = outer if isinstance(outer, Place) else None
    return tuple(names)


def _placed(workspace: Workspace) -> Iterator[Episode]:
    """Episodes under the places, too, that contain their own, which an actor names."""
    # the place of every actor that is one, one that lies in another before all
    known = [*workspace.places][::-1]
    known.sort(key=lambda place: place.inside is not None)
    anchors = {workspace.resolve(p.actor): p for p in known if p.actor is not None}
    for episode in workspace.episodes:
        if (place := episode.place) and place.id is not None:
            names = around(workspace, anchors.get(workspace.resolve(place.id)))[1:]
            aliases = tuple(dict.fromkeys((*place.aliases, *names)))
            episode = replace(episode, place=replace(place, aliases=aliases))
        yield episode
