"""How each kind of noun looks: a letter, a shape and a colour, never colour alone.

Colours are Okabe and Ito's eight, safe for colour-blind eyes; the ink of the letter is
the one of black and white that reads at 4.5:1 or better on its colour.
"""

from __future__ import annotations

from importlib.resources import files
from typing import NamedTuple


class Look(NamedTuple):
    """Letter and colour of a kind, and the ink that reads on the colour.

    `line` is the colour under a mention, another where the kind's own is too pale to
    see or is that of the page; `rim` the edge of its badge, where that is; `shape` its
    outline as the data of an SVG path, y downwards.
    """

    letter: str
    colour: str
    ink: str
    line: str
    rim: str
    shape: str


_ROWS = files("gswlab.view.kit").joinpath("looks.tsv").read_text("utf-8").splitlines()
LOOKS = {kind: Look(*look) for kind, *look in (row.split("\t") for row in _ROWS[1:])}


def badge(kind: str) -> str:
    """The letter of a kind of noun on its colour, "" for what is no noun."""
    if kind not in LOOKS:
        return ""
    name, letter = kind.replace(" ", "-"), LOOKS[kind].letter
    return f'<span class="badge b-{name}" aria-hidden="true">{letter}</span>'
