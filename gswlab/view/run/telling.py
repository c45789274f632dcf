"""A journal read once: what its page, its panel and its stepper all show."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from gswlab.core.journal import Journal
from gswlab.core.step import Step
from gswlab.view.ground import Ground
from gswlab.view.run.history import History
from gswlab.view.run.parts import Parts
from gswlab.view.run.pictured import pictured
from gswlab.view.run.words import labels


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
