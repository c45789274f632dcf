"""Where stepping stops: conditions that are ready made, words, or a function of a step.

>>> sorted(READY)[:3]
['a conflict', 'a gate fired', 'a merge']
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

from gswlab.core.step import Alignment, Conflict, Drop, Put, Resolution, Set, Step
from gswlab.gedig.record import PRICED
from gswlab.view.run.events import told, worded
from gswlab.view.run.words import Telling

Condition = Callable[[Step], object]


def _conflict(step: Step) -> bool:
    return any(isinstance(d, Conflict) for d in step.decisions)


def _ambiguous(step: Step) -> bool:
    return _aligned(step, "ambiguous")


def _merge(step: Step) -> bool:
    into = any(isinstance(c, Drop) and c.into for c in step.changes)
    return into or _aligned(step, "merged")


def _aligned(step: Step, status: str) -> bool:
    found = (d for d in step.decisions if isinstance(d, Alignment))
    return any(decision.status == status for decision in found)


def _fired(step: Step) -> bool:
    prices = (event.data for event in step.events if event.kind == PRICED)
    return any(data.get("ag") or data.get("dg") for data in prices)


def _evicted(step: Step) -> bool:
    return any(event.kind == "evicted" for event in step.events)


def _answered(step: Step) -> bool:
    resolved = (d for d in step.decisions if isinstance(d, Resolution))
    if any(decision.status == "answered" for decision in resolved):
        return True
    return any(map(_to_answered, step.changes))


def _to_answered(change: Any) -> bool:
    match change:
        case Set(kind="question", field="status", value=value):
            return bool(value == "answered")
        case Put(kind="question", item=item):
            return bool(getattr(item, "status", "") == "answered")
    return False


READY: dict[str, Condition] = {
    "a conflict": _conflict,
    "an ambiguous alignment": _ambiguous,
    "a merge": _merge,
    "a gate fired": _fired,
    "something evicted": _evicted,
    "a question answered": _answered,
}


def condition(found: Condition | str, telling: Telling) -> Condition:
    """What a condition is: a function as it is, one of `READY`, or words to look for.

    Words are looked for in what a step reads, does, decides and is about; writing them
    in capitals, or in full-width letters, makes no difference.
    """
    if callable(found):
        return found
    if found in READY:
        return READY[found]
    wanted = _folded(found)
    return lambda step: (
        bool(wanted)
        and any(wanted in _folded(text) for text in _said(telling, step.index))
    )


def _said(telling: Telling, k: int) -> Iterator[str]:
    scene = telling.history.scenes[k]
    read = telling.ground.by_step.get(k)
    if read:
        yield read.chunk.text
        yield read.chunk.title or ""
    yield from map(told, scene.step.events)
    for decision in scene.step.decisions:
        yield decision.reason
        yield from (str(getattr(decision, n, "")) for n in ("name", "kept", "other"))
    for noun_id in (*scene.added, *scene.changed, *scene.retired):
        yield telling.history.records[noun_id].name_at(k)
        yield from (worded(fact.text) for fact in scene.gained.get(noun_id, ()))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
