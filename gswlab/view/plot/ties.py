"""The relations of a plot through time: who was what to whom, event by event."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from gswlab.hybridrag.outline import Outline
from gswlab.hybridrag.serial import Serial
from gswlab.hybridrag.ties import Pair, Run, histories, runs, told
from gswlab.view.charts.chart import Chart, chart
from gswlab.view.charts.styles import HATCHES, STYLES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_KNOWN = ("friend", "enemy", "rival", "family")  # one look each, in every plot
_TITLE = {"en": "Relations through time", "ja": "関係の移り変わり"}
_EVENT = {"en": "event", "ja": "出来事"}
Told = Mapping[Pair, Sequence[Run]]


def ties_through_time(memory: Serial, *names: str, most: int = 12) -> Chart:
    """A bar a pair from the event that states a relation to the next that changes it.

    Args:
        memory: a memory that has read a plot.
        names: characters whose ties with one another are drawn; of one alone, all its
            ties; none stands for all.
        most: pairs drawn, those whose relation changes most often first.

    A dot is an event that states the relation; a relation has its colour and hatch.
    """
    outline = memory.outlined()
    drawn, axis = chart(_TITLE[outline.language])
    chosen = _chosen(memory, outline, names, most)
    _bars(axis, outline, chosen)
    for row, parted in enumerate(chosen.values()):
        stated = [event for _, events in parted for event in events]
        axis.plot(stated, [row] * len(stated), "o", color="black", markersize=3)
    labels = [" – ".join(map(outline.name, pair)) for pair in chosen]
    axis.set_yticks(range(len(chosen)), labels)
    axis.invert_yaxis()
    axis.set(xlim=(0.5, len(outline.order) + 1), xlabel=_EVENT[outline.language])
    done = drawn.done()
    pairs = zip(labels, chosen.values(), strict=True)
    done.alt = f"{done.title}. {'; '.join(_said(*pair) for pair in pairs)}."
    return done


def _chosen(
    memory: Serial, outline: Outline, names: Sequence[str], most: int
) -> dict[Pair, list[Run]]:
    """The histories that are drawn, from top to bottom."""
    history = histories(memory.store.graph().edges, outline.order)
    found = {
        pair: runs(stated)
        for pair, stated in history.items()
        if _among(map(outline.name, pair), names)
    }
    order = sorted(found, key=lambda pair: (-len(found[pair]), pair))[:most]
    return {pair: found[pair] for pair in order}


def _among(pair: Iterator[str], names: Sequence[str]) -> bool:
    inside = sum(name in names for name in pair)
    return not names or inside == min(len(names), 2)


def _bars(axis: Axes, outline: Outline, chosen: Told) -> None:
    """A series a relation: where it held."""
    end = len(outline.order) + 1
    found = {relation for parted in chosen.values() for relation, _ in parted}
    kinds = sorted(found, key=lambda kind: (_place(kind), kind))
    for n, kind in enumerate(kinds):
        place = max(_place(kind), n if _place(kind) == len(_KNOWN) else 0)
        spells = [
            (row, *spell)
            for row, parted in enumerate(chosen.values())
            for spell in _spells(parted, kind, end)
        ]
        rows, begins, ends = zip(*spells, strict=True)
        axis.barh(
            rows,
            [last - first for first, last in zip(begins, ends, strict=True)],
            left=begins,
            height=0.55,
            label=told(kind, outline.language),
            color=STYLES[place % len(STYLES)]["color"],
            hatch=HATCHES[place % len(HATCHES)],
            edgecolor="white",
        )


def _place(kind: str) -> int:
    word = told(kind, "en")
    return _KNOWN.index(word) if word in _KNOWN else len(_KNOWN)


def _spells(parted: Sequence[Run], kind: str, end: int) -> Iterator[tuple[int, int]]:
    """From where to where a relation held: until another is stated, or the end."""
    begins = [*(events[0] for _, events in parted), end]
    for n, (relation, _) in enumerate(parted):
        if relation == kind:
            yield begins[n], begins[n + 1]


def _said(name: str, parted: Sequence[Run]) -> str:
    """A pair in words: what it was, from which event on."""
    return f"{name}: {', '.join(f'{word} {events[0]}' for word, events in parted)}"
