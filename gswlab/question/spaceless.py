"""Plain questions in Japanese: the slot by its particle, the verb by its root.

だれが佐藤を逮捕しましたか asks for the agent of 逮捕する; 佐藤 must be told of it.
"""

from __future__ import annotations

import re

from gswlab.question.verbs import spaceless_root
from gswlab.workspace.nouns import Occurrence

_WHO = "(?:だれ|誰|どなた|何者)"
_ASKED = (
    (re.compile(rf"{_WHO}(?:が|は)"), ("agent",)),
    (re.compile(rf"{_WHO}を|(?:何|なに)を"), ("patient",)),
    (re.compile(rf"{_WHO}に"), ("recipient", "agent", "patient")),
    (re.compile("いつ|何日"), ("time",)),
    (re.compile("どこ|何処"), ("place",)),
    (re.compile("なぜ|何のため|どうして"), ("purpose",)),
    (re.compile("どうやって|どのように"), ("manner", "instrument")),
    (re.compile("(?:何|なに)が"), ("agent", "patient")),
)
_WORD = re.compile("[一-龠々ァ-ヶー]+|[A-Za-z]+")


def asked_slots(text: str) -> tuple[str, ...]:
    """The slots a Japanese question asks for; none for another question.

    >>> asked_slots("だれが佐藤を逮捕しましたか"), asked_slots("Who is 佐藤?")
    (('agent',), ())
    """
    return next((slots for pattern, slots in _ASKED if pattern.search(text)), ())


def fits_spaceless(text: str, told: Occurrence) -> bool:
    """Whether the verb and every other word of the question are told of it."""
    root = spaceless_root(told.predicate)
    if not root or root not in text:
        return False
    names = [name for _, bound in told.slots for name in (bound.value, *bound.aliases)]
    rest = re.sub(rf"{_WHO}|何のため|何処|何日|何|{re.escape(root)}", "、", text)
    return all(any(word in name for name in names) for word in _WORD.findall(rest))
