"""What a run did, in words: a sentence for each kind of event, one line for each step.

A kind of event that is not known here is told by its name and its data in words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from gswlab.core.nouns import TraceEvent, short, visible
from gswlab.core.step import Step
from gswlab.core.workspace import KIND, Workspace
from gswlab.language.dates.calendar import day_of
from gswlab.view.kit.page import rendered
from gswlab.view.run.events_as_graph import KINDS, OTHER_LAYOUT, Pictured
from gswlab.view.run.history import History, Scene

SOME = 8  # items of a list that a sentence names
_LONG = 400  # characters of a value in a sentence
# not said in one line where anything else was done
_QUIET = ("paging", "window", "asked")
QUIETER = (*_QUIET, "entered")
_ENDS = {"": "end of the text", "finish": "end of the text"}


def told(event: TraceEvent) -> str:
    """An event as a sentence without its full stop.

    >>> told(TraceEvent("kept", {"tokens": 35}))
    'kept this chunk, 35 tokens'
    >>> told(TraceEvent("dreamt_up", {"of": ("a", "b"), "deep": True}))
    'dreamt up: of a, b; deep yes'
    """
    from jinja2 import UndefinedError

    try:
        text = rendered("run/told.txt", kind=event.kind, d=event.data, **_HOW)
    except (*OTHER_LAYOUT, UndefinedError):
        text = ""
    if not text:  # a kind of its own, or a known one in a layout of its own
        name, said = event.kind.replace("_", " "), worded(event.data)
        text = short(f"{name}: {said}" if said else name, 2 * _LONG)
    return visible(text.removesuffix("\n"))


def worded(value: Any) -> str:
    """A value of an event as a person writes it.

    >>> worded({"hops": (1, 2), "why": None, "at": 0.12345})
    'hops 1, 2; why none; at 0.123'
    """
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case float():
            return f"{value:.3g}"
        case Mapping():
            pairs = ((str(key).replace("_", " "), one) for key, one in value.items())
            return "; ".join(first_of([f"{key} {worded(one)}" for key, one in pairs]))
        case list() | tuple():
            parted = any(isinstance(one, list | tuple | Mapping) for one in value)
            return ("; " if parted else ", ").join(first_of([*map(worded, value)]))
    return short(str(value), _LONG)


def count(many: int, what: str, several: str = "") -> str:
    """A number with its noun.

    >>> count(1, "passage"), count(2, "entity", "entities")
    ('1 passage', '2 entities')
    """
    return f"{many:,} {what if many == 1 else several or what + 's'}"


def first_of(parts: Sequence[str], most: int = SOME) -> list[str]:
    """The first `most` parts, and how many there are more."""
    rest = len(parts) - most
    return [*parts[:most], *([f"and {rest:,} more"] if rest > 0 else [])]


_HOW: Mapping[str, Callable[..., Any]] = {
    "count": count,
    "cut": lambda text, most=_LONG: short(str(text), most),
    "first_of": first_of,
    "listed": lambda ids: worded(tuple(ids)) or "nothing",
    "spaced": lambda rows: [" ".join(map(str, row)) for row in rows],
    "worded": worded,
}


def labels(steps: Sequence[Step]) -> list[str]:
    """`step 4, chunk 3 of 12` for each step, or what else the step was."""
    total, read, out = sum(step.chunk is not None for step in steps), 0, []
    for number, step in enumerate(steps, 1):
        read += step.chunk is not None
        end = _ENDS.get(step.note, step.note)
        what = end if step.chunk is None else f"chunk {read} of {total}"
        out.append(f"step {number}, {what}")
    return out


def counted(ids: Iterable[str], what: str = "") -> list[str]:
    """How many of each noun: `["2 actors added", "1 place added"]`.

    >>> counted(["a1", "a2", "p1"], "added")
    ['2 actors added', '1 place added']
    """
    many = Counter(noun_id[:1] for noun_id in ids)
    named = ((many[p], kind.replace("_", " ")) for p, kind in KIND.items() if many[p])
    return [f"{count(n, kind)} {what}".rstrip() for n, kind in named]


def line(scene: Scene, label: str, most: int = 3) -> str:
    """The live text line: `step 4, chunk 3 of 12: 2 actors added, 1 actor changed`.

    Of its events one of a kind is told, several are counted; what a step changed in a
    picture is not said.
    """
    counts, events = list[str](), scene.step.events
    if not isinstance(scene.step, Pictured):
        ways = ("added", "changed", "retired")
        counts = [one for how in ways for one in counted(getattr(scene, how), how)]
    loud = [e for e in events if e.kind not in QUIETER]
    loud = loud or [e for e in events if e.kind not in _QUIET] or list(events)
    said = []
    for kind, n in Counter(event.kind for event in loud).items():
        first = next(event for event in loud if event.kind == kind)
        many = f"{kind.replace('_', ' ')} {n} times"
        said.append(short(told(first), 80) if n == 1 else many)
    rest = [f"{len(said) - most} kinds of event more"] if len(said) > most else []
    parts = [", ".join(counts), *said[:most], *rest]
    return f"{label}: {'; '.join(filter(None, parts)) or 'nothing changed'}"


def undated(workspace: Workspace) -> str:
    """That a text tells no day, where it tells none; else nothing."""
    days = (day_of(time.value) for time in workspace.times)
    return "" if any(days) else "This text tells no day."


def summary(history: History) -> str:
    """One sentence on a whole run, for the caption; that no day is told is another."""
    chunks = sum(scene.step.chunk is not None for scene in history.scenes)
    there = [record for record in history.records.values() if record.alive]
    many = Counter(record.kind for record in there)
    drawn = [count(many[kind], kind, KINDS[kind]) for kind in KINDS if many[kind]]
    lines = sum(record.alive for record in history.lines.values())
    if drawn and lines:
        drawn.append(f"{count(lines, 'line')} between them")
    own = counted(record.id for record in there if record.kind not in KINDS)
    held = ", ".join(drawn or own)
    told = f"{count(chunks, 'chunk')} read{f': {held}' if held else ''}"
    at = history.scenes[-1].after if history.scenes else None
    no_day = undated(at).rstrip(".") if at and at.episodes else ""
    return f"{told}. {no_day}" if no_day else told
