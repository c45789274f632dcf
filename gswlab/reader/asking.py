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
# What is asked after: the words that follow "what" or "which", else the word itself.
_AFTER = re.compile(r"\b(?:what|which)\b((?:\s+[\w'’-]+){0,4})", re.I)
_WHO = re.compile(r"\b(?:who|whom|whose)\b", re.I)
_WHEN = re.compile(r"\bwhen\b(?!\s+\w+\s+(?:was|were|is|had)\b)", re.I)
_WHERE = re.compile(r"\bwhere\b", re.I)
_MANY = re.compile(r"\bhow (?:many|much|old|long|far|tall|large|often|big)\b", re.I)
_NAME_OF = re.compile(r"\b(?:is|was|were|are|the|a|an|of|name|names|title)\b", re.I)
# The kinds of span by the nouns asked after; the first noun that is known says it.
_NOUNS: dict[str, tuple[str, ...]] = {
    noun: tuple(kinds.split())
    for kinds, nouns in {
        "YEAR": "year years decade",
        "DATE": "date day month century",
        "COUNT": "number population percentage age height amount times",
        "NORP LANGUAGE": "nationality language religion ethnicity tribe tribes",
        "PLACE": "city country state county town island river borough village region"
        " province district location place area continent mountain lake street"
        " neighborhood suburb capital municipality",
        "PERSON": "actor actress author director singer player writer musician"
        " politician president king queen artist man woman person composer rapper"
        " philosopher scientist producer character son daughter wife husband father"
        " mother brother sister drummer guitarist poet architect wrestler boxer"
        " comedian coach founder painter novelist",
        "ORG": "band company team university magazine party school group club"
        " organization network label station newspaper college league studio airline"
        " publisher brand franchise agency",
        "WORK_OF_ART": "film movie song album book novel show series play game opera"
        " sitcom musical single poem documentary soundtrack",
    }.items()
    for noun in nouns.split()
}


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
    return Wanted("span", _kinds(question))


def _kinds(question: str) -> tuple[str, ...]:
    """By the noun that is asked after, else by the word that asks."""
    for after in _AFTER.findall(question):
        words = _NAME_OF.sub(" ", after.lower()).split()
        if known := [_NOUNS[word] for word in words if word in _NOUNS]:
            return known[0]
    asking = ((_MANY, "COUNT"), (_WHO, "PERSON"), (_WHERE, "PLACE"), (_WHEN, "DATE"))
    return next(((kind,) for pattern, kind in asking if pattern.search(question)), ())


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
