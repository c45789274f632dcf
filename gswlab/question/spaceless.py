"""Plain questions in Japanese: the slot by its particle, the verb by its root.

だれが佐藤を逮捕しましたか asks for the agent of 逮捕する; 佐藤 must be told of it.
"""

from __future__ import annotations

import re

from gswlab.core.nouns import Occurrence
from gswlab.language.stems import inflects, spaceless_root
from gswlab.question.japanese import left_over

_WHO = "(?:だれ|誰|どなた|何者)"
_BEFALLEN = re.compile("(?P<whom>[^、。]+?)(?:さん|氏)?(?:に(?:は)?何が起|はどうな)")
_ASKED = (
    (_BEFALLEN, ("story",)),
    (re.compile(rf"[かがさたなばまらわ]れたのは{_WHO}"), ("patient", "agent")),
    (re.compile(rf"{_WHO}(?:が|は)|のは{_WHO}"), ("agent",)),
    (re.compile(rf"{_WHO}を|(?:何|なに)を|のは(?:何|なに)"), ("patient",)),
    (re.compile(rf"{_WHO}に"), ("recipient", "agent", "patient")),
    (re.compile("いつ|何日"), ("time",)),
    (re.compile("どこ|何処"), ("place",)),
    (re.compile("なぜ|何のため|どうして"), ("purpose",)),
    (re.compile("どうやって|どのように"), ("manner", "instrument")),
    (re.compile("(?:何|なに)が"), ("agent", "patient")),
)
_WHERE = re.compile("(?:どこ|何処)に(?:い|居)")
_WHO_IS = ("agent", "patient", "recipient", "place")
_WORD = re.compile("[一-龠々ァ-ヶー]")


def asked_slots(text: str) -> tuple[str, ...]:
    """The slots a Japanese question asks for; none for another question.

    >>> asked_slots("だれが佐藤を逮捕しましたか"), asked_slots("Who is 佐藤?")
    (('agent',), ())
    """
    return next((slots for pattern, slots in _ASKED if pattern.search(text)), ())


def befallen(text: str) -> str | None:
    """Whom a Japanese question asks what became of; None for any other question.

    >>> befallen("佐藤さんに何が起きましたか"), befallen("何が起きましたか")
    ('佐藤', None)
    """
    found = _BEFALLEN.search(text)
    return found["whom"] if found else None


def is_whereabouts(text: str) -> bool:
    """Whether a Japanese question asks where somebody was, whatever they did there.

    >>> is_whereabouts("佐藤はどこにいましたか"), is_whereabouts("どこで休みましたか")
    (True, False)
    """
    return bool(_WHERE.search(text))


def fits_spaceless(text: str, told: Occurrence) -> bool:
    """Whether the verb and every other word of the question are told of it."""
    root, where = spaceless_root(told.predicate), is_whereabouts(text)
    if not root or not (where or inflects(told.predicate, text)):
        return False
    said = [bound for slot, bound in told.slots if not where or slot in _WHO_IS]
    names = [name for bound in said for name in (bound.value, *bound.aliases)]
    rest = re.sub(rf"{_WHO}|何のため|何処|何日|何|{re.escape(root)}", "、", text)
    asked = left_over(rest)
    if not asked and not _WORD.match(root):
        return False  # ある or する of nothing that the question names
    return all(any(word in name for name in names) for word in asked)
