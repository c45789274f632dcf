"""Japanese questions through the same `Cue`: いつ, どこ, だれ, 何の催し, 最後に, 順に.

They are read by their tables; ties, kinds of event and plain questions need more.
"""

from __future__ import annotations

import re

from gswlab.core.nouns import Occurrence
from gswlab.language.language import of
from gswlab.language.stems import inflects, spaceless_root
from gswlab.qa.cue import surfaces
from gswlab.qa.question.asked_for import left_over

_JAPANESE = of("ja")

# Plain questions in Japanese: the slot by its particle, the verb by its root.

_WHO = "(?:だれ|誰|どなた|何者)"
_ASKED = tuple(
    (re.compile(pattern), tuple(slots.split()))
    for slots, pattern in _JAPANESE.table("plain")
)
_WHERE = re.compile("(?:どこ|何処)に(?:い|居)")
_WHO_IS = ("agent", "patient", "recipient", "place")
_SPACELESS_WORD = re.compile("[一-龠々ァ-ヶー]")


def asked_slots(text: str) -> tuple[str, ...]:
    """The slots a Japanese question asks for; none for another question."""
    return next((slots for pattern, slots in _ASKED if pattern.search(text)), ())


def slots_of(text: str, told: Occurrence) -> tuple[str, ...]:
    """The slots asked for where the verb and every other word are told of it.

    Where somebody was is asked of whatever they did there.
    """
    root, where = spaceless_root(told.predicate), _WHERE.search(text)
    if not root or not (where or inflects(told.predicate, text)):
        return ()
    said = [bound for slot, bound in told.slots if not where or slot in _WHO_IS]
    names = [name for bound in said for name in surfaces(bound)]
    rest = re.sub(rf"{_WHO}|何のため|何処|何日|何|{re.escape(root)}", "、", text)
    asked = left_over(rest, _JAPANESE)
    if not asked and not _SPACELESS_WORD.match(root):
        return ()  # ある or する of nothing that the question names
    known = all(any(word in name for name in names) for word in asked)
    return asked_slots(text) if known else ()
