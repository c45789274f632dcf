"""What a run's answers are worth as it stands now, on its dataset's own scorer.

The gold goes to the judge alone: memories are asked the questions' words.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from gswlab.bench.report import scores
from gswlab.bench.scoring import Scored, strict_of
from gswlab.bench.statistics import Interval, paired
from gswlab.bench.texts import Asked, Text
from gswlab.lab import Lab

if TYPE_CHECKING:
    import pandas as pd

_TOLD = ("strict", "lenient", "exact_match")


class Worth(NamedTuple):
    """Figures by name, and strict F1 question by question where questions have it."""

    figures: dict[str, float]
    strict: tuple[float, ...] = ()

    def against(self, before: Worth) -> Interval | None:
        """The mean difference in strict F1 with its interval, paired by question."""
        return paired(self.strict, before.strict) if self.strict else None


def worth(lab: Lab) -> Worth | None:
    """The figures of a lab that has read to the end; None where nothing is asked.

    A run folder is neither read nor written for books; other datasets are run.
    """
    if not lab.finished or isinstance(lab.dataset, Text):
        return None
    if isinstance(lab.dataset, Asked):
        return _of_book(lab, lab.dataset)
    return Worth(_numbers(lab.run() if lab.mode == "a" else {}))


def _of_book(lab: Lab, dataset: Asked) -> Worth | None:
    questions = dataset.load_questions()
    if not questions:
        return None
    told = [lab.answer(each.question) for each in questions]
    verdicts = lab.judge.verdicts(
        [(each, answer) for each, (answer, _) in zip(questions, told, strict=True)]
    )
    found = scores(questions, [(a, e.tokens) for a, e in told], verdicts)
    figures = {f"{name}_f1": found[name]["overall"]["f1"]["mean"] for name in _TOLD}
    figures["evidence_tokens"] = found["evidence_tokens"]["mean"]
    missed = found["abstention"]
    figures |= {k: missed[k] for k in ("empty_answered", "answerable_abstained")}
    judged = (Scored(*pair) for pair in zip(questions, verdicts, strict=True))
    return Worth(figures, tuple(strict_of(one).f1 for one in judged))


def _numbers(headline: dict[str, Any]) -> dict[str, float]:
    return {k: v for k, v in headline.items() if isinstance(v, int | float)}


def held(
    before: Worth | None, after: Worth | None, sides: tuple[str, str]
) -> pd.DataFrame:
    """Figures of two against each other, empty where one has none.

    Strict F1 has the interval of the difference, paired by question.
    """
    import pandas as pd

    rows: list[tuple[Any, ...]] = []
    gap = after.against(before) if before and after else None
    for name, was in before.figures.items() if before and after else ():
        now = after.figures.get(name) if after else None
        if now is not None:
            ends = (gap.low, gap.high) if gap and name == "strict_f1" else (None, None)
            rows.append((name, was, now, round(now - was, 4), *ends))
    columns = ["figure", *sides, "difference", "low", "high"]
    return pd.DataFrame(rows, columns=columns)
