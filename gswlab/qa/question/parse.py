"""A question to a `Cue`, by the rules of its language or by its tables alone.

A cue that matches nothing is as good as one that does: it is why a reader abstains.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import get_args

from gswlab.language.dates.calendar import compiled
from gswlab.language.dates.find import find_dates
from gswlab.language.language import Language, asked_in, of
from gswlab.qa.cue import Asked, Cue, Order
from gswlab.qa.question.names import QUOTES, FoundName, Names, blanked, named

_BEFELL = compiled(r"\b(?:happen\w* to|became of|become of|befell)\b|に何が起|はどうな")
_LISTS = compiled(
    r"\b(?:all|every|each|list|events?|gatherings?|occasions?|activit(?:y|ies)|dates"
    r"|days|times|places|locations|venues|people|persons|protagonists|characters"
    r"|kinds?|types?|sorts?|names?)\b|すべて|全て|全部|一覧|列挙|挙げ|リスト"
)
_BLANK = "・"
_WORD = re.compile(r"[^\W\d_]{2,}")
_SPACELESS_WORD = re.compile("[一-龠々〆ヶ]+|[ァ-ヶー]{2,}|[A-Za-z]{2,}")
_ACCOUNTS: tuple[Asked, ...] = ("details", "other_entities")


def parse_question(
    question: str, names: Names, entities: Sequence[str] | None = None
) -> Cue:
    """What `question` fixes, asks for, and in which order.

    With `entities` these are the names it has, and no others.

    >>> parse_question("On which days was there a pottery class?", Names()).content
    'pottery class'
    """
    said = unicodedata.normalize("NFKC", question).translate(QUOTES)
    text = " ".join(said.split())
    language = of(asked_in(text))
    if rules := language.rules("gswlab.qa.question"):
        cue: Cue = rules.read(text, names, entities)
        return cue
    return read_by_table(text, names, entities, language)


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


# By the table `asked.txt` alone. Names are found as in any script. What is asked, the
# order, and the words that every question is built of are groups of the table. What is
# left names a kind of event, or something the text must tell.


def read_by_table(
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
    dates = find_dates(text, language=language.code)
    dates = tuple(date for date in dates if date.value and not date.relative)
    values: dict[str, str] = {}
    if dates:
        values["date"] = str(dates[0].value)
    masked = blanked(text, dates, _BLANK)
    if cue := first(masked):
        return cue
    found: Sequence[FoundName] = names.find(masked)
    if entities is not None:
        found = [hit for hit in named(masked, entities, names) if not hit.unknown]
    for hit in sorted(found, key=lambda hit: (hit.short, hit.start)):
        values.setdefault(hit.field, hit.value)
    masked = blanked(masked, found, _BLANK)
    told = content(masked) if content else " ".join(left_over(masked, language))
    if told:
        values.setdefault("content", told)
    known = question_groups(language)
    asked = _asked(masked, known)
    if asked == "entities" and "protagonist" in values:
        asked = "other_entities"
    if asked == "contents" and len(values) == 4:
        asked = "details"
    orders: tuple[Order, ...] = ("chronological", "latest")
    order = next((o for o in orders if o in known and known[o].search(masked)), "all")
    return Cue(**values, asked=asked, order=order)  # type: ignore[arg-type]


def left_over(masked: str, language: Language) -> tuple[str, ...]:
    """The words of a masked question that not every question is built of.

    >>> left_over("・・が葉書を書いたのはいつですか", of("ja"))
    ('葉書', '書')
    """
    known = question_groups(language)
    for group, pattern in known.items():
        if group not in ("scaffold", "edge", "idle"):
            masked = pattern.sub(_BLANK, masked)
    words = (_WORD if language.space else _SPACELESS_WORD).findall(masked)
    kept = (known["edge"].sub("", word) for word in words)
    told = (w for w in kept if w and not known["scaffold"].fullmatch(w))
    return tuple(dict.fromkeys(told))


@cache
def question_groups(language: Language) -> Mapping[str, re.Pattern[str]]:
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
    return {group: compiled("|".join(parts)) for group, parts in found.items()}


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
