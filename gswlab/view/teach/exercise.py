"""Self-checks for a class: guess first, then let the run say.

An exercise is made where the lesson computes its truth, from the run and nothing else;
the cell a learner fills in then says `check_1(...)` and shows neither. What a check
says never holds the answer.

>>> check_1 = exercise(3)
>>> check_1(...)
Your turn: put your guess in place of the three dots.
>>> check_1(2)
Not yet: 2 is too low. Look again, then try another.
>>> check_1(3)
Right.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection
from dataclasses import dataclass, field
from html import escape
from numbers import Real
from typing import Any

from gswlab.view.kit.tables import column_of

_NEAR = 0.005  # a figure is read off a page that shows two decimals
_SIGN = {"turn": "…", "right": "✓", "wrong": "✗"}


@dataclass(frozen=True, slots=True)
class ExerciseResult:
    """What a check says: `turn`, `right` or `wrong`, in the learner's language."""

    outcome: str
    text: str

    def _repr_html_(self) -> str:
        sign = f'<b aria-hidden="true">{_SIGN[self.outcome]}</b>'
        return f'<p role="status">{sign} {escape(self.text)}</p>'

    def __repr__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Exercise:
    """A question whose answer the run has: call it with a guess.

    Names are compared without their case and width, figures to two decimals, tuples
    and lists in their order, sets in none.
    """

    truth: Any = field(repr=False)
    language: str = "en"

    def __call__(self, guess: Any) -> ExerciseResult:
        """Whether a guess is right, and how it is wrong; `...` asks for a guess."""
        words = column_of("teach/exercise.tsv", self.language)
        if guess is ...:
            return ExerciseResult("turn", words["turn"])
        if _same(guess, self.truth):
            return ExerciseResult("right", words["right"])
        how, counts = "said", {}
        if _figure(guess) and _figure(self.truth):
            how = "low" if guess < self.truth else "high"
        elif isinstance(guess, _LISTED) and isinstance(self.truth, _LISTED):
            how, hits = "part", _hits(guess, self.truth)
            counts = {"hits": hits, "given": len(guess), "wanted": len(self.truth)}
        said = words[how].format(guess=repr(guess), **counts)
        return ExerciseResult("wrong", words["wrong"].format(said=said))


def exercise(truth: object, language: str = "en") -> Exercise:
    """An exercise with this answer; its checks speak `language`, en or ja.

    >>> exercise(3, "ja")(3)
    正解です。
    """
    return Exercise(truth, language)


def check(guess: object, truth: object) -> ExerciseResult:
    """Whether a guess is what the run says; `...` stands for no guess yet.

    >>> check("Ann", "Bea")
    Not yet: you said 'Ann'. Look again, then try another.
    """
    return Exercise(truth)(guess)


_LISTED = (tuple, list, set, frozenset)


def _same(guess: Any, truth: Any) -> bool:
    listed = isinstance(guess, _LISTED)
    if isinstance(truth, str):
        return isinstance(guess, str) and _plain(guess) == _plain(truth)
    if _figure(truth):
        return _figure(guess) and abs(guess - truth) <= _NEAR
    if isinstance(truth, (set, frozenset)):
        return listed and len(set(guess)) == len(truth) == _hits(guess, truth)
    if isinstance(truth, (tuple, list)):
        alike = listed and len(guess) == len(truth)
        return alike and all(map(_same, guess, truth))
    return bool(guess == truth)


def _hits(guess: Collection[Any], truth: Collection[Any]) -> int:
    return sum(any(_same(one, other) for one in guess) for other in truth)


def _figure(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().casefold()
