"""A run over multi-hop questions, resumable at any question.

1) read the pool, where there is one  2) for each question: read its own paragraphs,
where it has a world of its own; recall; read off an answer; one row  3) score.
A row is on disk before the next question is asked.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tqdm.auto import tqdm

from gswlab.bench import runner
from gswlab.bench.hops.dataset import Hops
from gswlab.bench.hops.gated import gated
from gswlab.bench.hops.measures import exact, f1, fact_f1, recall
from gswlab.bench.hops.nouns import HopQuestion
from gswlab.bench.hops.report import DEPTHS, figures, headline
from gswlab.bench.hops.tokens import by_tokens
from gswlab.bench.hops.worlds import World
from gswlab.bench.rows import Asking, Rows, read_into
from gswlab.core.budget import tokens_of
from gswlab.core.nouns import Answer, Evidence
from gswlab.core.protocols import Memory


def run(lab: Asking, dataset: Hops) -> dict[str, Any]:
    """Read, answer, score and write; returns the headline figures.

    Raises:
        StoppedError: its budget is spent, or somebody cancelled; what it has is kept.
    """
    data = {"document": lab.data, **dataset.hashes()}
    scores = lab.folder.read_json("scores.json")
    if scores.get("data") != data:
        if dataset.world == "pool":
            runner.read_all(lab)
        rows = list(_answered(lab, dataset))
        scores = {"data": data, **lab.names, "world": dataset.world, **figures(rows)}
        lab.folder.write_json("scores.json", scores)
    return {**headline(scores), "run": str(lab.folder.path)}


def _answered(lab: Asking, dataset: Hops) -> Iterator[dict[str, Any]]:
    """A row a question: those on disk are repeated, the others are asked."""
    with Rows(lab) as rows:
        yield from rows.known
        unread = range(len(rows.known), len(dataset.questions))
        for number in tqdm(unread, unit="question", desc="answering"):
            row, seconds = _row(lab, dataset, number)
            yield rows.keep(row, number, seconds)


def _row(
    lab: Asking, dataset: Hops, number: int
) -> tuple[dict[str, Any], dict[str, float]]:
    question, world = dataset.questions[number], dataset.searched
    clock = [time.perf_counter()]
    memory = _memory(lab, dataset, question)
    clock.append(time.perf_counter())
    before = dict(getattr(memory, "seconds", {}))  # a memory's own clocks go on
    evidence = memory.recall(question.question, lab.budget)
    clock.append(time.perf_counter())
    own = dict(getattr(memory, "seconds", {}))
    handed = first(evidence, world, dataset.paragraphs)
    answer = lab.reader.answer(question.question, handed)
    clock.append(time.perf_counter())
    whats = ("indexing", "querying", "answering")
    seconds = {what: clock[n + 1] - clock[n] for n, what in enumerate(whats)}
    seconds |= {what: own[what] - before.get(what, 0.0) for what in own}
    told = runner.answer_row(number, question.question, answer, handed)
    return {**told, **_scored(question, world, evidence, answer)}, seconds


def _memory(lab: Asking, dataset: Hops, question: HopQuestion) -> Memory:
    """The memory that knows the pool, or one of the question's own world."""
    if dataset.world == "pool":
        pool: Memory = lab.memory
        return pool
    world = dataset.searched
    chunks = [world.chunks[row] for row in world.rows(question)]
    return read_into(lab.blank(), world.document, chunks)


def first(evidence: Evidence, world: World, most: int) -> Evidence:
    """The items up to the one that would bring in more than `most` paragraphs."""
    seen: set[int] = set()
    items = []
    for item in evidence.items:
        seen |= {world.row(span) for span in item.spans}
        if len(seen) > most:
            break
        items.append(item)
    return replace(evidence, items=tuple(items), tokens=tokens_of(items))


def _scored(
    question: HopQuestion, world: World, evidence: Evidence, answer: Answer
) -> dict[str, Any]:
    gold, ranked = world.gold(question), world.ranked(evidence)
    said, spans = ", ".join(answer.items), answer.spans
    return {
        "id": question.id,
        "kind": question.kind,
        "ranked": [row + 1 for row in ranked[: DEPTHS[-1]]],
        "gold": sorted(row + 1 for row in gold),
        **{f"recall@{k}": recall(ranked, gold, k) for k in DEPTHS},
        **by_tokens(evidence, world, gold),
        "gates": gated(evidence.trace),
        "em": exact(said, question.answers),
        "f1": f1(said, question.answers),
        "fact_f1": fact_f1(question, world, spans, own_split=False),
        "fact_f1_own_split": fact_f1(question, world, spans, own_split=True),
    }
