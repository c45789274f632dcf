"""How each kind of noun looks: a letter, a shape and a colour, never colour alone.

Colours are Okabe and Ito's eight, safe for colour-blind eyes; the ink of the letter is
the one of black and white that reads at 4.5:1 or better on its colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Look:
    """Letter, shape and colour of a kind, and the ink that reads on the colour."""

    letter: str
    shape: str
    colour: str
    ink: str = "#000000"


LOOKS: Mapping[str, Look] = {
    "person": Look("P", "circle", "#0072b2", "#ffffff"),
    "organisation": Look("O", "hexagon", "#009e73"),
    "place": Look("L", "triangle", "#e69f00"),
    "time": Look("T", "diamond", "#56b4e9"),
    "work": Look("W", "square", "#cc79a7"),
    "object": Look("B", "pentagon", "#f0e442"),
    "abstract": Look("A", "octagon", "#bbbbbb"),
    "verb phrase": Look("V", "pill", "#ffffff"),
    "episode": Look("E", "star", "#d55e00"),
    # what a memory holds that keeps no workspace (`gswlab.view.run.events_as_graph`)
    "entity": Look("N", "trapezium", "#000000", "#ffffff"),
    "passage": Look("¶", "sheet", "#f3e3b5"),
    "message": Look("M", "bubble", "#d5c6ea"),
}
