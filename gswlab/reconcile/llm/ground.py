"""What a reply may say: ids that were shown, words of the chunk, days and places known.

Whatever else it says is refused, with the path where it stands: nothing is invented,
and a noun that the prompt did not show cannot be touched.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from gswlab.core.nouns import Actor, Noun, Place, Span, Time
from gswlab.language.dates.find import find_dates
from gswlab.language.dates.format import normalise_date
from gswlab.language.names import key
from gswlab.operator.llm.place import places
from gswlab.reconcile.scene import Scene
from gswlab.reconcile.verdict import LOCAL


@dataclass
class Ground:
    """A chunk's scene, the ids that a prompt showed, and what has been refused.

    `ids` maps ids as a reply writes them to those of the workspace.
    """

    scene: Scene
    ids: dict[str, str]
    refused: list[str] = field(default_factory=list)

    def refuse(self, path: str, why: str) -> None:
        """Say what is not believed, and why."""
        self.refused.append(f"{path}: {why}")

    def named(self, path: str, said: str, kinds: str = "a") -> str | None:
        """The live noun of these kinds (first letters of ids) that an id names."""
        workspace = self.scene.workspace
        found = workspace.resolve(self.ids.get(said, ""))
        if found in workspace and found[:1] in kinds:
            return found
        self.refuse(path, f"{said!r} is no id that was shown here")
        return None

    def all_named(self, path: str, said: list[str], kinds: str = "a") -> list[str]:
        """The nouns that ids name, each once; an id of none is refused."""
        found = (self.named(f"{path}.{i}", each, kinds) for i, each in enumerate(said))
        return list(dict.fromkeys(each for each in found if each))

    def quoted(self, path: str, said: str) -> tuple[Span, ...]:
        """Where the chunk has these words; refused if nowhere."""
        if spans := self.spans(said):
            return spans
        self.refuse(path, f"{said!r} is not in the text")
        return ()

    def spans(self, said: str) -> tuple[Span, ...]:
        """The first place of words in the chunk, if it has them."""
        chunk = self.scene.chunk
        start = chunk.span.start
        return tuple(
            Span(chunk.document, start + place.start, start + place.end)
            for place in places(chunk.text, said)[:1]
        )

    def day(self, path: str, said: str) -> str | None:
        """The ISO value of a day that the chunk or the workspace has, or a coarser."""
        value = normalise_date(said)
        if value and any(_lies_in(known, value) for known in self._days()):
            return value
        self.refuse(path, f"{said!r} is no time that the text or the workspace has")
        return None

    def place(self, path: str, said: str) -> str | None:
        """The name of a place that the chunk or the workspace has."""
        known = any(key(said) == key(name) for name in self._places())
        if key(said) and (known or self.spans(said)):
            return said.strip()
        self.refuse(path, f"{said!r} is no place that the text or the workspace has")
        return None

    def _days(self) -> Iterator[str]:
        chunk, local = self.scene.chunk, self.scene.local
        yield from (each.value for each in local.actors if each.value)
        yield from (link.iso for link in local.links if link.iso)
        found = find_dates(chunk.text, basis=chunk.time)
        yield from (mention.value for mention in found if mention.value)
        known = (n for n in self._nouns() if isinstance(n, Actor | Time))
        yield from (each.value for each in known if each.value)

    def _places(self) -> Iterator[str]:
        for noun in self._nouns():
            if isinstance(noun, Actor) and noun.kind == "place":
                yield from (noun.name, *noun.aliases)
            elif isinstance(noun, Place):
                yield noun.name or ""

    def _nouns(self) -> Iterator[Noun | None]:
        """The nouns that were shown."""
        workspace = self.scene.workspace
        for noun_id in self.ids.values():
            yield workspace.nouns.get(workspace.resolve(noun_id))


def local_ids(scene: Scene) -> dict[str, str]:
    """The ids of the chunk's actors, as a prompt writes them."""
    return {LOCAL + local: found for local, found in scene.ids.items()}


def _lies_in(known: str, value: str) -> bool:
    return known == value or (known.startswith(value) and known[len(value)] in "-T")
