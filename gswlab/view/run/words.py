"""What a run did, in words: a sentence for each kind of event, one line for each step.

A kind of event that is not known here, one of a memory of your own, is told by its name
and its data, each key with its value in words. Nothing is told as Python writes it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from gswlab.core.nouns import TraceEvent, visible
from gswlab.core.step import Step
from gswlab.core.workspace import KIND
from gswlab.gedig import PRICED
from gswlab.view.run.events_as_graph import KINDS, OTHER_LAYOUT, Pictured
from gswlab.view.run.history import History, Scene

Data = Mapping[str, Any]
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
    try:
        return visible(_TELL[event.kind](event.data))
    except OTHER_LAYOUT:
        # a kind of its own, or a known one in a layout of its own
        name, said = event.kind.replace("_", " "), worded(event.data)
        return visible(_cut(f"{name}: {said}" if said else name, 2 * _LONG))


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
            pairs = value.items()
            return "; ".join(
                first_of([f"{str(k).replace('_', ' ')} {worded(v)}" for k, v in pairs])
            )
        case list() | tuple():
            parted = any(isinstance(one, list | tuple | Mapping) for one in value)
            return ("; " if parted else ", ").join(first_of([*map(worded, value)]))
    return _cut(str(value), _LONG)


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


def _cut(text: Any, most: int = _LONG) -> str:
    flat = " ".join(str(text).split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"


def _listed(ids: Iterable[Any]) -> str:
    return worded(tuple(ids)) or "nothing"


def _kept(data: Data) -> str:
    if "node" not in data:
        return f"kept this chunk, {count(data['tokens'], 'token')}"
    ties = [" ".join(map(str, tie)) for tie in data.get("ties", ())]
    tied = f", tied {count(len(ties), 'time')}: {worded(ties)}" if ties else ""
    return f"kept where node {data['node']} is told{tied}"


def _indexed(data: Data) -> str:
    if "chunks" in data:
        return f"indexed {count(data['chunks'], 'chunk')}"
    anew = f", {data['embedded']:,} of them embedded anew" if "embedded" in data else ""
    return f"indexed {count(data['nodes'], 'node')}{anew}"


def _extracted(data: Data) -> str:
    names, triples = data["entities"], data["triples"]
    many = count(len(names), "entity", "entities"), count(len(triples), "triple")
    found = f"noted {' and '.join(many)}"
    said = [" ".join(map(str, triple)) for triple in triples] or list(map(str, names))
    return f"{found}: {'; '.join(first_of(said))}" if said else found


def _paging(data: Data) -> str:
    rate = data["hit_rate"]
    hits = "no look-up yet" if rate is None else f"hit rate {rate:.0%}"
    faults = count(data["faults"], "page fault")
    return f"{data['page_ins']} paged in, {data['page_outs']} out, {faults}, {hits}"


def _priced(data: Data) -> str:
    labels = data.get("labels") or data.get("nodes") or ()
    about = f" of {_cut(_listed(labels), 80)}" if labels else ""
    fired = [name for name in ("AG", "DG") if data[name.lower()]]
    gates = f"{' and '.join(fired)} fired" if fired else "no gate fired"
    why = f" ({_cut(data['reason'], 120)})" if data.get("reason") else ""
    ag, dg = (
        "no threshold" if level is None else f"{level:.2f}"
        for level in (data["theta_ag"], data["theta_dg"])
    )
    return (
        f"priced the edit{about}: {data['g0']:.2f} on the spot against {ag}, "
        f"{data['g_min']:.2f} at best ({count(data['hop'], 'hop')}) against {dg}; "
        f"{gates}, so {data['action']}{why}"
    )


_TELL: Mapping[str, Callable[[Data], str]] = {
    "kept": _kept,
    "indexed": _indexed,
    "extracted": _extracted,
    "inserted": lambda d: (
        f"stored {count(len(d['ids']), 'passage')} in the archive: {_listed(d['ids'])}"
    ),
    "forgotten": lambda d: f"forgot the document {d['document']}",
    "retrieved": lambda d: (
        f"handed over {count(d['items'], 'item')}: "
        f"{worded({k: v for k, v in d.items() if k != 'items'})}"
    ),
    "entered": lambda d: (
        f"took the {d['role']}'s {d['entry']} of {count(d['tokens'], 'token')} "
        f"into the window as {d['id']}"
    ),
    "evicted": lambda d: (
        f"evicted {count(len(d['ids']), 'entry', 'entries')} of "
        f"{count(d['tokens'], 'token')}: {_listed(d['ids'])}"
    ),
    "summarised": lambda d: (
        f"summed up {count(d['hidden'], 'evicted entry', 'evicted entries')}: "
        f"{_cut(d['text'])}"
    ),
    "paged_in": lambda d: f"paged in {_listed(d['ids'])}",
    "prefetched": lambda d: f"fetched beforehand {_listed(d['ids'])}",
    "hit": lambda d: f"found in the window already: {_listed(d['ids'])}",
    "warned": lambda d: (
        f"warned of memory pressure: {d['prompt']:,} of {d['window']:,} tokens"
    ),
    "called": lambda d: (
        f"called {d['function'] or 'no function'} with {_cut(d['arguments'], 160)}: "
        f"{d['status']}, {_cut(d['reason'], 160)}"
    ),
    "replied": lambda d: f"replied: {_cut(d['message'])}",
    "stopped": lambda d: f"stopped: {_cut(d['reason'])}",
    "paging": _paging,
    "window": lambda d: (
        f"the window of {d['total']:,} tokens holds {worded(d['parts'])}; "
        f"{d['free']:,} of {d['capacity']:,} free for the queue"
    ),
    "asked": lambda d: f"asked {d['model']} ({d['stage']}, prompt {d['prompt']})",
    "failed": lambda d: f"no usable reply ({d['stage']}): {_cut(d['reason'])}",
    PRICED: _priced,
    "decided": lambda d: f"decided to {d['action']}: {_cut(d['reason'])}",
    "held": lambda d: f"held the edit of {d['edit']} back, to be tried again",
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
    return [
        f"{many[p]} {kind.replace('_', ' ')}{'s' * (many[p] > 1)} {what}".rstrip()
        for p, kind in KIND.items()
        if many[p]
    ]


def briefly(events: Sequence[TraceEvent], most: int = 3) -> list[str]:
    """The events of a step for one line: one of a kind told, several counted."""
    loud = [e for e in events if e.kind not in QUIETER]
    loud = loud or [e for e in events if e.kind not in _QUIET] or list(events)
    many = Counter(event.kind for event in loud)
    first = {event.kind: event for event in reversed(loud)}
    said = [
        _cut(told(first[kind]), 80) if n == 1 else f"{kind.replace('_', ' ')} {n} times"
        for kind, n in many.items()
    ]
    rest = len(said) - most
    return said[:most] + ([f"{rest} kinds of event more"] if rest > 0 else [])


def line(scene: Scene, label: str) -> str:
    """The live text line: `step 4, chunk 3 of 12: 2 actors added, 1 actor changed`.

    A step that changed no workspace is told by what the memory did.
    """
    parts = briefly(scene.step.events)
    if not isinstance(scene.step, Pictured):
        ways = ("added", "changed", "retired")
        counts = [one for how in ways for one in counted(getattr(scene, how), how)]
        parts = [", ".join(counts), *parts] if counts else parts
    return f"{label}: {'; '.join(parts) or 'nothing changed'}"


def summary(history: History) -> str:
    """One sentence on a whole run, for the caption."""
    chunks = sum(scene.step.chunk is not None for scene in history.scenes)
    there = [record for record in history.records.values() if record.alive]
    many = Counter(record.kind for record in there)
    drawn = [count(many[kind], kind, KINDS[kind]) for kind in KINDS if many[kind]]
    lines = sum(record.alive for record in history.lines.values())
    if drawn and lines:
        drawn.append(f"{count(lines, 'line')} between them")
    own = counted(record.id for record in there if record.kind not in KINDS)
    read, held = f"{chunks} chunk{'s' * (chunks != 1)} read", ", ".join(drawn or own)
    return f"{read}: {held}" if held else read
