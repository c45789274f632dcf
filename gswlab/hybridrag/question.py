"""What a question about a plot wants: a form, and the words that fill it.

The forms are those of five kinds of question: description, relation, change of a
relation, order, aggregate; in English and Japanese.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Literal

from gswlab.hybridrag.ties import relations_said
from gswlab.language.dates.calendar import compiled
from gswlab.language.language import rows

PlotForm = Literal[
    "changes", "events", "ever", "first_tie", "next", "before", "choice", "change",
    "relation", "role", "object", "who", "what",
]  # fmt: skip

_ROWS = rows(Path(__file__).with_name("wording.tsv"))
_WORDING = {
    name: compiled("|".join(pattern for _, pattern in found))
    for name, found in groupby(_ROWS, itemgetter(0))
}


@dataclass(frozen=True, slots=True)
class PlotCue:
    """A form of answer; of what it is made: parts of the question, relations, events.

    `last` asks for the later or last, `off` for where a relation ends, `count` for a
    number in place of a list.
    """

    form: PlotForm
    parts: tuple[str, ...] = ()
    relations: tuple[str, ...] = ()
    events: tuple[int, ...] = ()
    last: bool = False
    off: bool = False
    count: bool = False


def event_numbers(question: str) -> tuple[int, ...]:
    """The events that a question calls by their number.

    >>> event_numbers("What held at event 3, and at 出来事１２?")
    (3, 12)
    """
    text = unicodedata.normalize("NFKC", question)
    return tuple(map(int, _WORDING["number"].findall(text)))


def plot_cue(question: str, names: int) -> PlotCue:
    """What is asked; `names` is how many people of the plot the question names.

    >>> plot_cue("What were Ann and Bo before they became friends?", 2).relations
    ('friend',)
    >>> plot_cue("Who paid her debts?", 0).form
    'who'
    """
    relations, events = relations_said(question), event_numbers(question)
    # 1. how often, how many, who ever
    if _asks("changes", question) and names >= 2:
        return PlotCue("changes")
    if _asks("events", question) and names:
        return PlotCue("events", relations=relations if names > 1 else ())
    count = _asks("count", question) is not None
    if relations and names == 1 and (count or _asks("ever", question)):
        return PlotCue("ever", relations=relations[:1], count=count)
    # 2. in which order
    if cue := _order(question, names, relations):
        return cue
    # 3. what two were to each other, and when that changed
    if names >= 2 and _asks("which", question) and relations:
        # "stop being rivals and become friends" asks where the friendship begins
        off = len(relations) == 1 and _asks("off", question) is not None
        again = _asks("again", question) is not None
        return PlotCue("change", (), relations, events, last=again, off=off)
    if names >= 2 and (relations or _asks("relation", question)):
        until = _asks("until", question)
        into = relations_said(until.group(1) or until.group(2)) if until else ()
        return PlotCue("relation", (), into[-1:], events)
    # 4. one person, or one event
    if _asks("role", question) and names:
        return PlotCue("role")
    if found := _asks("object", question):  # a particle, and the verb after it
        return PlotCue("object", found.groups())
    return PlotCue("who" if _asks("who", question) else "what")


def _asks(what: str, question: str) -> re.Match[str] | None:
    """Where a question is worded so."""
    return _WORDING[what].search(question)


def _order(question: str, names: int, relations: tuple[str, ...]) -> PlotCue | None:
    """What came next, whether one came before another, which came first or last."""
    if found := _asks("next", question):
        return PlotCue("next", tuple(part for part in found.groups() if part))
    if found := _asks("before", question):
        one, word, other = found.groups()
        return PlotCue("before", (one, other), last=word.lower() == "after")
    if found := _asks("before_ja", question):
        return PlotCue("before", found.groups()[:2], last=found.group(3) == "後")
    last = _asks("last", question) is not None
    if not last and not _asks("first", question):
        return None
    if found := _asks("options", question) or _asks("options_ja", question):
        return PlotCue("choice", found.groups(), last=last)
    if names >= 3 and relations:
        return PlotCue("first_tie", relations=relations[:1], last=last)
    return None
