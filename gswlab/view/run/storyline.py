"""A whole book at a glance: a lane for each of its cast, chapters or days across.

Somebody is present where a step brings, changes or mentions them, at the place of their
chapter; two meet where a deed ties them. The cast is ranked by presence. A run that
knows no people has a lane for everything it holds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from gswlab.core.nouns import Episode, short
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
        if record.tie and record.kind in ("deed", "unsure") and not record.own:
            two = role(record.tie.source), role(record.tie.target)
            if two[0] and two[1] and two[0] != two[1]:
                meets[record.life[0][0] or 0][two[0], two[1]] = None
    cast = sorted(present, key=lambda i: (-len(present[i]), id_order(i)))
    number = {one: n for n, one in enumerate(cast)}
    told = [(one, history.records[one]) for one in cast]
    columns, places = _columns(history, ground, end)
    return {
        "columns": columns,
        "places": places,
        "cast": [
            [one, short(record.name, _NAME), record.kind, [*present[one]]]
            for one, record in told
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
    read = ground.by_step
    episodes = {
        (noun.document, noun.chapter): noun
        for noun in end.nouns.values()
        if isinstance(noun, Episode)
    }

    def chapter(k: int) -> tuple[str, int | None] | None:
        return (read[k].chunk.document, read[k].chunk.chapter) if k in read else None

    found: list[list[Any]] = []
    for key, steps in groupby(range(len(history.scenes)), chapter):
        whole = [*steps]
        bound = episodes.get(key) if key else None
        day = bound.date.value if bound and bound.date else None
        place = bound.place.value if bound and bound.place else None
        if key and key[1] is not None:
            found.append([str(key[1]), day, place, whole[0]])
        else:
            found += _single(ground, whole)
    ranked = Counter(place for _, _, place, _ in found if place)
    places = sorted(ranked, key=lambda name: (-ranked[name], name))
    number = {name: n for n, name in enumerate(places)}
    return [[a, b, number.get(c), d] for a, b, c, d in found], places


def _single(ground: Ground, steps: list[int]) -> Iterator[list[Any]]:
    """A column a step where a text has no chapters, on the day of its turn."""
    for k in steps:
        chunk = ground.by_step[k].chunk if k in ground.by_step else None
        yield [str(k + 1), chunk.time[:10] if chunk and chunk.time else None, None, k]
