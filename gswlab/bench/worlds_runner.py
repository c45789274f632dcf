"""A run over worlds, resumable at any question.

1) a memory reads a world to its end  2) each of its questions: recall; read off an
answer; one row  3) the next world  4) score. A row is on disk before the next question.
"""

from __future__ import annotations

import csv
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from tqdm.auto import tqdm

from gswlab.bench import runner
from gswlab.bench.folder import RunFolder
from gswlab.bench.measures import contained, found_in
from gswlab.bench.rows import Asking, Rows, read_into
from gswlab.bench.statistics import bootstrap, clusters, interval
from gswlab.bench.task import Question, World, Worlds, asked_of
from gswlab.core.nouns import Answer, Evidence
from gswlab.core.protocols import Memory

# The figures of a run over worlds: means of rows, by setting, with their intervals.

MEASURES = (
    *("accuracy", "f1", "answer_in_window"),
    *("evidence_recall", "evidence_tokens"),
)
Row = Mapping[str, Any]


def figures(rows: Sequence[Row]) -> dict[str, Any]:
    """Every figure over all questions and by setting; without doubted labels beside.

    Questions that share a gold chunk are drawn together in the bootstrap.
    """
    told: dict[str, Any] = {"questions": len(rows), **_figures(rows)}
    sure = [row for row in rows if not row["doubted"]]
    if len(sure) < len(rows):
        told["undoubted"] = {"questions": len(sure), **_figures(sure)}
    return told


def _figures(rows: Sequence[Row]) -> dict[str, Any]:
    told: dict[str, Any] = {}
    for name in MEASURES:
        known = [row for row in rows if row.get(name) is not None]
        if known:
            told[name] = _by_setting(known, name)
    if wanted := [row for row in rows if row.get("evidence_recall") is not None]:
        told["evidence_chunks"] = _chunks(wanted)
    return told


def _by_setting(rows: Sequence[Row], name: str) -> dict[str, Any]:
    settings = dict.fromkeys(row["setting"] for row in rows)
    parts = {s: [row for row in rows if row["setting"] == s] for s in settings}
    return {s: _mean(part, name) for s, part in {"all": rows, **parts}.items()}


def _mean(rows: Sequence[Row], name: str) -> dict[str, Any]:
    return interval([float(row[name]) for row in rows], clusters(rows)).to_dict()


def _chunks(rows: Sequence[Row]) -> dict[str, Any]:
    """The share of gold chunks that evidence held, over all questions together."""
    held, wanted = (
        np.array([row[k] for row in rows], float) for k in ("held", "wanted")
    )
    share = bootstrap(
        len(rows), lambda n: float(held[n].sum() / wanted[n].sum()), clusters(rows)
    )
    return share.to_dict()


def headline(scores: Mapping[str, Any]) -> dict[str, Any]:
    """The figures one looks at first, flat: what the last line of a run prints."""
    names = ("config", "memory", "policy", "reader", "questions")
    line = {key: scores[key] for key in names if key in scores}
    means = {n: scores[n]["all"]["mean"] for n in MEASURES if n in scores}
    each = {s: figure["mean"] for s, figure in scores["accuracy"].items() if s != "all"}
    return {**line, **means, "accuracy_by_setting": each}


Posed = tuple[World, Question]
TIMED = ("reading", "recalling")  # what `ledger.json` has percentiles of


def run(lab: Asking, dataset: Worlds) -> dict[str, Any]:
    """Read, answer, score and write; returns the headline figures.

    Raises:
        StoppedError: its budget is spent, or somebody cancelled; what it has is kept.
    """
    data = {"document": lab.data, **dataset.hashes()}
    scores = lab.folder.read_json("scores.json")
    if scores.get("data") != data:
        if len(dataset.worlds) == 1:
            runner.read_all(lab)
        rows = list(_answered(lab, dataset))
        policy = getattr(lab.blank(), "policy", None)
        named = {**lab.names, **({"policy": policy.name} if policy else {})}
        told = {"worlds": len(dataset.worlds), **figures(rows)}
        scores = {"data": data, **named, **told}
        lab.folder.write_json("scores.json", scores)
        _time(lab.folder)
    return {**headline(scores), "run": str(lab.folder.path)}


def _answered(lab: Asking, dataset: Worlds) -> Iterator[dict[str, Any]]:
    """A row a question: those on disk are repeated, the others are asked."""
    asked = list(asked_of(dataset.worlds))
    world = None
    with Rows(lab) as rows:
        yield from rows.known
        unread = range(len(rows.known), len(asked))
        for number in tqdm(unread, unit="question", desc="asking"):
            if world is not asked[number][0]:
                world = asked[number][0]
                memory, seconds = _memory(lab, dataset, world)
                rows.time(world.name, {"reading": seconds})
                once = _Once(memory)
            row, times = _row(lab, dataset, once, number, asked[number])
            yield rows.keep(row, number, times)


def _memory(lab: Asking, dataset: Worlds, world: World) -> tuple[Memory, float]:
    """A memory that has read a world, and the seconds that took."""
    if len(dataset.worlds) == 1:
        return lab.memory, 0.0
    began = time.perf_counter()
    memory = read_into(lab.blank(), lab.document, world.chunks)
    return memory, time.perf_counter() - began


@dataclass
class _Once:
    """A memory that is not asked the same question twice in a row."""

    memory: Memory
    _last: tuple[str, Evidence] | None = None

    def recall(self, question: str, budget: int) -> tuple[Evidence, dict[str, float]]:
        """Its evidence, and the seconds that took, where it was asked."""
        if self._last and self._last[0] == question:
            return self._last[1], {}
        began = time.perf_counter()
        evidence = self.memory.recall(question, budget)
        self._last = question, evidence
        return evidence, {"recalling": time.perf_counter() - began}


def _row(
    lab: Asking,
    dataset: Worlds,
    once: _Once,
    row: int,
    asked: tuple[World, Question],
) -> tuple[dict[str, Any], dict[str, float]]:
    world, question = asked
    recalled, seconds = once.recall(question.question, dataset.wanted(lab.budget))
    began = time.perf_counter()
    evidence = dataset.handed(question, recalled, lab.budget)
    answer = lab.reader.answer(question.question, evidence)
    seconds = {**seconds, "answering": time.perf_counter() - began}
    told = runner.answer_row(row, question.question, answer, evidence)
    scored = _scored(dataset, world, question, evidence, answer)
    return {**told, **scored}, seconds


def _scored(
    dataset: Worlds,
    world: World,
    question: Question,
    evidence: Evidence,
    answer: Answer,
) -> dict[str, Any]:
    held, wanted = found_in(evidence, world.chunks, question.gold)
    counted = wanted and not question.absent
    there = None if question.absent else contained(evidence.text, question.answers)
    return {
        "id": question.id,
        "world": world.name,
        "setting": question.setting,
        "doubted": question.doubted,
        "gold": sorted(question.gold),
        "held": held,
        "wanted": wanted,
        "evidence_recall": held / wanted if counted else None,
        "answer_in_window": there,
        **dataset.worth(question, answer),
    }


def _time(folder: RunFolder) -> None:
    """Add milliseconds to the ledger: median, 95th percentile and the most."""
    with (folder.path / "timings.csv").open(encoding="utf-8", newline="") as file:
        rows = [(row["what"], float(row["seconds"])) for row in csv.DictReader(file)]
    bill = folder.read_json("ledger.json")
    for what in TIMED:
        if ms := [1000 * seconds for name, seconds in rows if name == what and seconds]:
            median, p95 = np.percentile(ms, [50, 95])
            told = {"median": median, "p95": p95, "most": max(ms)}
            bill[f"{what}_ms"] = {name: round(value, 2) for name, value in told.items()}
    folder.write_json("ledger.json", bill)
