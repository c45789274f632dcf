"""A question to a `Cue`, compositional and without a table of templates.

1. dates are cut out, then the names of the workspace, longest first, then
   capitalised runs the workspace does not know (typed by the syntax around them);
2. what is left over, once the words that every question is built of are gone, names
   the kind of event if it stands where a name of one can;
3. what is asked and in which order is read off the masked question.

The last two go by the rules of the question's language, a module here of its code's
name, or by the groups of its table `asked.txt` alone. A cue that matches nothing is as
good as one that does: it is why a reader abstains.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, get_args

from gswlab.language.dates.calendar import compiled
from gswlab.language.dates.find import find_dates
from gswlab.language.language import Language, asked_in, of
from gswlab.qa.cue import Asked, Cue, Order
from gswlab.qa.question.names import (
    QUOTES,
    FoundName,
    Names,
    blanked,
    named,
    typed,
    unknown_runs,
)

_BEFELL = compiled(r"\b(?:happen\w* to|became of|become of|befell)\b|に何が起|はどうな")
_LISTS = compiled(
    r"\b(?:all|every|each|list|events?|gatherings?|occasions?|activit(?:y|ies)|dates"
    r"|days|times|places|locations|venues|people|persons|protagonists|characters"
    r"|kinds?|types?|sorts?|names?)\b|すべて|全て|全部|一覧|列挙|挙げ|リスト"
)
_MASK = {"date": "⟨t⟩", "place": "⟨s⟩", "protagonist": "⟨e⟩", "content": "⟨c⟩"}
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
    hits = _cut(text, names, entities, language)
    values: dict[str, str] = {}
    # One value a field, a full name before a short form. A name the text does not have
    # is never dropped: where its field is taken it fills another.
    for hit in sorted(hits, key=lambda hit: (hit.unknown, hit.short, hit.start)):
        others = ("place", "protagonist", "content") if hit.unknown else ()
        free = [name for name in (hit.field, *others) if name not in values]
        values |= dict.fromkeys(free[:1], hit.value)
    masked = text
    for hit in sorted(hits, key=lambda hit: -hit.start):
        masked = masked[: hit.start] + _MASK[hit.field] + masked[hit.end :]
    content, rest = _rule(language, "content")(masked, names)
    if content and "content" not in values:
        values["content"] = content
        if language.space:  # "the moot court final" is no last
            masked = masked.replace(content, _MASK["content"], 1)
    asked: Asked = _rule(language, "asked_of")(masked)
    order: Order = "all"
    if asked == "entities" and "protagonist" in values:
        asked = "other_entities"
    if asked == "contents" and len(values) == 4:
        asked = "details"
    if asked != "details":  # "from start to finish"
        order = _rule(language, "order_of")(masked)
    return Cue(**values, asked=asked, order=order, rest=rest)


def _rule(language: Language, name: str) -> Callable[..., Any]:
    """What a language's own rules say, else what its table says."""
    rules = language.rules("gswlab.qa.question")
    own: Callable[..., Any] | None = getattr(rules, name, None)
    return own or partial(_BY_TABLE[name], language)


def _cut(
    text: str, names: Names, entities: Sequence[str] | None, language: Language
) -> list[FoundName]:
    """Dates, known names, then unknown capitalised runs."""
    hits = [
        FoundName(mention.start, mention.end, "date", mention.value)
        for mention in find_dates(text, language=language.code)
        if mention.value is not None and not mention.relative
    ]
    open_text = blanked(text, hits)
    if entities is not None:
        told = [entity.translate(QUOTES) for entity in entities]
        return [*hits, *named(open_text, told, names)]
    known = names.find(open_text)
    for run in unknown_runs(open_text, known) if language.space else ():
        known = tuple(hit for hit in known if not run.start <= hit.start < run.end)
        hits.append(typed(text, run, names))
    return [*hits, *known]


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


# By the table `asked.txt` alone: what is asked, the order, and the words that every
# question is built of are groups of it. What is left names a kind of event, or
# something the text must tell.


def left_over(masked: str, language: Language) -> tuple[str, ...]:
    """The words of a masked question that not every question is built of.

    >>> left_over("・・が葉書を書いたのはいつですか", of("ja"))
    ('葉書', '書')
    """
    known = question_groups(language)
    for group, pattern in known.items():
        if group not in ("scaffold", "edge", "idle"):
            masked = pattern.sub("・", masked)
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


def _content(
    language: Language, masked: str, names: Names
) -> tuple[str, tuple[str, ...]]:
    return " ".join(left_over(masked, language)), ()


def _order(language: Language, masked: str) -> Order:
    """The first order of which the masked question has a word."""
    known, orders = question_groups(language), get_args(Order)
    return next((o for o in orders if o in known and known[o].search(masked)), "all")


def _asked(language: Language, masked: str) -> Asked:
    """An account or the others; else the first question word; else the last noun."""
    known = question_groups(language)
    for account in _ACCOUNTS:
        if account in known and known[account].search(masked):
            return account
    words: list[tuple[int, Asked]] = []
    nouns: list[tuple[int, Asked]] = []
    for asked in get_args(Asked):
        for group, found in ((f"{asked}?", words), (asked, nouns)):
            if group in known and asked not in _ACCOUNTS:
                found += [(m.start(), asked) for m in known[group].finditer(masked)]
    if words:
        return min(words, key=lambda item: item[0])[1]
    return max(nouns)[1] if nouns else "contents"


_BY_TABLE: Mapping[str, Callable[..., Any]] = {
    "content": _content,
    "asked_of": _asked,
    "order_of": _order,
}
