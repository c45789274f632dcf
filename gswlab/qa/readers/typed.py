"""What a sentence says that has every word of a question: a number, an age, a reason.

Nothing is parsed: the words before or after what is asked about say it, or nothing
does. A sentence that lacks a word of the question answers nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from gswlab.language.dates.calendar import compiled
from gswlab.language.keys import name_key
from gswlab.language.stems import stem
from gswlab.qa.question.answer_type import AnswerType, answer_type

_NUMBER = (
    r"(?:\d[\d,.]*|(?:a |one |two |three |four |five |six |seven |eight |nine )?"
    r"(?:hundred|thousand|million|dozen|score)|(?:twen|thir|for|fif|six|seven|eigh|nine)"
    r"ty(?:-\w+)?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen)"
)
_UNIT = r"(?:second|minute|hour|day|night|week|fortnight|month|year|century)s?"
_MANY = compiled(r"\bhow (?:many|much) ([^?]+)")
_COUNTED = compiled(rf"(?=(\b{_NUMBER}(?: [\w'’-]+){{1,3}}))")
_AGED = compiled(
    rf"\b{_NUMBER}[ -]years?[ -]old\b|\b{_NUMBER} (?:years|summers|winters) of age\b"
    rf"|\baged {_NUMBER}\b|\bage of {_NUMBER}\b"
)
_LASTED = compiled(rf"\b(?:{_NUMBER}|several|many|some|a few|an?) (?:\w+ )?{_UNIT}\b")
_REASON = compiled(
    r"\b(?:because|for fear|in order (?:to|that)|so that|owing to|on account of"
    r"|for the sake|in the hope|lest)\b[^.;!?]*"
)
_WHO_IS = compiled(r"^\W*who (?:is|was|are|were) ([^?]+?)\W*$")
_IS = (
    r"(?:,[^,.;!?]{1,40},)? (?:is|was|are|were) "
    r"((?:an?|the|one of|my|our|his|her|their) [^.,;!?]+"
    r"|[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)*)"
)


def read_off(question: str, sentence: str) -> str | None:
    """What a sentence that has the question's words says of it; None where nothing.

    >>> read_off("How many sailors came?", "The cook and two old sailors came.")
    'two old sailors'
    >>> read_off("Who was the Lark?", "The Lark, she saw, was Bo Lind.")
    'Bo Lind'
    """
    asked = answer_type(question)
    found = _BY_TYPE[asked](question, sentence) if asked in _BY_TYPE else None
    return found.strip(" ,") if found else None


def _number(question: str, sentence: str) -> str | None:
    """The first number before the noun that is counted."""
    counted = _MANY.search(question)
    nouns = [stem(word) for word in counted[1].split()[:3]] if counted else []
    for hit in _COUNTED.finditer(sentence):
        words = hit[1].split()
        for at, word in enumerate(words):
            if at and stem(word.strip(",")) in nouns[:2]:
                return " ".join(words[: at + 1])
    return None


def _identity(question: str, sentence: str) -> str | None:
    """Who "who is Ann?" is about is said to be somebody: "Ann, he saw, was a spy"."""
    asked = _WHO_IS.match(question)
    name = " ".join(name_key(asked[1])) if asked else ""
    if not name:
        return None
    said = re.search(rf"(?i:\b{re.escape(name)}){_IS}", sentence)
    if said and said[1].split()[0].casefold() not in name.split():
        return said[1]
    return None


def _first(pattern: re.Pattern[str]) -> Callable[[str, str], str | None]:
    def found(_: str, sentence: str) -> str | None:
        hit = pattern.search(sentence)
        return hit.group() if hit else None

    return found


_BY_TYPE: Mapping[AnswerType | None, Callable[[str, str], str | None]] = {
    "number": _number, "identity": _identity, "age": _first(_AGED),
    "duration": _first(_LASTED), "reason": _first(_REASON),
}  # fmt: skip
