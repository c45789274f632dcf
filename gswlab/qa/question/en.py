"""English questions to a `Cue`, compositional and without a table of templates.

1. dates are cut out, then the names of the workspace, longest first, then quoted and
   capitalised runs the workspace does not know (typed by the syntax around them);
2. what is asked and in which order is read off the masked question
   (`gswlab.qa.question.asked_for`);
3. what is left over, once the words every question is built of are gone
   (`scaffold.txt`), names the kind of event if it stands where a name of one can.
"""

from __future__ import annotations

from collections.abc import Sequence

from gswlab.language.dates.find import find_dates
from gswlab.qa.cue import Cue
from gswlab.qa.question.asked_for import (
    asked_of,
    order_of,
    speaks_of_events,
    without_focus,
)
from gswlab.qa.question.event_phrase import left_over
from gswlab.qa.question.names import (
    QUOTES,
    Found,
    Names,
    blanked,
    named,
    typed,
    unknown_runs,
)

_MASK = {"date": "⟨t⟩", "place": "⟨s⟩", "protagonist": "⟨e⟩", "content": "⟨c⟩"}


def read(text: str, names: Names, entities: Sequence[str] | None = None) -> Cue:
    """The cue of an English question; with `entities` it has no other names.

    >>> read("On which days was there a pottery class?", Names()).content
    'pottery class'
    """
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


def _cut(text: str, names: Names, entities: Sequence[str] | None) -> list[Found]:
    """Dates, known names, then unknown quoted and capitalised runs, by place."""
    hits = [
        Found(mention.start, mention.end, "date", mention.value)
        for mention in find_dates(text)
        if mention.value is not None and not mention.relative
    ]
    open_text = blanked(text, hits)
    if entities is not None:
        told = [entity.translate(QUOTES) for entity in entities]
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
