"""A question to a `Cue`, compositional and without a table of templates.

1. dates are cut out, then the names of the workspace, longest first, then quoted and
   capitalised runs the workspace does not know (typed by the syntax around them);
2. what is asked and in which order is read off the masked question
   (`gswlab.qa.question.asked_for`);
3. what is left over, once the words every question is built of are gone
   (`scaffold.txt`), names the kind of event if it stands where a name of one can.

A cue that matches nothing is as good as one that does: it is why a reader abstains.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from gswlab.language.dates.find import find_dates
from gswlab.language.language import asked_in
from gswlab.qa.cue import Cue
from gswlab.qa.question.asked_for import (
    asked_of,
    order_of,
    speaks_of_events,
    without_focus,
)
from gswlab.qa.question.event_phrase import left_over
from gswlab.qa.question.ja import parse_japanese
from gswlab.qa.question.names import Found, Names, blanked, named, typed, unknown_runs

_MASK = {"date": "⟨t⟩", "place": "⟨s⟩", "protagonist": "⟨e⟩", "content": "⟨c⟩"}
_QUOTES = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "«": '"', "»": '"'})
_BEFELL = re.compile(
    r"\b(?:happen\w* to|became of|become of|befell)\b|に何が起|はどうな", re.I
)
_LISTS = re.compile(
    r"\b(?:all|every|each|list|events?|gatherings?|occasions?|activit(?:y|ies)|dates"
    r"|days|times|places|locations|venues|people|persons|protagonists|characters"
    r"|kinds?|types?|sorts?|names?)\b|すべて|全て|全部|一覧|列挙|挙げ|リスト",
    re.I,
)


def parse_question(
    question: str, names: Names, entities: Sequence[str] | None = None
) -> Cue:
    """What `question` fixes, asks for, and in which order.

    With `entities` these are the names it has, and no others.

    >>> parse_question("On which days was there a pottery class?", Names())
    Cue(date=None, place=None, protagonist=None, content='pottery class', ...)
    """
    text = _plain(question)
    if asked_in(text) == "ja":
        return parse_japanese(text, names, entities)
    hits = _cut(text, names, entities)
    masked = _masked(text, hits)
    values = _values(hits)
    content, rest = left_over(without_focus(masked), names)
    if content and "content" not in values:
        values["content"] = content
        masked = masked.replace(content, "⟨c⟩", 1)  # "the moot court final" is no last
    asked = asked_of(masked)
    if asked == "entities" and "protagonist" in values:
        asked = "other_entities"
    if asked == "contents" and len(values) == 4:
        asked = "details"
    if asked == "details" and len(values) < 4 and speaks_of_events(masked):
        asked = "contents"  # "describe the key events" of many asks what they were
    order = "all" if asked == "details" else order_of(masked)  # "from start to finish"
    return Cue(**values, asked=asked, order=order, rest=rest)


def _plain(text: str) -> str:
    """One kind of letters, quotation marks and spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).translate(_QUOTES).split())


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


def _cut(text: str, names: Names, entities: Sequence[str] | None) -> list[Found]:
    """Dates, known names, then unknown quoted and capitalised runs, by place."""
    hits = [
        Found(mention.start, mention.end, "date", mention.value)
        for mention in find_dates(text)
        if mention.value is not None and not mention.relative
    ]
    open_text = blanked(text, hits)
    if entities is not None:
        told = [entity.translate(_QUOTES) for entity in entities]
        return sorted(
            [*hits, *named(open_text, told, names)], key=lambda hit: hit.start
        )
    known = names.find(open_text)
    for run in unknown_runs(open_text, known):
        inside = [hit for hit in known if run.start <= hit.start < run.end]
        known = tuple(hit for hit in known if hit not in inside)
        hits.append(typed(text, run, names))
    return sorted([*hits, *known], key=lambda hit: hit.start)


def _values(hits: list[Found]) -> dict[str, str]:
    """One value a field: the first, a full name before a short form.

    A name the text does not have is never dropped: where its field is taken it fills
    another, for nothing that names it can be found.
    """
    values: dict[str, str] = {}
    for hit in sorted(hits, key=lambda hit: (hit.unknown, hit.short, hit.start)):
        free = [
            hit.field,
            *(("place", "protagonist", "content") if hit.unknown else ()),
        ]
        name = next((name for name in free if name not in values), None)
        if name is not None:
            values[name] = hit.value
    return values


def _masked(text: str, hits: list[Found]) -> str:
    for hit in sorted(hits, key=lambda hit: -hit.start):
        text = text[: hit.start] + _MASK[hit.field] + text[hit.end :]
    return text
