"""Plots as XML: the schema, and every fault with its line.

- The schema is Kondo & Oda's: `Characters` of `Character id role` with a `Name` and a
  `Description`; `EventList` of `Event id` with a `Description` and a `Relationship` of
  `CharacterRef from to relation`. Ours are the root `Plot`, and in an event
  `Appearance character` for who is there without a tie.
- The first fault is told in full, and on which lines there are more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from gswlab.core.document import Chapter, Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Span
from gswlab.language.language import language_of
from gswlab.text.document import document_of
from gswlab.text.elements import Element, Fault, FaultyError, elements
from gswlab.text.plot import Character, Event, Plot, Tie

_COMMAND = "python -m gswlab run experiment=plot dataset.file=PLOT.xml"
_MANY = float("inf")
_TIE = ("from", "to", "relation")
_REFERENCES = ("from", "to", "character")
_SECTIONS = ("Characters", "EventList")
_SHOWN = 5  # lines of further faults


class _Shape(NamedTuple):
    """What an element has: attributes, children (at least, at most), or text."""

    attributes: tuple[str, ...] = ()
    children: tuple[tuple[str, int, float], ...] = ()
    text: bool = False


_SCHEMA = {
    "Plot": _Shape((), (("Characters", 1, 1), ("EventList", 1, 1))),
    "Characters": _Shape((), (("Character", 1, _MANY),)),
    "Character": _Shape(("id", "role"), (("Name", 1, 1), ("Description", 1, 1))),
    "EventList": _Shape((), (("Event", 1, _MANY),)),
    "Event": _Shape(
        ("id",),
        (("Description", 1, 1), ("Relationship", 0, _MANY), ("Appearance", 0, _MANY)),
    ),
    "Relationship": _Shape((), (("CharacterRef", 0, _MANY),)),
    "CharacterRef": _Shape(_TIE),
    "Appearance": _Shape(("character",)),
    "Name": _Shape(text=True),
    "Description": _Shape(text=True),
}


def read_plot(path: str | Path) -> Plot:
    """The plot in an XML file; the file's stem is its document's id.

    Raises:
        GswlabError: the file cannot be read, or something in it is not of the schema.
    """
    path = Path(path)
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:
        problem = f"{str(path)[:80]!r} cannot be read: {error.args[-1]}"
        raise GswlabError(problem, "an XML file of a plot", _COMMAND) from error
    return plot_of(data, path.name)


def plot_of(data: bytes, name: str = "plot.xml") -> Plot:
    """The plot in the bytes of an XML file; `name` is what errors call it.

    Raises:
        GswlabError: something in it is not of the schema.
    """
    try:
        root, text = elements(data)
    except FaultyError as error:
        raise _error(name, [error.fault]) from None
    faults = [*_misshapen(root, "Plot")] or [*_twice(root), *_dangling(root)]
    if faults:
        raise _error(name, sorted(faults))
    document = document_of(text, Path(name).stem)
    return _plot(root, document)


def _misshapen(element: Element, *expected: str) -> Iterator[Fault]:
    """Where an element or anything in it is not as the schema has it."""
    line, tag = element.line, element.tag
    if tag not in expected:
        rule = f"here may stand {', '.join(expected) or 'no element'}"
        yield Fault(line, f"there is an element {tag!r}", rule)
        return
    shape = _SCHEMA[tag]
    for name in shape.attributes:
        if not element.attributes.get(name, "").strip():
            said = "empty" if name in element.attributes else "missing"
            rule = f"{tag} has {' and '.join(shape.attributes)}"
            yield Fault(line, f"the attribute {name!r} of {tag} is {said}", rule)
    for name in sorted(element.attributes.keys() - set(shape.attributes)):
        rule = f"{tag} has {' and '.join(shape.attributes) or 'no attributes'}"
        yield Fault(line, f"{tag} has an attribute {name!r}", rule)
    if bool(element.text.strip()) != shape.text:
        rule = "text stands in Name and Description, and only there"
        problem = f"{tag} is empty" if shape.text else f"{tag} holds text of its own"
        yield Fault(line, problem, rule)
    had = Counter(child.tag for child in element.children)
    for name, least, most in shape.children:
        if not least <= had[name] <= most:
            rule = f"{'at least' if most > 1 else 'exactly'} one"
            yield Fault(line, f"{tag} has {had[name]} {name}", rule)
    for child in element.children:
        yield from _misshapen(child, *(name for name, _, _ in shape.children))


def _twice(root: Element) -> Iterator[Fault]:
    for section in root.all(*_SECTIONS):
        known: dict[str, Element] = {}
        for element in section.children:
            first = known.setdefault(_id(element), element)
            if first is not element:
                problem = f"{element.tag} {_id(element)!r} is there twice"
                yield Fault(element.line, problem, f"first on line {first.line}")


def _dangling(root: Element) -> Iterator[Fault]:
    people, events = (next(root.all(tag)).children for tag in _SECTIONS)
    known = {_id(character) for character in people}
    for event in events:
        ties = [tie for group in event.all("Relationship") for tie in group.children]
        for element in [*ties, *event.all("Appearance")]:
            named = {key: _said(element, key) for key in _REFERENCES}
            for id_ in sorted(set(named.values()) - known - {""}):
                problem = f"{element.tag} names a character {id_!r}"
                rule = "the id of a Character of this file"
                yield Fault(element.line, problem, rule)
            if named["from"] and named["from"] == named["to"]:
                problem = f"CharacterRef ties {named['from']!r} to itself"
                yield Fault(element.line, problem, "from one character to another")


def _plot(root: Element, document: Document) -> Plot:
    people, events = (next(root.all(tag)).children for tag in _SECTIONS)
    told = "\n".join(noun.said("Description") for noun in (*people, *events))
    whole = Chapter(None, None, Span(document.id, 0, len(document.text)))
    return Plot(
        replace(document, chapters=(whole,), language=language_of(told)),
        tuple(_character(element, document.id) for element in people),
        tuple(_event(element, document.id) for element in events),
    )


def _character(element: Element, document: str) -> Character:
    return Character(
        _id(element),
        _said(element, "role"),
        element.said("Name"),
        element.said("Description"),
        Span(document, element.start, element.end),
    )


def _event(element: Element, document: str) -> Event:
    refs = [ref for ties in element.all("Relationship") for ref in ties.children]
    told = [[_said(ref, key) for key in _TIE] for ref in refs]
    ties = tuple(dict.fromkeys(Tie(*three) for three in told))
    listed = [_said(e, "character") for e in element.all("Appearance")]
    tied = [end for tie in ties for end in (tie.source, tie.target)]
    return Event(
        _id(element),
        element.said("Description"),
        ties,
        tuple(dict.fromkeys([*tied, *listed])),
        Span(document, element.start, element.end),
    )


def _id(element: Element) -> str:
    return _said(element, "id")


def _said(element: Element, attribute: str) -> str:
    return element.attributes.get(attribute, "").strip()


def _error(name: str, faults: list[Fault]) -> GswlabError:
    first, *rest = faults
    problem = f"line {first.line} of {name}: {first.problem}"
    if rest:
        lines = list(dict.fromkeys(str(fault.line) for fault in rest))
        more = ", ".join(lines[:_SHOWN]) + (", ..." if len(lines) > _SHOWN else "")
        problem += f"; other faults on line {more}"
    return GswlabError(problem, first.rule, _COMMAND)
