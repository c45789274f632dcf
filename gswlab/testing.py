"""Does an object keep the promises of a memory? In words, for whoever writes one.

>>> from gswlab.baselines.bm25 import BM25
>>> check_memory(BM25())
BM25 keeps every promise of a memory
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from gswlab.core.budget import count_tokens
from gswlab.core.codec import canonical
from gswlab.core.nouns import Evidence
from gswlab.core.step import Step
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of

_TEXT = """Chapter 1

Ann Ray left Kobe on May 7, 2024. She took the night ferry to Oban. Rain fell.

Chapter 2

On May 9, 2024, Bo Lind met her at the Old Pier. They sang until dawn.
"""
_QUESTION, _BUDGET, _SMALL = "Where was Ann Ray on May 7, 2024?", 200, 15
_VERBS = ("partial_fit", "finish", "recall", "clone")


@dataclass(frozen=True)
class Report:
    """What is wrong with an object that is to be a memory; nothing, if it is one."""

    name: str
    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def __repr__(self) -> str:
        if self.ok:
            return f"{self.name} keeps every promise of a memory"
        return "\n".join((f"{self.name} is no memory yet:", *self.problems))


def check_memory(memory: Any) -> Report:
    """Read a small text with clones of `memory`, ask it, and say what is wrong.

    The object itself is left as it is: everything happens to what `clone` returns.
    """
    name = type(memory).__name__
    missing = [verb for verb in _VERBS if not callable(getattr(memory, verb, None))]
    if missing:
        return Report(name, tuple(f"it has no method {verb}" for verb in missing))
    problems: list[str] = []
    for check in (_reads, _recalls, _repeats):
        try:
            problems += check(memory)
        except Exception as error:  # what a memory raises is what is wrong with it
            said = " ".join(str(error).split()) or "no message"
            problems.append(f"{type(error).__name__} while it was tried: {said}")
            break
    return Report(name, tuple(dict.fromkeys(problems)))


def _read(memory: Any) -> Any:
    fresh = memory.clone()
    for chunk in chunks(document_of(_TEXT, "check"), sentences=2):
        fresh.partial_fit(chunk)
    fresh.finish()
    return fresh


def _reads(memory: Any) -> Iterator[str]:
    fresh = memory.clone()
    if fresh is memory:
        yield "clone returns the object itself: a fork would change its origin"
    if type(fresh) is not type(memory):
        yield f"clone returns a {type(fresh).__name__}"
    for chunk in chunks(document_of(_TEXT, "check"), sentences=2):
        yield from _step(fresh.partial_fit(chunk), f"partial_fit({chunk.id})")
    yield from _step(fresh.finish(), "finish()")
    yield from _step(fresh.finish(), "finish() called again")


def _step(step: Any, what: str) -> Iterator[str]:
    if not isinstance(step, Step):
        yield f"{what} returns {_called(step)}, no Step"
        return
    try:
        canonical(step)
    except Exception as error:
        yield f"{what} returns a step that cannot be kept: {error}"


def _recalls(memory: Any) -> Iterator[str]:
    fresh = _read(memory)
    for budget in (_BUDGET, _SMALL, 0):
        found = fresh.recall(_QUESTION, budget)
        what = f"recall with a budget of {budget} tokens"
        if not isinstance(found, Evidence):
            yield f"{what} returns {_called(found)}, no Evidence"
            continue
        counted = count_tokens(found.text)
        if found.tokens != counted:
            yield f"{what} says {found.tokens} tokens, its text has {counted}"
        if counted > budget:
            yield f"{what} hands over {counted}"
        for item in found.items:
            if any(e.votes or e.terms or e.hypotheses for e in item.facts):
                yield f"{what} hands over more than is written out and counted"
            if not item.spans:
                yield f"{what} hands over {item.text[:40]!r} without a span it rests on"
            for s in item.spans:
                if s.document != "check" or not 0 <= s.start <= s.end <= len(_TEXT):
                    yield f"{what} cites {s}, which the text does not have"


def _repeats(memory: Any) -> Iterator[str]:
    def once(read: Callable[[], Any]) -> str:
        return canonical(read().recall(_QUESTION, _BUDGET))

    if once(lambda: _read(memory)) != once(lambda: _read(memory)):
        yield "two clones that read the same hand over different evidence"
    known, unread = canonical(_read(memory).recall(_QUESTION, _BUDGET)), memory.clone()
    unread.finish()
    if canonical(unread.recall(_QUESTION, _BUDGET)) == known and "Kobe" in known:
        yield "a clone that read nothing recalls the text: it is not unfitted"


def _called(value: Any) -> str:
    return "nothing" if value is None else f"a {type(value).__name__}"
