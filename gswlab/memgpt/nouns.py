"""What main context and external context are made of: messages, passages, pages.

Ids say where something lives: `m12` is row 12 of recall storage, `p3` row 3 of archival
storage. What the file keeps of either is all there is: a queue is read back from it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from gswlab.core.budget import count_tokens
from gswlab.core.nouns import Span
from gswlab.language.dates.find import find_dates

EntryRole = Literal["user", "assistant", "function", "system"]
EntryKind = Literal["message", "call", "result", "alert"]
Dates = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Message:
    """An entry of recall storage, and of the queue while it is in the window.

    `text` is what was said, or the packed form of a call, result or alert; `tokens` is
    of the text as a model is shown it, cut to about `most` where it is too long. `turn`
    counts what was received: an entry belongs to the message it followed. `items` are
    the ids that a result paged in; `dates` are (words, ISO day) of the dates it names,
    resolved against `time`.
    """

    id: int
    role: EntryRole
    kind: EntryKind
    text: str
    tokens: int
    turn: int
    speaker: str | None = None
    time: str | None = None
    chunk: str | None = None
    span: Span | None = None
    dates: Dates = ()
    items: tuple[str, ...] = ()
    most: int | None = None

    @property
    def key(self) -> str:
        """Its id with its letter, `m12`, as pages and results cite it."""
        return f"m{self.id}"


@dataclass(frozen=True, slots=True)
class Passage:
    """At most 300 tokens of archival storage; `time` is its source's, `tags` sorted.

    `store` is `w` for what a workspace over archival storage says in its own words.
    """

    id: int
    text: str
    tokens: int
    time: str | None = None
    chunk: str | None = None
    span: Span | None = None
    tags: tuple[str, ...] = ()
    dates: Dates = ()
    store: str = "p"

    @property
    def key(self) -> str:
        """Its id with the letter of its store: `p3`, or `w3` of a workspace."""
        return f"{self.store}{self.id}"


Stored = Message | Passage


@dataclass(frozen=True, slots=True)
class Hit:
    """Something found: its row and how well it fits (1.0 where order is by time)."""

    row: Stored
    score: float = 1.0

    @property
    def key(self) -> str:
        """The key of the row that was found."""
        return self.row.key

    @property
    def text(self) -> str:
        """As it is shown: its time, its speaker, its words, its dates resolved.

        >>> said = Message(3, "user", "message", "I left yesterday.", 9, 1, "Ann",
        ...                "2024-05-08", dates=(("yesterday", "2024-05-07"),))
        >>> Hit(said).text
        '[2024-05-08] Ann: I left yesterday. (yesterday: 2024-05-07)'
        """
        row = self.row
        who = row.speaker or row.role if isinstance(row, Message) else None
        when = f"[{row.time}] " if row.time else ""
        days = ", ".join(f"{words}: {day}" for words, day in row.dates if words != day)
        said = f"{who}: {row.text}" if who else row.text
        return f"{when}{said}{f' ({days})' if days else ''}"


@dataclass(frozen=True, slots=True, repr=False)
class HitPage:
    """A page of what a search found, `number` from 0; `total` is N of "n of N".

    With `more` there are more than `total`: counting stops there, so that a search
    takes no longer in a million messages than in ten thousand.
    """

    hits: tuple[Hit, ...]
    total: int
    number: int = 0
    size: int = 5
    more: bool = False
    by: str = ""

    @property
    def last(self) -> int:
        """The number of the last page that can be asked for."""
        return max(0, -(-self.total // self.size) - 1)

    @property
    def header(self) -> str:
        """The line above the hits.

        >>> HitPage((), 12, 1).header
        'Showing 0 of 12 results (page 1/2)'
        """
        many = f"{self.total}+" if self.more else str(self.total)
        n = len(self.hits)
        return f"Showing {n} of {many} results (page {self.number}/{self.last})"

    def __repr__(self) -> str:
        return "\n".join([self.header, *(hit.text for hit in self.hits)])


def dates_in(text: str, time: str | None) -> Dates:
    """(words, ISO day) of the dates in `text`, as said at `time`; what is open is out.

    >>> dates_in("I left yesterday.", "2024-05-08T13:00")
    (('yesterday', '2024-05-07'),)
    """
    said = time.partition("T")[0] if time else None
    found = find_dates(text, said=said)
    days = ((date.text, date.day) for date in found if date.granularity != "unknown")
    return tuple((words, day) for words, day in days if day and day[0].isdigit())


# What stands in the window: every entry as one packed JSON event, counted as it is.


def packed_event(**values: Any) -> str:
    """One line of JSON; what is None is left out.

    >>> packed_event(type="user_message", time=None, message="左様なら")
    '{"type": "user_message", "message": "左様なら"}'
    """
    kept = {key: value for key, value in values.items() if value is not None}
    return json.dumps(kept, ensure_ascii=False)


def packed_call(name: str, arguments: Mapping[str, Any], thought: str = "") -> str:
    """A call as a model makes it."""
    made = {"function": name, "arguments": dict(arguments)}
    return packed_event(thought=thought or None, call=made)


def model_text(message: Message) -> str:
    """A message as a model is shown it; what is no message is packed already."""
    if message.kind != "message":
        return message.text
    text = truncated(message.text, message.most) if message.most else message.text
    if message.role == "assistant":
        return packed_call("send_message", {"message": text})
    said = {"from": message.speaker, "time": message.time, "message": text}
    return packed_event(type="user_message", **said)


def truncated(text: str, most: int) -> str:
    """A text of at most about `most` tokens that says what was left out.

    >>> truncated("one two three four five six", 3)
    'one two thr ... (3 of 6 tokens; the rest is in storage)'
    """
    total = count_tokens(text)
    if total <= most:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        fits = count_tokens(text[:middle]) <= most
        low, high = (middle, high) if fits else (low, middle - 1)
    return f"{text[:low]} ... ({most} of {total} tokens; the rest is in storage)"
