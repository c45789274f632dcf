"""What a run held of its text, whatever its memory is, and what became of it.

A workspace is read off its history: every fact of every noun, from the step that made
it to the step that changed it. What has no workspace is read off its events.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

from gswlab.core.facts import name_of
from gswlab.core.nouns import Span
from gswlab.core.step import Alignment
from gswlab.memory.holdings import holdings
from gswlab.view.ink.text import Told
from gswlab.view.run.history import Held, History, Record, Scene
from gswlab.workspace.ink import Holding, SpanIndex, cited, merged


class Holdings(Told):
    """A run's sentences and all that it held of them.

    >>> held = Holdings(lab)                                        # doctest: +SKIP
    >>> [h.text for h in held.over(held.lines[0].span)]           # doctest: +SKIP

    Args:
        of: a `Journal`, or anything that has one as `.journal` (a `Lab`).
    """

    def __init__(self, of: Any) -> None:
        super().__init__(of)
        self.history = History.of(self.steps)

    @cached_property
    def all(self) -> tuple[Holding, ...]:
        """All that was held, by the step that began it."""
        said = [*_nouns(self.history), *holdings(self.steps, self.journal.chunks())]
        said.sort(key=lambda holding: holding.step)
        return tuple(said)

    @cached_property
    def spans(self) -> SpanIndex[Holding]:
        """Holdings by the characters they rest on."""
        return SpanIndex((span, h) for h in self.all for span in h.spans)

    def over(self, *spans: Span) -> tuple[Holding, ...]:
        """What rests on any character of these spans, each once, by step."""
        found = dict.fromkeys(h for span in spans for h in self.spans.over(span))
        return tuple(sorted(found, key=lambda holding: holding.step))

    @cached_property
    def cited(self) -> tuple[Span, ...]:
        """Every stretch that a noun, a decision or an event has ever cited."""
        return merged(span for step in self.steps for span in cited(step))

    def alignments(self, holding: Holding) -> list[Alignment]:
        """Why what was held was said of its noun: decisions of the step that held it.

        A mention has the decision on its own words, any other fact all those that
        made somebody its noun.
        """
        if not holding.noun or holding.step >= len(self.history.scenes):
            return []
        scene = self.history.scenes[holding.step]
        made = [
            d
            for d in scene.step.decisions
            if isinstance(d, Alignment)
            and scene.after.resolve(d.actor) == scene.after.resolve(holding.noun)
        ]
        own = [d for d in made if d.name.casefold() == holding.text.casefold()]
        return own or made


def _nouns(history: History) -> Iterator[Holding]:
    for record in history.records.values():
        for held in record.held:
            if held.fact.spans:
                yield _holding(history, record, held)


def _holding(history: History, record: Record, held: Held) -> Holding:
    fact = held.fact
    last = held.last if held.last is not None else _gone(record, held.first)
    fate = "" if last is None else _fate(history.scenes[last], record, held)
    return Holding(
        held.first,
        record.kind,
        record.name_at(held.first),
        fact.field,
        fact.text,
        fact.spans,
        record.id,
        last,
        fate,
    )


def _gone(record: Record, since: int) -> int | None:
    """When the noun of a fact went; a fact goes with it."""
    ends = (end for _, end in record.life if end is not None and end > since)
    return next(ends, None)


def _fate(scene: Scene, record: Record, held: Held) -> str:
    if record.id in scene.retired:
        into = scene.after.nouns.get(scene.after.resolve(record.id))
        return f"merged into {name_of(into)}" if into else "retired"
    gained = scene.gained.get(record.id, ())
    new = [fact.text for fact in gained if fact.field == held.fact.field]
    return f"now {'; '.join(new)}" if new else "no longer said"
