"""An answer in the text it rests on, and any sentence with what it became.

>>> view = ink(lab, "Who was arrested?")                          # doctest: +SKIP
>>> view.to_frame()                                               # doctest: +SKIP
>>> view.page.write("ink.html")                                   # doctest: +SKIP

The page has the whole text: choose an answer and its sentences light, choose a sentence
and see what it became; what left no trace can be shaded.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from gswlab.core.nouns import visible
from gswlab.view.ink.chain import Rests, chain
from gswlab.view.ink.given import Asked, answers_of, asked_of
from gswlab.view.ink.heat import Heat
from gswlab.view.ink.held import Holdings
from gswlab.view.ink.page import ink_page
from gswlab.view.run.page import Page

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Ink:
    """Answers and the ink they rest on: a page in a notebook, a line elsewhere."""

    heat: Heat
    asked: tuple[Asked, ...]

    @cached_property
    def rests(self) -> tuple[tuple[Rests, ...], ...]:
        """What each answer rests on: its items first, then what supports them."""
        return tuple(chain(self.heat.held, one) for one in self.asked)

    def to_frame(self) -> pd.DataFrame:
        """A row a link: question, item, what was held, its step, a span."""
        import pandas as pd

        rows = [
            (one.question, *rest)
            for one, rests in zip(self.asked, self.rests, strict=True)
            for rest in rests
        ]
        return pd.DataFrame(rows, columns=["question", *Rests._fields])

    def page(self) -> Page:
        """The page, whole in one file."""
        return ink_page(self.heat, self.asked, self.rests)

    def _repr_html_(self) -> str:
        return self.page()._repr_html_()

    def __repr__(self) -> str:
        one = self.asked[0] if len(self.asked) == 1 else None
        items = ", ".join(one.answer.items) or "no answer" if one else ""
        told = visible(items) if one else f"{len(self.asked)} answers"
        many, steps = _many(self.rests)
        return f"Ink({told}: rests on {many} holdings, made by {steps} steps)"


def ink(of: Any, *what: Any) -> Ink:
    """The ink of questions, asked now, or of answers; without any, of the run's own.

    Args:
        of: a lab, or a journal (which answers no questions).
        what: questions, and answers that it gave.
    """
    asked = asked_of(of, what) if what else answers_of(of)
    recalled = (*answers_of(of), *(one for one in asked if what))
    return Ink(Heat(Holdings(of), recalled), asked)


def _many(rests: tuple[tuple[Rests, ...], ...]) -> tuple[int, int]:
    found = [rest for each in rests for rest in each]
    held = {(r.noun, r.kind, r.name, r.field, r.text, r.step) for r in found}
    return len(held), len({rest.step for rest in found})
