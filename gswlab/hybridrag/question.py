"""What a question about a plot wants: a form, and the words that fill it.

The forms are those of five kinds of question: description, relation, change of a
relation, order, aggregate; in English and Japanese.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from gswlab.hybridrag.ties import relations_said
from gswlab.language.dates.calendar import compiled

PlotForm = Literal[
    "changes", "events", "ever", "first_tie", "next", "before", "choice", "change",
    "relation", "role", "object", "who", "what",
]  # fmt: skip

_CHANGES = compiled(r"how (?:often|many times)\b.*\bchange|何[回度].*変わ")
_EVENTS = compiled(
    r"how many (?:of the )?events|number of events"
    r"|(?:出来事|場面)は?(?:いくつ|何件|何回)|いくつの出来事"
)
_EVER = compiled(
    r"\bever\b|\beveryone\b|\ball (?:the )?(?:friends|enemies|rivals)\b"
    r"|ことがある|全員|すべて挙げ"
)
_COUNT = compiled(r"how many|何人|人数")
_FIRST = compiled(r"\b(?:first|earlier|earliest|sooner)\b|先|早")
_LAST = compiled(r"\b(?:last|later|latest)\b|後|遅")
_NEXT = compiled(
    r"\b(?:directly|right|immediately|straight|just) after\s+(.+?)\s*\?"
    r"|^(?:「(.+?)」|(.+?))の?直後"
)
_BEFORE = compiled(r"^(?:does|do|did|is|has|was)\s+(.+?)\s+(before|after)\s+(.+?)\s*\?")
_BEFORE_JA = re.compile(r"^(.+?)のは、?(.+?)より(?:も)?(前|先|後)(?:です|でしょう)?か")
_OPTIONS = re.compile(r"[:：]\s*(.+?),?\s+or\s+(.+?)\s*\?")
_OPTIONS_JA = re.compile(r"「(.+?)」[とか、]+「(.+?)」")
_WHICH = compiled(
    r"\b(?:in|at|from|since) (?:which|what) event|^when\b|どの出来事|何番|いつ"
)
_OFF = compiled(
    r"\bstops? being|\bno longer|\b(?:breaks?|ends?)\b(?! with)|をやめ|でなくな"
)
_AGAIN = compiled(r"\bagain\b|再び|もう一度")
_UNTIL = compiled(
    r"\bbefore\b.*?\b(?:became|become|were|turned)\s+(.+?)(?:[,?]|$)|(.+?)になる(?:より)?前"
)
_RELATION = compiled(
    r"\bto (?:each other|one another)|\brelat|\bbetween\b|\bstands?\b|\bbecomes?\b"
    r"|関係|間柄|何に(?:なり|戻り)"
)
_ROLE = compiled(r"\brole\b|\bpart\b.*\bplay|役割|役どころ")
_WHO = compiled(r"\bwho(?:m|se)?\b|\bwhich (?:character|person)\b|誰|どの人物")
_OBJECT = re.compile(r"(?:誰|何)(と|を|に|から)([一-鿿]+|[ァ-ヺー]+|[ぁ-ん]{2})")
_NUMBER = compiled(r"(?:\bevents?|出来事|第)\s*(\d+)")


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
    return tuple(map(int, _NUMBER.findall(unicodedata.normalize("NFKC", question))))


def plot_cue(question: str, names: int) -> PlotCue:
    """What is asked; `names` is how many people of the plot the question names.

    >>> plot_cue("What were Ann and Bo before they became friends?", 2).relations
    ('friend',)
    >>> plot_cue("Who paid her debts?", 0).form
    'who'
    """
    relations, events = relations_said(question), event_numbers(question)
    # 1. how often, how many, who ever
    if _CHANGES.search(question) and names >= 2:
        return PlotCue("changes")
    if _EVENTS.search(question) and names:
        return PlotCue("events", relations=relations if names > 1 else ())
    count = _COUNT.search(question) is not None
    if relations and names == 1 and (count or _EVER.search(question)):
        return PlotCue("ever", relations=relations[:1], count=count)
    # 2. in which order
    if cue := _order(question, names, relations):
        return cue
    # 3. what two were to each other, and when that changed
    if names >= 2 and _WHICH.search(question) and relations:
        # "stop being rivals and become friends" asks where the friendship begins
        off = len(relations) == 1 and _OFF.search(question) is not None
        again = _AGAIN.search(question) is not None
        return PlotCue("change", (), relations, events, last=again, off=off)
    if names >= 2 and (relations or _RELATION.search(question)):
        until = _UNTIL.search(question)
        into = relations_said(until.group(1) or until.group(2)) if until else ()
        return PlotCue("relation", (), into[-1:], events)
    # 4. one person, or one event
    if _ROLE.search(question) and names:
        return PlotCue("role")
    if found := _OBJECT.search(question):  # a particle, and the verb after it
        return PlotCue("object", found.groups())
    return PlotCue("who" if _WHO.search(question) else "what")


def _order(question: str, names: int, relations: tuple[str, ...]) -> PlotCue | None:
    """What came next, whether one came before another, which came first or last."""
    if found := _NEXT.search(question):
        return PlotCue("next", tuple(part for part in found.groups() if part))
    if found := _BEFORE.search(question):
        one, word, other = found.groups()
        return PlotCue("before", (one, other), last=word.lower() == "after")
    if found := _BEFORE_JA.search(question):
        return PlotCue("before", found.groups()[:2], last=found.group(3) == "後")
    last = _LAST.search(question) is not None
    if not last and not _FIRST.search(question):
        return None
    if found := _OPTIONS.search(question) or _OPTIONS_JA.search(question):
        return PlotCue("choice", found.groups(), last=last)
    if names >= 3 and relations:
        return PlotCue("first_tie", relations=relations[:1], last=last)
    return None
