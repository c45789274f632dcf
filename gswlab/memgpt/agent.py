"""An agent: main context, the file behind it, and a policy that moves between them.

>>> agent = Agent(human="Ann, a baker.")
>>> _ = agent.hear("My sister lives in Oslo.", speaker="Ann")
>>> print(agent.send("Where does my sister live?"))
Ann: My sister lives in Oslo.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from gswlab.core.errors import GswlabError
from gswlab.core.protocols import Memory
from gswlab.memgpt.context import MainContext, Settings
from gswlab.memgpt.core_memory import Block, EditError
from gswlab.memgpt.database import Database
from gswlab.memgpt.loop import Tools, run_turn
from gswlab.memgpt.nouns import Passage, Stored, packed_event
from gswlab.memgpt.policy import Policy, Scripted
from gswlab.memgpt.storage import Storage
from gswlab.memgpt.window import AgentTurn, Window
from gswlab.models.model import Model
from gswlab.models.vectors.embedder import Embedder

_ABOUT = {
    "persona": "who you are, and how you speak",
    "human": "what you know of whom you talk to",
}


@dataclass(kw_only=True)
class Agent(Settings):
    """One agent. With a `file`, what `send` and `hear` have returned is on disk.

    `archive` is a memory that reads archival storage too and is searched in its place.
    An agent whose file exists goes on where that one stopped: same queue, same summary,
    same blocks.

    Raises:
        GswlabError: a setting is out of range, or the window is too small for what is
            always in it.
    """

    policy: Policy = field(default_factory=Scripted)
    embedder: Embedder | None = None
    model: Model | None = None
    archive: Memory | None = None

    @cached_property
    def main(self) -> MainContext:
        """Main context, read from the file when it is first needed."""
        storage = Storage(self.file, self.embedder, self.archive)
        main = MainContext(self, storage, self.model)
        for label, path in storage.db.state().get("shared", {}).items():
            storage.core.shared[label] = Database(path)
        made = set(storage.core.labels())
        with storage.db.transaction():
            for label, about in _ABOUT.items():
                if label not in made:
                    value = getattr(self, label)
                    storage.core.put(Block(label, about, value, self.limit))
        main.load()
        try:
            _ = main.capacity
        except EditError as error:
            problem, _, rule = str(error).partition("; ")
            command = f"memory.window={2 * self.window}"
            raise GswlabError(problem, rule, command) from None
        return main

    @property
    def storage(self) -> Storage:
        """External context: `recall`, `archival`, and the blocks of `core`."""
        return self.main.storage

    @cached_property
    def tools(self) -> Tools:
        """The functions that a policy may call."""
        return Tools(self.main)

    def context(self) -> Window:
        """What fills the window at this moment, and why."""
        return self.main.window()

    def send(
        self, text: str, time: str | None = None, speaker: str = "user", **of: Any
    ) -> AgentTurn:
        """Say something and get a reply, both on disk when this returns.

        `time` is the ISO time it is said at; `of` may name its `chunk` and `span`.
        Printed, a turn is its reply; its `outcome` says how it ended, its `events` what
        happened.
        """
        return self._turn(text, time, speaker, True, of)

    def hear(
        self, text: str, time: str | None = None, speaker: str = "user", **of: Any
    ) -> AgentTurn:
        """Take a message in without a reply: the policy acts only when it is warned."""
        return self._turn(text, time, speaker, False, of)

    def timer(self, time: str, reason: str = "timer") -> AgentTurn:
        """A timed event, at which the policy may act unprompted; not while paused."""
        main = self.main
        if main.paused and time < main.paused:
            why = f"timed events are ignored until {main.paused}"
            return AgentTurn((), "paused", why)
        with self.kept():
            main.begin(time)
            said = packed_event(type="timer", time=time, reason=reason)
            main.received = main.enter("user", "alert", said)
            return self._ended(run_turn(self.policy, self.tools, "timer"))

    def _turn(
        self, text: str, time: str | None, speaker: str, reply: bool, of: Any
    ) -> AgentTurn:
        if not text.strip():
            rule = "a message has words"
            raise GswlabError("the message is empty", rule, 'agent.send("...")')
        main = self.main
        with self.kept():
            main.begin(time)
            main.received = main.enter("user", "message", text, speaker=speaker, **of)
            if reply and self.prefetch:
                # bring in what a message resembles before anybody thinks about it
                size = self.prefetch
                pages = main.search_archival(text, size), main.search_recall(text, size)
                found = [hit for page in pages for hit in page.hits][: 2 * size]
                new = [hit for hit in found if hit.key not in main.queue.resident]
                if new:
                    main.paging.prefetched += len(new)
                    items, shown = tuple(h.key for h in new), [h.text for h in new]
                    told = packed_event(type="prefetched", items=shown)
                    main.enter("function", "result", told, items=items)
                    spans = tuple(span for hit in new if (span := hit.row.span))
                    main.tell("prefetched", {"ids": items}, spans)
            turn = run_turn(self.policy, self.tools, "received" if reply else None)
            return self._ended(turn)

    def _ended(self, turn: AgentTurn) -> AgentTurn:
        main = self.main
        main.fit()
        main.tell("paging", main.paging.to_dict())
        window = main.window()
        main.tell("window", {**window.terms, "parts": window.sums})
        main.save()
        return replace(turn, events=tuple(main.events), paging=main.paging)

    @contextmanager
    def kept(self, undo: bool = False) -> Iterator[None]:
        """A block whose writes are all kept; after an error, or to `undo`, none is."""
        main, archival = self.main, self.storage.archival
        before = archival.inserted
        try:
            with main.storage.db.transaction():
                yield
                if undo:
                    raise _UndoneError
        except BaseException as error:
            main.load()
            if archival.inserted != before:
                archival.again()
            if not isinstance(error, _UndoneError):
                raise

    def insert(self, text: str, time: str | None = None, **of: Any) -> list[Passage]:
        """Keep a text in archival storage; at the time of the turn without one.

        `of` may name its `tags`, and the `chunk`, `span` and `source` that it is of.
        """
        return self.storage.archival.insert(text, time or self.main.now, **of)

    def share(self, label: str, other: Agent) -> None:
        """Let another agent see and edit a block of this one, in place of its own.

        Where both have files the other one finds it again when it is opened.
        """
        own, others = self.storage, other.storage
        own.core.block(label)
        home = own.core.shared.get(label, own.db)
        others.core.shared[label] = home
        if home.path:
            known = others.db.state().get("shared", {})
            others.db.keep(shared={**known, label: str(home.path.absolute())})

    def forget(self, document: str) -> list[Stored]:
        """Delete all of a document: from storage, the queue and the summary.

        A summary of evicted messages is written anew from those that are left.

        Raises:
            GswlabError: nothing of that document was kept.
        """
        gone = self.storage.forget(document)
        if not gone:
            rule = "a document that was read, and not forgotten yet"
            raise GswlabError(f"no document {document!r} was read", rule)
        self.main.forgot({row.key for row in gone})
        return gone

    def close(self) -> None:
        """Let go of the file."""
        self.storage.db.close()


class _UndoneError(Exception):
    """A turn is taken back on purpose."""
