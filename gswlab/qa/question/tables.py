"""A question to a `Cue` by its language's table `asked.txt` alone.

Names are found as in any script. What is asked, the order, and the words that every
question is built of are groups of the table. What is left names a kind of event, or
something the text must tell; when it does not, a reader abstains.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import get_args

from gswlab.language.dates.find import find_dates
from gswlab.language.language import Language
from gswlab.qa.cue import Asked, Cue, Order
from gswlab.qa.question.names import Found, Names, blanked, named

_BLANK = "・"
_WORD = re.compile(r"[^\W\d_]{2,}")
_SPACELESS_WORD = re.compile("[一-龠々〆ヶ]+|[ァ-ヶー]{2,}|[A-Za-z]{2,}")
_ACCOUNTS: tuple[Asked, ...] = ("details", "other_entities")


def read(
    text: str,
    names: Names,
    entities: Sequence[str] | None,
    language: Language,
    first: Callable[[str], Cue | None] = lambda masked: None,
    content: Callable[[str], str] | None = None,
) -> Cue:
    """The cue of a question; with `entities` it has no other known names.

    `first` may answer by itself, dates masked; `content` is what the masked question
    asks about that is no name, by default all the words that are left of it.
    """
    values: dict[str, str] = {}
    dates = find_dates(text, language=language.code)
    dates = tuple(date for date in dates if date.value and not date.relative)
    for date in dates[:1]:
        values["date"] = str(date.value)
    masked = blanked(text, dates, _BLANK)
    if cue := first(masked):
        return cue
    found: Sequence[Found] = names.find(masked)
    if entities is not None:
        found = [hit for hit in named(masked, entities, names) if not hit.unknown]
    for hit in sorted(found, key=lambda hit: (hit.short, hit.start)):
        values.setdefault(hit.field, hit.value)
    masked = blanked(masked, found, _BLANK)
    told = content(masked) if content else " ".join(left_over(masked, language))
    if told:
        values.setdefault("content", told)
    asked = _asked(masked, groups(language))
    if asked == "entities" and "protagonist" in values:
        asked = "other_entities"
    if asked == "contents" and len(values) == 4:
        asked = "details"
    return Cue(**values, asked=asked, order=_order(masked, groups(language)))  # type: ignore[arg-type]


def left_over(masked: str, language: Language) -> tuple[str, ...]:
    """The words of a masked question that not every question is built of.

    >>> from gswlab.language.language import of
    >>> left_over("・・が葉書を書いたのはいつですか", of("ja"))
    ('葉書', '書')
    """
    known = groups(language)
    for group, pattern in known.items():
        if group not in ("scaffold", "edge", "idle"):
            masked = pattern.sub(_BLANK, masked)
    words = (_WORD if language.space else _SPACELESS_WORD).findall(masked)
    kept = (known["edge"].sub("", word) for word in words)
    whole = known["scaffold"]
    return tuple(dict.fromkeys(w for w in kept if w and not whole.fullmatch(w)))


@cache
def groups(language: Language) -> Mapping[str, re.Pattern[str]]:
    """The groups of `asked.txt`; a group that a language leaves out matches nothing."""
    found = dict(language.patterns("asked"))
    # A word of several characters may stand at the edge of another: 朗読会開催日.
    scaffold = "|".join(found.pop("scaffold", ("(?!)",)))
    edge = "|".join(word for word in scaffold.split("|") if len(word) > 1)
    edges = f"^(?:{edge})+|(?:{edge})+$"
    if language.space:
        edges = "(?!)"
        found = {g: (rf"\b(?:{'|'.join(p)})\b",) for g, p in found.items()}
    found |= {"scaffold": (f"(?:{scaffold})+",), "edge": (edges,)}
    return {group: re.compile("|".join(parts), re.I) for group, parts in found.items()}


def _asked(text: str, known: Mapping[str, re.Pattern[str]]) -> Asked:
    """An account or the others; else the first question word; else the last noun."""
    for account in _ACCOUNTS:
        if account in known and known[account].search(text):
            return account
    words: list[tuple[int, Asked]] = []
    nouns: list[tuple[int, Asked]] = []
    for asked in get_args(Asked):
        for group, found in ((f"{asked}?", words), (asked, nouns)):
            if group in known and asked not in _ACCOUNTS:
                found += [(m.start(), asked) for m in known[group].finditer(text)]
    if words:
        return min(words, key=lambda item: item[0])[1]
    return max(nouns)[1] if nouns else "contents"


def _order(text: str, known: Mapping[str, re.Pattern[str]]) -> Order:
    for order in ("chronological", "latest"):
        if order in known and known[order].search(text):
            return order
    return "all"
