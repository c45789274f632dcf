"""A step is data: everything one chunk changed, and why.

Four changes are enough for any history, and each can be undone from the workspace
before it: `Put` (add or replace a noun), `Extend` (append to a tuple field), `Set`
(replace one field), `Drop` (retire a noun, perhaps into another).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple, TypeAlias

from gswlab.core.display import DataFrame, Displayed, framed
from gswlab.core.nouns import Noun, Span, TraceEvent, label, short

FINISH = "finish"  # the note of the step that is the end of the text
NounKind = Literal[
    "actor", "verb_phrase", "question", "time", "place", "relation", "episode"
]


@dataclass(frozen=True, slots=True)
class Put:
    """Add `item`, or replace the noun with its id."""

    kind: NounKind
    item: Noun
    op: Literal["put"] = "put"

    @property
    def id(self) -> str:
        """The noun's, as every other change has it."""
        return self.item.id


@dataclass(frozen=True, slots=True)
class Extend:
    """Append `items`, all new to it, to the tuple field `field` of noun `id`."""

    kind: NounKind
    id: str
    field: str
    items: tuple[object, ...]
    op: Literal["extend"] = "extend"


@dataclass(frozen=True, slots=True)
class Set:
    """Replace the field `field` of noun `id` by `value`."""

    kind: NounKind
    id: str
    field: str
    value: object
    op: Literal["set"] = "set"


@dataclass(frozen=True, slots=True)
class Drop:
    """Retire noun `id`; `into` names the noun that took its place."""

    kind: NounKind
    id: str
    into: str | None = None
    op: Literal["drop"] = "drop"


Change: TypeAlias = Put | Extend | Set | Drop


@dataclass(frozen=True, slots=True)
class Candidate:
    """A workspace actor considered for a new one: its features and their sum."""

    actor: str
    score: float
    features: tuple[tuple[str, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Alignment:
    """Whether a new actor is one the workspace knows: the why-card's data.

    `new` is the local id, `name` its surface; `actor` the workspace id it became (for
    `ambiguous`, the id it was given while `candidates` stay possible). `threshold` is
    the score that a merge needs: it would flip below the winner's score.
    """

    new: str
    name: str
    status: Literal["merged", "new", "ambiguous"]
    actor: str
    reason: str
    candidates: tuple[Candidate, ...] = ()
    threshold: float = 0.0
    type: Literal["alignment"] = "alignment"


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two readings of one field that cannot both hold, and which was preferred."""

    kind: Literal["state_conflict", "conflicting_time"]
    subject: str
    kept: str
    other: str
    reason: str
    spans: tuple[Span, ...] = ()
    type: Literal["conflict"] = "conflict"


@dataclass(frozen=True, slots=True)
class Resolution:
    """What became of an open or standing question at this step."""

    question: str
    status: Literal["answered", "partly", "open", "contradictory", "insufficient"]
    answer: str = ""
    support: tuple[str, ...] = ()
    reason: str = ""
    spans: tuple[Span, ...] = ()
    type: Literal["resolution"] = "resolution"


@dataclass(frozen=True, slots=True)
class Admission:
    """Whether the edit that a chunk proposes was let into the workspace, at its price.

    `edit` is the chunk's id, of an earlier chunk where a held edit is tried again;
    `price` is the gauge's best of all hops.
    """

    edit: str
    status: Literal["accepted", "held", "rejected"]
    price: float
    reason: str
    spans: tuple[Span, ...] = ()
    type: Literal["admission"] = "admission"


Decision: TypeAlias = Alignment | Conflict | Resolution | Admission


@dataclass(frozen=True, slots=True)
class Step(Displayed):
    """Everything one chunk changed (`chunk` is None for a step of no chunk).

    `undoes` is the index of the step that this one takes back: its chunk may then be
    read again.
    """

    index: int
    chunk: str | None
    changes: tuple[Change, ...] = ()
    decisions: tuple[Decision, ...] = ()
    events: tuple[TraceEvent, ...] = ()
    note: str = ""
    undoes: int | None = None

    def to_frame(self) -> DataFrame:
        """One row a change, decision or event: what, of which kind, about what."""
        return framed(Part._fields, parts(self))

    def __repr__(self) -> str:
        own = {"change": self.changes, "decision": self.decisions, "event": self.events}
        many = ", ".join(f"{len(p)} {n}{'s' * (len(p) != 1)}" for n, p in own.items())
        what = self.chunk or self.note or "no chunk"
        return f"Step({self.index}, {short(what)}: {many})"


class Part(NamedTuple):
    """A part of a step: a change, a decision or an event, and what it is about."""

    what: str
    of: str
    about: str


def parts(step: Step) -> list[Part]:
    """The changes, decisions and events of a step, in order."""
    return list(map(_part, (*step.changes, *step.decisions, *step.events)))


def _part(part: Change | Decision | TraceEvent) -> Part:
    of = part.kind.replace("_", " ") if hasattr(part, "kind") else ""
    match part:
        case Put(item=item):
            return Part("put", of, f"{item.id} {label(item)}")
        case Extend(id=noun_id, field=field, items=items):
            return Part("extended", of, f"{noun_id}: {len(items)} more {field}")
        case Set(id=noun_id, field=field):
            return Part("set", of, f"{noun_id}: {field.replace('_', ' ')}")
        case Drop(id=noun_id, into=into):
            return Part("dropped", of, f"{noun_id}, now {into}" if into else noun_id)
        case Alignment(name=name, actor=actor, status=status, reason=reason):
            return Part(status, "alignment", f"{name}, {actor}: {reason}")
        case Conflict(subject=subject, kept=kept, other=other):
            return Part("conflict", of, f"{subject}: kept {kept}, set aside {other}")
        case Resolution(question=question, status=status, answer=answer):
            return Part(status, "question", f"{question} {answer}".rstrip())
        case Admission(edit=edit, status=status, price=price):
            return Part(status, "edit", f"{edit} at {price:.2f}")
        case TraceEvent(spans=spans):
            return Part("event", of, f"{len(spans)} span{'s' * (len(spans) != 1)}")
