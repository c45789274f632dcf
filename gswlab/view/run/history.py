"""A run told noun by noun: when each was there, what it said, and what a step changed.

- The fold visits only what a step touches, so ten thousand steps stay affordable.
- A fact has a first and a last step; the page shows any moment by comparing numbers.
- A mention alone is not a change: a noun changed when it says something else.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from gswlab.core.facts import Fact, Tie, face, facts, kind_of, name_of, ties
from gswlab.core.nouns import Chunk, Noun, Question
from gswlab.core.step import Drop, Put, Step
from gswlab.core.workspace import PREFIX, Workspace, id_order
from gswlab.view.run.deeds import deeds


@dataclass(slots=True)
class Held:
    """A fact from step `first` until before step `last` (None: still held)."""

    fact: Fact
    first: int
    last: int | None = None


@dataclass(slots=True)
class Record:
    """One noun or one line of the graph through time; `life` holds [born, gone)."""

    id: str
    kind: str
    names: list[tuple[int, str]] = field(default_factory=list)
    life: list[list[int | None]] = field(default_factory=list)
    held: list[Held] = field(default_factory=list)
    tie: Tie | None = None
    face: str | None = None

    @property
    def alive(self) -> bool:
        """Whether it began and did not end since."""
        return bool(self.life) and self.life[-1][1] is None

    @property
    def name(self) -> str:
        """Its latest name; its id where it was never named."""
        return self.names[-1][1] if self.names else self.id

    def name_at(self, step: int) -> str:
        """What it was called at a step (its first name before that)."""
        known = [name for since, name in self.names if since <= step]
        return known[-1] if known else self.names[0][1] if self.names else self.id

    def there(self, step: int) -> bool:
        """Whether it is there at a step, or ends with it."""
        return any(
            (born or 0) <= step and (gone is None or step <= gone)
            for born, gone in self.life
        )

    def begin(self, step: int) -> None:
        """Be there from a step on."""
        if not self.alive:
            self.life.append([step, None])

    def end(self, step: int) -> None:
        """Be gone from a step on."""
        if self.alive:
            self.life[-1][1] = step


@dataclass(slots=True)
class Scene:
    """What one step did: ids added, changed, retired and merely touched."""

    step: Step
    after: Workspace
    added: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    retired: list[str] = field(default_factory=list)
    touched: list[str] = field(default_factory=list)
    cited: dict[str, list[Fact]] = field(default_factory=dict)
    gained: dict[str, list[Fact]] = field(default_factory=dict)
    lost: dict[str, list[Fact]] = field(default_factory=dict)
    standing: tuple[str, ...] = ()
    waiting: int = 0  # questions that have no answer after the step


@dataclass(slots=True)
class History:
    """All records and scenes of a run, in the order the steps made them."""

    records: dict[str, Record] = field(default_factory=dict)
    lines: dict[str, Record] = field(default_factory=dict)
    scenes: list[Scene] = field(default_factory=list)
    deeds: dict[str, Record] = field(default_factory=dict)
    chunks: dict[str, Chunk] = field(default_factory=dict)
    _owned: dict[str, dict[tuple[bool, str], Record]] = field(default_factory=dict)
    _pointing: dict[str, set[str]] = field(default_factory=dict)
    _standing: set[str] = field(default_factory=set)
    _waiting: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, steps: Iterable[Step], chunks: Iterable[Chunk] = ()) -> History:
        """The history of the steps of one journal, told in the words of its chunks."""
        history, workspace = cls(chunks={one.id: one for one in chunks}), Workspace()
        for step in steps:
            workspace = workspace.apply(step)
            scene = Scene(step, workspace)
            history.scenes.append(scene)
            for noun_id in _touched(step):
                history._observe(noun_id, scene)
            for noun_id in scene.retired:
                history._redraw(noun_id, scene)
            scene.standing = tuple(sorted(history._standing, key=id_order))
            scene.waiting = len(history._waiting)
        return history

    @classmethod
    def of_step(cls, before: Workspace, step: Step) -> History:
        """The history of one step: of all that was before, only what it is about."""
        history, start = cls(), Scene(replace(step, changes=()), before)
        scene = Scene(step, before.apply(step))
        about = (getattr(d, "actor", getattr(d, "subject", "")) for d in step.decisions)
        for noun_id in sorted({*_touched(step), *about} - {""}, key=id_order):
            history._observe(noun_id, start)
        for noun_id in _touched(step):
            history._observe(noun_id, scene)
        history.scenes = [start] * step.index + [scene]
        return history

    def _observe(self, noun_id: str, scene: Scene) -> None:
        noun, now = scene.after.nouns.get(noun_id), scene.step.index
        if noun_id[0] == PREFIX["question"]:
            # Keep which questions stand and wait: a book has tens of thousands.
            waits = isinstance(noun, Question) and noun.status != "answered"
            stands = isinstance(noun, Question) and noun.standing
            for held, whether in ((self._waiting, waits), (self._standing, stands)):
                (held.add if whether else held.discard)(noun_id)
        record = self.records.setdefault(noun_id, Record(noun_id, ""))
        was = record.alive
        if noun is None:
            if was:
                scene.retired.append(noun_id)
                for gone in (record, *self._owned.pop(noun_id, {}).values()):
                    gone.end(now)
                if into := scene.after.retired.get(noun_id):
                    tie = Tie(f"{noun_id}:", noun_id, self._end(into, scene), "is")
                    merged = Record(tie.id, "merged", life=[[now, now + 1]], tie=tie)
                    self.deeds[tie.id] = merged
            return
        record.begin(now)
        record.kind = kind_of(noun)
        if not record.names or record.name != name_of(noun):
            record.names.append((now, name_of(noun)))
        told = self._tell(noun, record, scene)
        where = scene.added if not was else scene.changed if told else scene.touched
        where.append(noun_id)
        drawn_as = face(noun, scene.after)
        if drawn_as != record.face:
            record.face = drawn_as
            self._redraw(noun_id, scene)
        self._draw(noun, scene)

    def _tell(self, noun: Noun, record: Record, scene: Scene) -> bool:
        """Bring the record's facts up to date; True when it says something else."""
        now, after = scene.step.index, scene.after

        def called(noun_id: str) -> str:
            found = after.nouns.get(after.resolve(noun_id))
            return name_of(found) if found else noun_id

        told = {_key(fact): fact for fact in facts(noun, called)}
        held = {_key(h.fact): h for h in record.held if h.last is None}
        cited, lost = [], []
        for key, entry in held.items():
            if key not in told:
                entry.last = now
                lost.append(entry.fact)
            elif told[key] != entry.fact:
                entry.fact = told[key]
                cited.append(entry.fact)
        fresh = [fact for key, fact in told.items() if key not in held]
        record.held += [Held(fact, now) for fact in fresh]
        scene.cited[noun.id] = [*cited, *fresh]
        scene.gained[noun.id], scene.lost[noun.id] = fresh, lost
        return any(not fact.quiet for fact in (*fresh, *lost))

    def _draw(self, noun: Noun, scene: Scene) -> None:
        now, wanted = scene.step.index, dict[tuple[bool, str], Record]()
        kind = "relation" if noun.id[0] == PREFIX["relation"] else "argument"
        read = self.chunks.get(getattr(noun, "chunk", None) or "")
        found = [(kind, tie, False) for tie in ties(noun)]
        found += [(*deed, True) for deed in deeds(noun, scene.after, read)]
        for kind, tie, deed in found:
            for end in {tie.source, tie.target} - {noun.id}:
                self._pointing.setdefault(end, set()).add(noun.id)
            source, target = self._end(tie.source, scene), self._end(tie.target, scene)
            if source == target and tie.source != tie.target:
                continue
            key = f"{noun.id}:{source}>{target}:{tie.label}"
            tie = tie._replace(id=key, source=source, target=target)
            known = self.deeds if deed else self.lines
            wanted[deed, key] = known.setdefault(key, Record(key, kind, tie=tie))
        for which, record in self._owned.get(noun.id, {}).items():
            if which not in wanted:
                record.end(now)
        for record in wanted.values():
            record.begin(now)
        self._owned[noun.id] = wanted

    def _end(self, noun_id: str, scene: Scene) -> str:
        found = scene.after.resolve(noun_id)
        record = self.records.get(found)
        return record.face or found if record else found

    def _redraw(self, noun_id: str, scene: Scene) -> None:
        """A merge or a face moves the lines of every noun that points at it."""
        for owner in sorted(self._pointing.get(noun_id, ()), key=id_order):
            if owner in scene.after.nouns:
                self._draw(scene.after.nouns[owner], scene)


def _touched(step: Step) -> list[str]:
    ids = {c.item.id if isinstance(c, Put) else c.id for c in step.changes}
    ids |= {c.into for c in step.changes if isinstance(c, Drop) and c.into}
    return sorted(ids, key=id_order)


def _key(fact: Fact) -> tuple[object, ...]:
    exact = fact.spans if fact.field == "mention" else ()
    return fact.field, fact.text, exact
