"""EpBench's figures from verdicts: F1 strict and lenient, recall, order, abstention.

Let G be the gold items, P the items answered, S the gold items found.

=========  ============================  =============================
           strict (the GSW paper)        lenient (EpBench's board)
=========  ============================  =============================
precision  S / P                         S / min(P, G)
recall     S / G                         S / G
G=0, P=0   all are 1                     F1 is 1
G=0, P>0   all are 0                     F1 is 0
G>0, P=0   precision undefined, F1 is 0  precision undefined, F1 is 0
=========  ============================  =============================

The judge removes duplicates before either. Strict and lenient figures are not
comparable with one another: each stands beside its own published table.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gswlab.bench.epbench import BINS, EpQuestion
from gswlab.bench.judge import Verdict, exact_match
from gswlab.bench.statistics import Interval, bootstrap, interval
from gswlab.core.nouns import Answer

Indices = NDArray[np.intp]
_NAN = float("nan")


@dataclass(frozen=True, slots=True)
class Score:
    """One question's figures; None where undefined (and left out of means)."""

    precision: float | None
    recall: float | None
    f1: float


_LOST = Score(None, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Scored:
    """A question with its verdict: what every figure below is a function of."""

    question: EpQuestion
    verdict: Verdict


def strict(gold: int, items: int, found: float) -> Score:
    """The GSW paper's figures: every extra item costs precision."""
    if gold == 0:
        right = float(items == 0)
        return Score(right, right, right)
    recall = found / gold
    if items == 0:
        return Score(None, recall, 0.0)
    precision = found / items
    both = precision + recall
    return Score(precision, recall, 2 * precision * recall / both if both else 0.0)


def lenient(gold: int, items: int, found: float) -> Score:
    """EpBench's figures: extra items are free while the gold is found."""
    if gold == 0:
        return Score(None if items == 0 else 0.0, None, float(items == 0))
    return strict(gold, min(items, gold), found)


def strict_of(scored: Scored) -> Score:
    """The strict score of a judged question; what failed is no right abstention."""
    verdict = scored.verdict
    if verdict.failed:
        return _LOST
    return strict(len(verdict.gold), len(verdict.items), verdict.found)


def worth_of(row: Mapping[str, Any]) -> float:
    """The strict F1 of a row of `verdicts.jsonl`."""
    said = tuple(row["gold"]), tuple(row["items"]), (), tuple(row["scores"])
    verdict = Verdict(*said, reason=row.get("reason", ""))
    lost, counts = verdict.failed, (len(verdict.gold), len(verdict.items))
    return 0.0 if lost else strict(*counts, verdict.found).f1


def lenient_of(scored: Scored) -> Score:
    """The lenient score of a judged question."""
    verdict = scored.verdict
    if verdict.failed:
        return _LOST
    return lenient(len(verdict.gold), len(verdict.items), verdict.found)


Rule = Callable[[Scored], Score]


def mean_of(
    rows: Sequence[Scored], rule: Rule, figure: str
) -> dict[str, float | int] | None:
    """A figure's mean with its interval; undefined ones are left out, as published."""
    values = [v for row in rows if (v := getattr(rule(row), figure)) is not None]
    return interval(values).to_dict() if values else None


def score_table(rows: Sequence[Scored], rule: Rule) -> dict[str, object]:
    """Precision, recall and F1: overall, by bin and by what is asked."""

    def cell(chosen: Sequence[Scored]) -> dict[str, object]:
        figures = ("precision", "recall", "f1")
        return {name: mean_of(chosen, rule, name) for name in figures}

    bins = {name: [row for row in rows if row.question.bin == name] for name in BINS}
    kinds = sorted({row.question.asked for row in rows})
    asked = {kind: [r for r in rows if r.question.asked == kind] for kind in kinds}
    return {
        "overall": cell(rows),
        "answerable": cell([row for row in rows if row.verdict.gold]),
        "bins": {name: cell(chosen) for name, chosen in bins.items() if chosen},
        "asked": {name: cell(chosen) for name, chosen in asked.items()},
    }


def simple_recall(rows: Sequence[Scored]) -> Interval | None:
    """Simple Recall: `get=all`, mean lenient F1 by bin, unweighted mean of the bins.

    Bin means are rounded to 2 decimals and the result to 3, as published; the
    interval resamples questions and is not rounded on the way.
    """
    rows = [row for row in rows if row.question.get == "all"]
    if not rows:
        return None
    f1 = np.array([lenient_of(row).f1 for row in rows])
    bins = np.array([BINS.index(row.question.bin) for row in rows])

    def bin_means(f1: NDArray[np.float64], bins: NDArray[np.int_]) -> list[float]:
        return [float(f1[bins == name].mean()) for name in np.unique(bins)]

    def statistic(drawn: Indices) -> float:
        return float(np.mean(bin_means(f1[drawn], bins[drawn])))

    spread = bootstrap(len(rows), statistic)
    rounded = [round(mean, 2) for mean in bin_means(f1, bins)]
    published = round(sum(rounded) / len(rounded), 3)
    return Interval(published, spread.low, spread.high, spread.n)


def all_times_tau(orders: Sequence[tuple[bool, float]]) -> float:
    """All x max(0, tau): 0 where nothing was found whole or tau is undefined."""
    taus = [tau for whole, tau in orders if whole and not math.isnan(tau)]
    if not orders or not taus:
        return 0.0 if orders else _NAN
    whole = sum(found for found, _ in orders) / len(orders)
    return float(whole * max(0.0, sum(taus) / len(taus)))


def ordered(rows: Sequence[Scored]) -> list[tuple[bool, float]]:
    """For each `chronological` question with two gold items or more: all found? tau?

    Tau-b of the gold's order against the answer's, nan unless all were found.
    """
    from scipy.stats import kendalltau  # slow to import; most commands score nothing

    found = []
    for row in rows:
        if row.question.get == "chronological" and len(row.verdict.gold) > 1:
            order = [match for match in row.verdict.matches if match is not None]
            whole = len(order) >= len(row.verdict.gold)
            tau = float(kendalltau(sorted(order), order).statistic) if whole else _NAN
            found.append((whole, tau))
    return found


def chronological_awareness(rows: Sequence[Scored]) -> dict[str, object] | None:
    """The mean of the latest part and of All x max(0, tau), with their pieces.

    The latest part is the lenient F1 of the `get=latest` questions that two or more
    chapters match.
    """
    chosen = [row for row in rows if row.question.get == "latest"]
    last = [lenient_of(row).f1 for row in chosen if row.question.matching >= 2]
    orders = ordered(rows)
    if not last or not orders:
        return None

    def statistic(drawn: Indices) -> float:
        recent = [last[i] for i in drawn if i < len(last)]
        lists = [orders[i - len(last)] for i in drawn if i >= len(last)]
        if not recent or not lists:
            return _NAN
        return float((sum(recent) / len(recent) + all_times_tau(lists)) / 2)

    taus = [tau for whole, tau in orders if whole]
    return {
        **bootstrap(len(last) + len(orders), statistic).to_dict(),
        "latest": interval(last).to_dict(),
        "all": interval([float(whole) for whole, _ in orders]).to_dict(),
        "tau": round(sum(taus) / len(taus), 4) if taus else None,
        "all_times_tau": round(all_times_tau(orders), 4),
    }


def abstention(rows: Sequence[Scored]) -> dict[str, int]:
    """How many empty questions were answered, and answered ones left empty."""
    empty = [row for row in rows if not row.verdict.gold]
    rest = [row for row in rows if row.verdict.gold]
    return {
        "empty": len(empty),
        "empty_answered": sum(bool(row.verdict.items) for row in empty),
        "answerable": len(rest),
        "answerable_abstained": sum(
            not (row.verdict.items or row.verdict.failed) for row in rest
        ),
    }


# Three signatures by which a memory fails, in every run's scores.


def recall_by_cues(rows: Sequence[Scored]) -> dict[str, Any]:
    """Mean strict recall with its interval by number of cues in braces, or None."""
    given = [(row.question.cue.count("{"), row) for row in rows if row.verdict.gold]
    by_cues = {n: [row for cues, row in given if cues == n] for n in range(1, 5)}
    return {str(n): mean_of(own, strict_of, "recall") for n, own in by_cues.items()}


def tokens_and_chapters(
    tokens: Sequence[int], matching: Sequence[int]
) -> dict[str, float | int] | None:
    """Spearman's rho with its interval; None where it is undefined."""
    values = [np.unique(row, return_inverse=True)[1] for row in (tokens, matching)]

    def rho(drawn: Indices | slice = slice(None)) -> float:
        ranks: list[Any] = []
        for row in values:
            counts = np.bincount(row[drawn])
            if np.count_nonzero(counts) < 2:
                return _NAN
            means = counts.cumsum() - (counts - 1) / 2  # of those with one value
            ranks.append(means[row[drawn]])
        return float(np.corrcoef(ranks)[0, 1])

    return None if math.isnan(rho()) else bootstrap(len(tokens), rho).to_dict()


def scores(
    questions: Sequence[EpQuestion],
    answers: Sequence[tuple[Answer, int]],
    verdicts: Sequence[Verdict],
) -> dict[str, Any]:
    """Every published figure of EpBench; an answer comes with its evidence tokens."""
    pairs = list(zip(questions, answers, strict=True))
    judged = [Scored(*judged) for judged in zip(questions, verdicts, strict=True)]
    exact = [Scored(q, exact_match(q, answer)) for q, (answer, _) in pairs]
    recall = simple_recall(judged)
    tokens = [tokens for _, tokens in answers]
    matching = [question.matching for question in questions]
    return {
        "questions": len(questions),
        "correct": sum(strict_of(one).f1 == 1 for one in judged),
        "strict": score_table(judged, strict_of),
        "lenient": score_table(judged, lenient_of),
        "exact_match": score_table(exact, strict_of),
        "simple_recall": recall.to_dict() if recall else None,
        "chronological_awareness": chronological_awareness(judged),
        "abstention": abstention(judged),
        "failed": {
            "answers": sum(answer.failed for answer, _ in answers),
            "verdicts": sum(v.failed and bool(v.items) for v in verdicts),
        },
        "evidence_tokens": {**interval(tokens).to_dict(), "max": max(tokens)},
        "recall_by_cues": recall_by_cues(judged),
        "tokens_and_chapters": tokens_and_chapters(tokens, matching),
    }
