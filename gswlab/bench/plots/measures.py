"""Whether an answer about a plot is right: a normalised match with accepted answers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from gswlab.bench.plots.questions import PlotQuestion
from gswlab.language.language import language_of
from gswlab.language.numbers import WORDS

MOST = 40  # words, and thrice as many Japanese letters, of an answer that may hold more
_ARTICLE = re.compile(r"\b(?:a|an|the)\b")
_EVENT = re.compile(r"^(?:events?|出来事|第)\s*(?=\d)")
_COUNTER = re.compile(
    r"(?<=\d)\s*(?:events?|times?|characters?|people|件|人|回|番|つ|目)+$"
)
_ENDING = re.compile(r"(?:です|でした|だった|だ|である|ます)$")
_PARTS = re.compile(r"\s*(?:[,、;・]|\band\b|\bと(?=\S))\s*")


def normalised(text: str) -> str:
    """Lower case, without articles, punctuation, counters and polite endings.

    >>> normalised("Event 4."), normalised("出来事４です。"), normalised("The Level!")
    ('4', '4', 'level')
    """
    plain = unicodedata.normalize("NFKC", text).casefold()
    plain = "".join(" " if _mark(letter) else letter for letter in plain)
    plain = " ".join(_ARTICLE.sub(" ", plain).split())
    first, _, rest = _ENDING.sub("", plain).strip().partition(" ")
    plain = f"{WORDS.get(first, first)} {rest}".strip()
    return _COUNTER.sub("", _EVENT.sub("", plain)).strip()


def right(said: Sequence[str], question: PlotQuestion) -> bool:
    """Whether the items said and those of the answer match one to one."""
    wanted = [{normalised(text) for text in item} for item in question.answers]
    if question.within:
        return all(_holds(" ".join(said), item) for item in wanted)
    items = [normalised(text) for text in said]
    if len(wanted) > 1 and len(items) == 1:
        items = [normalised(part) for part in _PARTS.split(said[0]) if part]
    if len(items) != len(wanted):
        return False
    return all(any(item in known for item in items) for known in wanted)


def _holds(said: str, spellings: set[str]) -> bool:
    """Whether one of the spellings is said as a whole phrase, and not much else."""
    text = normalised(said)
    if language_of(said) == "ja":
        return len(text) <= 3 * MOST and any(s in text for s in spellings)
    short = len(text.split()) <= MOST
    return short and any(f" {s} " in f" {text} " for s in spellings)


def _mark(letter: str) -> bool:
    return unicodedata.category(letter)[0] in "PSZ"
