"""What a memory did, in words: a sentence for each kind of trace event.

A kind that is not known here, one of a memory of your own, is told by its name and its
data, each key with its value in words. Nothing is told as Python would write it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from gswlab.core.nouns import TraceEvent, visible
from gswlab.gedig.record import PRICED

Data = Mapping[str, Any]
SOME = 8  # items of a list that a sentence names
LONG = 400  # characters of a value in a sentence
# not said in one line where anything else was done
QUIET = ("paging", "window", "asked")
QUIETER = (*QUIET, "entered")


def told(event: TraceEvent) -> str:
    """An event as a sentence without its full stop.

    >>> told(TraceEvent("kept", {"tokens": 35}))
    'kept this chunk, 35 tokens'
    >>> told(TraceEvent("dreamt_up", {"of": ("a", "b"), "deep": True}))
    'dreamt up: of a, b; deep yes'
    """
    try:
        return visible(_TELL[event.kind](event.data))
    except (AttributeError, KeyError, TypeError, ValueError):
        # a kind of its own, or a known one in a layout of its own
        name, said = event.kind.replace("_", " "), worded(event.data)
        return visible(_cut(f"{name}: {said}" if said else name, 2 * LONG))


def briefly(events: Sequence[TraceEvent], most: int = 3) -> list[str]:
    """The events of a step for one line: one of a kind told, several counted."""
    loud = [e for e in events if e.kind not in QUIETER]
    loud = loud or [e for e in events if e.kind not in QUIET] or list(events)
    many = Counter(event.kind for event in loud)
    first = {event.kind: event for event in reversed(loud)}
    said = [
        _cut(told(first[kind]), 80) if n == 1 else f"{kind.replace('_', ' ')} {n} times"
        for kind, n in many.items()
    ]
    rest = len(said) - most
    return said[:most] + ([f"{rest} kinds of event more"] if rest > 0 else [])


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
            pairs = [
                f"{str(k).replace('_', ' ')} {worded(v)}" for k, v in value.items()
            ]
            return "; ".join(_some(pairs))
        case list() | tuple():
            parted = any(isinstance(one, list | tuple | Mapping) for one in value)
            return ("; " if parted else ", ").join(
                _some([worded(one) for one in value])
            )
    return _cut(str(value), LONG)


def count(many: int, what: str, several: str = "") -> str:
    """A number with its noun.

    >>> count(1, "passage"), count(2, "entity", "entities")
    ('1 passage', '2 entities')
    """
    return f"{many:,} {what if many == 1 else several or what + 's'}"


def _some(parts: Sequence[str]) -> list[str]:
    rest = len(parts) - SOME
    return [*parts[:SOME], *([f"and {rest:,} more"] if rest > 0 else [])]


def _cut(text: str, most: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"


def _listed(ids: Iterable[Any]) -> str:
    return worded(tuple(ids)) or "nothing"


def _kept(data: Data) -> str:
    if "node" in data:
        ties = [" ".join(map(str, tie)) for tie in data.get("ties", ())]
        tied = f", tied {count(len(ties), 'time')}: {worded(ties)}" if ties else ""
        return f"kept where node {data['node']} is told{tied}"
    return f"kept this chunk, {count(data['tokens'], 'token')}"


def _indexed(data: Data) -> str:
    if "chunks" in data:
        return f"indexed {count(data['chunks'], 'chunk')}"
    fresh = (
        f", {data['embedded']:,} of them embedded anew" if "embedded" in data else ""
    )
    return f"indexed {count(data['nodes'], 'node')}{fresh}"


def _extracted(data: Data) -> str:
    names, triples = data["entities"], data["triples"]
    found = (
        f"noted {count(len(names), 'entity', 'entities')} and "
        f"{count(len(triples), 'triple')}"
    )
    said = [" ".join(map(str, triple)) for triple in triples] or list(map(str, names))
    return f"{found}: {'; '.join(_some(said))}" if said else found


def _called(data: Data) -> str:
    name = data["function"] or "no function"
    given = _cut(str(data["arguments"]), 160)
    return f"called {name} with {given}: {data['status']}, {_cut(data['reason'], 160)}"


def _paging(data: Data) -> str:
    rate = data["hit_rate"]
    hits = "no look-up yet" if rate is None else f"hit rate {rate:.0%}"
    faults = count(data["faults"], "page fault")
    return f"{data['page_ins']} paged in, {data['page_outs']} out, {faults}, {hits}"


def _window(data: Data) -> str:
    parts = worded(data["parts"])
    return (
        f"the window of {data['total']:,} tokens holds {parts}; "
        f"{data['free']:,} of {data['capacity']:,} free for the queue"
    )


def _evicted(data: Data) -> str:
    went = count(len(data["ids"]), "entry", "entries")
    return f"evicted {went} of {count(data['tokens'], 'token')}: {_listed(data['ids'])}"


def _priced(data: Data) -> str:
    labels = data.get("labels") or data.get("nodes") or ()
    about = f" of {_cut(_listed(labels), 80)}" if labels else ""
    fired = [name for name in ("AG", "DG") if data[name.lower()]]
    gates = f"{' and '.join(fired)} fired" if fired else "no gate fired"
    why = f" ({_cut(str(data['reason']), 120)})" if data.get("reason") else ""
    return (
        f"priced the edit{about}: {data['g0']:.2f} on the spot against "
        f"{_level(data['theta_ag'])}, {data['g_min']:.2f} at best "
        f"({count(data['hop'], 'hop')}) against {_level(data['theta_dg'])}; {gates}, "
        f"so {data['action']}{why}"
    )


def _level(threshold: float | None) -> str:
    return "no threshold" if threshold is None else f"{threshold:.2f}"


def _entered(data: Data) -> str:
    whose = f"the {data['role']}'s {data['entry']}"
    size = count(data["tokens"], "token")
    return f"took {whose} of {size} into the window as {data['id']}"


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
    "entered": _entered,
    "evicted": _evicted,
    "summarised": lambda d: (
        f"summed up {count(d['hidden'], 'evicted entry', 'evicted entries')}: "
        f"{_cut(d['text'], LONG)}"
    ),
    "paged_in": lambda d: f"paged in {_listed(d['ids'])}",
    "prefetched": lambda d: f"fetched beforehand {_listed(d['ids'])}",
    "hit": lambda d: f"found in the window already: {_listed(d['ids'])}",
    "warned": lambda d: (
        f"warned of memory pressure: {d['prompt']:,} of {d['window']:,} tokens"
    ),
    "called": _called,
    "replied": lambda d: f"replied: {_cut(d['message'], LONG)}",
    "stopped": lambda d: f"stopped: {_cut(d['reason'], LONG)}",
    "paging": _paging,
    "window": _window,
    "asked": lambda d: f"asked {d['model']} ({d['stage']}, prompt {d['prompt']})",
    "failed": lambda d: f"no usable reply ({d['stage']}): {_cut(d['reason'], LONG)}",
    PRICED: _priced,
    "decided": lambda d: f"decided to {d['action']}: {_cut(d['reason'], LONG)}",
    "held": lambda d: f"held the edit of {d['edit']} back, to be tried again",
}
