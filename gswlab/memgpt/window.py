"""What fills the window and why: at one moment, in one turn, at every step of a run.

>>> moments(chat.lab.journal.steps())[-1].entries                   # doctest: +SKIP

A journal alone is enough to see the window of any step. What was said is in it: a
message is its chunk, a reply is in the event that sent it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from gswlab.core.nouns import Chunk, TraceEvent
from gswlab.core.step import Step
from gswlab.memgpt.nouns import EntryKind, Hit

if TYPE_CHECKING:
    import pandas as pd


_FIXED = ("system", "core", "functions", "reply")
WHY = {
    "system": "instructions and counts of what is outside; never evicted",
    "core": "a block the model edits; never evicted",
    "functions": "definitions of the functions; reserved",
    "reply": "kept free for the model's reply; reserved",
    "summary": "stands for what was evicted",
    "message": "said lately, or in this turn",
    "call": "a function the model called",
    "result": "what a call returned, or was prefetched",
    "alert": "told to the model by the queue manager",
}


class WindowPart(NamedTuple):
    """One piece of the window: its name, its id, its tokens and its text."""

    part: str
    id: str
    tokens: int
    text: str

    @property
    def why(self) -> str:
        """Why it is in the window."""
        return WHY[self.part]


@dataclass(frozen=True)
class Window:
    """A window of `total` tokens: every part of it, in order, and what is left.

    Tokens are of cl100k_base, of each part's text as a model is sent it.
    """

    total: int
    parts: tuple[WindowPart, ...]

    @property
    def sums(self) -> dict[str, int]:
        """Tokens by the name of a part, in order; what is not there is left out."""
        sums = Counter[str]()
        for part in self.parts:
            sums[part.part] += part.tokens
        return dict(sums)

    @property
    def terms(self) -> dict[str, int]:
        """The capacity of the queue term by term, and how much of it is used.

        `capacity` = `total` - `system` - `core` - `functions` - `reply`; the last two
        are what is reserved.
        """
        sums = self.sums
        fixed = {name: sums.pop(name, 0) for name in _FIXED}
        capacity, queue = self.total - sum(fixed.values()), sum(sums.values())
        used = {"queue": queue, "free": capacity - queue}
        return {"total": self.total, **fixed, "capacity": capacity, **used}

    @property
    def prompt(self) -> int:
        """Tokens that a model is sent: everything but the room for its reply."""
        return sum(part.tokens for part in self.parts if part.part != "reply")

    def to_frame(self) -> pd.DataFrame:
        """A row a part: part, id, tokens, share of the window, why, text."""
        import pandas as pd

        rows = [(*p[:3], p.tokens / self.total, p.why, p.text) for p in self.parts]
        columns = ["part", "id", "tokens", "share", "why", "text"]
        return pd.DataFrame(rows, columns=columns)

    def __repr__(self) -> str:
        """The sum in two lines, then a line a part with the beginning of its text."""
        terms = self.terms
        minus = " - ".join(f"{terms[name]:,} {name}" for name in _FIXED)
        left = f"{terms['capacity']:,} for the queue"
        lines = [f"{terms['total']:,} window - {minus} = {left}"]
        lines.append(f"{terms['queue']:,} used, {terms['free']:,} free")
        for part in self.parts:
            text = " ".join(part.text.split())
            text = text if len(text) <= 60 else f"{text[:57]}..."
            lines.append(f"{part.tokens:>6,}  {part.part:<9}  {part.id:<8}  {text}")
        return "\n".join(lines)


@dataclass
class Paging:
    """Virtual memory's own counts of what the searches of one turn did to a window.

    >>> paging = Paging()
    >>> paging.refer(["p1", "p2"], resident={"p2"})
    ['p1']
    >>> paging.to_dict()["hit_rate"], paging.faults
    (0.5, 1)
    """

    faults: int = 0
    hits: int = 0
    page_ins: int = 0
    page_outs: int = 0
    prefetched: int = 0

    def refer(self, keys: Iterable[str], resident: Iterable[str]) -> list[str]:
        """Count references; the rows that are paged in by them."""
        asked, held = list(dict.fromkeys(keys)), set(resident)
        new = [key for key in asked if key not in held]
        self.hits += len(asked) - len(new)
        self.page_ins += len(new)
        self.faults += bool(new)
        return new

    @property
    def hit_rate(self) -> float | None:
        """Hits of all references; None where there was none."""
        total = self.hits + self.page_ins
        return self.hits / total if total else None

    def to_dict(self) -> Mapping[str, int | float | None]:
        """All counts and the hit rate, rounded to four digits."""
        rate = self.hit_rate
        return {**asdict(self), "hit_rate": None if rate is None else round(rate, 4)}


TurnOutcome = Literal[
    "replied", "heard", "silent", "paused", "call_limit", "repeated_call", "failures"
]


@dataclass(frozen=True)
class AgentTurn:
    """What came of one message: what was said, how it ended and why, what happened.

    `hits` are the rows that searches found, in the order they were found, each once.
    """

    said: tuple[str, ...]
    outcome: TurnOutcome
    reason: str = ""
    calls: int = 0
    hits: tuple[Hit, ...] = ()
    events: tuple[TraceEvent, ...] = ()
    paging: Paging = field(default_factory=Paging)

    def __str__(self) -> str:
        return "\n".join(self.said) if self.said else f"({self.outcome}: {self.reason})"

    def told(self, window: Window) -> str:
        """One line on what the turn did to a window."""
        used, paging = window.prompt / window.total, self.paging
        moved = f"{paging.page_ins} in, {paging.page_outs} out, {paging.hits} hits"
        return f"{self.calls} calls, pages: {moved}; window {used:.0%} full"


# The window at every step of a run, read off its journal.


@dataclass(frozen=True, slots=True)
class QueueEntry:
    """An entry of the queue: what it is, its tokens, its words, the step it came at."""

    id: str
    kind: EntryKind
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
    entries: tuple[QueueEntry, ...]
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


# The ids that an event adds to a moment, by the names they have in both.
_IDS = {
    "evicted": {"went": "ids", "paged_out": "paged_out"},
    "paged_in": {"paged_in": "ids"},
    "prefetched": {"paged_in": "ids"},
    "hit": {"hits": "ids"},
}


def moments(steps: Iterable[Step], chunks: Iterable[Chunk] = ()) -> list[Moment]:
    """A moment a step that has a window; `chunks` give the messages their words."""
    texts = {chunk.id: chunk.text for chunk in chunks}
    queue: dict[str, QueueEntry] = {}
    summary, hidden, found = "", 0, list[Moment]()
    for step in steps:
        ids: defaultdict[str, list[str]] = defaultdict(list)
        seen: dict[str, Any] = {}
        calls, said, words = list[str](), list[str](), texts.get(step.chunk or "", "")
        for event in step.events:
            data: Any = event.data
            seen[event.kind] = data
            _follow(queue, event.kind, data, words, step.index)
            for name, key in _IDS.get(event.kind, {}).items():
                ids[name] += data.get(key, ())
            if event.kind == "replied":
                said.append(data["message"])
            elif event.kind == "called":
                calls.append(f"{data['function'] or 'nothing'}: {data['status']}")
            elif event.kind == "summarised":
                summary, hidden = data["text"], data["hidden"]
        if "window" in seen:
            window, entries = seen["window"], tuple(queue.values())
            terms = {name: n for name, n in window.items() if name != "parts"}
            now = step.index, terms, window["parts"], entries, summary, hidden
            ids["came"] = [entry.id for entry in entries if entry.since == step.index]
            once = {name: tuple(dict.fromkeys(listed)) for name, listed in ids.items()}
            values: dict[str, Any] = {**once, "warned": "warned" in seen}
            values |= {"calls": tuple(calls), "said": tuple(said)}
            values["paging"] = seen.get("paging", {})
            values["stopped"] = seen.get("stopped", {}).get("reason", "")
            found.append(Moment(*now, **values))
    return found


def _follow(
    queue: dict[str, QueueEntry], kind: str, data: Any, said: str, step: int
) -> None:
    """What an event does to the queue: an entry comes, goes or gets words."""
    words: dict[str, str] = {}
    if kind == "entered":
        own = data["entry"] == "message" and data["role"] == "user"
        shape = data["id"], data["entry"], data["role"], data["tokens"]
        queue[data["id"]] = QueueEntry(*shape, said if own else "", step)
    elif kind == "evicted":
        for gone in data["ids"]:
            queue.pop(gone, None)
    elif kind == "replied":
        words["message"] = data["message"]
    elif kind == "called":
        made = f"{data['function'] or 'nothing'}({data['arguments']})"
        words |= {"result": data["reason"], "call": made}
    elif kind in ("paged_in", "hit"):
        words["result"] = ", ".join(data.get("ids", ()))
    for entry, text in words.items():  # of the newest: an entry's events follow it
        newest = next((e for e in reversed(queue.values()) if e.kind == entry), None)
        if newest:
            text = f"{newest.text}; {text}" if newest.text else text
            queue[newest.id] = replace(newest, text=text)


def window_timeline(told: Sequence[Moment]) -> pd.DataFrame:
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
    columns = ["id", "role", "text", "came", "evicted", "summarised", "back"]
    rows = []
    gone = [(moment, key) for moment in told for key in moment.went]
    for moment, key in gone:
        entry = known.get(key)
        if entry is None or entry.kind != "message":
            continue
        parts = (p.strip() for p in entry.text.replace("?", ".").split("."))
        kept = any(len(part) > 3 and part in summary for part in parts)
        back = [m.index for m in told if m.index > moment.index and key in m.paged_in]
        came = entry.text, entry.since, moment.index
        rows.append((key, entry.role, *came, kept, back))
    return pd.DataFrame(rows, columns=columns)
