"""Dots that end a word and not a sentence: Dr., No. 5, J. R. Smith, U.S., 9 p.m.

Only what is rarely a word of its own is listed; what may end a sentence as well is
decided by the word that follows.
"""

from __future__ import annotations

import re

_WORD_BEFORE = re.compile(r"[\w.&'’-]*$")
_FIRST_WORD = re.compile(r"[\W_]*(\w+)")
_ENUMERATOR = re.compile(r"\W*(?:\d{1,3}(?:\.\d{1,3})*|[ivxIVX]{1,4}|[A-Za-z])")
_DOTTED = re.compile(r"(?:[a-z]\.)+[a-z]|ph\.d")


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


# Never the end of a sentence: what they belong to follows.
_BEFORE_WORD = _set("mr mrs ms mx dr prof st mme mlle e.g i.e vs cf viz approx ca")
_TITLES = _set(
    "Rev Fr Mt Lt Col Gen Capt Sgt Cpl Maj Cmdr Hon Gov Sen Rep Pres Supt Det Insp "
    "Messrs"
)
_BEFORE_NUMBER = _set("no nos nr p pp vol fig figs ch eq")
_MONTHS = _set("jan feb mar apr jun jul aug sep sept oct nov dec")
# May end one; then a word that opens sentences follows.
_MAY_END = _set("inc ltd co corp bros jr sr ave rd blvd sq dept est al esq")
_ENDS_BEFORE_CAPITAL = _set("a.m p.m am pm etc")
_DAY_NAMES = _set(
    "monday tuesday wednesday thursday friday saturday sunday january february march "
    "april may june july august september october november december est edt cst cdt "
    "mst mdt pst pdt gmt utc"
)
_OPENERS = _set(
    "the a an he she it they we i you his her its their my our your this that these "
    "those there here in on at by for from with when while after before as if but and "
    "or so then now not no yes one what who why how where since until although though "
    "because however meanwhile later nobody everyone nothing"
)


def abbreviated(before: str, head: str) -> bool:
    """Whether the dot between `before` and `head` belongs to a word, not a sentence.

    >>> abbreviated("They met Dr", "Bell."), abbreviated("They met", "Bell left.")
    (True, False)
    """
    if len(before) < 80 and _ENUMERATOR.fullmatch(before):
        return True
    match = _WORD_BEFORE.search(before[-40:])
    word = match.group() if match else ""
    match = _FIRST_WORD.match(head)
    low, following = word.lower().lstrip("."), match[1].lower() if match else ""
    opens = following in _OPENERS and not head[0].islower()
    if low == "st":  # saint, or a street whose name stands before
        return not (opens and re.search(r"[A-Z]\w+\s+St$", before[-40:]))
    if low in _BEFORE_WORD or word in _TITLES:
        return True
    if low in _BEFORE_NUMBER:
        return head[0].isdigit()
    if low in _ENDS_BEFORE_CAPITAL:
        capital = head[0].isupper() or head[0] in "\"“‘'("
        return not capital or following in _DAY_NAMES
    initial = len(word) == 1 and word.isupper()
    if initial or low in _MAY_END or low in _MONTHS or _DOTTED.fullmatch(low):
        return not opens
    return False
