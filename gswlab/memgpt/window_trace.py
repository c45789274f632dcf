"""The window at every step of a run, read off the journal: what came, what went, where.

>>> moments(chat.lab.journal.steps())[-1].entries                   # doctest: +SKIP

A journal alone is enough. What was said is in it: a message is its chunk, a reply is in
the event that sent it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from gswlab.core.nouns import Chunk, TraceEvent
from gswlab.core.step import Step
from gswlab.memgpt.nouns import Kind

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the queue: what it is, its tokens, its words, the step it came at."""

    id: str
    kind: Kind
    role: str
    tokens: int
    text: str
    since: int


@dataclass(frozen=True)
class Moment:
    """The window after step `index`, and what the step did to it.

    `parts` are tokens by part of the window, `terms` the sum that gives the queue its
    capacity; `came` and `went` are ids of entries, `paged_in`, `paged_out` and `hits`
    ids of what searches found and evictions took.
    """

    index: int
    terms: Mapping[str, int]
    parts: Mapping[str, int]
    entries: tuple[Entry, ...]
    summary: str = ""
    hidden: int = 0
    warned: bool = False
    came: tuple[str, ...] = ()
    went: tuple[str, ...] = ()
    paged_in: tuple[str, ...] = ()
    paged_out: tuple[str, ...] = ()
    hits: tuple[str, ...] = ()
    calls: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    stopped: str = ""
    paging: Mapping[str, Any] = field(default_factory=dict)


def moments(steps: Iterable[Step], chunks: Iterable[Chunk] = ()) -> list[Moment]:
    """A moment a step that has a window; `chunks` give the messages their words."""
    texts = {chunk.id: chunk.text for chunk in chunks}
    told = map(_Fold(texts).after, steps)
    return [moment for moment in told if moment is not None]


@dataclass
class _Fold:
    texts: Mapping[str, str]
    queue: dict[str, Entry] = field(default_factory=dict)
    summary: str = ""
    hidden: int = 0

    def after(self, step: Step) -> Moment | None:
        ids: dict[str, list[str]] = {}
        told: dict[str, Any] = {"calls": [], "said": [], "stopped": "", "warned": False}
        window: Mapping[str, Any] | None = None
        paging: Mapping[str, Any] = {}
        for event in step.events:
            data: Mapping[str, Any] = event.data
            self._entered(event, step, told)
            if event.kind == "evicted":
                ids.setdefault("went", []).extend(data["ids"])
                ids.setdefault("paged_out", []).extend(data["paged_out"])
                for gone in data["ids"]:
                    self.queue.pop(gone, None)
            elif event.kind == "summarised":
                self.summary, self.hidden = data["text"], data["hidden"]
            elif event.kind in ("paged_in", "hit", "prefetched"):
                name = "hits" if event.kind == "hit" else "paged_in"
                ids.setdefault(name, []).extend(data.get("ids", ()))
            elif event.kind == "window":
                window = data
            elif event.kind == "paging":
                paging = data
        if window is None:
            return None
        entries = tuple(self.queue.values())
        came = [entry.id for entry in entries if entry.since == step.index]
        return Moment(
            step.index,
            {name: tokens for name, tokens in window.items() if name != "parts"},
            window["parts"],
            entries,
            self.summary,
            self.hidden,
            told["warned"],
            tuple(came),
            calls=tuple(told["calls"]),
            said=tuple(told["said"]),
            stopped=told["stopped"],
            paging=paging,
            **{name: tuple(dict.fromkeys(listed)) for name, listed in ids.items()},
        )

    def _entered(self, event: TraceEvent, step: Step, told: dict[str, Any]) -> None:
        data: Mapping[str, Any] = event.data
        if event.kind == "entered":
            own = data["entry"] == "message" and data["role"] == "user"
            text = self.texts.get(step.chunk or "", "") if own else ""
            shape = data["id"], data["entry"], data["role"], data["tokens"]
            self.queue[data["id"]] = Entry(*shape, text, step.index)
        elif event.kind == "replied":
            told["said"].append(data["message"])
            self._worded(data["message"], "message")
        elif event.kind == "called":
            name = data["function"] or "nothing"
            told["calls"].append(f"{name}: {data['status']}")
            self._worded(data["reason"], "result")
            self._worded(f"{name}({data['arguments']})", "call")
        elif event.kind == "stopped":
            told["stopped"] = data["reason"]
        elif event.kind == "warned":
            told["warned"] = True
        elif event.kind in ("paged_in", "hit"):
            self._worded(", ".join(data.get("ids", ())), "result")

    def _worded(self, text: str, kind: str) -> None:
        """Give the newest entry of a kind more words: their events follow it."""
        for key in reversed(self.queue):
            last = self.queue[key]
            if last.kind == kind:
                told = f"{last.text}; {text}" if last.text else text
                self.queue[key] = replace(last, text=told)
                return


def timeline(told: Sequence[Moment]) -> pd.DataFrame:
    """A row a step: tokens by part, capacity, paging, whether it warned, its calls."""
    import pandas as pd

    rows = [
        {
            "step": moment.index,
            **moment.parts,
            "capacity": moment.terms["capacity"],
            **moment.paging,
            "warned": moment.warned,
            "evicted": len(moment.went),
            "calls": len(moment.calls) + len(moment.said),
        }
        for moment in told
    ]
    return pd.DataFrame(rows).fillna({"summary": 0, "message": 0})


def fates(told: Sequence[Moment]) -> pd.DataFrame:
    """A row a message that left the window: when, in the summary or not, when back.

    `summarised` is whether a sentence of it stands in the last summary; `back` are the
    steps at which a search paged it in again. Recall storage has every one.
    """
    import pandas as pd

    known = {entry.id: entry for moment in told for entry in moment.entries}
    known |= {e.id: e for moment in told for e in moment.entries if e.text}
    summary = told[-1].summary if told else ""
    rows = []
    for moment in told:
        for key in moment.went:
            entry = known.get(key)
            if entry is None or entry.kind != "message":
                continue
            later = (m for m in told if m.index > moment.index)
            back = [m.index for m in later if key in m.paged_in]
            rows.append(
                {
                    "id": key,
                    "role": entry.role,
                    "text": entry.text,
                    "came": entry.since,
                    "evicted": moment.index,
                    "summarised": _kept(entry.text, summary),
                    "back": back,
                }
            )
    columns = ["id", "role", "text", "came", "evicted", "summarised", "back"]
    return pd.DataFrame(rows, columns=columns)


def _kept(text: str, summary: str) -> bool:
    parts = [part.strip() for part in text.replace("?", ".").split(".")]
    return any(len(part) > 3 and part in summary for part in parts)
