"""What each chapter has to tell: its event, its company, and what the dials add."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import islice
from typing import Literal

import numpy as np

from gswlab.bench.generated.universe import (
    BookEvent,
    BookPerson,
    Dials,
    EventKind,
    Universe,
    data_lines,
    data_rows,
    sampled,
    side_characters,
)

Naming = Literal["named", "worded", "shown"]
# How often the kind of event is named, told in other words, or only shown.
NAMING: dict[Naming, float] = {"named": 0.45, "worded": 0.2, "shown": 0.35}
SHAPES = ("%B %d, %Y", "%d %B %Y", "%Y-%m-%d", "%d/%m/%Y")


@dataclass(frozen=True, slots=True)
class ChapterScene:
    """A chapter's event and all that is told beside it; empty texts are not told."""

    event: BookEvent
    person: BookPerson
    kind: EventKind
    company: tuple[BookPerson, ...]
    naming: Naming
    pronouns: bool = False
    alias: Literal["", "given", "used"] = ""
    role_then: str = ""
    opposite: str = ""
    elsewhere: str = ""
    other_dates: tuple[str, ...] = ()

    @property
    def named(self) -> str:
        """How the chapter names its protagonist in full."""
        return self.person.alias if self.alias == "used" else self.person.name

    @property
    def called(self) -> str:
        """How the chapter names its protagonist in short."""
        return self.person.short if self.alias else self.person.first


def scenes(
    universe: Universe, chapters: int, seed: int, dials: Dials
) -> list[ChapterScene]:
    """The scenes of a book, in the order of its chapters (not that of its days)."""
    told = []
    others = side_characters(seed)
    indexes = sampled(chapters, np.random.default_rng(seed)).tolist()
    for number, (date, place, who, what) in enumerate(indexes, 1):
        rng = random.Random(f"scene {seed} {number}")
        company = tuple(islice(others, rng.randint(2, 4)))
        naming = rng.choices(list(NAMING), list(NAMING.values()))[0]
        person, kind = universe.people[who], universe.kinds[what]
        where = universe.dates[date], universe.places[place]
        event = BookEvent(*where, person.name, kind.label, number)
        scene = ChapterScene(event, person, kind, (), naming)
        told.append(_accompanied(scene, company))
    for name, change in CHANGES.items():
        for i, scene in enumerate(told):
            if dials.touches(name, seed, scene.event.chapter):
                rng = random.Random(f"{name} how {seed} {scene.event.chapter}")
                told[i] = change(scene, universe, rng)
    return _with_aliases(_with_roles(told, seed))


def _accompanied(scene: ChapterScene, company: tuple[BookPerson, ...]) -> ChapterScene:
    names = tuple(person.name for person in company)
    event = replace(scene.event, post_entities=names)
    return replace(scene, company=company, event=event)


def _conflicts(scene: ChapterScene, _: Universe, rng: random.Random) -> ChapterScene:
    state, opposite = rng.choice(data_rows("states.tsv"))
    event = replace(scene.event, state=state)
    return replace(scene, event=event, opposite=opposite)


def _flashbacks(
    scene: ChapterScene, universe: Universe, rng: random.Random
) -> ChapterScene:
    """Elsewhere is no place of the universe: no question is about it."""
    foreign = sorted(set(data_lines("places.txt")) - set(universe.places))
    return replace(scene, elsewhere=rng.choice(foreign))


def _homonyms(scene: ChapterScene, _: Universe, rng: random.Random) -> ChapterScene:
    """One of the company has the protagonist's last name, another the first name."""
    same_last, same_first, *rest = scene.company
    company = (
        replace(same_last, last=scene.person.last),
        replace(same_first, first=scene.person.first, gender=scene.person.gender),
        *rest,
    )
    return _accompanied(scene, tuple(rng.sample(company, len(company))))


def _dates(scene: ChapterScene, _: Universe, rng: random.Random) -> ChapterScene:
    days = rng.sample(range(40, 4000), rng.randint(1, 3))
    others = (scene.event.day - timedelta(days=day) for day in days)
    return replace(
        scene, other_dates=tuple(f"{day:{rng.choice(SHAPES)}}" for day in others)
    )


CHANGES: dict[str, Callable[[ChapterScene, Universe, random.Random], ChapterScene]] = {
    "roles": lambda scene, *_: replace(scene, role_then="some other"),
    "conflicts": _conflicts,
    "flashbacks": _flashbacks,
    "homonyms": _homonyms,
    "aliases": lambda scene, *_: replace(scene, alias="used"),
    "pronouns": lambda scene, *_: replace(scene, pronouns=True),
    "dates": _dates,
}


def _with_roles(told: list[ChapterScene], seed: int) -> list[ChapterScene]:
    """Two roles a person, by turns: each change is told, each role comes back."""
    days: defaultdict[str, list[int]] = defaultdict(list)
    for i in sorted(range(len(told)), key=lambda i: (told[i].event.day, i)):
        if told[i].role_then:
            days[told[i].person.name].append(i)
    for name, indexes in days.items():
        pair = random.Random(f"roles {seed} {name}").sample(data_lines("roles.txt"), 2)
        for turn, i in enumerate(indexes):
            event = replace(told[i].event, role=pair[turn % 2])
            told[i] = replace(told[i], event=event, role_then=pair[1 - turn % 2])
    return told


def _with_aliases(told: list[ChapterScene]) -> list[ChapterScene]:
    """The first chapter that would use a nickname gives it, beside the full name."""
    known: set[str] = set()
    for i, scene in enumerate(told):
        if scene.alias and scene.person.name not in known:
            told[i] = replace(scene, alias="given")
            known.add(scene.person.name)
    return told
