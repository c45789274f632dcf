"""What kind of answer a question of one fact wants, by its words alone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Form = Literal["verdict", "choice", "span"]
_VERDICT = re.compile(
    r"(?:is|are|was|were|do|does|did|has|have|had|can|could|will)\b", re.I
)
_ARTICLE = re.compile(r"^(?:the|a|an|is|was|were|are|did|does)\s+", re.I)
_OR = re.compile(r"([^,?:]+?),?\s+or\s+([^,?]+?)\s*\?*$")
# The kind of span by what is asked after; the first pattern that fits says it.
_KINDS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(rf"\b(?:{words})\b", re.I), tuple(kinds.split()))
    for words, kinds in (
        (r"(?:what|which|in what|the) years?|what decade", "YEAR"),
        (r"when|what dates?|which dates?|what day|born on", "DATE"),
        (r"how many|how much|how old|how long|how far|how tall|how large", "COUNT"),
        (r"population|how often|what number|what percentage", "COUNT"),
        (r"nationality|what language|which language", "NORP LANGUAGE"),
        (r"where|(?:what|which|in|the) (?:city|country|state|county|town)", "PLACE"),
        (r"(?:what|which) (?:\w+ )?(?:island|river|borough|village|region)", "PLACE"),
        (r"who|whom|whose|which (?:\w+ )?(?:actor|actress|author|singer)", "PERSON"),
        (r"(?:actor|actress|author|director|singer|player|writer)", "PERSON"),
        (r"(?:band|company|team|university|magazine|party|school|group)", "ORG"),
        (r"(?:film|movie|song|album|book|novel|show|series|play)", "WORK_OF_ART"),
    )
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """The form of an answer; the kinds of span wanted, or what is to be chosen from."""

    form: Form
    kinds: tuple[str, ...] = ()
    options: tuple[str, ...] = ()


def wanted(question: str) -> Wanted:
    """What an answer to `question` looks like.

    >>> wanted("Who was born first, Ann Ray or Bo Lind?").options
    ('Ann Ray', 'Bo Lind')
    >>> wanted("Are both mills in the north?").form
    'verdict'
    >>> wanted("In what year did the pier burn?").kinds
    ('YEAR',)
    """
    chosen = _OR.search(question)
    if chosen and (options := _options(chosen)):
        return Wanted("choice", (), options)
    if _VERDICT.match(question):
        return Wanted("verdict")
    found = (kinds for pattern, kinds in _KINDS if pattern.search(question))
    return Wanted("span", next(found, ()))


def _options(found: re.Match[str]) -> tuple[str, ...]:
    """The two names before and after "or"; common words are no names."""
    names = [_name(found.group(1), last=True), _name(found.group(2), last=False)]
    return tuple(names) if all(names) else ()


def _name(text: str, *, last: bool) -> str:
    """The run of capitalised words that ends, or begins, a phrase."""
    pattern = r"(?:(?:[A-Z0-9\"'][\w.'’\"!-]*|of|the|and|de|in|&)\s*)+"
    runs = [m.group().strip() for m in re.finditer(pattern, text)]
    runs = [run for run in runs if any(c.isupper() for c in run)]
    if not runs:
        return ""
    return _ARTICLE.sub("", runs[-1 if last else 0]).strip()
