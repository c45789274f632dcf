"""How each kind of noun looks: a letter, a shape and a colour, never colour alone.

Colours are Okabe and Ito's eight, safe for colour-blind eyes; the ink of the letter is
the one of black and white that reads at 4.5:1 or better on its colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Look:
    """Letter, shape and colour of a kind, and the ink that reads on the colour.

    `line` is the colour under a mention, where the kind's own is too pale to see or is
    that of the page; `rim` the edge of its badge, where that is.
    """

    letter: str
    shape: str
    colour: str
    ink: str = "#000000"
    line: str = ""
    rim: str = ""


LOOKS: Mapping[str, Look] = {
    "person": Look("P", "circle", "#0072b2", "#ffffff"),
    "organisation": Look("O", "hexagon", "#009e73"),
    "place": Look("L", "triangle", "#e69f00"),
    "time": Look("T", "diamond", "#56b4e9"),
    "work": Look("W", "square", "#cc79a7"),
    "object": Look("B", "pentagon", "#f0e442", line="#d9c800"),
    "abstract": Look("A", "octagon", "#bbbbbb", line="#999999"),
    "verb phrase": Look("V", "pill", "#ffffff", line="var(--soft)", rim="#555555"),
    "episode": Look("E", "star", "#d55e00"),
    # what a memory holds that keeps no workspace (`gswlab.view.run.events_as_graph`)
    "entity": Look("N", "trapezium", "#000000", "#ffffff", "var(--ink)", "#999999"),
    "passage": Look("¶", "sheet", "#f3e3b5", line="#c9a33b"),
    "message": Look("M", "bubble", "#d5c6ea", line="#8a6fb8"),
}


def looks_css() -> str:
    """The colours of all kinds for a style sheet: of marks in a text, and of badges."""
    rules = []
    for kind, look in LOOKS.items():
        name = kind.replace(" ", "-")
        rim = f"; box-shadow: inset 0 0 0 1px {look.rim}" if look.rim else ""
        mark = f"mark.k-{name} {{ --c: {look.line or look.colour}; }}"
        back = f"background: {look.colour}; color: {look.ink}{rim};"
        rules.append(f"{mark} .b-{name} {{ {back} }}")
    return ".gswlab.gswlab {\n" + "\n".join(rules) + "\n}"


def badge(kind: str) -> str:
    """The letter of a kind of noun on its colour, "" for what is no noun."""
    if kind not in LOOKS:
        return ""
    name, letter = kind.replace(" ", "-"), LOOKS[kind].letter
    return f'<span class="badge b-{name}" aria-hidden="true">{letter}</span>'
