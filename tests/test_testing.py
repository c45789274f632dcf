"""What is said of an object that is to be a memory."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import pytest

from gswlab.core.budget import count_tokens
from gswlab.core.nouns import Chunk, Evidence, Item, Span
from gswlab.core.step import Step
from gswlab.lab import config
from gswlab.lab.settings import build
from gswlab.testing import check_memory


@dataclass
class Last:
    """A memory of the last chunk, whole and right."""

    chunks: list[Chunk] = field(default_factory=list)

    def partial_fit(self, chunk: Chunk) -> Step:
        self.chunks.append(chunk)
        return Step(len(self.chunks), chunk.id)

    def finish(self) -> Step:
        return Step(len(self.chunks), None)

    def recall(self, question: str, budget: int) -> Evidence:
        last = self.chunks[-1:]
        fits = [c for c in last if count_tokens(c.text) <= budget]
        items = tuple(Item(c.text, (c.span,), c.chapter, 1.0) for c in fits)
        return Evidence(items, sum(count_tokens(i.text) for i in items))

    def clone(self) -> Last:
        return Last()


class Itself(Last):
    def clone(self) -> Last:
        return self


class Greedy(Last):
    def recall(self, question: str, budget: int) -> Evidence:
        return super().recall(question, 10_000)

    def clone(self) -> Last:
        return Greedy()


class Miscounting(Last):
    def recall(self, question: str, budget: int) -> Evidence:
        return replace(super().recall(question, budget), tokens=1)

    def clone(self) -> Last:
        return Miscounting()


class Inventing(Last):
    def recall(self, question: str, budget: int) -> Evidence:
        return Evidence((Item("", (Span("else", 0, 4),), None, 1.0),), 0)

    def clone(self) -> Last:
        return Inventing()


class Silent(Last):
    def partial_fit(self, chunk: Chunk) -> None:  # type: ignore[override]
        self.chunks.append(chunk)

    def clone(self) -> Last:
        return Silent()


class Broken(Last):
    def recall(self, question: str, budget: int) -> Evidence:
        raise RuntimeError("no index")

    def clone(self) -> Last:
        return Broken()


class Counting(Last):
    made = 0

    def recall(self, question: str, budget: int) -> Evidence:
        Counting.made += 1
        found = super().recall(question, budget)
        return replace(found, items=found.items[: Counting.made % 2], tokens=0)

    def clone(self) -> Last:
        return Counting()


def test_a_memory_that_keeps_its_promises_is_one() -> None:
    found = check_memory(Last())
    assert found.ok
    assert repr(found) == "Last keeps every promise of a memory"


@pytest.mark.parametrize(
    ("memory", "says"),
    [
        (object(), "it has no method partial_fit"),
        (Itself(), "clone returns the object itself"),
        (Greedy(), "recall with a budget of 15 tokens hands over"),
        (Miscounting(), "says 1 tokens, its text has"),
        (Inventing(), "which the text does not have"),
        (Silent(), "returns nothing, no Step"),
        (Broken(), "RuntimeError while it was tried: no index"),
        (Counting(), "two clones that read the same hand over different evidence"),
    ],
)
def test_what_is_wrong_is_said_in_words(memory: object, says: str) -> None:
    found = check_memory(memory)
    assert not found.ok
    assert says in repr(found)
    assert f"\n{found.problems[0][:10]}" in repr(found)


OURS = sorted(job.removeprefix("memory=") for (job,) in config.jobs(["memory=all"]))


@pytest.mark.parametrize("name", OURS)
def test_every_memory_of_ours_keeps_its_promises(name: str) -> None:
    settings = config._composed((f"memory={name}",)).settings
    found = check_memory(build(settings["memory"], "memory"))
    assert found.ok, found
