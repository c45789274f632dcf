"""The filmstrip: one small cell a step, its counts as bars and as figures.

Questions are left out of the counts: each verb phrase brings a checklist of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from gswlab.view.run.history import History, Scene
from gswlab.view.run.words import line
from gswlab.view.spans import escape


def film(history: History, first: int, names: Sequence[str]) -> str:
    """Cells of the steps from `first` on, by their labels; bars share one scale."""
    scenes = history.scenes[first:]
    top = max((max(_counts(scene)) for scene in scenes), default=0) or 1
    return "".join(_cell(s, names[s.step.index], top) for s in scenes)


def _counts(scene: Scene) -> tuple[int, int, int]:
    groups = (scene.added, scene.changed, scene.retired)
    added, changed, retired = (sum(i[0] != "q" for i in ids) for ids in groups)
    return added, changed, retired


def _cell(scene: Scene, label: str, top: int) -> str:
    added, changed, retired = _counts(scene)
    bars = "".join(
        f'<i class="{name}" style="height:{max(round(34 * count / top), 1)}px"></i>'
        for name, count in (("add", added), ("change", changed), ("retire", retired))
        if count
    )
    signs = (("+", added), ("◎", changed), ("−", retired))
    figures = " ".join(f"{sign}{count}" for sign, count in signs if count) or "·"
    short = label.removeprefix("chunk ").split(" of ")[0]
    return (
        f'<li><button type="button" tabindex="-1" data-step="{scene.step.index}" '
        f'title="{escape(line(scene, label))}"><span class="bars">{bars}</span>'
        f'<span class="figures">{figures}</span>'
        f'<span class="number">{escape(short)}</span></button></li>'
    )
