"""A reply held against its passage: what the passage does not have is refused.

An actor is kept by the words of the passage that speak of it; a name that only a model
knows is refused. Roles and states are words of the passage, and an id names an actor of
the same reply. Refusals are sentences that begin with the path of what they refuse.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import compress

from gswlab.core.nouns import ActorKind, Chunk, Role, Span, State
from gswlab.gsw.operator.model.stages import ActorReply, OperatorReply
from gswlab.language.language import KANA_KANJI
from gswlab.language.names import DEFINITE, INDEFINITE

# Where a passage has words: whole, in any kind of quotation marks, articles apart.

_ALIKE = str.maketrans("“”„‘’‚–—‐\u00a0\u3000", "\"\"\"'''---  ")
_EDGES = " \t\n.,;:!?…\"'“”‘’。、"
_INSIDE = re.compile(rf"[^\W{KANA_KANJI}]{{2}}|[ァ-ヺー]{{2}}")
_SHORT, _LONGER = frozenset("彼私僕俺"), "(?!女|ら|等|達|たち|立)"  # 彼女 is not 彼


def meets(one: Span, other: Span) -> bool:
    """Whether two places share a character."""
    return one.start < other.end and other.start < one.end


def find_words(text: str, said: str) -> list[tuple[int, int]]:
    """Where a text has these words, whole and in any kind of quotation marks.

    Capitals count where the words have some and the text has them so.

    >>> find_words("May said she may go.", "May"), find_words("She may.", "MAY")
    ([(0, 3)], [(4, 7)])
    """
    words = bare_words(said).translate(_ALIKE).split()
    if not words:
        return []
    plain, pattern = text.translate(_ALIKE), r"\s+".join(map(re.escape, words))
    pattern += _LONGER if words[-1] in _SHORT else ""
    for flag in (re.NOFLAG, re.IGNORECASE)[said == said.lower() :]:
        found = [m.span() for m in re.finditer(pattern, plain, flag)]
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


@dataclass
class HeldPassage:
    """A chunk that a reply is held against, and what of the reply it has refused."""

    chunk: Chunk
    refused: list[str] = field(default_factory=list)

    def refuse(self, path: str, why: str) -> None:
        """Say what is not believed, and why."""
        self.refused.append(f"{path}: {why}")

    def places(self, said: str) -> list[Span]:
        """Where the passage has these words."""
        base, found = self.chunk.span.start, find_words(self.chunk.text, said)
        return [Span(self.chunk.document, base + a, base + b) for a, b in found]

    def find(self, path: str, said: str, near: Span | None = None) -> Span | None:
        """Where the passage has these words, nearest to a place; refused if nowhere."""
        found = self.places(said)
        if not found:
            self.refuse(path, f"{said!r} is not in the passage")
            return None
        return nearest(found, near) if near else found[0]

    def words(self, *spans: Span) -> str:
        """What the passage has at these places."""
        base = self.chunk.span.start
        return " ".join(self.chunk.text[s.start - base : s.end - base] for s in spans)


def nearest(spans: Iterable[Span], to: Span) -> Span:
    """The place with the fewest characters between it and another."""
    return min(spans, key=lambda s: max(s.start - to.end, to.start - s.end, 0))


@dataclass(eq=False)
class Grounded:
    """An actor of a reply and where the passage speaks of it."""

    kind: ActorKind
    name: str
    places: list[Span] = field(default_factory=list)
    roles: list[Role] = field(default_factory=list)
    states: list[State] = field(default_factory=list)


_Entry = tuple[str, ActorReply, Grounded]


class GroundedReply(HeldPassage):
    """The actors of a reply that its passage speaks of, by the reply's own ids.

    Where it is `lenient`, roles and states that the passage does not say rest on where
    it names their actor, and two entries of one name are one actor.
    """

    def __init__(
        self, reply: OperatorReply, chunk: Chunk, lenient: bool = False
    ) -> None:
        super().__init__(chunk)
        self.lenient = lenient
        self.ids: dict[str, Grounded] = {}
        known, entries = dict[str, Grounded](), list[_Entry]()
        for i, entry in enumerate(reply.actors):
            path, key = f"actors.{i}", bare_words(entry.name).casefold()
            if entry.id in self.ids:
                self.refuse(f"{path}.id", f"{entry.id!r} is an actor above")
                continue
            if key in known and not lenient:
                self.refuse(f"{path}.name", f"{entry.name!r} is an actor above")
            actor = known.setdefault(key, Grounded(entry.kind, entry.name))
            self.ids[entry.id] = actor
            entries.append((path, entry, actor))
        self._share_out(entries)
        for path, entry, actor in entries:
            if actor.places:
                self._tell(path, entry, actor)
            else:
                self.refuse(path, "no word of the passage speaks of it")
        self.ids = {key: actor for key, actor in self.ids.items() if actor.places}
        self.actors = [actor for actor in known.values() if actor.places]

    def named(self, path: str, ids: list[str]) -> list[Grounded]:
        """The actors these ids name, each once; an id of none is refused."""
        for i, id_ in enumerate(ids):
            if id_ not in self.ids:
                self.refuse(f"{path}.{i}", f"{id_!r} is no actor of the passage")
        known = (self.ids[id_] for id_ in ids if id_ in self.ids)
        return list(dict.fromkeys(known))

    def _share_out(self, entries: list[_Entry]) -> None:
        """Share the words of the passage out: the longest first, each to one actor."""
        said, taken = list[tuple[str, str, Grounded]](), dict[Span, Grounded]()
        for path, entry, actor in entries:
            said.append((f"{path}.name", entry.name, actor))
            for i, words in enumerate(entry.mentions):
                said.append((f"{path}.mentions.{i}", words, actor))
        for path, words, actor in sorted(said, key=lambda s: -len(bare_words(s[1]))):
            here = self.places(words)
            if not here:
                self.refuse(path, f"{words!r} is not in the passage")
            elif all(place in taken and taken[place] is not actor for place in here):
                self.refuse(path, f"{words!r} is said of {taken[here[0]].name!r}")
            # Places that no longer words have; inside others' ("the mill road") if
            # need be.
            free = [p for p in here if not any(meets(p, other) for other in taken)]
            if not free and not any(meets(p, o) for p in here for o in actor.places):
                free = [place for place in here if place not in taken][:1]
            taken |= dict.fromkeys(free, actor)
            actor.places += free

    def _said(self, path: str, words: str, near: Span) -> Span | None:
        if self.lenient and not self.places(words):
            return near if bare_words(words) else None
        return self.find(path, words, near)

    def _tell(self, path: str, entry: ActorReply, actor: Grounded) -> None:
        """Roles and states the passage says of an actor; then the roles that follow."""
        near, chunk = actor.places[0], self.chunk.id
        for i, given in enumerate(entry.roles):
            where, held = f"{path}.roles.{i}", None
            said = bool(given.role.strip())
            if said and (place := self._said(f"{where}.role", given.role, near)):
                held, unsaid = bare_words(given.role), self.lenient and place == near
                actor.roles.append(Role(held, (place,), chunk, unsaid))
            for j, words in enumerate(given.states):
                if place := self._said(f"{where}.states.{j}", words, near):
                    text = " ".join(words.split())
                    actor.states.append(State(text, (place,), chunk, held))
        for i, told in enumerate(entry.inferred):
            where, role = f"{path}.inferred.{i}.quote", told.role.strip()
            place = self.find(where, told.quote, near)
            if place and role and any(meets(place, own) for own in actor.places):
                actor.roles.append(Role(role, (place,), chunk, inferred=True))
            elif place:
                self.refuse(where, f"{told.quote!r} does not speak of {entry.name!r}")
