"""The same questions to two futures: what each answers, and what each recalls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from gswlab.bench.judge import judged_by
from gswlab.bench.scoring import Scored, scores, strict_of
from gswlab.bench.statistics import paired
from gswlab.bench.texts import AskedText, Text
from gswlab.core.display import DataFrame, Displayed, framed
from gswlab.core.nouns import Answer, Evidence, visible
from gswlab.lab.lab import Lab


class BothReplies(NamedTuple):
    """What two futures say to one question; `shared` of `spans` both recalled."""

    question: str
    left: Answer
    right: Answer
    shared: int
    spans: int

    @property
    def equal(self) -> bool:
        """Whether both say the same, whatever they say it from."""
        return said(self.left) == said(self.right)

    @property
    def recalled(self) -> str:
        """How much of what either recalled both did."""
        if not self.spans:
            return "nothing recalled by either"
        return f"{self.shared} of {self.spans} recalled spans in both"


@dataclass(frozen=True)
class Replies(Displayed):
    """Answers side by side, a row a question."""

    replies: tuple[BothReplies, ...]

    @property
    def equal(self) -> bool:
        """Whether all answers are the same in both."""
        return all(reply.equal for reply in self.replies)

    def to_frame(self) -> DataFrame:
        """One row a question."""
        rows = [
            (r.question, said(r.left), said(r.right), r.equal, r.shared, r.spans)
            for r in self.replies
        ]
        names = ("question", "recorded", "fork", "equal", "shared", "spans")
        return framed(names, rows)

    def to_text(self) -> str:
        """The answers for a terminal: a question, then what both say to it."""
        return "\n".join(
            f"{visible(r.question)}\n  recorded: {said(r.left)}\n"
            f"  fork: {said(r.right)}{' (the same)' if r.equal else ''}"
            for r in self.replies
        )

    def __repr__(self) -> str:
        equal = sum(reply.equal for reply in self.replies)
        return f"Replies({equal} of {len(self.replies)} answers equal)"


def said(answer: Answer) -> str:
    """An answer as one line."""
    if answer.abstained:
        return f"no answer: {visible(answer.reason)}"
    return visible(", ".join(answer.items))


def ask_both(left: Lab, right: Lab, questions: tuple[str, ...]) -> Replies:
    """Ask both; a future is asked as it stands, and its journal is not touched."""
    rows = []
    for question in questions:
        (one, found), (other, recalled) = (
            lab.answer(question) for lab in (left, right)
        )
        rows.append(BothReplies(question, one, other, *shared_spans(found, recalled)))
    return Replies(tuple(rows))


def shared_spans(one: Evidence, other: Evidence) -> tuple[int, int]:
    """How many spans both rest on, and how many either does."""
    mine, theirs = ({s for i in each.items for s in i.spans} for each in (one, other))
    return len(mine & theirs), len(mine | theirs)


class Worth(NamedTuple):
    """Figures by name, and strict F1 question by question where questions have it."""

    figures: dict[str, float]
    strict: tuple[float, ...] = ()


def worth(lab: Lab) -> Worth | None:
    """The figures of a lab that has read to the end; None where nothing is asked.

    A run folder is neither read nor written for books; other datasets are run.
    """
    if not lab.finished or isinstance(lab.dataset, Text):
        return None
    if not isinstance(lab.dataset, AskedText):
        run = lab.run() if lab.mode == "a" else {}
        return Worth({k: v for k, v in run.items() if isinstance(v, int | float)})
    if not (questions := lab.dataset.load_questions()):
        return None
    told = [lab.answer(each.question) for each in questions]
    answered = zip(questions, (answer for answer, _ in told), strict=True)
    verdicts = judged_by(lab.judge, [*answered])
    found = scores(questions, [(a, e.tokens) for a, e in told], verdicts)
    names = ("strict", "lenient", "exact_match")
    figures = {f"{name}_f1": found[name]["overall"]["f1"]["mean"] for name in names}
    figures["evidence_tokens"] = found["evidence_tokens"]["mean"]
    missed = found["abstention"]
    figures |= {k: missed[k] for k in ("empty_answered", "answerable_abstained")}
    judged = (Scored(*pair) for pair in zip(questions, verdicts, strict=True))
    return Worth(figures, tuple(strict_of(one).f1 for one in judged))


def compare_scores(before: Worth | None, after: Worth | None) -> DataFrame:
    """Figures of a run and of its fork, empty where one has none.

    Strict F1 has the interval of the difference, paired by question.
    """
    rows: list[tuple[Any, ...]] = []
    if before and after:
        gap = paired(after.strict, before.strict) if after.strict else None
        for name in (n for n in before.figures if n in after.figures):
            was, now = before.figures[name], after.figures[name]
            own = gap if name == "strict_f1" else None
            ends = (own.low, own.high) if own else (None, None)
            rows.append((name, was, now, round(now - was, 4), *ends))
    return framed(("figure", "recorded", "fork", "difference", "low", "high"), rows)
