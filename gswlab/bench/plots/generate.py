"""Plots of any size, made from a seed: what a memory's speed is measured on.

    python -m gswlab.bench.plots.generate NODES [SEED] > PLOT.xml

A tenth of the nodes are characters. An event has two or three of a troupe of twelve,
which drifts through the cast, so that a character's ties stay as few as in a story,
however long the plot is. Two who meet again may change from friends to enemies.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from itertools import combinations, product

from gswlab.core.errors import GswlabError

_TROUPE, _LEAST = 12, 20
_CHANGES = 0.2  # of the meetings of two who have met
_SYLLABLES = (
    "ba", "dor", "fen", "gar", "hul", "ish", "jen", "kor", "lim", "mar", "nel", "oth",
    "pel", "rin", "sal", "tor", "un", "vey",
)  # fmt: skip
_CRAFTS = (
    "baker", "cooper", "dyer", "ferryman", "glazier", "hunter", "joiner", "mason",
    "miller", "pilot", "saddler", "scribe", "smith", "tanner", "weaver",
)  # fmt: skip
_TRAITS = (
    "counts every step", "never sleeps indoors", "keeps a tame crow", "sings at work",
    "fears deep water", "forgets no debt", "owns a single coat", "speaks in proverbs",
    "collects old keys", "walks with a cane", "laughs at thunder", "writes to no one",
)  # fmt: skip
_DEEDS = (
    "A bargain is struck over {}", "A quarrel breaks out about {}", "Somebody hides {}",
    "A search begins for {}", "A stranger asks for {}", "A wager is lost for {}",
    "Rain ruins {}", "A child finds {}", "A letter tells of {}",
    "A night is spent by {}",
)  # fmt: skip
_THINGS = (
    "a silver bell", "the mill wheel", "a sack of salt", "the north gate", "a map",
    "the ferry rope", "a lame horse", "the harvest", "a sealed chest", "the old well",
)  # fmt: skip
_PLACES = (
    "at the weir", "in the market", "on the ridge", "under the bridge", "by the kiln",
    "in the chapel", "at the ford", "in the orchard", "on the quay", "at the inn",
)  # fmt: skip
ROLES = ("protagonist", "antagonist", "companion", "mentor", "supporting")


def written(nodes: int, seed: int = 0) -> str:
    """The XML of a plot of so many nodes.

    Raises:
        GswlabError: there is no plot of so few.

    >>> written(20).count("<Character "), written(20).count("<Event ")
    (2, 18)
    """
    if nodes < _LEAST:
        problem = f"a plot of {nodes} nodes cannot be made"
        command = "python -m gswlab.bench.plots.generate 200 > PLOT.xml"
        raise GswlabError(problem, f"{_LEAST} or more", command)
    drawn, people = random.Random(seed), nodes // 10
    return "\n".join(
        [
            '<?xml version="1.0" encoding="UTF-8"?>',
            "<Plot>",
            "<Characters>",
            *_characters(people, drawn),
            "</Characters>",
            "<EventList>",
            *_events(people, nodes - people, drawn),
            "</EventList>",
            "</Plot>",
            "",
        ]
    )


def _characters(people: int, drawn: random.Random) -> Iterator[str]:
    for number, name in zip(range(1, people + 1), _names(drawn), strict=False):
        told = f"A {drawn.choice(_CRAFTS)} who {drawn.choice(_TRAITS)}."
        yield (
            f'<Character id="{number}" role="{drawn.choice(ROLES)}">'
            f"<Name>{name}</Name><Description>{told}</Description></Character>"
        )


def _names(drawn: random.Random) -> Iterator[str]:
    """Distinct names, the shorter ones first."""
    for syllables in range(2, 6):
        names = ["".join(parts) for parts in product(_SYLLABLES, repeat=syllables)]
        drawn.shuffle(names)
        yield from (name.capitalize() for name in names)


def _events(people: int, events: int, drawn: random.Random) -> Iterator[str]:
    relations: dict[tuple[int, int], str] = {}
    for number in range(1, events + 1):
        middle = 1 + (people - 1) * number // events
        first = max(1, min(middle - _TROUPE // 2, people - _TROUPE + 1))
        troupe = range(first, min(first + _TROUPE, people + 1))
        cast = sorted(drawn.sample(troupe, min(drawn.choice((2, 2, 3)), len(troupe))))
        ties = "".join(_tie(pair, relations, drawn) for pair in combinations(cast, 2))
        deed, thing = drawn.choice(_DEEDS), drawn.choice(_THINGS)
        told = f"{deed.format(thing)} {drawn.choice(_PLACES)}."
        yield (
            f'<Event id="{number}"><Description>{told}</Description>'
            f"<Relationship>{ties}</Relationship></Event>"
        )


def _tie(
    pair: tuple[int, int], relations: dict[tuple[int, int], str], drawn: random.Random
) -> str:
    known = relations.get(pair)
    if known is None:
        relations[pair] = drawn.choice(("friend", "enemy"))
    elif drawn.random() < _CHANGES:
        relations[pair] = "enemy" if known == "friend" else "friend"
    ends = (pair, pair[::-1])
    return "".join(
        f'<CharacterRef from="{one}" to="{other}" relation="{relations[pair]}"/>'
        for one, other in ends
    )


if __name__ == "__main__":
    nodes, *seed = map(int, sys.argv[1:])
    sys.stdout.write(written(nodes, *seed))
