"""A gold excerpt beside what the operator read: the same text, lit twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gswlab.bench.gold.reading import Reading
from gswlab.view.columns import columns_html
from gswlab.view.spans import Mark, html_text, plain_text


@dataclass(frozen=True, slots=True)
class Beside:
    """Two columns in a notebook, gold first; two texts elsewhere.

    >>> Beside(read_excerpt(excerpt, memory))                     # doctest: +SKIP
    """

    reading: Reading

    def _repr_html_(self) -> str:
        text = self.reading.excerpt.text
        return columns_html(
            {
                head: f'<p class="text" dir="auto" style="font-size:1rem">'
                f"{html_text(text, marks)}</p>"
                for head, marks in self._columns()
            }
        )

    def __repr__(self) -> str:
        text = self.reading.excerpt.text
        shown = (f"{head}:\n{plain_text(text, m)}" for head, m in self._columns())
        return "\n\n".join(shown)

    def _columns(self) -> tuple[tuple[str, list[Mark]], ...]:
        gold, read = list(_gold(self.reading)), list(_read(self.reading))
        return ("annotated", gold), ("read by the operator", read)


def _gold(reading: Reading) -> Iterator[Mark]:
    """What must be found; what may be read or not stays unlit."""
    actors = reading.excerpt.file.actors
    for mark in reading.excerpt.marks:
        timed = mark.key[0] == "@"
        if mark.key not in ("?", "@?"):
            kind = "time" if timed else actors[mark.key].kind
            name = mark.key[1:] if timed else mark.key
            form = "pronoun" if mark.pronoun else ""
            yield Mark(mark.start, mark.end, name, kind, form)


def _read(reading: Reading) -> Iterator[Mark]:
    """Every mention; an actor is called by its name, a time by its value."""
    for local in reading.maps:
        for actor in local.actors:
            for m in actor.mentions:
                name = actor.value or actor.name
                yield Mark(m.span.start, m.span.end, name, actor.kind, m.form)
