"""The names that somebody else, a model, says a question has: where, and of what field.

Only what stands in the question is taken. A name of the workspace means what it means
there; one the workspace does not have is typed by the syntax around it, and is why
nothing is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gswlab.language.dates.find import find_dates
from gswlab.language.keys import words
from gswlab.question.names import Found, Names
from gswlab.question.scaffold import is_scaffold
from gswlab.question.unknown import typed


def named(text: str, entities: Iterable[str], names: Names) -> list[Found]:
    """The entities that `text` has, none inside another, in order of place.

    >>> [hit.value for hit in named("Was Ann Ray there?", ["Ann", "Ann Ray"], Names())]
    ['Ann Ray']
    """
    found: list[Found] = []
    for entity in sorted(dict.fromkeys(entities), key=len, reverse=True):
        start = text.lower().find(entity.lower())
        end = start + len(entity)
        if start >= 0 and all(end <= hit.start or hit.end <= start for hit in found):
            found.append(_found(text, start, end, names))
    return sorted(found, key=lambda hit: hit.start)


def _found(text: str, start: int, end: int, names: Names) -> Found:
    surface = text[start:end]
    for hit in names.find(surface):
        if (hit.start, hit.end) == (0, len(surface)):
            return Found(start, end, hit.field, hit.value, hit.short)
    return typed(text, Found(start, end, "content", surface), names)


def whole(question: str, entities: Sequence[str]) -> tuple[tuple[str, ...], list[str]]:
    """Entities as the question has them, and those that are no names in it.

    A date stays one item: a part of one stands for all of it. Words of which every
    question is built ("Where") name nothing.

    >>> whole("Who left on May 7, 2024?", ["May 7", "2024", "Ann", "Who"])
    (('May 7, 2024',), ['Ann', 'Who'])
    """
    text, dates = question.lower(), find_dates(question)
    kept: dict[str, None] = {}
    absent = []
    for entity in (" ".join(entity.split()) for entity in entities):
        start = text.find(entity.lower()) if entity else -1
        if start < 0 or all(is_scaffold(word.text) for word in words(entity)):
            absent.append(entity)
            continue
        date = next((d for d in dates if d.start <= start < d.end), None)
        end = start + len(entity)
        inside = date is not None and end <= date.end
        kept[date.text if date and inside else question[start:end]] = None
    return tuple(kept), absent
