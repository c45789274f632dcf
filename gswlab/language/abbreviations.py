"""Dots that end a word and not a sentence: Dr., No. 5, J. R. Smith, U.S., 9 p.m.

What may end a sentence as well is decided by the word that follows.
"""

from __future__ import annotations

import re

from gswlab.language.language import Groups

_WORD_BEFORE = re.compile(r"[\w.&'’-]*$")
_FIRST_WORD = re.compile(r"[\W_]*(\w+)")
_ENUMERATOR = re.compile(r"\W*(?:\d{1,3}(?:\.\d{1,3})*|[ivxIVX]{1,4}|[A-Za-z])")
_DOTTED = re.compile(r"(?:[a-z]\.)+[a-z]|ph\.d")


def abbreviated(known: Groups, before: str, head: str) -> bool:
    """Whether the dot between `before` and `head` belongs to a word, not a sentence.

    >>> from gswlab.language.language import of
    >>> known = of("en").abbreviations
    >>> abbreviated(known, "They met Dr", "Bell."), abbreviated(known, "met", "He left")
    (True, False)
    """
    if len(before) < 80 and _ENUMERATOR.fullmatch(before):
        return True
    match = _WORD_BEFORE.search(before[-40:])
    word = match.group() if match else ""
    match = _FIRST_WORD.match(head)
    low, following = word.lower().lstrip("."), match[1].lower() if match else ""
    opens = following in known["opener"] and not head[0].islower()
    if low == "st":  # saint, or a street whose name stands before
        return not (opens and re.search(r"[A-Z]\w+\s+St$", before[-40:]))
    if low in known["before_word"] or word in known["title"]:
        return True
    if low.isdigit() and following in known["after_figure"]:
        return True  # 7. Mai
    if low in known["before_number"]:
        return head[0].isdigit()
    if low in known["ends_before_capital"]:
        capital = head[0].isupper() or head[0] in "\"“‘'("
        return not capital or following in known["no_opening"]
    initial = len(word) == 1 and word.isupper()
    if initial or low in known["may_end"] or _DOTTED.fullmatch(low):
        return not opens
    return False
