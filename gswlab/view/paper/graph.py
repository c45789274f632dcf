"""The graph of one step as a vector figure: the shapes, letters and signs of the page.

What the step added is thick with a plus, what it changed has a second ring, what it
retired is dashed; whatever else is drawn is tied to these.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Any

from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.core.nouns import visible
from gswlab.view.charts.chart import Chart
from gswlab.view.kinds import LOOKS
from gswlab.view.paper.nouns import Spots, draw_line, draw_noun
from gswlab.view.run.history import History, Record
from gswlab.view.run.layout import positions
from gswlab.view.run.pictured import pictured
from gswlab.view.run.words import labels, line

if TYPE_CHECKING:
    import pandas as pd

WIDE = 90  # letters of a line of the title
MOST = 40  # nouns that a figure of a page's width can name
_LETTERS = 22  # of a name


@dataclass(frozen=True)
class _Drawn:
    """What is drawn: nouns with how the step met them, and lines between them."""

    moods: Mapping[str, str]
    records: Mapping[str, Record]
    lines: tuple[Record, ...]
    step: int

    def name(self, noun_id: str) -> str:
        name = visible(self.records[noun_id].name_at(self.step))
        return name if len(name) <= _LETTERS else name[: _LETTERS - 1] + "…"


def step_chart(source: Any, k: int, most: int = MOST) -> Chart:
    """What step `k` did to the graph, drawn from a `Lab`, a `Journal` or a `Stepper`.

    >>> step_chart(lab, 14).paper("paper", "arrest")  # doctest: +SKIP

    Args:
        source: what has the run's journal.
        k: the step, from 0.
        most: nouns drawn; neighbours are left out first, and the caption says so.

    Raises:
        GswlabError: there is no such step, or it touched nothing that is drawn.
    """
    journal: Journal = getattr(source, "journal", source)
    if not 0 <= k < len(journal):
        rule = f"0 to {len(journal) - 1}"
        raise GswlabError(f"step {k} is out of range", rule, "step_chart(lab, 0)")
    steps = pictured(journal.steps(), journal.chunks())
    history = History.of(steps[: k + 1])
    drawn, left = _chosen(history, k, most)
    if not drawn.moods:
        rule = "a step that added, changed or retired something"
        raise GswlabError(f"step {k} changed nothing that is drawn", rule)
    title = ", ".join(document.id for document in journal.documents())
    told = line(history.scenes[k], labels(steps)[k])
    chart = _figure(f"{title}, {told}" if title else told, drawn)
    chart.data = _rows(drawn, str(journal.meta.get("config", "")))
    rest = f" {left} nouns tied to these are not drawn." if left else ""
    chart.alt = f"{chart.title}. {_said(drawn)}{rest}"
    return chart


def _chosen(history: History, k: int, most: int) -> tuple[_Drawn, int]:
    scene, records = history.scenes[k], history.records
    moods: dict[str, str] = {}
    for how in ("added", "changed", "retired"):
        for noun_id in getattr(scene, how):
            shown = records[noun_id].face or noun_id
            if shown in records and records[shown].kind in LOOKS:
                moods.setdefault(shown, how)
    there = [r for r in history.lines.values() if r.tie and _seen(r, k)]
    ends = [(r.tie.source, r.tie.target) for r in there if r.tie]
    near = {end: "" for pair in ends if moods.keys() & {*pair} for end in pair}
    near = {i: "" for i in near if i in records and records[i].kind in LOOKS}
    whole = {**near, **moods}
    kept = dict(list({**moods, **near, **moods}.items())[:most])
    lines = tuple(r for r in there if r.tie and _between(r, kept, moods))
    return _Drawn(kept, records, lines, k), len(whole) - len(kept)


def _seen(record: Record, k: int) -> bool:
    """Whether a line is there at a step, or ends with it."""
    return any(born is not None and born <= k and (gone is None or gone >= k)
               for born, gone in record.life)  # fmt: skip


def _between(record: Record, kept: Mapping[str, str], moods: Mapping[str, str]) -> bool:
    assert record.tie is not None
    pair = {record.tie.source, record.tie.target}
    return pair <= kept.keys() and bool(pair & moods.keys())


def _figure(title: str, drawn: _Drawn) -> Chart:
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    from gswlab.view import fonts
    from gswlab.view.charts import figures

    pairs = [(r.tie.source, r.tie.target) for r in drawn.lines if r.tie]
    spots = _placed(drawn.moods, pairs)
    with rc_context(figures.RULES):
        fonts.use()
        figure = Figure(figsize=(6.75, 3.8), layout="constrained")
        axis = figure.subplots()
        axis.set_axis_off()
        axis.set_aspect("equal")
        for record in drawn.lines:
            draw_line(axis, record, spots, drawn.step)
        for noun_id, how in drawn.moods.items():
            kind, name = drawn.records[noun_id].kind, drawn.name(noun_id)
            draw_noun(axis, kind, name, how, spots[noun_id])
        axis.margins(0.08, 0.1)
        figure.suptitle(fill(title, WIDE), fontsize=8)
        figure.draw_without_rendering()
        figure.set_layout_engine("none")
    return Chart(figure, title)


def _placed(nouns: Iterable[str], pairs: list[tuple[str, str]]) -> Spots:
    found = positions(dict.fromkeys(nouns, 0), pairs)
    return {noun_id: (x, -y) for noun_id, (x, y) in found.items()}


def _rows(drawn: _Drawn, config: str) -> pd.DataFrame:
    import pandas as pd

    nouns = [
        {"what": "noun", "id": i, "name": drawn.records[i].name_at(drawn.step),
         "kind": drawn.records[i].kind, "how": how or "there"}
        for i, how in drawn.moods.items()
    ]  # fmt: skip
    lines = [
        {"what": "line", "id": r.tie.source, "name": r.tie.label, "to": r.tie.target,
         "kind": r.kind, "how": _how(r, drawn.step)}
        for r in drawn.lines if r.tie
    ]  # fmt: skip
    return pd.DataFrame([*nouns, *lines]).assign(config=config or None)


def _how(record: Record, k: int) -> str:
    born, gone = record.life[-1]
    return "added" if born == k else "retired" if gone == k else "there"


def _said(drawn: _Drawn) -> str:
    parts = []
    for how in ("added", "changed", "retired", ""):
        names = [drawn.name(i) for i, mood in drawn.moods.items() if mood == how]
        if names:
            parts.append(f"{how or 'tied to these'}: {', '.join(names)}")
    return "; ".join(parts) + "."
