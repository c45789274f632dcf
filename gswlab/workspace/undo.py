"""The inverse of a step: an ordinary step, so undoing is itself on the record.

Nothing is ever erased from a journal. `invert` computes, from the workspace before a
step, the changes that bring its nouns back; the journal appends them as a step whose
`undoes` names the one taken back. Ids are not reused: a noun that only the undone step
knew stays retired, and the next new noun has a new number.
"""

from __future__ import annotations

from gswlab.workspace.step import Change, Drop, Extend, Put, Set, Step
from gswlab.workspace.workspace import KIND, Workspace


def invert(step: Step, before: Workspace) -> tuple[Change, ...]:
    """Changes that lead from `before.apply(step)` back to the nouns of `before`.

    >>> from gswlab.workspace.nouns import Actor
    >>> put = Put("actor", Actor("a1", "person", "Ann"))
    >>> invert(Step(0, None, (put,)), Workspace())
    (Drop(kind='actor', id='a1', into=None, op='drop'),)
    """
    inverse: list[Change] = []
    for change in step.changes:
        inverse.append(_inverse(change, before))
        before = before.change(change)
    return tuple(reversed(inverse))


def _inverse(change: Change, before: Workspace) -> Change:
    match change:
        case Put(kind=kind, item=item):
            old = before.nouns.get(item.id)
            if old is not None:
                return Put(kind, old)
            into = before.resolve(item.id)
            return Drop(kind, item.id, into if into in before else None)
        case Extend(id=noun_id, field=name) | Set(id=noun_id, field=name):
            noun = before.get(noun_id)
            return Set(change.kind, noun.id, name, getattr(noun, name))
        case Drop(id=noun_id):
            return Put(KIND[noun_id[:1]], before.get(noun_id))
