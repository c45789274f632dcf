"""A reply held against its passage: what the passage does not have is refused.

An actor is kept by the words of the passage that speak of it; a name that only a model
knows is refused. Roles and states are words of the passage, and an id names an actor of
the same reply. Refusals are sentences that begin with the path of what they refuse.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import compress
from typing import NamedTuple

from gswlab.core.nouns import ActorKind
from gswlab.gsw.operator.model.stages import ActorReply, OperatorReply
from gswlab.language.language import KANA_KANJI
from gswlab.language.names import DEFINITE, INDEFINITE

# Where a passage has words: whole, in any kind of quotation marks, articles apart.

_ALIKE = str.maketrans("“”„‘’‚–—‐\u00a0\u3000", "\"\"\"'''---  ")
_EDGES = " \t\n.,;:!?…\"'“”‘’。、"
_INSIDE = re.compile(rf"[^\W{KANA_KANJI}]{{2}}|[ァ-ヺー]{{2}}")
_SHORT, _LONGER = frozenset("彼私僕俺"), "(?!女|ら|等|達|たち|立)"  # 彼女 is not 彼


class Stretch(NamedTuple):
    """Characters `start` to `end` of a passage."""

    start: int
    end: int

    def meets(self, other: Stretch) -> bool:
        """Whether two places share a character."""
        return self.start < other.end and other.start < self.end

    def apart(self, other: Stretch) -> int:
        """How many characters lie between two places."""
        return max(self.start - other.end, other.start - self.end, 0)


def find_words(text: str, said: str) -> list[Stretch]:
    """Where a text has these words, whole and in any kind of quotation marks.

    Capitals count where the words have some and the text has them so.

    >>> find_words("May said she may go.", "May"), find_words("She may.", "MAY")
    ([Stretch(start=0, end=3)], [Stretch(start=4, end=7)])
    """
    words = bare_words(said).translate(_ALIKE).split()
    if not words:
        return []
    plain, pattern = text.translate(_ALIKE), r"\s+".join(map(re.escape, words))
    pattern += _LONGER if words[-1] in _SHORT else ""
    for flag in (re.NOFLAG, re.IGNORECASE)[said == said.lower() :]:
        found = [Stretch(*m.span()) for m in re.finditer(pattern, plain, flag)]
        # No word may be cut; kanji and hiragana may be cut anywhere.
        cuts = [[plain[max(0, at - 1) : at + 1] for at in place] for place in found]
        whole = [not any(map(_INSIDE.fullmatch, ends)) for ends in cuts]
        if kept := list(compress(found, whole)):
            return kept
    return []


def bare_words(said: str) -> str:
    """Words without the article before them and the marks around them.

    >>> bare_words("the old mill."), bare_words("“A”")
    ('old mill', 'A')
    """
    said = said.strip(_EDGES)
    first, _, rest = said.partition(" ")
    return rest.strip() if rest and first.lower() in DEFINITE | INDEFINITE else said


class Quoted(NamedTuple):
    """A role, or a state in a role, where the passage says it."""

    text: str
    place: Stretch
    role: str | None = None


@dataclass(eq=False)
class Grounded:
    """An actor of a reply and where the passage speaks of it."""

    id: str
    kind: ActorKind
    name: str
    places: list[Stretch] = field(default_factory=list)
    roles: list[Quoted] = field(default_factory=list)
    states: list[Quoted] = field(default_factory=list)
    inferred: list[Quoted] = field(default_factory=list)


@dataclass
class GroundedReply:
    """The actors of a reply that its passage speaks of, by the reply's own ids."""

    text: str
    actors: list[Grounded] = field(default_factory=list)
    ids: dict[str, Grounded] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)

    def refuse(self, path: str, why: str) -> None:
        """Say what is not believed, and why."""
        self.refused.append(f"{path}: {why}")

    def find(self, path: str, said: str, near: Stretch | None = None) -> Stretch | None:
        """Where the passage has these words, nearest to a place; refused if nowhere."""
        found = find_words(self.text, said)
        if not found:
            self.refuse(path, f"{said!r} is not in the passage")
            return None
        return min(found, key=near.apart) if near else found[0]

    def named(self, path: str, ids: list[str]) -> list[Grounded]:
        """The actors these ids name, each once; an id of none is refused."""
        for i, id_ in enumerate(ids):
            if id_ not in self.ids:
                self.refuse(f"{path}.{i}", f"{id_!r} is no actor of the passage")
        known = (self.ids[id_] for id_ in ids if id_ in self.ids)
        return list({actor.id: actor for actor in known}.values())


def ground(reply: OperatorReply, text: str) -> GroundedReply:
    """Whom of a reply its passage speaks of, and what it says of them."""
    found, known, entries = GroundedReply(text), dict[str, Grounded](), list[_Entry]()
    for i, entry in enumerate(reply.actors):
        path, key = f"actors.{i}", bare_words(entry.name).casefold()
        if entry.id in found.ids:
            found.refuse(f"{path}.id", f"{entry.id!r} is an actor above")
            continue
        if key in known:
            found.refuse(f"{path}.name", f"{entry.name!r} is an actor above")
        actor = known.setdefault(key, Grounded("", entry.kind, entry.name))
        found.ids[entry.id] = actor
        entries.append((path, entry, actor))
    _place_all(found, entries)
    for path, _, actor in entries:
        if not actor.places:
            found.refuse(path, "no word of the passage speaks of it")
    found.ids = {key: actor for key, actor in found.ids.items() if actor.places}
    found.actors = [actor for actor in known.values() if actor.places]
    for number, actor in enumerate(found.actors, 1):
        actor.id = f"a{number}"
    for path, entry, actor in entries:
        if actor.places:
            _tell(found, path, entry, actor)
    return found


_Entry = tuple[str, ActorReply, Grounded]


def _tell(found: GroundedReply, path: str, entry: ActorReply, actor: Grounded) -> None:
    """Roles and states that the passage says of an actor; a role that follows."""
    near = actor.places[0]
    for i, given in enumerate(entry.roles):
        where, said = f"{path}.roles.{i}", given.role.strip()
        role = found.find(f"{where}.role", given.role, near) if said else None
        held = bare_words(given.role) if role else None
        if role and held is not None:
            actor.roles.append(Quoted(held, role))
        for j, words in enumerate(given.states):
            if place := found.find(f"{where}.states.{j}", words, near):
                actor.states.append(Quoted(" ".join(words.split()), place, held))
    for i, told in enumerate(entry.inferred):
        where, said = f"{path}.inferred.{i}.quote", told.role.strip()
        place = found.find(where, told.quote, near)
        if place and said and any(map(place.meets, actor.places)):
            actor.inferred.append(Quoted(said, place))
        elif place:
            found.refuse(where, f"{told.quote!r} does not speak of {entry.name!r}")


def _place_all(found: GroundedReply, entries: list[_Entry]) -> None:
    """Share the words of the passage out: the longest first, each to one actor."""
    said, taken = list[tuple[str, str, Grounded]](), dict[Stretch, Grounded]()
    for path, entry, actor in entries:
        said.append((f"{path}.name", entry.name, actor))
        for i, words in enumerate(entry.mentions):
            said.append((f"{path}.mentions.{i}", words, actor))
    for path, words, actor in sorted(said, key=lambda s: -len(bare_words(s[1]))):
        here = find_words(found.text, words)
        if not here:
            found.refuse(path, f"{words!r} is not in the passage")
        elif all(place in taken and taken[place] is not actor for place in here):
            found.refuse(path, f"{words!r} is said of {taken[here[0]].name!r}")
        # Places that no longer words have; inside others' ("the mill road") if need be.
        free = [p for p in here if not any(p.meets(other) for other in taken)]
        if not free and not any(p.meets(o) for p in here for o in actor.places):
            free = [place for place in here if place not in taken][:1]
        taken |= dict.fromkeys(free, actor)
        actor.places += free
