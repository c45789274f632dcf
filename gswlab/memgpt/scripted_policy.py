"""The policy without a model: search, follow, answer. It measures tools and loop.

- a message that names a key of archival storage is looked up: the value of the key,
  then, while that is itself a key, its value, the latest one where there are several;
- any other question is searched for, page after page while there is room; names that
  the best hit adds are searched for as well;
- the reply is the last value, or what was found first; a statement is acknowledged;
- at a warning it puts what somebody says of themselves into the block `human`.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from gswlab.baselines.bm25 import BM25
from gswlab.core.budget import count_tokens
from gswlab.language.language import language_of
from gswlab.memgpt.nouns import Hit, Message, Page
from gswlab.memgpt.policy import Decision, Result, Why
from gswlab.qa.readers.lookup import pairs
from gswlab.text.sentences import sentences

if TYPE_CHECKING:
    from gswlab.memgpt.agent import Agent


Found = TypeVar("Found")
Script: TypeAlias = Generator[Decision, Result, Found]
_UUID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b", re.I)
_QUOTED = re.compile(r"[\"“「]([^\"”」]{2,120})[\"”」]")
_NAME = re.compile(r"\b[A-Z][\w'-]+(?:\s+[A-Z][\w'-]+)*")
_ASKS = re.compile(
    r"[?？]|^(?:who|what|when|where|which|why|how|tell|find|give|list)\b|か。?$", re.I
)
_NOTED = {"en": "Noted.", "ja": "覚えておきます。"}
_NOTHING = {
    "en": "I find nothing about that in my memory.",
    "ja": "それについては記憶に見つかりません。",
}
_SELF = re.compile(
    r"\b(?:my name is|i am|i'm|i live|i work|i love|i like|i hate|i prefer|my (?:wife|"
    r"husband|partner|son|daughter|sister|brother|mother|father|job|favou?rite))\b|"
    r"(?:私|僕|俺)(?:は|の)",
    re.I,
)
_WORDS = BM25(stopwords=True)


@dataclass(frozen=True)
class Scripted:
    """The script; it searches for at most `follow` names that the best hit adds."""

    follow: int = 1

    @property
    def name(self) -> str:
        """What stands in a row of results."""
        return "scripted"

    def mind(self, agent: Agent, received: Message) -> ScriptedMind:
        """The script, at work on one message."""
        return ScriptedMind(self, agent, received)


@dataclass
class ScriptedMind:
    """A script that is asked for one call at a time."""

    policy: Scripted
    agent: Agent
    received: Message
    _script: Script[None] | None = field(default=None, init=False)
    _held: Result | None = field(default=None, init=False)

    def decide(self, why: Why, last: Result | None) -> Decision:
        """The next call; at a warning first one that saves what may be evicted."""
        if why == "warned" and (told := self._told()):
            self._held = last
            going = {"request_heartbeat": self._script is not None}
            arguments = {"key": "human", "value": told, **going}
            return Decision("core_memory_append", arguments)
        if self._held is not None:
            last, self._held = self._held, None
        if self._script is None:
            if why in ("warned", "timer"):
                return Decision()
            self._script = self._answering()
            return next(self._script)
        try:
            return self._script.send(last or Result(False, "nothing came"))
        except StopIteration:
            return Decision()

    def _told(self) -> str:
        """What somebody said of themselves and core memory has not: one sentence."""
        human = self.agent.storage.core.block("human")
        for entry in self.agent.main.queue.entries:
            if entry.kind != "message" or entry.role != "user":
                continue
            for start, end in sentences(entry.text):
                said = " ".join(entry.text[start:end].split())
                line = f"{entry.speaker}: {said}"
                known = line in human.value
                fits = len(human.value) + len(line) < human.limit
                if _SELF.search(said) and fits and not known:
                    return line
        return ""

    def _answering(self) -> Script[None]:
        text = self.received.text
        reply = yield from self._looked_up(text)
        if not reply and _ASKS.search(text):
            hits = yield from self._searched(text)
            reply = self._said(text, hits)
        language = language_of(text)
        yield Decision("send_message", {"message": reply or _NOTED[language]})

    def _looked_up(self, text: str) -> Script[str]:
        """The value at the end of the chain that begins with a key the text names."""
        if not len(self.agent.storage.archival):
            return ""
        for key in [*_UUID.findall(text), *_QUOTED.findall(text)]:
            seen, found = {key}, ""
            value = yield from self._value(key)
            while value:
                found = value
                if value in seen:
                    break
                seen.add(value)
                value = yield from self._value(value)
            if found:
                return found
        return ""

    def _value(self, key: str) -> Script[str]:
        """The latest value of a key, "" where it has none; every page is looked at."""
        latest = ("", -1, "")
        page = yield from self._page("archival_memory_search", key)
        while page:
            for hit in page.hits:
                for name, value in pairs(hit.row.text):
                    if name == key:
                        latest = max(latest, (hit.row.time or "", hit.row.id, value))
            page = yield from self._next(page)
        return latest[2]

    def _searched(self, text: str) -> Script[list[Hit]]:
        """What both storages have, best first, as far as there is room."""
        agent, hits = self.agent, dict[str, Hit]()
        sources = {
            "archival_memory_search": len(agent.storage.archival),
            "recall_memory_search": agent.keep != "all"
            and len(agent.storage.recall) > 1,
        }
        pages = []
        for name in [name for name, many in sources.items() if many]:
            page = yield from self._page(name, text)
            if page:
                pages.append((name, page))
                hits |= {hit.key: hit for hit in page.hits}
        for name in self._names(text, list(hits.values())):
            page = yield from self._page(pages[0][0], name)
            hits |= {h.key: h for h in (page.hits if page else ()) if h.key not in hits}
        room = self.agent.room
        while pages and room and _tokens(hits.values()) < room:
            source, page = pages.pop(0)
            number = page.number + 1
            if number <= page.last:
                again = yield from self._page(source, text, number)
                if again:
                    pages.append((source, again))
                    hits |= {h.key: h for h in again.hits if h.key not in hits}
        return list(hits.values())

    def _names(self, text: str, hits: list[Hit]) -> list[str]:
        """Names in the best hit that the question has not."""
        best = hits[0].row.text if hits else ""
        names = [n for n in dict.fromkeys(_NAME.findall(best)) if n not in text]
        inner = [n for n in names if not best.startswith(n) or " " in n]
        return inner[: self.policy.follow]

    def _page(self, function: str, query: str, number: int = 0) -> Script[Page | None]:
        query = query[:400]
        if number and function == "recall_memory_search":
            function = "conversation_search"
        arguments = {"query": query, "request_heartbeat": True}
        if function == "conversation_search":
            arguments["page"] = number
        elif number:
            return (yield from self._turned(number))
        else:
            arguments["count"] = min(50, self.agent.page)
        result = yield Decision(function, arguments)
        return result.page

    def _next(self, page: Page) -> Script[Page | None]:
        if page.number >= page.last and not page.more:
            return None
        return (yield from self._turned(page.number + 1))

    def _turned(self, number: int) -> Script[Page | None]:
        arguments = {"number": number, "request_heartbeat": True}
        result = yield Decision("page", arguments)
        return result.page

    def _said(self, text: str, hits: list[Hit]) -> str:
        """The sentence of the best hits that has most of the question's words."""
        asked = set(_WORDS.words(text))
        for hit in hits:
            lead, _, rest = hit.text.partition(hit.row.text)
            parts = [hit.row.text[a:b] for a, b in sentences(hit.row.text)]
            told = [part for part in parts if not part.endswith(("?", "？"))]
            best = max(told, key=lambda part: _shared(asked, part), default="")
            if _shared(asked, best):
                return f"{lead}{best}{rest}"
        return _NOTHING[language_of(text)]


def _shared(asked: set[str], text: str) -> int:
    return len(asked & set(_WORDS.words(text)))


def _tokens(hits: Iterable[Hit]) -> int:
    return sum(count_tokens(hit.text) for hit in hits)
