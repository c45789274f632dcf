"""The relations of a plot through time: who was what to whom, event by event."""

from __future__ import annotations

from collections.abc import Sequence

from gswlab.memory.plot.ties import Run, histories, runs
from gswlab.memory.serial import Serial
from gswlab.question.relations import told
from gswlab.view.chart import HATCHES, STYLES, Chart, chart


def ties_through_time(memory: Serial, *names: str, most: int = 12) -> Chart:
    """A bar a pair from the event that states a relation to the next that changes it.

    Args:
        memory: a memory that has read a plot.
        names: characters whose ties are drawn; none stands for all.
        most: pairs drawn, those whose relation changes most often first.

    A dot is an event that states the relation; a relation has its colour and hatch.
    """
    outline = memory.outlined()
    history = histories(memory.store.graph().edges, outline.order)
    chosen = {
        pair: runs(stated)
        for pair, stated in history.items()
        if not names
        or all(outline.name(id_) in names for id_ in pair)
        or (len(names) == 1 and any(outline.name(id_) in names for id_ in pair))
    }
    pairs = sorted(chosen, key=lambda pair: (-len(chosen[pair]), pair))[:most]
    title = "関係の移り変わり" if outline.language == "ja" else "Relations through time"
    drawn, axis = chart(title)
    kinds = list(dict.fromkeys(r for pair in pairs for r, _ in chosen[pair]))
    looks = {
        kind: {"color": style["color"], "hatch": hatch, "edgecolor": "white"}
        for kind, style, hatch in zip(kinds, STYLES, HATCHES * 4, strict=False)
    }
    end = len(outline.order) + 1
    for kind in kinds:
        bars = [
            (row, run_start, run_end)
            for row, pair in enumerate(reversed(pairs))
            for run_start, run_end in _spells(chosen[pair], kind, end)
        ]
        rows = [row for row, _, _ in bars]
        widths = [last - first for _, first, last in bars]
        lefts = [first for _, first, _ in bars]
        word = told(kind, outline.language)
        axis.barh(rows, widths, left=lefts, height=0.55, label=word, **looks[kind])
    for row, pair in enumerate(reversed(pairs)):
        stated = [event for _, events in chosen[pair] for event in events]
        axis.plot(stated, [row] * len(stated), "o", color="black", markersize=3)
    labels = [" – ".join(map(outline.name, pair)) for pair in reversed(pairs)]
    axis.set_yticks(range(len(pairs)), labels)
    axis.set(xlim=(0.5, end), xlabel="出来事" if outline.language == "ja" else "event")
    done = drawn.done()
    said = (
        _said(name, chosen[pair])
        for name, pair in zip(labels[::-1], pairs, strict=True)
    )
    done.alt = f"{title}. {'; '.join(said)}."
    return done


def _said(name: str, parted: Sequence[Run]) -> str:
    """A pair in words: what it was, from which event on."""
    return f"{name}: {', '.join(f'{word} {events[0]}' for word, events in parted)}"


def _spells(parted: Sequence[Run], kind: str, end: int) -> list[tuple[int, int]]:
    """From where to where a relation held: until another is stated, or the end."""
    begins = [events[0] for _, events in parted] + [end]
    return [
        (begins[n], begins[n + 1]) for n, (word, _) in enumerate(parted) if word == kind
    ]
