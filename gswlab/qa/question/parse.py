"""A question to a `Cue`, by the rules of its language or by its tables alone.

A cue that matches nothing is as good as one that does: it is why a reader abstains.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from gswlab.language.language import asked_in, of
from gswlab.qa.cue import Cue
from gswlab.qa.question import tables
from gswlab.qa.question.names import QUOTES, Names

_BEFELL = re.compile(
    r"\b(?:happen\w* to|became of|become of|befell)\b|に何が起|はどうな", re.I
)
_LISTS = re.compile(
    r"\b(?:all|every|each|list|events?|gatherings?|occasions?|activit(?:y|ies)|dates"
    r"|days|times|places|locations|venues|people|persons|protagonists|characters"
    r"|kinds?|types?|sorts?|names?)\b|すべて|全て|全部|一覧|列挙|挙げ|リスト",
    re.I,
)


def parse_question(
    question: str, names: Names, entities: Sequence[str] | None = None
) -> Cue:
    """What `question` fixes, asks for, and in which order.

    With `entities` these are the names it has, and no others.

    >>> parse_question("On which days was there a pottery class?", Names())
    Cue(date=None, place=None, protagonist=None, content='pottery class', ...)
    """
    said = unicodedata.normalize("NFKC", question).translate(QUOTES)
    text = " ".join(said.split())
    language = of(asked_in(text))
    if rules := language.rules("gswlab.qa.question"):
        cue: Cue = rules.read(text, names, entities)
        return cue
    return tables.read(text, names, entities, language)


def lists(question: str, cue: Cue) -> bool:
    """Whether a question asks for a list of events, dates, places or people.

    >>> lists("List all dates.", Cue()), lists("Who arrested Sato?", Cue())
    (True, False)
    """
    if cue.order == "chronological":
        return True
    return not _BEFELL.search(question) and bool(_LISTS.search(question))


def plain_verbs(question: str, cue: Cue) -> tuple[str, ...] | None:
    """The verbs of a plain question ("Who arrested Sato?"), None for any other.

    A question that lists, or names a date or place, asks for episodes. "What happened
    to ...?" and "Where is Ann?" are plain and ask for every verb: an empty tuple.

    >>> plain_verbs("Who arrested Sato?", Cue(rest=("arrested",)))
    ('arrested',)
    """
    if lists(question, cue) or cue.date or cue.place:
        return None
    if _BEFELL.search(question):
        return ()
    return cue.rest if cue.rest or cue.fields == ("protagonist",) else None
