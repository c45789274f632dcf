"""A question to a `Cue`, compositional and without a table of templates.

1. dates are cut out, then the names of the workspace, longest first, then
   capitalised runs the workspace does not know (typed by the syntax around them);
2. what is left over, once the words that every question is built of are gone, names
   the kind of event if it stands where a name of one can;
3. what is asked and in which order is read off the masked question.

The last two go by the rules of the question's language, a module here of its code's
name, or by its table `asked.txt` alone. A cue that matches nothing is as
good as one that does: it is why a reader abstains.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

from gswlab.language.dates.find import find_dates
from gswlab.language.language import Language, asked_in, of
from gswlab.qa.cue import Asked, Cue, Order
from gswlab.qa.question.asked_for import left_over, order_of, table_asks
from gswlab.qa.question.names import (
    QUOTES,
    FoundName,
    Names,
    blanked,
    named,
    typed,
    unknown_runs,
)

_MASK = {"date": "⟨t⟩", "place": "⟨s⟩", "protagonist": "⟨e⟩", "content": "⟨c⟩"}


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
    rules: Any = language.rules("gswlab.qa.question")
    if by_rule := hasattr(rules, "content"):
        content, rest = rules.content(masked, names)
    else:
        content, rest = " ".join(left_over(masked, language)), ()
    if content and "content" not in values:
        values["content"] = content
        if language.space:  # "the moot court final" is no last
            masked = masked.replace(content, _MASK["content"], 1)
    asked: Asked = rules.asked_of(masked) if by_rule else table_asks(masked, language)
    if asked == "entities" and "protagonist" in values:
        asked = "other_entities"
    if asked == "contents" and len(values) == 4:
        asked = "details"
    # details are told "from start to finish"
    order: Order = "all" if asked == "details" else order_of(masked, language)
    return Cue(**values, asked=asked, order=order, rest=rest)


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
