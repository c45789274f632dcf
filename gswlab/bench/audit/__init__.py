"""Audits: what a text says of an actor's whereabouts against what a run held of them.

- *expected* is read off the text alone: the day in force and the place named with the
  actor, sentence by sentence (`expected`); only who is meant where, and which names are
  places, is taken from the run's last workspace;
- *held* is read off the workspace after each step, as it was then (`held`);
- an update is *missed* where a chunk names a day or place and the workspace, having
  read it, holds another one or none;
- `transitions` lists what no story allows: see there.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from gswlab.bench.audit.expected import Said, said_of
from gswlab.bench.audit.transitions import Transition, transitions
from gswlab.bench.audit.whereabouts import Held, held_of, same_place
from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.core.nouns import Actor
from gswlab.core.workspace import Workspace
from gswlab.language.keys import name_key

# Annotated chains: the text that a run reads, without what is annotated.


def write_text(chain: dict[str, Any], path: str | Path) -> Path:
    """Write a chain's text under its chapters' headings, a chunk a paragraph.

    `experiments/texts/chains/README.md` describes a chain.
    """
    parts, chapter = [], None
    for chunk in chain["chunks"]:
        if (number := chunk.get("chapter")) != chapter:
            parts.append(f"Chapter {number}")
        chapter = number
        parts.append(chunk["text"])
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    return target


@dataclass(frozen=True, slots=True)
class Row:
    """One chunk that speaks of the actor: expected, held, and what was missed."""

    step: int
    chunk: str
    chapter: int | None
    expected: Said
    held: Held
    missed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Audit:
    """All chunks that speak of an actor, and the transitions that cannot be."""

    actor: str
    name: str
    rows: tuple[Row, ...]
    transitions: tuple[Transition, ...]

    @property
    def missed(self) -> int:
        """How many updates were missed, times and places together."""
        return sum(len(row.missed) for row in self.rows)

    def to_dict(self) -> dict[str, Any]:
        """As `--json` prints it."""
        return {**asdict(self), "missed": self.missed}


def audit(journal: Journal, name: str) -> Audit:
    """The audit of the actor that `name` means: an id, a name or an alias.

    Raises:
        GswlabError: no actor is called so, or several are.
    """
    last = journal.workspace()
    actor = called(last, name)
    said = said_of(last, actor, journal.chunks(), journal.documents())
    rows = [
        Row(held.step, held.chunk, chapter, said[held.chunk], held, missed)
        for held, chapter, workspace in held_of(journal, last, actor)
        if held.chunk in said
        for missed in (_missed(workspace, said[held.chunk], held),)
    ]
    return Audit(actor.id, actor.name, tuple(rows), transitions(journal, actor, rows))


def called(workspace: Workspace, name: str) -> Actor:
    """The one actor with this id, name or alias; names are compared folded."""
    if (noun_id := workspace.resolve(name)) in workspace:
        found = workspace.get(noun_id)
        if isinstance(found, Actor):
            return found
    key = name_key(name)
    owners = _owners(workspace)
    ids = owners.get(key, [])
    if len(ids) == 1:
        return workspace.get(ids[0])  # type: ignore[no-any-return]
    command = "python -m gswlab audit RUN ACTOR"
    if ids:
        problem = f"{len(ids)} actors are called {name!r}"
        raise GswlabError(problem, f"name one by its id: {', '.join(ids)}", command)
    near = _near(workspace, name)
    rule = f"the nearest names are {', '.join(near)}" if near else "it names no actor"
    raise GswlabError(f"no actor is called {name!r}", rule, command)


def _owners(workspace: Workspace) -> dict[tuple[str, ...], list[str]]:
    """Actors by name; an alias counts where nobody's name is the same."""
    names: dict[tuple[str, ...], list[str]] = {}
    aliases: dict[tuple[str, ...], list[str]] = {}
    for actor in workspace.actors:
        names.setdefault(name_key(actor.name), []).append(actor.id)
        for key in {name_key(alias) for alias in actor.aliases}:
            aliases.setdefault(key, []).append(actor.id)
    return aliases | names


def _near(workspace: Workspace, name: str) -> list[str]:
    folded = {
        surface.casefold(): surface
        for actor in workspace.actors
        for surface in (actor.name, *actor.aliases)
    }
    close = get_close_matches(name.casefold(), list(folded), n=3, cutoff=0.4)
    return [folded[key] for key in close]


def _missed(workspace: Workspace, said: Said, held: Held) -> tuple[str, ...]:
    """Which of time and place the chunk names and the workspace does not hold."""
    missed = []
    if said.time and said.time_named and not _same_day(said.time, held.time):
        missed.append("time")
    if said.place and said.place_named:
        known = (held.place_id, held.place)
        if not same_place(workspace, (said.place_id, said.place), known):
            missed.append("place")
    return tuple(missed)


def _same_day(expected: str, held: str | None) -> bool:
    return held is not None and held.startswith(expected)
