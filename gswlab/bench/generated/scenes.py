"""What each chapter has to tell: its event, its company, and what the dials add."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import islice
from typing import Literal

import numpy as np

from gswlab.bench.generated.universe import (
    Dials,
    Event,
    EventKind,
    Person,
    Universe,
    lines,
    rows,
    sampled,
    side_characters,
)

Naming = Literal["named", "worded", "shown"]
# How often the kind of event is named, told in other words, or only shown.
NAMING: dict[Naming, float] = {"named": 0.45, "worded": 0.2, "shown": 0.35}
SHAPES = ("%B %d, %Y", "%d %B %Y", "%Y-%m-%d", "%d/%m/%Y")


@dataclass(frozen=True, slots=True)
class Scene:
    """A chapter's event and all that is told beside it; empty texts are not told."""

    event: Event
    person: Person
    kind: EventKind
    company: tuple[Person, ...]
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


def scenes(universe: Universe, chapters: int, seed: int, dials: Dials) -> list[Scene]:
    """The scenes of a book, in the order of its chapters (not that of its days)."""
    plain = list(_plain(universe, chapters, seed))
    for name, change in CHANGES.items():
        for i, scene in enumerate(plain):
            if dials.touches(name, seed, scene.event.chapter):
                rng = random.Random(f"{name} how {seed} {scene.event.chapter}")
                plain[i] = change(scene, universe, rng)
    return _with_aliases(_with_roles(plain, seed))


def _plain(universe: Universe, chapters: int, seed: int) -> Iterator[Scene]:
    others = side_characters(seed)
    indexes = sampled(chapters, np.random.default_rng(seed)).tolist()
    for number, (date, place, who, what) in enumerate(indexes, 1):
        rng = random.Random(f"scene {seed} {number}")
        company = tuple(islice(others, rng.randint(2, 4)))
        naming = rng.choices(list(NAMING), list(NAMING.values()))[0]
        person, kind = universe.people[who], universe.kinds[what]
        event = Event(
            universe.dates[date],
            universe.places[place],
            person.name,
            kind.label,
            number,
        )
        yield _accompanied(Scene(event, person, kind, (), naming), company)


def _accompanied(scene: Scene, company: tuple[Person, ...]) -> Scene:
    names = tuple(person.name for person in company)
    event = replace(scene.event, post_entities=names)
    return replace(scene, company=company, event=event)


def _conflicts(scene: Scene, _: Universe, rng: random.Random) -> Scene:
    state, opposite = rng.choice(rows("states.tsv"))
    event = replace(scene.event, state=state)
    return replace(scene, event=event, opposite=opposite)


def _flashbacks(scene: Scene, universe: Universe, rng: random.Random) -> Scene:
    """Elsewhere is no place of the universe: no question is about it."""
    foreign = sorted(set(lines("places.txt")) - set(universe.places))
    return replace(scene, elsewhere=rng.choice(foreign))


def _homonyms(scene: Scene, _: Universe, rng: random.Random) -> Scene:
    """One of the company has the protagonist's last name, another the first name."""
    same_last, same_first, *rest = scene.company
    company = (
        replace(same_last, last=scene.person.last),
        replace(same_first, first=scene.person.first, gender=scene.person.gender),
        *rest,
    )
    return _accompanied(scene, tuple(rng.sample(company, len(company))))


def _pronouns(scene: Scene, _: Universe, rng: random.Random) -> Scene:
    return replace(scene, pronouns=True)


def _dates(scene: Scene, _: Universe, rng: random.Random) -> Scene:
    days = rng.sample(range(40, 4000), rng.randint(1, 3))
    others = (scene.event.day - timedelta(days=day) for day in days)
    return replace(
        scene, other_dates=tuple(f"{day:{rng.choice(SHAPES)}}" for day in others)
    )


def _aliases(scene: Scene, _: Universe, rng: random.Random) -> Scene:
    return replace(scene, alias="used")


def _roles(scene: Scene, _: Universe, rng: random.Random) -> Scene:
    return replace(scene, role_then="some other")


CHANGES: dict[str, Callable[[Scene, Universe, random.Random], Scene]] = {
    "roles": _roles,
    "conflicts": _conflicts,
    "flashbacks": _flashbacks,
    "homonyms": _homonyms,
    "aliases": _aliases,
    "pronouns": _pronouns,
    "dates": _dates,
}


def _with_roles(told: list[Scene], seed: int) -> list[Scene]:
    """Two roles a person, by turns: each change is told, each role comes back."""
    days: defaultdict[str, list[int]] = defaultdict(list)
    for i in sorted(range(len(told)), key=lambda i: (told[i].event.day, i)):
        if told[i].role_then:
            days[told[i].person.name].append(i)
    for name, indexes in days.items():
        pair = random.Random(f"roles {seed} {name}").sample(lines("roles.txt"), 2)
        for turn, i in enumerate(indexes):
            event = replace(told[i].event, role=pair[turn % 2])
            told[i] = replace(told[i], event=event, role_then=pair[1 - turn % 2])
    return told


def _with_aliases(told: list[Scene]) -> list[Scene]:
    """The first chapter that would use a nickname gives it, beside the full name."""
    known: set[str] = set()
    for i, scene in enumerate(told):
        if scene.alias and scene.person.name not in known:
            told[i] = replace(scene, alias="given")
            known.add(scene.person.name)
    return told
