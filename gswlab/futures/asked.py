"""The same questions to two futures: what each answers, and what each recalls."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from gswlab.core.nouns import Answer, Evidence, Span, visible
from gswlab.lab import Lab
from gswlab.view.futures.futures import Row, fragment, marked_table

if TYPE_CHECKING:
    import pandas as pd


class Reply(NamedTuple):
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
class Replies:
    """Answers side by side, a row a question."""

    replies: tuple[Reply, ...]

    @property
    def equal(self) -> bool:
        """Whether all answers are the same in both."""
        return all(reply.equal for reply in self.replies)

    def to_frame(self) -> pd.DataFrame:
        """One row a question."""
        import pandas as pd

        rows = [
            (r.question, said(r.left), said(r.right), r.equal, r.shared, r.spans)
            for r in self.replies
        ]
        names = ("question", "recorded", "fork", "equal", "shared", "spans")
        return pd.DataFrame(rows, columns=list(names))

    def to_text(self) -> str:
        """The answers for a terminal: a question, then what both say to it."""
        return "\n".join(
            f"{visible(r.question)}\n  recorded: {said(r.left)}\n"
            f"  fork: {said(r.right)}{' (the same)' if r.equal else ''}"
            for r in self.replies
        )

    def to_html(self) -> str:
        """The answers as a table of a page."""
        heads = ("question", "recorded", "in the fork", "recalled")
        return marked_table(repr(self), heads, [_row(reply) for reply in self.replies])

    def _repr_html_(self) -> str:
        return fragment((), {"Answers of both futures": self.to_html()})

    def __repr__(self) -> str:
        equal = sum(reply.equal for reply in self.replies)
        return f"Replies({equal} of {len(self.replies)} answers equal)"


def _row(reply: Reply) -> Row:
    cells = (reply.question, said(reply.left), said(reply.right), reply.recalled)
    return Row("same" if reply.equal else "changed", cells)


def said(answer: Answer) -> str:
    """An answer as one line."""
    if answer.abstained:
        return f"no answer: {visible(answer.reason)}"
    return visible(", ".join(answer.items))


def asked(left: Lab, right: Lab, questions: tuple[str, ...]) -> Replies:
    """Ask both; a future is asked as it stands, and its journal is not touched."""
    return Replies(tuple(_reply(left, right, question) for question in questions))


def _reply(left: Lab, right: Lab, question: str) -> Reply:
    (one, found), (other, recalled) = (lab.answer(question) for lab in (left, right))
    mine, theirs = spans_of(found), spans_of(recalled)
    return Reply(question, one, other, len(mine & theirs), len(mine | theirs))


def spans_of(evidence: Evidence) -> frozenset[Span]:
    """The characters that recalled evidence rests on."""
    return frozenset(span for item in evidence.items for span in item.spans)
