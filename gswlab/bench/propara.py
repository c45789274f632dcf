"""ProPara: short texts on processes, and after each sentence what exists, and where.

A folder holds `grids.v1.SPLIT.json` as published (allenai/propara), a JSON object a
line: the sentences, the participants, and a state of each before the first sentence and
after every one: `-` where it does not exist, `?` where nobody says where, else a place.

What is asked of a memory is the change: it is told the state before a sentence, and its
verb phrases of that sentence say the state after it. Who copies the last state is right
wherever nothing changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from pydantic import BaseModel, TypeAdapter

from gswlab.bench.epbench import refused
from gswlab.bench.folder import digest_of_files
from gswlab.bench.report import AnswerRow, share
from gswlab.bench.task import Examination, TextLine, World, laid, workspace_of
from gswlab.bench.texts import PATH, bench_lines, existing_file
from gswlab.core.document import Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import VerbPhrase
from gswlab.language.stems import content_stems

_COMMAND = "python -m gswlab run experiment=propara dataset.folder=DIR"
_RULE = "a folder with grids.v1.dev.json as allenai/propara has it"
_NOWHERE, _GONE = "?", "-"


@cache
def _verbs(does: str) -> frozenset[str]:
    """The verbs that make, end or move whoever takes part, or turn into something."""
    rows = map(str.split, bench_lines("processes.txt"))
    return frozenset(verb for group, *verbs in rows if group == does for verb in verbs)


class ProcessGrid(BaseModel):
    """A text of the file, and the state of each participant before and after."""

    para_id: str
    sentence_texts: list[str]
    participants: list[str]
    states: list[list[str]]


@dataclass(frozen=True)
class _Told:
    """What the verb phrases of a sentence say of participants."""

    phrases: Sequence[VerbPhrase]

    def after(self, name: str, last: str) -> str:
        """The state of a participant after the sentence, `last` where none is told."""
        found = last
        for phrase in self.phrases:
            found = _changed(phrase, name, last) or found
        return found


def _changed(phrase: VerbPhrase, name: str, last: str) -> str | None:
    """What a verb phrase makes of a participant; None where it says nothing of it."""
    verb = phrase.predicate.split()[0]
    done, doing = _fills(phrase, name, "patient"), _fills(phrase, name, "agent")
    places = [a.text for a in phrase.arguments if a.slot == "place"]
    if last == _GONE:  # it has to come to be: made, or what something turned into
        became = any(_is(effect.after, name) for effect in phrase.effects)
        if verb in _verbs("turns") and (became or _fills(phrase, name, "place")):
            return _NOWHERE
        return (places or [_NOWHERE])[0] if verb in _verbs("makes") and done else None
    if (verb in _verbs("ends") and (done or doing)) or (
        verb in _verbs("turns") and doing
    ):
        return _GONE
    moved = done if any(a.slot == "patient" for a in phrase.arguments) else doing
    return places[0] if verb in _verbs("moves") and moved and places else None


def _fills(phrase: VerbPhrase, name: str, slot: str) -> bool:
    told = (argument.text for argument in phrase.arguments if argument.slot == slot)
    return any(_is(text, name) for text in told)


def _is(text: str, name: str) -> bool:
    """Whether a phrase is one of a participant's names: `rain; precipitation`."""
    said = content_stems(text)
    return any(said == content_stems(one) for one in name.split(";"))


def _same(one: str, other: str) -> bool:
    return one == other or content_stems(one) == content_stems(other)


@dataclass
class ProPara(Examination):
    """The texts of a `split`, each read by a memory of its own, a sentence a chunk."""

    folder: str | None = field(default=None, metadata=PATH)
    split: str = "dev"

    @cached_property
    def _path(self) -> Path:
        folder = existing_file(self.folder, "dataset.folder", _COMMAND)
        name = str(folder / f"grids.v1.{self.split}.json")
        return existing_file(name, "dataset.folder", _COMMAND)

    @cached_property
    def grids(self) -> tuple[ProcessGrid, ...]:
        """The texts with their gold, which no memory gets."""
        lines = [ln for ln in self._path.read_text("utf-8").splitlines() if ln.strip()]
        with refused(self._path, _RULE, _COMMAND):
            found = TypeAdapter(list[ProcessGrid]).validate_python(
                list(map(json.loads, lines))
            )
        for grid in found:
            sizes = {len(states) for states in grid.states}
            if sizes - {len(grid.sentence_texts) + 1}:
                problem = f"{grid.para_id} of {self._path} has {sizes} states a row"
                raise GswlabError(problem, _RULE, _COMMAND)
        return tuple(found)

    @cached_property
    def _laid(self) -> tuple[Document, tuple[World, ...]]:
        texts = [
            [TextLine(each) for each in grid.sentence_texts] for grid in self.grids
        ]
        document, read = laid("propara", texts)
        named = zip(self.grids, read, strict=True)
        return document, tuple(World(g.para_id, tuple(c), (None,)) for g, c in named)

    @property
    def worlds(self) -> tuple[World, ...]:
        """A text each; nothing is asked."""
        return self._laid[1]

    def document(self) -> Document:
        """All texts one after the other."""
        return self._laid[0]

    def hashes(self) -> dict[str, str]:
        """The SHA-256 of the file."""
        return {"gold": digest_of_files(self._path)}

    def examined(self, memory: Any, world: World) -> dict[str, Any]:
        """How many states are right, how many copies are, and of those that change."""
        workspace = workspace_of(memory, _COMMAND)
        grid = self.grids[self.worlds.index(world)]
        told = [
            _Told([p for p in workspace.verb_phrases if p.chunk == chunk.id])
            for chunk in world.chunks
        ]
        states = list(_states(grid, told))
        moved = [one for one in states if not one[1]]
        return {
            "states": len(states),
            "right": sum(right for right, _ in states),
            "copied": sum(copied for _, copied in states),
            "changes": len(moved),
            "changes_right": sum(right for right, _ in moved),
        }

    def figures(self, rows: Sequence[AnswerRow]) -> dict[str, Any]:
        """Shares over all states of all texts, with intervals over texts."""
        return {
            "texts": len(rows),
            "accuracy": share(rows, "right", "states"),
            "copying": share(rows, "copied", "states"),
            "changes": share(rows, "changes_right", "changes"),
        }

    def headline(self, scores: Mapping[str, Any]) -> dict[str, Any]:
        """Accuracy beside that of copying the last state, and of what changes."""
        line = {key: scores[key] for key in ("config", "memory", "texts")}
        names = "accuracy", "copying", "changes"
        return line | {name: scores[name]["mean"] for name in names}


def _states(grid: ProcessGrid, told: Sequence[_Told]) -> Iterator[tuple[bool, bool]]:
    """Of each state after a sentence: is what is told right, is the last one."""
    for name, states in zip(grid.participants, grid.states, strict=True):
        for one, last, after in zip(told, states, states[1:], strict=False):
            yield _same(one.after(name, last), after), _same(last, after)
