"""A whole book at a glance: a lane for each of its cast, chapters or days across.

Somebody is present where a step brings, changes or mentions them, at the place of their
chapter; two meet where a deed ties them. The cast is ranked by presence. A run that
knows no people has a lane for everything it holds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import groupby
from typing import Any

from gswlab.core.nouns import short
from gswlab.core.workspace import Workspace, id_order
from gswlab.view.kit.looks import LOOKS
from gswlab.view.kit.spans import Ground
from gswlab.view.run.history import History

_CAST = {"person", "organisation"}
_OTHERS = LOOKS.keys() - {"verb phrase", "episode", "time"}
_NAME = 60  # characters of a name


def storyline(history: History, ground: Ground) -> dict[str, Any]:
    """What a page draws: `columns` of steps, `places`, `cast` and who `meets` when.

    A column is its label, its day, its place's number and its first step.
    """
    end = history.scenes[-1].after if history.scenes else Workspace()
    kinds = {record.kind for record in history.records.values()}
    wanted = (kinds & _CAST) or _OTHERS

    def role(noun_id: str) -> str | None:
        record = history.records.get(end.resolve(noun_id))
        while record and record.face:
            record = history.records.get(record.face)
        return record.id if record and record.kind in wanted else None

    present: dict[str, dict[int, None]] = defaultdict(dict)
    for scene in history.scenes:
        for noun_id in (*scene.added, *scene.changed, *scene.touched):
            if one := role(noun_id):
                present[one][scene.step.index] = None
    meets: dict[int, dict[tuple[str, str], None]] = defaultdict(dict)
    for record in history.deeds.values():
        if record.tie and record.kind in ("deed", "unsure"):
            one, other = role(record.tie.source), role(record.tie.target)
            if one and other and one != other:
                meets[record.life[0][0] or 0][one, other] = None
    cast = sorted(present, key=lambda i: (-len(present[i]), id_order(i)))
    number = {one: n for n, one in enumerate(cast)}
    columns, places = _columns(history, ground, end)
    return {
        "columns": columns,
        "places": places,
        "cast": [
            [one.id, short(one.name, _NAME), one.kind, [*present[one.id]]]
            for one in map(history.records.__getitem__, cast)
        ],
        "meets": {
            k: [[number[a], number[b]] for a, b in pairs if {a, b} <= number.keys()]
            for k, pairs in meets.items()
        },
    }


def _columns(
    history: History, ground: Ground, end: Workspace
) -> tuple[list[list[Any]], list[str]]:
    """Chapters as they are read, else steps; places, the most frequent first."""
    # where a chapter has several, its first is its column's
    episodes = reversed([*end.of("episode")])
    bound = {(one.document, one.chapter): one for one in episodes}

    def chapter(k: int) -> tuple[str, int | None]:
        read = ground.by_step.get(k)
        return (read.chunk.document, read.chunk.chapter) if read else ("", None)

    found: list[list[Any]] = []
    for key, steps in groupby(range(len(history.scenes)), chapter):
        if key[1] is not None:
            one = bound.get(key)
            day = one.date.value if one and one.date else None
            place = one.place.value if one and one.place else None
            found.append([str(key[1]), day, place, next(steps)])
        for k in steps if key[1] is None else ():  # a column a step, on its turn's day
            read = ground.by_step.get(k)
            day = (read.chunk.time or "")[:10] or None if read else None
            found.append([str(k + 1), day, None, k])
    ranked = Counter(place for _, _, place, _ in found if place)
    places = sorted(ranked, key=lambda name: (-ranked[name], name))
    number = {name: n for n, name in enumerate(places)}
    return [[a, b, number.get(c), d] for a, b, c, d in found], places
