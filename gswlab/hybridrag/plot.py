"""Plots: who is in a story and what happens, read from XML, and as a property graph.

- The schema is Kondo & Oda's: `Characters` of `Character id role` with a `Name` and a
  `Description`; `EventList` of `Event id` with a `Description` and a `Relationship` of
  `CharacterRef from to relation`. Ours are the root `Plot`, and in an event
  `Appearance character` for who is there without a tie. As in the paper, both lists may
  stand without a root around them.
- The first fault is told in full, and on which lines there are more.
- As a graph a character and an event is a node each; `APPEARS_IN` leads from a
  character to an event, `RELATES_TO` from a character to another by the name of their
  tie, at the event at which it holds, `NEXT` from an event to the one after it. A node
  says nothing about its place in the file, so only what was edited is another node.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import XMLParser

from gswlab.core.document import Chapter, Document
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Span
from gswlab.hybridrag.stores.nouns import GraphEdge, GraphNode, PropertyGraph
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
class PlotTie:
    """What `source` is to `target` at one event ("friend"): character ids, one way."""

    source: str
    target: str
    relation: str


@dataclass(frozen=True, slots=True)
class PlotEvent:
    """What happens; `appears` are character ids, of its ties and those listed."""

    id: str
    description: str
    ties: tuple[PlotTie, ...]
    appears: tuple[str, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Plot:
    """A plot as its file tells it: events in the order in which they happen.

    `document` is the file itself, to which spans point: its text is the whole XML.
    """

    document: Document
    characters: tuple[Character, ...]
    events: tuple[PlotEvent, ...]


# A plot as a property graph.


def node_id(noun: Character | PlotEvent) -> str:
    """The id of its node: `c1` for the character 1, `e1` for the event 1."""
    return f"{'c' if isinstance(noun, Character) else 'e'}{noun.id}"


def plot_graph(plot: Plot) -> PropertyGraph:
    """The graph of a plot.

    Characters have `name`, `role` and `description`, events a `description`.
    """
    nodes, edges = [], []
    for one in plot.characters:
        told = {"name": one.name, "role": one.role, "description": one.description}
        nodes.append(GraphNode(node_id(one), "Character", told))
    for event in plot.events:
        at = node_id(event)
        nodes.append(GraphNode(at, "Event", {"description": event.description}))
        edges += [GraphEdge(f"c{one}", "APPEARS_IN", at) for one in event.appears]
        for tie in event.ties:
            source, target = f"c{tie.source}", f"c{tie.target}"
            edges.append(GraphEdge(source, "RELATES_TO", target, tie.relation, at))
    ids = map(node_id, plot.events)
    edges += [GraphEdge(one, "NEXT", other) for one, other in pairwise(ids)]
    nodes.sort(key=lambda node: node.id)
    edges.sort(key=lambda edge: edge.key)
    return PropertyGraph(tuple(nodes), tuple(edges))


# The elements of an untrusted XML file, each with its line and its characters.

_BOM = b"\xef\xbb\xbf"
_ENCODING = re.compile(rb"""\s*<\?xml[^>]*?encoding\s*=\s*["']([^"'>]*)""")
_BARE = re.compile(
    rb"\s*(?:<\?.*?\?>\s*)?((?:<!--.*?-->|\s)*<(?:Characters|EventList)[\s>])",
    re.DOTALL,
)
_COMMAND = "python -m gswlab run experiment=plot dataset.file=PLOT.xml"
_SHOWN = 5  # lines of further faults


class _Fault(NamedTuple):
    """What is wrong on a line, and the rule it breaks."""

    line: int
    problem: str
    rule: str


def _error(name: str, *faults: _Fault) -> GswlabError:
    first, *rest = faults
    problem = f"line {first.line} of {name}: {first.problem}"
    if rest:
        lines = list(dict.fromkeys(str(fault.line) for fault in rest))
        more = ", ".join(lines[:_SHOWN]) + (", ..." if len(lines) > _SHOWN else "")
        problem += f"; other faults on line {more}"
    return GswlabError(problem, first.rule, _COMMAND)


@dataclass(slots=True)
class _Element:
    """An element and what is in it; `text[start:end]` of the file is all of it."""

    tag: str
    attributes: Mapping[str, str]
    line: int
    start: int
    end: int = 0
    text: str = ""
    children: list[_Element] = field(default_factory=list)

    def all(self, *tags: str) -> Iterator[_Element]:
        """Children of one of these names, in order."""
        return (child for child in self.children if child.tag in tags)

    def said(self, tag: str) -> str:
        """The text of its first child of that name, without spaces around it."""
        return next(self.all(tag)).text.strip()

    def has(self, attribute: str) -> str:
        """An attribute without spaces around it."""
        return self.attributes.get(attribute, "").strip()


def _parsed(data: bytes, name: str) -> tuple[_Element, str]:
    """The root of a file, and the file as decoded."""
    data = data.removeprefix(_BOM)
    named = _ENCODING.match(data)
    if named and named[1].lower() not in (b"utf-8", b"utf8"):
        problem = f"the encoding {named[1].decode('ascii', 'replace')!r} is declared"
        raise _error(name, _Fault(1, problem, "UTF-8"))
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = f"byte {data[error.start]:#04x} is not UTF-8"
        raise _error(name, _Fault(line, problem, "text in UTF-8")) from None
    tree = _Tree(data)
    parser = XMLParser(target=tree, encoding="utf-8", forbid_dtd=True)
    tree.expat = parser.parser
    try:
        parser.feed(data[: tree.begins])
        parser.feed(tree.opening)
        parser.feed(data[tree.begins :] + tree.opening.replace(b"<", b"</"))
        parser.close()
    except DefusedXmlException:
        rule = "no DOCTYPE: no entities, and nothing from outside the file"
        declared = _Fault(tree.line, "a document type is declared", rule)
        raise _error(name, declared) from None
    except ParseError as error:
        said = str(error).partition(":")[0]
        fault = _Fault(error.position[0], said, "well-formed XML")
        raise _error(name, fault) from None
    return tree.root[0], text


class _Tree:
    """What expat calls: elements are opened, filled and closed."""

    def __init__(self, data: bytes) -> None:
        self.expat: Any = None
        self.root: list[_Element] = []
        self._data = data
        # a root of our own for two lists without one, after what must stand before it
        bare = _BARE.match(data)
        self.begins = bare.start(1) if bare else 0
        self.opening = b"<Plot>" if bare else b""
        self._open: list[_Element] = []
        self._bytes = self._characters = 0

    @property
    def line(self) -> int:
        """Where expat is, from 1."""
        return int(self.expat.CurrentLineNumber)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        at = self._offset(self._at())
        element = _Element(tag, attributes, self.line, at)
        siblings = self._open[-1].children if self._open else self.root
        siblings.append(element)
        self._open.append(element)

    def end(self, tag: str) -> None:
        at, closed = self._at(), self._open.pop()
        if at == len(self._data):  # the root of our own
            closed.end = self._offset(at)
            return
        inside = closed.children or closed.text
        if inside or self._data[at - 2 : at] != b"/>":  # <a/> ends where expat is
            at = self._data.index(b">", at) + 1
        closed.end = self._offset(at)

    def data(self, text: str) -> None:
        self._open[-1].text += text

    def _at(self) -> int:
        """The byte of the file where expat is."""
        at = self.expat.CurrentByteIndex
        return int(at - len(self.opening) if at > self.begins else at)

    def _offset(self, at: int) -> int:
        """Characters before a byte: counted on from the byte asked about last."""
        if at < self._bytes:
            return self._characters - len(self._data[at : self._bytes].decode())
        self._characters += len(self._data[self._bytes : at].decode())
        self._bytes = at
        return self._characters


# The schema, and every fault with its line.

_MANY = float("inf")
_TIE = ("from", "to", "relation")
_SECTIONS = ("Characters", "EventList")


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


def _misshapen(element: _Element, *expected: str) -> Iterator[_Fault]:
    """Where an element or anything in it is not as the schema has it."""
    line, tag = element.line, element.tag
    if tag not in expected:
        rule = f"here may stand {', '.join(expected) or 'no element'}"
        yield _Fault(line, f"there is an element {tag!r}", rule)
        return
    shape = _SCHEMA[tag]
    for name in shape.attributes:
        if not element.has(name):
            said = "empty" if name in element.attributes else "missing"
            rule = f"{tag} has {' and '.join(shape.attributes)}"
            yield _Fault(line, f"the attribute {name!r} of {tag} is {said}", rule)
    for name in sorted(element.attributes.keys() - set(shape.attributes)):
        rule = f"{tag} has {' and '.join(shape.attributes) or 'no attributes'}"
        yield _Fault(line, f"{tag} has an attribute {name!r}", rule)
    if bool(element.text.strip()) != shape.text:
        rule = "text stands in Name and Description, and only there"
        problem = f"{tag} is empty" if shape.text else f"{tag} holds text of its own"
        yield _Fault(line, problem, rule)
    had = Counter(child.tag for child in element.children)
    for name, least, most in shape.children:
        if not least <= had[name] <= most:
            rule = f"{'at least' if most > 1 else 'exactly'} one"
            yield _Fault(line, f"{tag} has {had[name]} {name}", rule)
    for child in element.children:
        yield from _misshapen(child, *(name for name, _, _ in shape.children))


def _misnamed(root: _Element) -> Iterator[_Fault]:
    """Where an id is there twice, or names nobody."""
    for section in root.all(*_SECTIONS):
        first: dict[str, _Element] = {}
        for element in section.children:
            id_ = element.has("id")
            if first.setdefault(id_, element) is not element:
                problem = f"{element.tag} {id_!r} is there twice"
                rule = f"first on line {first[id_].line}"
                yield _Fault(element.line, problem, rule)
    people, events = (next(root.all(tag)).children for tag in _SECTIONS)
    known = {character.has("id") for character in people}
    for event in events:
        ties = [tie for group in event.all("Relationship") for tie in group.children]
        for element in [*ties, *event.all("Appearance")]:
            named = {key: element.has(key) for key in ("from", "to", "character")}
            for id_ in sorted(set(named.values()) - known - {""}):
                problem = f"{element.tag} names a character {id_!r}"
                rule = "the id of a Character of this file"
                yield _Fault(element.line, problem, rule)
            if named["from"] and named["from"] == named["to"]:
                problem = f"CharacterRef ties {named['from']!r} to itself"
                yield _Fault(element.line, problem, "from one character to another")


# A plot out of its file.


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
    root, text = _parsed(data, name)
    if faults := [*_misshapen(root, "Plot")] or [*_misnamed(root)]:
        raise _error(name, *sorted(faults))
    document = document_of(text, Path(name).stem)
    people, events = (next(root.all(tag)).children for tag in _SECTIONS)
    characters = []
    for one in people:
        span = Span(document.id, one.start, one.end)
        named = one.has("id"), one.has("role"), one.said("Name")
        characters.append(Character(*named, one.said("Description"), span))
    happens = []
    for event in events:
        refs = [ref for group in event.all("Relationship") for ref in group.children]
        ties = dict.fromkeys(PlotTie(*map(ref.has, _TIE)) for ref in refs)
        tied = [end for tie in ties for end in (tie.source, tie.target)]
        listed = [one.has("character") for one in event.all("Appearance")]
        known = tuple(ties), tuple(dict.fromkeys([*tied, *listed]))
        span = Span(document.id, event.start, event.end)
        shown = event.has("id"), event.said("Description")
        happens.append(PlotEvent(*shown, *known, span))
    told = "\n".join(noun.said("Description") for noun in (*people, *events))
    whole = Chapter(None, None, Span(document.id, 0, len(document.text)))
    document = replace(document, chapters=(whole,), language=language_of(told))
    return Plot(document, tuple(characters), tuple(happens))
