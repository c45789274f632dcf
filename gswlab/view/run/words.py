"""What a step did, in words: one line for the slider, one entry a noun for the page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from gswlab.core.journal import Journal
from gswlab.core.step import Step
from gswlab.core.workspace import KIND
from gswlab.view.kit.ground import Ground
from gswlab.view.run.events import briefly, count
from gswlab.view.run.events_as_graph import KINDS, Pictured, pictured
from gswlab.view.run.history import History, Scene
from gswlab.view.run.parts import Parts

_LABELS = {"": "end of the text", "finish": "end of the text"}


def counted(ids: Iterable[str], what: str = "") -> list[str]:
    """How many of each noun: `["2 actors added", "1 place added"]`.

    >>> counted(["a1", "a2", "p1"], "added")
    ['2 actors added', '1 place added']
    """
    many = Counter(noun_id[:1] for noun_id in ids)
    names = {p: kind.replace("_", " ") for p, kind in KIND.items()}
    return [
        f"{many[p]} {names[p]}{'s' if many[p] > 1 else ''} {what}".rstrip()
        for p in KIND
        if many[p]
    ]


def labels(steps: Sequence[Step]) -> list[str]:
    """`chunk 3 of 12` for each step, or what else the step was."""
    total, read, out = sum(1 for step in steps if step.chunk is not None), 0, []
    for step in steps:
        read += step.chunk is not None
        of_chunk = step.chunk is not None
        out.append(
            f"chunk {read} of {total}"
            if of_chunk
            else _LABELS.get(step.note, step.note)
        )
    return out


def line(scene: Scene, label: str) -> str:
    """The live text line: `chunk 3 of 12: 2 actors added, 1 actor changed`.

    A step that changed no workspace is told by what the memory did.
    """
    parts = briefly(scene.step.events)
    if not isinstance(scene.step, Pictured):
        counts = [
            *counted(scene.added, "added"),
            *counted(scene.changed, "changed"),
            *counted(scene.retired, "retired"),
        ]
        parts = [", ".join(counts), *parts] if counts else parts
    return f"{label}: {'; '.join(parts) or 'nothing changed'}"


def summary(history: History) -> str:
    """One sentence on a whole run, for the caption."""
    chunks = sum(1 for scene in history.scenes if scene.step.chunk is not None)
    there = [record for record in history.records.values() if record.alive]
    read = f"{chunks} chunk{'s' if chunks != 1 else ''} read"
    own = counted(record.id for record in there if record.kind not in KINDS)
    many = Counter(record.kind for record in there)
    drawn = [count(many[kind], kind, KINDS[kind]) for kind in KINDS if many[kind]]
    lines = sum(record.alive for record in history.lines.values())
    if drawn and lines:
        drawn.append(f"{count(lines, 'line')} between them")
    held = ", ".join(drawn or own)
    return ": ".join(part for part in (read, held) if part)


# A journal read once: what its page, its panel and its stepper all show.


@dataclass(frozen=True)
class Telling:
    """A run by its steps, its texts and what each step is called.

    >>> Telling.of(journal).labels[2]                          # doctest: +SKIP
    'chunk 3 of 12'
    """

    title: str
    history: History
    ground: Ground

    @classmethod
    def of(cls, journal: Journal) -> Telling:
        """All steps of a journal; where they fold nothing, what their events name."""
        documents, chunks = journal.documents(), journal.chunks()
        steps = pictured(journal.steps(), chunks)
        title = ", ".join(document.id for document in documents) or "an empty run"
        return cls(title, History.of(steps), Ground.of(steps, chunks, documents))

    @cached_property
    def parts(self) -> Parts:
        """The parts of its steps."""
        return Parts(self.history, self.ground)

    @cached_property
    def steps(self) -> list[Step]:
        """Its steps, in order."""
        return [scene.step for scene in self.history.scenes]

    @cached_property
    def labels(self) -> list[str]:
        """What each step is called on screen."""
        return labels(self.steps)
