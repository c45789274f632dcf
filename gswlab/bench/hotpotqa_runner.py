"""A run over multi-hop questions, resumable at any question.

1) read the pool, where there is one  2) for each question: read its own paragraphs,
where it has a world of its own; recall; read off an answer; one row  3) score.
A row is on disk before the next question is asked.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

import numpy as np
from tqdm.auto import tqdm

from gswlab.bench import measures as tokens
from gswlab.bench import runner
from gswlab.bench.hotpotqa import HopQuestion, Hops, World
from gswlab.bench.measures import DEPTHS, by_tokens, exact, f1, fact_f1, recall
from gswlab.bench.rows import Asking, Rows, read_into
from gswlab.bench.statistics import bootstrap, clusters, interval
from gswlab.core.budget import tokens_of
from gswlab.core.nouns import Answer, Evidence, TraceEvent
from gswlab.core.protocols import Memory
from gswlab.gedig.record import KIND, read

MEANS = ("ag_first", "ag_last", "dg_first", "dg_last", "gauge", "edges", "rounds",
         "forced")  # fmt: skip


def gated(trace: Sequence[TraceEvent]) -> dict[str, Any] | None:
    """What a question's trace tells of gates; None where nothing decided."""
    made = [event for event in trace if "action" in event.data]
    if not made:
        return None
    prices = read(trace)
    actions = [str(event.data["action"]) for event in made]
    told: dict[str, Any] = {
        "decisions": len(made),
        "fires": sum(bool(price.data["ag"]) for price in prices),
        "follows": actions.count("follow"),
        "rounds": sum(action != "answer" for action in actions),
        "forced": float(bool(made[-1].data.get("forced"))),
    }
    if not prices:
        return told
    first, last = prices[0].data, prices[-1].data
    fired = {
        f"{gate}_{when}": float(data[gate])
        for gate in ("ag", "dg")
        for when, data in (("first", first), ("last", last))
    }
    edges = sum(len(price.data["edges"]) for price in prices)
    return {**told, **fired, "gauge": float(last["g_min"]), "edges": edges}


def gate_figures(rows: Sequence[Row], clusters: Sequence[int]) -> dict[str, Any]:
    """Means over questions, and the rates of AG and of links followed."""
    pairs = [(r.get("gates"), c) for r, c in zip(rows, clusters, strict=True)]
    known = [(told, cluster) for told, cluster in pairs if told]
    figures: dict[str, Any] = {}
    for name in MEANS:
        kept = [(told[name], c) for told, c in known if name in told]
        if kept:
            values, homes = zip(*kept, strict=True)
            figures[name] = interval(values, homes).to_dict()
    asked = np.array([told["decisions"] for told, _ in known], float)
    for name in ("fires", "follows") if known else ():
        count = np.array([told[name] for told, _ in known], float)

        def rate(drawn: Any, count: Any = count) -> float:
            return float(count[drawn].sum() / asked[drawn].sum())

        figures[name] = bootstrap(len(known), rate, [c for _, c in known]).to_dict()
    return figures


FIGURES = (
    *(f"recall@{k}" for k in DEPTHS),
    "em",
    "f1",
    "fact_f1",
    "fact_f1_own_split",
    "evidence_tokens",
    *tokens.FIGURES,
)
Row = Mapping[str, Any]


def figures(rows: Sequence[Row]) -> dict[str, Any]:
    """Every figure over all questions, and by kind of question where there are kinds.

    Questions that share a gold paragraph are drawn together in the bootstrap.
    """
    kinds = sorted({row["kind"] for row in rows if row["kind"]})
    told = {
        kind: _means([row for row in rows if row["kind"] == kind]) for kind in kinds
    }
    gates = (
        gate_figures(rows, clusters(rows)) if any(r.get("gates") for r in rows) else {}
    )
    more = {"gates": gates} if gates else {}
    return {"questions": len(rows), **_means(rows), **more, "by_kind": told}


def headline(scores: Mapping[str, Any]) -> dict[str, Any]:
    """The figures one looks at first, flat: what the last line of a run prints."""
    line = {key: scores[key] for key in ("config", "memory", "reader", "questions")}
    means = {name: scores[name]["mean"] for name in FIGURES if name in scores}
    bounds = [scores["recall@5"]["low"], scores["recall@5"]["high"]]
    return {**line, **means, "recall@5_interval": bounds}


def _means(rows: Sequence[Row]) -> dict[str, Any]:
    known = {name: [r for r in rows if r.get(name) is not None] for name in FIGURES}
    return {
        name: interval([row[name] for row in kept], clusters(kept)).to_dict()
        for name, kept in known.items()
        if kept
    }


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


class Recalling(Protocol):
    """What is needed of a `Lab` over a pool that was read."""

    @property
    def dataset(self) -> Hops:
        """The questions, their gold, and the pool that was read."""

    def recall(self, question: str) -> Evidence:
        """What the memory hands over, with the price of each step in its trace."""


def completeness(lab: Recalling) -> list[tuple[float, bool]]:
    """Of each price of each question: g_min, and whether all gold was held by then.

    The first price of a question is left out: nothing is held yet.
    """
    world, found = lab.dataset.searched, []
    for question in lab.dataset.questions:
        left = set(world.gold(question))
        for number, event in enumerate(lab.recall(question.question).trace):
            if number and event.kind == KIND:
                found.append((float(str(event.data["g_min"])), not left))
            left -= {world.row(span) for span in event.spans}
    return found
