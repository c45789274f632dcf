"""How each kind of noun looks: a letter, a shape and a colour, never colour alone.

Colours are Okabe and Ito's eight, safe for colour-blind eyes; the ink of the letter is
the one of black and white that reads at 4.5:1 or better on its colour.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gswlab.workspace.nouns import (
    Actor,
    Episode,
    Noun,
    Place,
    Question,
    Relation,
    Time,
    VerbPhrase,
)
from gswlab.workspace.step import NounKind
from gswlab.workspace.workspace import KIND


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
    # what a memory holds that keeps no workspace (`gswlab.view.run.pictured`)
    "entity": Look("N", "trapezium", "#000000", "#ffffff"),
    "passage": Look("¶", "sheet", "#f3e3b5"),
    "message": Look("M", "bubble", "#d5c6ea"),
}


def kind_of(noun: Noun) -> str:
    """The kind a reader sees: an anchor looks like what it anchors.

    >>> kind_of(Actor("a1", "person", "Ann Ray")), kind_of(Time("t1", "2024"))
    ('person', 'time')
    """
    if isinstance(noun, Actor):
        return noun.kind
    kind: NounKind = KIND[noun.id[:1]]
    return kind.replace("_", " ")


def name_of(noun: Noun) -> str:
    """What to call a noun on screen; never empty.

    >>> name_of(Place("p1", None)), name_of(Time("t1", "2024-05"))
    ('p1 (unnamed)', '2024-05')
    """
    match noun:
        case Actor(name=name):
            return name or noun.id
        case Time(value=value, readings=readings):
            texts = (reading.text for reading in readings)
            return value or next(filter(None, texts), f"{noun.id} (undated)")
        case Place(name=place):
            return place or f"{noun.id} (unnamed)"
        case Question(text=text):
            return text
        case Episode(kind=kind, chapter=chapter):
            where = f"chapter {chapter}" if chapter is not None else noun.id
            return f"{kind.value if kind else 'episode'}, {where}"
        case VerbPhrase(predicate=label) | Relation(kind=label):
            return label.replace("_", " ")
