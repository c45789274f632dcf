"""Who decides what an agent does next: a script, or a model. Never both in one run.

The script searches, follows and answers, and so measures tools and loop:

- a message that names a key of archival storage is looked up: the value of the key,
  then, while that is itself a key, its value, the latest one where there are several;
- any other question is searched for, page after page while there is room; a name that
  the best hit adds is searched for as well;
- the reply is the last value, or what was found first; a statement is acknowledged;
- at a warning it puts what somebody says of themselves into the block `human`.

A model manages its own memory by calling functions, as in the paper:

- `actions=tools` takes the tool calls of servers that have them, several of one reply
  in their order, and shows what became of each as a tool's message; `actions=json` asks
  for one JSON object of a thought and a call, for models that lack them;
- plain words to somebody who waits are the reply, those to nobody a thought;
- whatever else comes back is a step: broken JSON, no call or no reply are problems that
  the loop answers with advice and counts, never a second try of its own;
- a model is shown main context and nothing else, entries of one role in a row as one
  message, because some servers want roles to take turns.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any, ClassVar, Literal, Protocol, TypeVar, runtime_checkable

from gswlab.baselines.bm25 import BM25
from gswlab.core.budget import count_tokens
from gswlab.language.language import language_of
from gswlab.memgpt import functions
from gswlab.memgpt.context import MainContext
from gswlab.memgpt.functions import THOUGHT, Action
from gswlab.memgpt.nouns import Hit, HitPage, model_text
from gswlab.models.ask import Ask, ModelError
from gswlab.models.ask_trace import asked_event, failed
from gswlab.models.model import Model
from gswlab.models.prompt import prompt
from gswlab.qa.readers.lookup import pairs
from gswlab.text.sentences import sentences

# Why a policy is asked, in the order in which one goes before another.
Why = Literal["warned", "failed", "heartbeat", "forced", "received", "timer"]


@dataclass(frozen=True, slots=True)
class PolicyStep:
    """One step of a policy: a thought nobody is shown, and a call or none.

    `problem` says why what a model said is no call; without either it has nothing to
    do. `going` says that another call of the same reply follows.
    """

    function: str | None = None
    arguments: Any = field(default_factory=dict)
    thought: str = ""
    problem: str = ""
    going: bool = False


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a call: its status, what the caller is told, and the page found."""

    ok: bool
    text: str
    page: HitPage | None = None
    heartbeat: bool = False
    data: Mapping[str, Any] = field(default_factory=dict)


# A policy at work on one message: the next step, given why one is wanted and what the
# last call returned.
Mind = Callable[[Why, Result | None], PolicyStep]


@runtime_checkable
class Policy(Protocol):
    """What `policy=` chooses. `name` stands in every row of results."""

    @property
    def name(self) -> str:
        """What stands in a row of results."""

    def mind(self, main: MainContext) -> Mind:
        """Who decides the steps that follow the message received."""


_Found = TypeVar("_Found")
_Script = Generator[PolicyStep, Result, _Found]
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
    """The script."""

    name: ClassVar[str] = "scripted"

    def mind(self, main: MainContext) -> Mind:
        """The script, at work on one message."""
        return ScriptedMind(main).decide


@dataclass
class ScriptedMind:
    """A script that is asked for one call at a time."""

    main: MainContext
    _script: _Script[None] | None = field(default=None, init=False)
    _held: Result | None = field(default=None, init=False)

    def decide(self, why: Why, last: Result | None) -> PolicyStep:
        """The next call; at a warning first one that saves what may be evicted."""
        if why == "warned" and (told := self._told_of_themselves()):
            self._held = last
            going = {"request_heartbeat": self._script is not None}
            arguments = {"key": "human", "value": told, **going}
            return PolicyStep("core_memory_append", arguments)
        if self._held is not None:
            last, self._held = self._held, None
        if self._script is None:
            if why in ("warned", "timer"):
                return PolicyStep()
            self._script = self._answering()
            return next(self._script)
        try:
            return self._script.send(last or Result(False, "nothing came"))
        except StopIteration:
            return PolicyStep()

    def _told_of_themselves(self) -> str:
        """What somebody said of themselves and core memory has not: one sentence."""
        human = self.main.storage.core.block("human")
        for entry in self.main.queue.entries:
            if entry.kind != "message" or entry.role != "user":
                continue
            for start, end in sentences(entry.text):
                said = " ".join(entry.text[start:end].split())
                line = f"{entry.speaker}: {said}"
                fits = len(human.value) + len(line) < human.limit
                if _SELF.search(said) and fits and line not in human.value:
                    return line
        return ""

    def _answering(self) -> _Script[None]:
        assert self.main.received
        text = self.main.received.text
        language = language_of(text)
        reply = yield from self._looked_up(text)
        if not reply and _ASKS.search(text):
            hits = yield from self._searched(text)
            reply = _sentence(text, hits) or _NOTHING[language]
        yield PolicyStep("send_message", {"message": reply or _NOTED[language]})

    def _looked_up(self, text: str) -> _Script[str]:
        """The value at the end of the chain that begins with a key the text names."""
        if not len(self.main.storage.archival):
            return ""
        for key in [*_UUID.findall(text), *_QUOTED.findall(text)]:
            seen, found = {key}, ""
            while value := (yield from self._value(found or key)):
                found = value
                if value in seen:
                    break
                seen.add(value)
            if found:
                return found
        return ""

    def _value(self, key: str) -> _Script[str]:
        """The latest value of a key, "" where it has none; every page is looked at."""
        latest = ("", -1, "")
        page = yield from self._page("archival_memory_search", key, 0, {})
        while page:
            for hit in page.hits:
                for name, value in pairs(hit.row.text):
                    if name == key:
                        latest = max(latest, (hit.row.time or "", hit.row.id, value))
            if page.number >= page.last and not page.more:
                break
            page = yield from self._page("page", key, page.number + 1, {})
        return latest[2]

    def _searched(self, text: str) -> _Script[list[Hit]]:
        """What both storages have, best first, as far as there is room."""
        main, hits = self.main, dict[str, Hit]()
        recalls = main.settings.keep != "all" and len(main.storage.recall) > 1
        sources = ["archival_memory_search"] * bool(len(main.storage.archival))
        sources += ["recall_memory_search"] * recalls
        pages = []
        for source in sources:
            page = yield from self._page(source, text, 0, hits)
            pages += [(source, page)] if page else []
        best = next(iter(hits.values())).row.text if hits else ""
        for name in dict.fromkeys(_NAME.findall(best)):  # one that the question has not
            if name not in text and (not best.startswith(name) or " " in name):
                yield from self._page(pages[0][0], name, 0, hits)
                break
        room = main.room or 0
        while pages and sum(count_tokens(h.text) for h in hits.values()) < room:
            source, page = pages.pop(0)
            if page.number >= page.last:
                continue
            if page := (yield from self._page(source, text, page.number + 1, hits)):
                pages.append((source, page))
        return list(hits.values())

    def _page(
        self, function: str, query: str, number: int, hits: dict[str, Hit]
    ) -> _Script[HitPage | None]:
        """Search, or turn to a page of what was searched last; recall has its own.

        What is found for the first time joins the `hits`.
        """
        arguments: dict[str, Any] = {"query": query[:400], "request_heartbeat": True}
        if not number:
            arguments["count"] = min(50, self.main.settings.page)
        elif function == "recall_memory_search":
            function, arguments["page"] = "conversation_search", number
        else:
            function = "page"
            arguments = {"number": number, "request_heartbeat": True}
        page = (yield PolicyStep(function, arguments)).page
        for hit in page.hits if page else ():
            hits.setdefault(hit.key, hit)
        return page


def _sentence(text: str, hits: list[Hit]) -> str:
    """The sentence of the best hit that has most of the question's words, or ""."""
    asked = set(_WORDS.words(text))

    def shared(said: str) -> int:
        return len(asked & set(_WORDS.words(said)))

    for hit in hits:
        lead, _, rest = hit.text.partition(hit.row.text)
        parts = (hit.row.text[a:b] for a, b in sentences(hit.row.text))
        told = (part for part in parts if not part.endswith(("?", "？")))
        best = max(told, key=shared, default="")
        if shared(best):
            return f"{lead}{best}{rest}"
    return ""


_OVERFLOW = re.compile(r"context|too (?:long|large|many tokens)", re.I)


@dataclass(frozen=True)
class ModelPolicy:
    """Decisions by `model`; each asks it once."""

    model: Model
    actions: Literal["tools", "json"] = "tools"

    @property
    def name(self) -> str:
        """What stands in a row of results."""
        return f"llm:{self.model.model}"

    def mind(self, main: MainContext) -> Mind:
        """The model, asked with all that is in the window; its calls one by one."""
        left: list[PolicyStep] = []
        waited = False

        def decided(why: Why, last: Result | None) -> PolicyStep:
            nonlocal left, waited
            waited |= why == "received"
            if not left or last is None or not last.ok:
                left = self.decide(main, waited)
            step, *left = left
            return step

        return decided

    def decide(self, main: MainContext, waited: bool) -> list[PolicyStep]:
        """What the model wants, or what is wrong with what it said.

        With `waited` somebody is to get a reply, by a call or in plain words.

        Raises:
            StoppedError: cancelled, or the next call could overspend the budget.
        """
        model, language = self.model, main.settings.language
        tools = self.actions == "tools"
        main.events.append(asked_event("policy", prompt("memgpt", language), model))
        turns = messages_of(main, manual=not tools)
        chunk = main.received.chunk if main.received else None
        given = (None, functions.tools(language)) if tools else (Action, ())
        limits = given[0], main.settings.reply, given[1], tools and waited
        ask = Ask(turns, "policy", chunk, *limits)
        try:
            reply = model.ask(ask)
        except ModelError as failure:
            main.events.append(failed("policy", failure))
            if _OVERFLOW.search(str(failure)):
                main.flush()  # by the server's own count it is full
            return [PolicyStep(problem=f"no usable reply: {failure.problem}"[:500])]
        if not tools:
            said: Action = reply.value
            step = said.function, said.arguments, said.thought, said.problem
            return [PolicyStep(*step)]
        words = reply.text.strip()
        if words and waited and not reply.calls:
            return [PolicyStep("send_message", {"message": words[:_SAID]})]
        steps = [_called(*call, words[:THOUGHT]) for call in reply.calls]
        steps = steps or [PolicyStep(thought=words[:THOUGHT])]
        return [*(replace(step, going=True) for step in steps[:-1]), steps[-1]]


_SAID = 4000  # characters of a message


def _called(name: str, written: str, thought: str) -> PolicyStep:
    try:
        return PolicyStep(name, json.loads(written or "{}"), thought)
    except (ValueError, RecursionError):
        problem = f"the arguments of {name[:60]} are no JSON"
        return PolicyStep(thought=thought, problem=problem)


def messages_of(main: MainContext, manual: bool) -> tuple[dict[str, Any], ...]:
    """Main context as the messages of a conversation; `manual` with the functions.

    Without, an agent's calls are tool calls and each is followed by what came of it.
    """
    wanted = ("system", "core", "functions") if manual else ("system", "core")
    always = [part.text for part in main.window().parts if part.part in wanted]
    turns: list[tuple[str, str]] = [("system", "".join(always))]
    turns += [("user", main.queue.first)] if main.queue.first else []
    for entry in main.queue.entries:
        turns.append((entry.role, model_text(entry)))
    if manual:
        turns = [("user" if role == "function" else role, text) for role, text in turns]
        return tuple(_joined(turns))
    found: list[dict[str, Any]] = []
    plain: list[tuple[str, str]] = []
    pending = ""  # the call that nothing has come of yet
    for number, (role, text) in enumerate([*turns, ("end", "")]):
        call = json.loads(text).get("call") if role == "assistant" else None
        if pending:
            came = text if role == "function" else "OK"
            found.append({"role": "tool", "tool_call_id": pending, "content": came})
            pending = ""
            if role == "function":
                continue
        if call:
            pending = f"call_{number}"
            given = json.dumps(call["arguments"], ensure_ascii=False)
            made = {"name": call["function"], "arguments": given}
            one = {"id": pending, "type": "function", "function": made}
            found += _joined(plain)
            said = json.loads(text).get("thought", "")
            found.append({"role": "assistant", "content": said, "tool_calls": [one]})
            plain = []
        elif role != "end":
            plain.append(("user" if role == "function" else role, text))
    return (*found, *_joined(plain))


def _joined(turns: list[tuple[str, str]]) -> Iterator[dict[str, Any]]:
    """Turns as messages, those of one role in a row as one."""
    for role, run in groupby(turns, key=lambda turn: turn[0]):
        yield {"role": role, "content": "\n".join(text for _, text in run)}
