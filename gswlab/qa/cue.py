"""Cues: what a question says about episodes, answered by set operations.

- a `Cue` names any of date, place, protagonist and content, what is asked and in
  which order; it knows no wording (`gswlab.qa.question.parse` does);
- an `EpisodeIndex` is built once per version of a workspace; a cue is then a handful
  of dictionary look-ups and one intersection, whatever the number of episodes;
- names are compared folded (NFKC, casefold, no articles, no titles), in any script;
  kinds of event by the stems of their content words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, TypeAlias

from gswlab.core.nouns import Bound, Episode, Place
from gswlab.core.workspace import Workspace
from gswlab.language.keys import date_keys, kind_stems, name_key

Asked = Literal["times", "places", "entities", "contents", "other_entities", "details"]
FIELD_OF = {"times": "date", "places": "place", "entities": "protagonist"}
FIELD_OF |= {"contents": "kind"}  # of an episode, by what is asked
Order = Literal["chronological", "latest", "all"]

READINGS = 0.9  # share of the best score at which a second reading counts


@dataclass(frozen=True, slots=True)
class Cue:
    """What a question fixes, what it asks for, and in which order.

    >>> Cue(place="Pier 4", asked="times", order="latest").fields
    ('place',)
    """

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


@dataclass
class EpisodeIndex:
    """Episodes by every value a cue can name. `EpisodeIndex.of(...)` builds it.

    `readings` is the share of the best reading's score that a second reading of the
    kind of event needs, to be looked at when no episode is of the kind asked for.
    """

    episodes: tuple[Episode, ...]
    readings: float = READINGS
    by_date: dict[str, set[int]] = field(default_factory=dict)
    by_place: dict[tuple[str, ...], set[int]] = field(default_factory=dict)
    by_name: dict[tuple[str, ...], set[int]] = field(default_factory=dict)
    by_short: dict[tuple[str, ...], set[tuple[str, ...]]] = field(default_factory=dict)
    by_stem: dict[str, set[int]] = field(default_factory=dict)
    kinds: dict[int, tuple[frozenset[str], ...]] = field(default_factory=dict)

    @classmethod
    def of(cls, source: EpisodeSource, readings: float = READINGS) -> EpisodeIndex:
        """An index of a workspace's or of any episodes, in the order of the text."""
        if isinstance(source, EpisodeIndex):
            return source
        if isinstance(source, Workspace):
            # the place of every actor that is one, one that lies in another first
            anchors: dict[str, Place] = {}
            for place in source.places:
                if place.actor is not None:
                    actor = source.resolve(place.actor)
                    if actor not in anchors or anchors[actor].inside is None:
                        anchors[actor] = place
            source = [_placed(source, e, anchors) for e in source.episodes]
        index = cls(tuple(sorted(source, key=text_order)), readings)
        for number, episode in enumerate(index.episodes):
            for prefix in date_keys(episode.date.value) if episode.date else ():
                index.by_date.setdefault(prefix, set()).add(number)
            for name in surfaces(episode.place):
                index.by_place.setdefault(name_key(name), set()).add(number)
            for name in surfaces(episode.protagonist):
                key = name_key(name)
                index.by_name.setdefault(key, set()).add(number)
                for token in key:
                    index.by_short.setdefault((token,), set()).add(key)
            kinds = tuple(kind_stems(label) for label in surfaces(episode.kind))
            index.kinds[number] = kinds
            for stem in frozenset[str]().union(*kinds):
                index.by_stem.setdefault(stem, set()).add(number)
        return index

    @cached_property
    def by_id(self) -> dict[str, int]:
        """The number of each episode."""
        return {episode.id: number for number, episode in enumerate(self.episodes)}

    @cached_property
    def by_term(self) -> dict[str, set[int]]:
        """The numbers of the episodes that have each content word, by its stem."""
        return _numbered([t.lemma for t in e.terms] for e in self.episodes)

    @cached_property
    def by_reading(self) -> dict[str, set[int]]:
        """The same for the words of their other readings of the kind."""
        readings = (e.hypotheses.get("kind", ()) for e in self.episodes)
        return _numbered([s for r in found for s in surfaces(r)] for found in readings)

    def of_protagonist(self, name: str) -> set[int]:
        """By full name or alias; else by a short form that is unique."""
        key = name_key(name)
        if found := self.by_name.get(key):
            return found
        full = self.by_short.get(key, set())
        return self.by_name[next(iter(full))] if len(full) == 1 else set()

    def of_kind(
        self,
        label: str,
        recognised: frozenset[str] | None = None,
        among: Set[int] | None = None,
    ) -> set[int]:
        """Episodes of a kind: so labelled, told in all its words, or `recognised`.

        Where kinds are recognised, words alone are not enough: they are told of much
        else, one word most of all, which counts where nothing `among` is so labelled.
        Only when there is none, those of which a second reading has every stem.
        """
        stems = sorted(kind_stems(label))
        if not stems:
            return set()
        labelled = set.intersection(*(self.by_stem.get(stem, set()) for stem in stems))
        found = {n for n in labelled if any(set(stems) <= k for k in self.kinds[n])}
        if recognised is not None:
            found |= {self.by_id[one] for one in recognised if one in self.by_id}
        elif len(stems) > 1 or not found & (among or found):
            found |= set.intersection(*(self.by_term.get(s, set()) for s in stems))
        if found:
            return found
        told = set.intersection(*(self.by_reading.get(s, set()) for s in stems))
        return {n for n in told if self._reads_as(self.episodes[n], frozenset(stems))}

    def _reads_as(self, episode: Episode, stems: frozenset[str]) -> bool:
        """Whether another reading of an episode's kind has every stem."""
        least = self.readings * (episode.kind.score if episode.kind else 0.0)
        return any(
            reading.score >= least and stems <= kind_stems(label)
            for reading in episode.hypotheses.get("kind", ())
            for label in surfaces(reading)
        )


def _numbered(labels: Iterable[Iterable[str]]) -> dict[str, set[int]]:
    """The numbers of the episodes with each stem, from the labels of each episode."""
    found: dict[str, set[int]] = {}
    for number, said in enumerate(labels):
        for stem in frozenset[str]().union(*map(kind_stems, said)):
            found.setdefault(stem, set()).add(number)
    return found


EpisodeSource: TypeAlias = EpisodeIndex | Workspace | Iterable[Episode]


def answer_cue(
    source: EpisodeSource, cue: Cue, recognised: frozenset[str] | None = None
) -> tuple[Episode, ...]:
    """The episodes that fit every cue, in the order of the text; none if no cue is set.

    `recognised` are ids of episodes judged to be of the kind asked for, whatever they
    call it; what fits carries the cue's own words as an alias of its kind.

    >>> answer_cue((), Cue(place="Pier 4"))
    ()
    """
    index = EpisodeIndex.of(source)
    found = []
    if cue.date is not None:
        found.append(index.by_date.get(cue.date, set()))
    if cue.place is not None:
        found.append(index.by_place.get(name_key(cue.place), set()))
    if cue.protagonist is not None:
        found.append(index.of_protagonist(cue.protagonist))
    if cue.content is not None:
        among = set.intersection(*found) if found else None
        found.append(index.of_kind(cue.content, recognised, among))
    chosen = set.intersection(*found) if found else set()
    return tuple(_called(index.episodes[number], cue) for number in sorted(chosen))


def _called(episode: Episode, cue: Cue) -> Episode:
    """An episode under the name that the question has for its kind."""
    if cue.content is None or episode.kind is None:
        return episode
    stems = kind_stems(cue.content)
    if any(stems <= kind_stems(label) for label in surfaces(episode.kind)):
        return episode
    aliases = (*episode.kind.aliases, cue.content)
    return replace(episode, kind=replace(episode.kind, aliases=aliases))


def text_order(episode: Episode) -> tuple[str, int, int]:
    """Where the text tells the episode."""
    return episode.document, episode.chapter or 0, episode.order


def story_order(episode: Episode) -> tuple[str, str, int, int]:
    """When the episode happened."""
    return (episode.date.value if episode.date else "", *text_order(episode))


def surfaces(bound: Bound | None) -> tuple[str, ...]:
    """Every way a field is written; none when it is unknown."""
    return () if bound is None else (bound.value, *bound.aliases)


def _placed(
    workspace: Workspace, episode: Episode, anchors: Mapping[str, Place]
) -> Episode:
    """An episode found under the places that contain its own: room, building, city.

    An episode names its place by the actor; `anchors` holds the place of each actor.
    """
    names: list[str] = []
    place = None
    if episode.place and episode.place.id:
        place = anchors.get(workspace.resolve(episode.place.id))
    while place is not None and place.inside:
        outer = workspace.nouns.get(workspace.resolve(place.inside))
        place = outer if isinstance(outer, Place) else None
        if place is None or place.name is None or place.name in names:
            break
        names.append(place.name)
    if not names or episode.place is None:
        return episode
    aliases = tuple(dict.fromkeys((*episode.place.aliases, *names)))
    return replace(episode, place=replace(episode.place, aliases=aliases))
