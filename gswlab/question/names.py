"""The names a question may use: those of a workspace, longest first.

- names of episodes (date apart) come first, then persons and places the text merely
  mentions: a question about one of these is understood, and finds no episode;
- a short form ("Ann") stands for the full name when it is unique;
- a match inside a longer capitalised name is no match: "Central Park Zoo" is not
  "Central Park", but a name the text does not have.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

import snowballstemmer
from rapidfuzz import fuzz, process

from gswlab.core.nouns import Actor, Bound, Episode
from gswlab.core.workspace import Workspace
from gswlab.language.keys import Word, kind_stems, name_key, words
from gswlab.language.lexicon import groups
from gswlab.question.scaffold import is_kind, is_scaffold, opens_sentence
from gswlab.workspace.cues import EpisodeIndex, surfaces

CueField = Literal["date", "place", "protagonist", "content"]
Match = Literal["exact", "fuzzy", "embedding"]
Key = tuple[str, ...]
_stem = cache(snowballstemmer.stemmer("english").stemWord)
SEVERAL = " / "  # between those whom a short name may mean: it finds none of them
_HONORIFIC = re.compile(f".(?:{'|'.join(sorted(groups('ja/words.tsv')['suffix']))})$")


@dataclass(frozen=True, slots=True)
class Found:
    """A name in a question: where, which field it fills, and with what value."""

    start: int
    end: int
    field: CueField
    value: str
    short: bool = False
    unknown: bool = False


@dataclass(slots=True)
class Names:
    """Names by their folded words. `Names.of(workspace)` builds it once per version.

    `match="fuzzy"` lets a name with a slip of the pen stand for the nearest known one
    (`cutoff` of 100); the default never does, for near names are other names.
    """

    match: Match = "exact"
    cutoff: float = 90.0
    table: dict[Key, tuple[CueField, str]] = field(default_factory=dict)
    shorts: dict[Key, set[str]] = field(default_factory=dict)
    kinds: dict[Key, str] = field(default_factory=dict)
    stems: set[frozenset[str]] = field(default_factory=set)
    longest: int = 1

    @classmethod
    def of(
        cls,
        source: EpisodeIndex | Workspace | Iterable[Episode],
        match: Match = "exact",
    ) -> Names:
        """The names of episodes and, for a workspace, of its persons and places."""
        names = cls(match)
        episodes = EpisodeIndex.of(source).episodes
        for episode in episodes:
            names._episode(episode)
        for episode in episodes:
            for participant in episode.participants:
                names._bound("protagonist", participant)
        if isinstance(source, Workspace):
            for actor in source.actors:
                names._actor(actor)
        return names

    def find(self, text: str) -> tuple[Found, ...]:
        """Names in `text`, longest first, none inside another; in order of place."""
        tokens = words(text)
        stems = tuple(map(_stem, (token.text for token in tokens)))
        taken: set[int] = set()
        found: list[Found] = []
        for size in range(min(self.longest, len(tokens)), 0, -1):
            for start in range(len(tokens) - size + 1):
                if not taken.isdisjoint(range(start, start + size)):
                    continue
                part = slice(start, start + size)
                if hit := self._at(text, tokens[part], stems[part]):
                    found.append(hit)
                    taken.update(range(start, start + size))
        return tuple(sorted(found, key=lambda hit: hit.start))

    def near(self, text: str) -> tuple[CueField, str] | None:
        """The known name a misspelt one stands for, when matching is not exact."""
        if self.match == "exact":
            return None
        choices = [" ".join(key) for key in self.table]
        best = process.extractOne(
            " ".join(name_key(text)),
            choices,
            scorer=fuzz.ratio,
            score_cutoff=self.cutoff,
        )
        return self.table[tuple(best[0].split())] if best else None

    def knows_kind(self, label: str) -> bool:
        """Whether some episode may be of this kind: all stems in one known label."""
        stems = kind_stems(label)
        return bool(stems) and any(stems <= known for known in self.stems)

    def _at(self, text: str, run: tuple[Word, ...], stems: Key) -> Found | None:
        start, end = run[0].start, run[-1].end
        key = tuple(word.text for word in run)
        if len(full := self.shorts.get(key, ())) > 1 and len(key) > 1:
            several = f"{text[start:end]} ({SEVERAL.join(sorted(full))})"
            return Found(start, end, "protagonist", several, short=True)
        if known := self.table.get(key):
            return Found(start, end, *known) if _plausible(text, run) else None
        if len(run) > 1 and not full:
            label = self.kinds.get(stems)
            return Found(start, end, "content", text[start:end]) if label else None
        if full and _plausible(text, run):
            value = next(iter(full)) if len(full) == 1 else text[start:end]
            return Found(start, end, "protagonist", value, short=True)
        return None

    def _episode(self, episode: Episode) -> None:
        readings = (episode.kind, *episode.hypotheses.get("kind", ()))
        for kind in readings:
            for label in surfaces(kind):
                self._kind(label)
        self._bound("place", episode.place)
        self._bound("protagonist", episode.protagonist)

    def _kind(self, label: str) -> None:
        key = tuple(map(_stem, name_key(label)))
        self.stems.add(kind_stems(label))
        self.kinds.setdefault(key, label)
        self.longest = max(self.longest, len(key))

    def _bound(self, name: CueField, bound: Bound | None) -> None:
        if bound is not None:
            for surface in surfaces(bound):
                if name == "place" or not self._event(surface):
                    self._add(name, surface, bound.value)

    def _actor(self, actor: Actor) -> None:
        """A name the text mentions; what is also a kind of event stays one."""
        if actor.kind not in ("person", "place"):
            return
        for surface in (actor.name, *actor.aliases):
            if not self._event(surface) and _is_name(surface, actor):
                field_: CueField = "place" if actor.kind == "place" else "protagonist"
                self._add(field_, surface, actor.name)

    def _event(self, surface: str) -> bool:
        """Whether what the text took for a name is rather a kind of event."""
        return kind_stems(surface) in self.stems or is_kind(surface)

    def _add(self, name: CueField, surface: str, value: str) -> None:
        key = name_key(surface)
        if not key or (_unspaced(key) and _HONORIFIC.search(surface)):
            return  # 山田さん is whoever 山田 is
        # A place answers to the places around it, but is not one of them.
        self.table.setdefault(key, (name, surface if name == "place" else value))
        self.longest = max(self.longest, len(key))
        if name == "protagonist" and len(key) > 1:
            for short in _halves(key) if _unspaced(key) else {key[:1], key[-1:]}:
                self.shorts.setdefault(short, set()).add(value)


def _unspaced(key: Key) -> bool:
    """Whether a name is of a script without spaces: each character is a word."""
    return all(len(word) == 1 and ord(word) > 0x2E7F for word in key)


def _halves(key: Key) -> set[Key]:
    """The family or the given name in one written without spaces, by character."""
    halves = {half for i in range(1, len(key)) for half in (key[:i], key[i:])}
    return {half for half in halves if len(half) > 1}


def _is_name(surface: str, actor: Actor) -> bool:
    """Whether a surface is written as a name; without capitals, whether it was one."""
    named = any(m.form in ("name", "short") for m in actor.mentions)
    return any(c.isupper() or (named and ord(c) > 0x2E7F) for c in surface)


def _plausible(text: str, run: tuple[Word, ...]) -> bool:
    """Whether a name of one word is one here: "Grace" is, "grace" is not.

    A word of which questions are built ("Give") is none where it opens a sentence.
    """
    first, start = text[run[0].start], run[0].start
    if len(run) > 1 or ord(first) > 0x2E7F or first.isdigit():
        return True
    if not first.isupper() or run[0].text == "i":
        return False
    return not (opens_sentence(text, start) and is_scaffold(run[0].text))
