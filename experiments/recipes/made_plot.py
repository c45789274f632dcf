"""Plots of any size from a seed: what a memory's speed is measured on.

python experiments/recipes/made_plot.py NODES [SEED] > PLOT.xml
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from pathlib import Path

from gswlab.core.errors import GswlabError

_TROUPE, _LEAST = 12, 20
_CHANGES = 0.2  # of the meetings of two who have met


@cache
def _words(kind: str) -> tuple[str, ...]:
    text = Path(__file__).with_suffix(".tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if line[:1] not in ("", "#"))
    return tuple(text for own, text in rows if own == kind)


def made_plot(nodes: int, seed: int = 0) -> str:
    """The XML of a plot of so many nodes: what a memory's speed is measured on.

    A tenth of the nodes are characters. An event has two or three of a troupe of
    twelve, which drifts through the cast, so that a character's ties stay as few as in
    a story, however long the plot is. There is no plot of few (`GswlabError`).
    """
    if nodes < _LEAST:
        problem = f"a plot of {nodes} nodes cannot be made"
        command = "python experiments/recipes/made_plot.py 200 > PLOT.xml"
        raise GswlabError(problem, f"{_LEAST} or more", command)
    drawn, people = random.Random(seed), nodes // 10
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', "<Plot>", "<Characters>"]
    for number, name in zip(range(1, people + 1), _names(drawn), strict=False):
        told = f"A {drawn.choice(_words('craft'))} who {drawn.choice(_words('trait'))}."
        lines.append(
            f'<Character id="{number}" role="{drawn.choice(_words("role"))}">'
            f"<Name>{name}</Name><Description>{told}</Description></Character>"
        )
    lines += ["</Characters>", "<EventList>"]
    relations: dict[tuple[int, int], str] = {}
    events = nodes - people
    for number in range(1, events + 1):
        middle = 1 + (people - 1) * number // events
        first = max(1, min(middle - _TROUPE // 2, people - _TROUPE + 1))
        troupe = range(first, min(first + _TROUPE, people + 1))
        cast = sorted(drawn.sample(troupe, min(drawn.choice((2, 2, 3)), len(troupe))))
        ties = ""
        for one, other in combinations(cast, 2):
            known = relations.get((one, other))
            if known is None:
                relations[one, other] = drawn.choice(("friend", "enemy"))
            elif drawn.random() < _CHANGES:
                relations[one, other] = "enemy" if known == "friend" else "friend"
            for a, b in ((one, other), (other, one)):
                relation = relations[one, other]
                ties += f'<CharacterRef from="{a}" to="{b}" relation="{relation}"/>'
        deed, thing = drawn.choice(_words("deed")), drawn.choice(_words("thing"))
        told = f"{deed.format(thing)} {drawn.choice(_words('place'))}."
        lines.append(
            f'<Event id="{number}"><Description>{told}</Description>'
            f"<Relationship>{ties}</Relationship></Event>"
        )
    return "\n".join([*lines, "</EventList>", "</Plot>", ""])


def _names(drawn: random.Random) -> Iterator[str]:
    """Distinct names, the shorter ones first."""
    for syllables in range(2, 6):
        names = [
            "".join(parts) for parts in product(_words("syllable"), repeat=syllables)
        ]
        drawn.shuffle(names)
        yield from (name.capitalize() for name in names)


if __name__ == "__main__":
    nodes, *seed = map(int, sys.argv[1:])
    sys.stdout.write(made_plot(nodes, *seed))
