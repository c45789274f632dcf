"""Japanese questions through the same `Cue`: いつ, どこ, だれ, 何の催し, 最後に, 順に.

They are read by their tables; ties, kinds of event and plain questions need more.
"""

from __future__ import annotations

import re

from gswlab.core.nouns import Occurrence
from gswlab.language.language import of
from gswlab.language.stems import inflects, spaceless_root
from gswlab.qa.question.parse import (
    left_over,
    question_groups,
)

_KIND = re.compile(
    r"「(?P<quoted>[^」]+)」"
    r"|(?P<plain>(?!何|誰|出来事|催し|行事)[一-龠ァ-ヶー々A-Za-z]{2,12})"
    r"(?:に関する|に関わる|に関係する|についての|という|が(?:開|行|催|あ)|の(?:催|会が))"
)
_JAPANESE = of("ja")


def is_telling(predicate: str) -> bool:
    """Whether a verb is more than questions are built of.

    >>> is_telling("盗む"), is_telling("訪れる")
    (True, False)
    """
    return question_groups(_JAPANESE)["idle"].fullmatch(predicate) is None


# Plain questions in Japanese: the slot by its particle, the verb by its root.

_WHO = "(?:だれ|誰|どなた|何者)"
# whether it is asked is seen where it is said: whom takes a look at every clause
_HAPPENED = "(?:に(?:は)?何が起|はどうな)"
_HAPPENS = re.compile(f"[^、。]{_HAPPENED}")
_BEFALLEN = re.compile(f"(?P<whom>[^、。]+?)(?:さん|氏)?{_HAPPENED}")
_ASKED = (
    (_HAPPENS, ("story",)),
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
_SPACELESS_WORD = re.compile("[一-龠々ァ-ヶー]")


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
    found = _HAPPENS.search(text) and _BEFALLEN.search(text)
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
    asked = left_over(rest, _JAPANESE)
    if not asked and not _SPACELESS_WORD.match(root):
        return False  # ある or する of nothing that the question names
    return all(any(word in name for name in names) for word in asked)
