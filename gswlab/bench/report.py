"""A run's figures: `scores.json` whole, and the headline printed as the last line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gswlab.bench.epbench import EpQuestion
from gswlab.bench.judge import ExactMatch, Judge, Verdict
from gswlab.bench.scoring import (
    Scored,
    abstention,
    chronological_awareness,
    lenient_of,
    recall_by_cues,
    simple_recall,
    strict_of,
    table,
    tokens_and_chapters,
)
from gswlab.bench.statistics import interval
from gswlab.bench.tuples import GoldTuple, recovered
from gswlab.core.nouns import Answer, Episode
from gswlab.models.ask_trace import FAILED
from gswlab.view.kit.tables import html_table

if TYPE_CHECKING:
    import pandas as pd


# The figures of a run: a mapping of their names, a line and a table for people.

SOME = 5  # figures in one line


class Scores(dict[str, Any]):
    """What `lab.run()` returns: figures by name, intervals within.

    >>> Scores(questions=3, strict={"f1": 0.5})
    Scores(questions 3, strict.f1 0.5)
    """

    def to_frame(self) -> pd.DataFrame:
        """One row a figure, by its name and those it stands under."""
        import pandas as pd

        rows = list(flat(self))
        return pd.DataFrame(rows, columns=["figure", "value"]).set_index("figure")

    def __repr__(self) -> str:
        told = [f"{name} {value}" for name, value in flat(self)]
        rest = len(told) - SOME
        more = [f"and {rest} more"] if rest > 0 else []
        return f"Scores({', '.join([*told[:SOME], *more])})"

    def _repr_html_(self) -> str:
        return html_table("Figures of the run", ("figure", "value"), [*flat(self)])


def flat(found: Mapping[str, Any], under: str = "") -> Iterator[tuple[str, str]]:
    """Every figure by its path, in words; an interval is one figure.

    >>> list(flat({"strict": {"f1": 0.25}}))
    [('strict.f1', '0.25')]
    """
    for key, value in found.items():
        if isinstance(value, Mapping) and "mean" in value:
            mean, low, high = (value[name] for name in ("mean", "low", "high"))
            yield under + key, f"{mean} [{low}, {high}] n={value['n']}"
        elif isinstance(value, Mapping):
            yield from flat(value, f"{under}{key}.")
        else:
            yield under + key, str(value)


def scores(
    questions: Sequence[EpQuestion],
    answers: Sequence[tuple[Answer, int]],
    verdicts: Sequence[Verdict],
) -> dict[str, Any]:
    """Every published figure of EpBench; an answer comes with its evidence tokens."""
    pairs = list(zip(questions, answers, strict=True))
    judged = [Scored(*judged) for judged in zip(questions, verdicts, strict=True)]
    exact = [Scored(q, ExactMatch().verdict(q, answer)) for q, (answer, _) in pairs]
    recall = simple_recall(judged)
    tokens = [tokens for _, tokens in answers]
    return {
        "questions": len(questions),
        "correct": sum(strict_of(one).f1 == 1 for one in judged),
        "strict": table(judged, strict_of),
        "lenient": table(judged, lenient_of),
        "exact_match": table(exact, strict_of),
        "simple_recall": recall.to_dict() if recall else None,
        "chronological_awareness": chronological_awareness(judged),
        "abstention": abstention(judged),
        "failed": {
            "answers": _failures(answer.reason for answer, _ in answers),
            "verdicts": _failures(verdict.reason for verdict in verdicts),
        },
        "evidence_tokens": {**interval(tokens).to_dict(), "max": max(tokens)},
        "recall_by_cues": recall_by_cues(judged),
        "tokens_and_chapters": tokens_and_chapters(
            tokens, [question.matching for question in questions]
        ),
    }


def _failures(reasons: Iterable[str]) -> int:
    """How many answers or verdicts are what they are because a model failed."""
    return sum(reason.startswith(FAILED) for reason in reasons)


def tuple_recovery(
    gold: Mapping[int, GoldTuple], episodes: Sequence[Episode], judge: Judge
) -> dict[str, Any] | None:
    """Which chapters' tuples were bound, where the dataset has the gold ones."""
    return recovered(dict(gold), episodes, judge) if gold else None


def headline(figures: Mapping[str, Any]) -> dict[str, Any]:
    """The figures one looks at first, flat: what the last line of a run prints."""
    invented = figures["invented"]["invented"]
    if "strict" not in figures:
        known = {"config": figures["config"], **figures["workspace"]}
        return {**known, "invented": invented}
    missed = figures["abstention"]
    line: dict[str, Any] = {
        "config": figures["config"],
        "questions": figures["questions"],
        "strict_f1": _mean(figures["strict"]["overall"]["f1"]),
        "strict_f1_interval": _bounds(figures["strict"]["overall"]["f1"]),
        "lenient_f1": _mean(figures["lenient"]["overall"]["f1"]),
        "exact_match_f1": _mean(figures["exact_match"]["overall"]["f1"]),
        "simple_recall": _mean(figures["simple_recall"]),
        "chronological_awareness": _mean(figures["chronological_awareness"]),
        "empty_answered": f"{missed['empty_answered']} of {missed['empty']}",
        "answerable_abstained": (
            f"{missed['answerable_abstained']} of {missed['answerable']}"
        ),
        "evidence_tokens": _mean(figures["evidence_tokens"]),
        "recall_by_cues": [_mean(f) for f in figures["recall_by_cues"].values()],
        "invented": invented,
        "tokens_and_chapters": _mean(figures["tokens_and_chapters"]),
    }
    if any((failed := figures.get("failed", {})).values()):
        line["failed"] = failed
    if tuples := figures.get("tuples"):
        line["tuples"] = f"{tuples['complete']} of {tuples['chapters']}"
    return line


def _mean(figure: Mapping[str, Any] | None) -> float | None:
    return figure["mean"] if figure else None


def _bounds(figure: Mapping[str, Any]) -> list[float]:
    return [figure["low"], figure["high"]]
