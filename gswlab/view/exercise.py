"""Self-checks for a class: guess first, then let the journal say."""

from __future__ import annotations


def check(guess: object, truth: object) -> str:
    """Whether a guess is what the run says; `...` stands for no guess yet.

    >>> check(..., 3)
    'Your turn: put your guess in place of the three dots.'
    >>> check(3, 3), check("Ann", "Bea")
    ('Right.', "Not yet: you said 'Ann'. Look again, then try another.")
    """
    if guess is ...:
        return "Your turn: put your guess in place of the three dots."
    if guess == truth:
        return "Right."
    return f"Not yet: you said {guess!r}. Look again, then try another."
