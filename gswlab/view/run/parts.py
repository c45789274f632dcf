"""One step as HTML: its text, what was done, what changed, decisions, questions.

The page and the kernel's stepper show the same parts; a paper adds its own (`PAPERS`).
Every string that came from a document passes `escape`; ids in `data-ids` are the ids of
nouns and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib import import_module
from typing import Any, NamedTuple

from gswlab.core.journal import Journal
from gswlab.core.nouns import Chunk, Question, short
from gswlab.core.step import Step
from gswlab.core.workspace import id_order
from gswlab.view.kit.page import rendered
from gswlab.view.kit.spans import Ground, Mark, plain_text
from gswlab.view.provenance.text import clipped
from gswlab.view.run.events_as_graph import Pictured, pictured
from gswlab.view.run.history import History, Record, Scene
from gswlab.view.run.words import labels, line, told

AtStep = Callable[[int], str]
NAME = 300  # characters of a name on a button; its details have all of it


class PaperPart(NamedTuple):
    """What a paper adds to a run that has events of a kind.

    `step` is handed the run once, and then says the HTML of each step, the `last` part
    or above its decisions; `strip` draws all steps from a first one on, above them.
    """

    kind: str
    step: Callable[[Sequence[Step], Sequence[Chunk]], AtStep]
    last: bool = False
    strip: Callable[[Sequence[Step], str, int], str] | None = None


PAPERS: list[PaperPart] = []  # `gswlab.view.papers` fills it


def _papers_of(steps: Sequence[Step]) -> list[PaperPart]:
    """What adds to a run: imported where a step is drawn, not where one is printed."""
    import_module("gswlab.view.papers")
    kinds = {event.kind for step in steps for event in step.events}
    return [paper for paper in PAPERS if paper.kind in kinds]


def strips(steps: Sequence[Step], title: str, first: int) -> str:
    """What the papers draw over the steps of a run."""
    drawn = (p.strip(steps, title, first) for p in _papers_of(steps) if p.strip)
    return "".join(drawn)


@dataclass(frozen=True)
class Telling:
    """A run, or its first steps, told step by step; `labels` are those of all steps."""

    title: str
    history: History  # its nouns and scenes
    ground: Ground  # its texts, by the steps that read them
    labels: Sequence[str]

    @classmethod
    def of(cls, journal: Journal, stop: int | None = None) -> Telling:
        """The steps of a journal; where they fold nothing, what their events name."""
        documents, chunks = journal.documents(), journal.chunks()
        steps = pictured(journal.steps(), chunks)
        names = [document.id for document in documents]
        more = f" and {len(names) - 3} more" if len(names) > 3 else ""
        title = ", ".join(names[:3]) + more or "an empty run"
        history = History.of(steps[:stop], chunks)
        ground = Ground.of(steps[:stop], chunks, documents)
        return cls(title, history, ground, labels(steps))

    @cached_property
    def steps(self) -> list[Step]:
        """Its steps, in order."""
        return [scene.step for scene in self.history.scenes]

    def line(self, k: int) -> str:
        """Step `k` in one line."""
        return line(self.history.scenes[k], self.labels[k])

    def step(self, k: int) -> str:
        """All parts of step `k`, in reading order."""
        scene = self.history.scenes[k]
        drawn, decisions = isinstance(scene.step, Pictured), scene.step.decisions
        return rendered(
            "run/step.html",
            read=self.ground.by_step.get(k),
            marks=self.marks(k),
            events=[*map(told, scene.step.events)],
            pictured=drawn,
            changes=[*self._changes(scene, drawn)],
            decisions=decisions if decisions or not drawn else None,
            questions=_questions(scene),
            named=partial(self._named, k),
            own=["".join(at(k) for at in some) for some in self._papers],
        )

    @cached_property
    def _papers(self) -> tuple[list[AtStep], list[AtStep]]:
        """What papers add to a step: before its decisions, and last."""
        chunks = [read.chunk for read in self.ground.by_step.values()]
        found: tuple[list[AtStep], list[AtStep]] = ([], [])
        for paper in _papers_of(self.steps):
            found[paper.last].append(paper.step(self.steps, chunks))
        return found

    def plain(self, k: int) -> str:
        """The chunk's text for a terminal: `[Ann Ray](a1) met ...`."""
        read = self.ground.by_step.get(k)
        if read is None:
            return "(this step read no text)"
        marks = [mark for mark in self.marks(k) if mark.form]
        return plain_text(read.chunk.text, marks, read.chunk.span.start)

    def marks(self, k: int) -> list[Mark]:
        """What nouns of step `k` cite of its chunk, and what its events point at."""
        if k not in self.ground.by_step:
            return []
        scene, area = self.history.scenes[k], self.ground.by_step[k].chunk.span
        # an event that points at all of the chunk says nothing of a part of it
        marks = {
            Mark(span.start, span.end, "")
            for event in scene.step.events
            for span in event.spans
            if span != area and clipped([span], area) == (span,)
        }
        for noun_id in (*scene.added, *scene.changed, *scene.touched):
            for fact in scene.cited.get(noun_id, ()):
                # A verb phrase cites its whole clause: lit when asked for, else quiet.
                form = "anchor" if fact.field == "read as" else ""
                form = fact.why if fact.field == "mention" else form
                kind = self.history.records[noun_id].kind if form else ""
                for span in fact.spans:
                    if clipped([span], area):
                        marks.add(Mark(span.start, span.end, noun_id, kind, form))
        return sorted(marks)

    def _changes(self, scene: Scene, drawn: bool) -> Iterator[dict[str, Any]]:
        """What a step changed, an entry a noun: facts it says since, and no more."""
        for how in ("added", "changed", "retired"):
            for i in getattr(scene, how):
                record = self.history.records[i]
                # a line of a picture is one of the sentences above it
                if i[0] in ("qr" if drawn else "q"):
                    continue
                # an anchor that arrives with the actor it is drawn as is told once
                if record.face and {record.face, i} <= set(scene.added):
                    continue
                both = {"ins": scene.gained.get(i, ()), "del": scene.lost.get(i, ())}
                facts = [
                    (tag, fact)
                    for tag, some in both.items()
                    for fact in some
                    if not fact.quiet and (how, fact.field) != ("added", "kind")
                ]
                into = scene.after.retired.get(i)
                told = {"facts": facts, "into": into}
                yield {"how": how, "id": i, "kind": record.kind, **told}

    def _named(self, k: int, noun_id: str, name: str | None = None) -> tuple[str, str]:
        """The kind and the name of a noun at a step."""
        record = self.history.records.get(noun_id, Record(noun_id, ""))
        return record.kind, short(name or record.name_at(k), NAME)


def _questions(scene: Scene) -> dict[str, Any]:
    """The questions of a step: those asked or changed `now`, `rest` open from before.

    Those `at_once` were raised and answered; of what is `told`, standing ones are
    first, then the answered, the open and the predicted ones.
    """
    now = {i for i in (*scene.added, *scene.changed) if i[0] == "q"}
    nouns = map(scene.after.nouns.get, sorted({*now, *scene.standing}, key=id_order))
    shown = [noun for noun in nouns if isinstance(noun, Question)]
    answered = [q for q in shown if q.status == "answered"]
    at_once = [q for q in answered if q.id in scene.added and not q.standing]
    told = [q for q in shown if q not in at_once]
    told.sort(key=lambda q: (not q.standing, q.status != "answered", q.predicted))
    rest = scene.waiting - (len(shown) - len(answered))
    return {"now": now, "at_once": at_once, "told": told, "rest": rest}
