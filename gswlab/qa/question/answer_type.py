"""The type of answer a question asks for: what is of another type is none.

A kind of event answers what happened, or which event it was, and nothing else: not how
old somebody is, nor why, nor whether.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Literal, get_args

from gswlab.language.dates.calendar import compiled
from gswlab.language.language import DEFAULT, Language, asked_in, of
from gswlab.language.lexicon import table
from gswlab.qa.cue import Cue
from gswlab.qa.question.parse import lists

AnswerType = Literal[
    "age", "duration", "number", "reason", "manner", "event", "happening", "time",
    "place", "identity", "person", "account", "verdict", "thing"
]  # fmt: skip
_FIELDS: dict[str, tuple[str, ...]] = {
    "time": ("times",), "place": ("places",), "person": ("entities", "other_entities"),
    "event": ("contents", "details"), "happening": ("contents", "details"),
    "thing": ("times", "places", "entities"),
}  # fmt: skip
# where one ends and another begins
_SENTENCES = re.compile(r"(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bSt)[.?!] \b")
_STRANDED = compiled(r"\b(?:from|to|with|live[ds]?)\W*$")
# an hour, or what is still to come: no day that an episode was on
_NO_DAY = compiled(r"^\W*(?:when (?:will|shall|is|are)|(?:at )?what time)\b")
_NO_FIELD = ("age", "duration", "number", "reason", "manner", "identity")


def answer_type(question: str) -> AnswerType | None:
    """What an answer has to be; None where the question's words do not say.

    >>> answer_type("How old is Ann?"), answer_type("Who arrested Sato?")
    ('age', 'person')
    """
    return _opened(question)[1]


def _opened(question: str) -> tuple[int, AnswerType | None]:
    """Where the word stands that says what is asked for, and what that is."""
    known = _patterns(of(asked_in(question)))
    hits = ((p.search(question), n) for n, (_, p) in enumerate(known))
    first = min(((hit.start(), n) for hit, n in hits if hit), default=None)
    return (0, None) if first is None else (first[0], known[first[1]][0])


def asks_plainly(question: str, cue: Cue) -> bool:
    """Whether a sentence may answer: a question of one sentence that lists nothing.

    The latest or the order of what is known of somebody is no sentence's to tell.

    >>> asks_plainly("What did all the people say?", Cue())
    True
    """
    at, asked = _opened(question)
    if (cue.order != "all" and cue.fields) or _SENTENCES.search(question):
        return False
    return asked is not None if not at else not lists(question, cue)


def asks_account(question: str) -> bool:
    """Whether everything known of somebody is asked for: "tell me about Ann"."""
    return answer_type(question) == "account" and not lists(question, Cue())


def unasked(question: str) -> str:
    """A question without the words for a measure, which no answer repeats.

    >>> unasked("How many sailors came?")
    ' sailors came?'
    """
    kind = answer_type(question)
    known = dict(_patterns(of(asked_in(question))))
    measure = kind in ("age", "duration", "number")
    return known[kind].sub("", question, 1) if kind and measure else question


@cache
def _patterns(language: Language) -> tuple[tuple[AnswerType, re.Pattern[str]], ...]:
    if not (language.folder / "answer_types.tsv").is_file():
        return ()
    told = language.table("answer_types")  # no row begins within a word: "Show"
    rows = [(name, compiled(rf"(?<![a-z])(?:{words})")) for name, words in told]
    return tuple(
        (each, p) for name, p in rows for each in get_args(AnswerType) if each == name
    )


def tells_episodes(question: str, cue: Cue) -> bool:
    """Whether episodes tell what a question asks for: its type, and all of its words.

    >>> tells_episodes("Why did Ann leave?", Cue(protagonist="Ann"))
    False
    >>> tells_episodes("Where did Ann cry?", Cue(protagonist="Ann", rest=("cry",)))
    False
    """
    at, asked = _opened(question)
    if cue.order != "all":
        return asked not in _NO_FIELD
    if asked == "place" and _STRANDED.search(question):
        return False  # where somebody lives or works from is not where they were
    if asked == "time" and _NO_DAY.search(question):
        return False
    further = at or asked == "verdict" or _SENTENCES.search(question)
    if asked is None or (further and lists(question, cue)):
        return True
    if at:  # "Ann was there often. What did the calendar say?"
        whose = asked == "identity" and cue.asked == "entities" and not cue.protagonist
        return asked not in _NO_FIELD or whose or cue.asked == "details"
    own = asked != "event" and cue.rest and not (cue.date and cue.place)
    return not own and cue.asked in _FIELDS.get(asked, ())


def unread_language(question: str) -> str | None:
    """The name of a language that a question opens in and nothing here reads.

    >>> unread_language("Wo war Clara?"), unread_language("Where was Clara?")
    ('German', None)
    """
    if asked_in(question) != DEFAULT or answer_type(question):
        return None
    opening = re.search(r"[^\W\d_]+", question.casefold())
    rows = table("unread.tsv") if opening else ()
    return next(
        (name for name, words in rows if opening and opening[0] in words.split()), None
    )
