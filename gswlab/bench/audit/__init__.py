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

from gswlab.bench.audit.expected import Expected, expected_of
from gswlab.bench.audit.transitions import Transition, transitions
from gswlab.bench.audit.whereabouts import HeldWhereabouts, held_of, same_place
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
class AuditRow:
    """One chunk that speaks of the actor: expected, held, and what was missed."""

    step: int
    chunk: str
    chapter: int | None
    expected: Expected
    held: HeldWhereabouts
    missed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Audit:
    """All chunks that speak of an actor, and the transitions that cannot be."""

    actor: str
    name: str
    rows: tuple[AuditRow, ...]
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
    actor = actor_called(last, name)
    said = expected_of(last, actor, journal.chunks(), journal.documents())
    rows = []
    for held, chapter, workspace in held_of(journal, last, actor):
        if (told := said.get(held.chunk)) is None:
            continue
        missed = []  # what the chunk names and the workspace does not hold
        if told.time and told.time_named:
            missed += [] if (held.time or "").startswith(told.time) else ["time"]
        if told.place and told.place_named:
            wanted, known = (told.place_id, told.place), (held.place_id, held.place)
            missed += [] if same_place(workspace, wanted, known) else ["place"]
        rows.append(AuditRow(held.step, held.chunk, chapter, told, held, tuple(missed)))
    return Audit(actor.id, actor.name, tuple(rows), transitions(journal, actor, rows))


def actor_called(workspace: Workspace, name: str) -> Actor:
    """The one actor with this id, name or alias; names are compared folded."""
    if (noun_id := workspace.resolve(name)) in workspace:
        found = workspace.get(noun_id)
        if isinstance(found, Actor):
            return found
    # An alias counts where nobody's name is the same.
    names: dict[tuple[str, ...], list[str]] = {}
    aliases: dict[tuple[str, ...], list[str]] = {}
    folded: dict[str, str] = {}
    for actor in workspace.actors:
        names.setdefault(name_key(actor.name), []).append(actor.id)
        for key in {name_key(alias) for alias in actor.aliases}:
            aliases.setdefault(key, []).append(actor.id)
        folded |= {one.casefold(): one for one in (actor.name, *actor.aliases)}
    ids = (aliases | names).get(name_key(name), [])
    if len(ids) == 1:
        return workspace.get(ids[0])  # type: ignore[no-any-return]
    command = "python -m gswlab audit RUN ACTOR"
    if ids:
        problem = f"{len(ids)} actors are called {name!r}"
        raise GswlabError(problem, f"name one by its id: {', '.join(ids)}", command)
    close = get_close_matches(name.casefold(), list(folded), n=3, cutoff=0.4)
    near = ", ".join(folded[key] for key in close)
    rule = f"the nearest names are {near}" if near else "it names no actor"
    raise GswlabError(f"no actor is called {name!r}", rule, command)
