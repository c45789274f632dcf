"""Plots as XML: the schema, and every fault with its line.

- The schema is Kondo & Oda's: `Characters` of `Character id role` with a `Name` and a
  `Description`; `EventList` of `Event id` with a `Description` and a `Relationship` of
  `CharacterRef from to relation`. Ours are the root `Plot`, and in an event
  `Appearance character` for who is there without a tie.
- The first fault is told in full, and on which lines there are more.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import XMLParser

from gswlab.core.document import Chapter, Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Span
from gswlab.language.language import language_of
from gswlab.text.document import document_of

# A plot: characters, and events in order with who appears and what ties hold then.


@dataclass(frozen=True, slots=True)
class Character:
    """Who a plot is about. `span` is its element in the file."""

    id: str
    role: str
    name: str
    description: str
    span: Span


@dataclass(frozen=True, slots=True, order=True)
class Tie:
    """What `source` is to `target` at one event ("friend"): character ids, one way."""

    source: str
    target: str
    relation: str


@dataclass(frozen=True, slots=True)
class Event:
    """What happens; `appears` are character ids, of its ties and those listed."""

    id: str
    description: str
    ties: tuple[Tie, ...]
    appears: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot as its file tells it: events in the order in which they happen.

    `document` is the file itself, to which spans point: its text is the whole XML.
    """

    document: Document
    characters: tuple[Character, ...]
    events: tuple[Event, ...]


# The elements of an untrusted XML file, each with its line and its characters.

_BOM = b"\xef\xbb\xbf"
_ENCODING = re.compile(rb"""\s*<\?xml[^>]*?encoding\s*=\s*["']([^"'>]*)""")


class Fault(NamedTuple):
    """What is wrong on a line, and the rule it breaks."""

    line: int
    problem: str
    rule: str


class FaultyError(Exception):
    """A file whose elements cannot be told; `fault` says where and why."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.problem)
        self.fault = fault


@dataclass(slots=True)
class Element:
    """An element and what is in it; `text[start:end]` of the file is all of it."""

    tag: str
    attributes: Mapping[str, str]
    line: int
    start: int
    end: int = 0
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def all(self, *tags: str) -> Iterator[Element]:
        """Children of one of these names, in order."""
        return (child for child in self.children if child.tag in tags)

    def said(self, tag: str) -> str:
        """The text of its first child of that name, without spaces around it."""
        return next(self.all(tag)).text.strip()


def elements(data: bytes) -> tuple[Element, str]:
    """The root of a file, and the file as decoded.

    Raises:
        FaultyError: no UTF-8, not well-formed, or a document type is declared.
    """
    data = data.removeprefix(_BOM)
    text = _decoded(data)
    tree = _Tree(data)
    parser = XMLParser(target=tree, encoding="utf-8", forbid_dtd=True)
    tree.expat = parser.parser
    try:
        parser.feed(data)
        parser.close()
    except DefusedXmlException:
        rule = "no DOCTYPE: no entities, and nothing from outside the file"
        declared = Fault(tree.line, "a document type is declared", rule)
        raise FaultyError(declared) from None
    except ParseError as error:
        said = str(error).partition(":")[0]
        raise FaultyError(Fault(error.position[0], said, "well-formed XML")) from None
    return tree.root[0], text


def _decoded(data: bytes) -> str:
    named = _ENCODING.match(data)
    if named and named[1].lower() not in (b"utf-8", b"utf8"):
        declared = f"the encoding {named[1].decode('ascii', 'replace')!r} is declared"
        raise FaultyError(Fault(1, declared, "UTF-8"))
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = f"byte {data[error.start]:#04x} is not UTF-8"
        raise FaultyError(Fault(line, problem, "text in UTF-8")) from None


class _Tree:
    """What expat calls: elements are opened, filled and closed."""

    def __init__(self, data: bytes) -> None:
        self.expat: Any = None
        self.root: list[Element] = []
        self._data = data
        self._open: list[Element] = []
        self._bytes = self._characters = 0

    @property
    def line(self) -> int:
        """Where expat is, from 1."""
        return int(self.expat.CurrentLineNumber)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        element = Element(tag, attributes, self.line, self._offset())
        siblings = self._open[-1].children if self._open else self.root
        siblings.append(element)
        self._open.append(element)

    def end(self, tag: str) -> None:
        at, closed = self.expat.CurrentByteIndex, self._open.pop()
        inside = closed.children or closed.text
        if inside or self._data[at - 2 : at] != b"/>":  # <a/> ends where expat is
            at = self._data.index(b">", at) + 1
        closed.end = self._offset(at)

    def data(self, text: str) -> None:
        self._open[-1].text += text

    def _offset(self, at: int | None = None) -> int:
        """Characters before a byte: counted on from the byte asked about last."""
        at = self.expat.CurrentByteIndex if at is None else at
        if at < self._bytes:
            return self._characters - len(self._data[at : self._bytes].decode())
        self._characters += len(self._data[self._bytes : at].decode())
        self._bytes = at
        return self._characters


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
