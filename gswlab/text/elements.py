"""The elements of an untrusted XML file, each with its line and its characters.

- A file is UTF-8; it declares no document type, so it has no entities of its own, and
  nothing outside it is looked up (defusedxml).
- Offsets are into the file as decoded, without its byte order mark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from xml.etree.ElementTree import ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import XMLParser

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
