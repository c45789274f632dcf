"""Self-checks for a class: guess first, then let the run say.

An exercise is made where the lesson computes its truth, from the run and nothing else;
the cell a learner fills in then says `check_1(...)` and shows neither. What a check
says never holds the answer.

>>> check_1 = exercise(3)
>>> check_1(...)
Your turn: put your guess in place of the three dots.
>>> check_1(2)
Not yet: 2 is too low. Look again, then try another.
>>> exercise(3, "ja")(3)
正解です。
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from gswlab.bench.judge import fold
from gswlab.view.kit.spans import escape
from gswlab.view.kit.tables import column_of

_NEAR = 0.005  # a figure is read off a page that shows two decimals
_SIGNS = {"turn": "…", "right": "✓", "wrong": "✗"}
_LISTED = (tuple, list, set, frozenset)


@dataclass(frozen=True, slots=True)
class Feedback:
    """What a learner hears of a guess: how it came out, and in words."""

    outcome: str
    text: str

    def _repr_html_(self) -> str:
        sign = f'<b aria-hidden="true">{_SIGNS.get(self.outcome, "→")}</b>'
        return f'<p role="status">{sign} {escape(self.text)}</p>'

    def __repr__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Exercise:
    """A question whose answer the run has: call it with a guess.

    Names are compared without their case and width, figures to two decimals, tuples
    and lists in their order, sets in none. It speaks `language`, en or ja.
    """

    truth: Any = field(repr=False)
    language: str = "en"

    def __call__(self, guess: Any) -> Feedback:
        """Whether a guess is right, and how it is wrong; `...` asks for a guess."""
        words = column_of("teach/exercise.tsv", self.language)
        if guess is ... or _same(guess, self.truth):
            outcome = "turn" if guess is ... else "right"
            return Feedback(outcome, words[outcome])
        how, counts = "said", {}
        if _figure(guess) and _figure(self.truth):
            how = "low" if guess < self.truth else "high"
        elif isinstance(guess, _LISTED) and isinstance(self.truth, _LISTED):
            how, hits = "part", _hits(guess, self.truth)
            counts = {"hits": hits, "given": len(guess), "wanted": len(self.truth)}
        said = words[how].format(guess=repr(guess), **counts)
        return Feedback("wrong", words["wrong"].format(said=said))


exercise = Exercise


def check(guess: object, truth: object) -> Feedback:
    """Whether a guess is what the run says; `...` stands for no guess yet.

    >>> check("Ann", "Bea")
    Not yet: you said 'Ann'. Look again, then try another.
    """
    return Exercise(truth)(guess)


def _same(guess: Any, truth: Any) -> bool:
    listed = isinstance(guess, _LISTED)
    if isinstance(truth, str):
        return isinstance(guess, str) and fold(guess) == fold(truth)
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
