"""The forms in which evidence tells of a plot, each as data."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from gswlab.question.relations import RELATIONS

_PLURALS = "|".join(relation.plural for relation in RELATIONS)
_JAPANESE = "|".join(relation.japanese for relation in RELATIONS)
_HEADING = re.compile(r"(?:Event |出来事)(\d+)")
_TITLE = re.compile(r"(.+?) \((.+)\)")
_TIE = re.compile(
    rf"(?:(?<=[.!?] )|^)([^.!?:]+?) and ([^.!?:]+?)(?: are ({_PLURALS})|: ([^.]+))\."
)
_TIE_JA = re.compile(
    rf"(?:(?<=。)|^)([^。:]+?)と([^。:]+?)(?:は({_JAPANESE})である|: ([^。]+))。"
)
_PAIR = re.compile(r"(.+?)(?: and |と)(.+?): (.+)[.。]")
_RUN = re.compile(r"([^(),、]+?) ?\((?:events? |出来事)([\d,、 ]+)\)")
_CAST = re.compile(
    r"(.+?): (?:(\d+) events?|出来事(\d+)件)(?: ?\(([\d,、 ]+)\))?((?:; [^;]+)*)[.。]"
)
_EVER = re.compile(r"; (?:(.+?) of |(.+?)は)([^;]+)")
_ELEMENT = re.compile(r"<(Character|Event)\b([^>]*)>(.*?)</\1>", re.S)
_ATTRIBUTE = re.compile(r"""([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_REFERENCE = re.compile(r"<(?:CharacterRef|Appearance)\b([^>]*)>")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, and what is said of them."""

    name: str
    role: str
    description: str

    @property
    def key(self) -> object:
        """The name: what `Story.source` lists a person under."""
        return self.name


@dataclass(frozen=True, slots=True)
class Event:
    """What happens, by its place in the plot; `who` is listed there without a tie."""

    number: int
    text: str
    who: frozenset[str] = frozenset()

    @property
    def key(self) -> object:
        """The event's number, under which `Story.source` lists it."""
        return self.number

    def has(self, name: str) -> bool:
        """Whether somebody is listed or named."""
        word = rf"\b{re.escape(name)}\b" if name.isascii() else re.escape(name)
        return name in self.who or re.search(word, self.text) is not None


@dataclass(frozen=True, slots=True)
class Tie:
    """What two are to each other at an event."""

    pair: frozenset[str]
    relation: str
    event: int

    @property
    def key(self) -> object:
        """The pair, whatever its relation and event: one key for all ties of two."""
        return self.pair


@dataclass(frozen=True, slots=True)
class Summary:
    """In how many events somebody appears, and who was ever what to them."""

    name: str
    events: int
    ever: tuple[tuple[str, tuple[str, ...]], ...]

    @property
    def key(self) -> object:
        """The name: a summary and its person are listed under one key."""
        return self.name


Form: TypeAlias = Person | Event | Tie | Summary


def forms(text: str) -> Iterator[Form]:
    """Everything a text tells of a plot.

    >>> list(forms("Ann and Bo: enemy (event 3)."))[0].relation
    'enemy'
    """
    if "<Character" in text or "<Event" in text:
        yield from _xml(text)
        return
    head, _, body = text.strip().partition("\n")
    if body and (found := _HEADING.fullmatch(head)):
        yield from _event(int(found.group(1)), body)
    elif body and (titled := _TITLE.fullmatch(head)):
        yield Person(titled.group(1), titled.group(2), body)
    else:
        for line in text.splitlines():
            yield from _line(line.strip())


def _event(number: int, body: str) -> Iterator[Form]:
    told = [hit for pattern in (_TIE, _TIE_JA) for hit in pattern.finditer(body)]
    ends = [hit.start() for hit in told]
    yield Event(number, body[: min(ends, default=len(body))].strip())
    for one, other, known, free in (hit.groups() for hit in told):
        yield Tie(frozenset({one, other}), known or free, number)


def _line(line: str) -> Iterator[Form]:
    """A summing line: of somebody, else of two."""
    if found := _CAST.fullmatch(line):
        name, many, count, _, ever = found.groups()
        ties = ((en or ja, _listed(who)) for en, ja, who in _EVER.findall(ever))
        yield Summary(name, int(many or count), tuple(ties))
    elif found := _PAIR.fullmatch(line):
        one, other, told = found.groups()
        for relation, events in _RUN.findall(told):
            for number in re.findall(r"\d+", events):
                yield Tie(frozenset({one, other}), relation.strip(), int(number))


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in re.split(r"[,、]", text) if part.strip())


def _xml(text: str) -> Iterator[Form]:
    """The elements that are whole; an event is known by its place among them."""
    names: dict[str, str] = {}
    number = 0
    for tag, attributes, body in _ELEMENT.findall(text):
        said, description = _attributes(attributes), _child(body, "Description")
        if tag == "Character":
            name = _child(body, "Name")
            names[said.get("id", "")] = name
            yield Person(name, said.get("role", ""), description)
            continue
        number += 1
        refs = [_attributes(found) for found in _REFERENCE.findall(body)]
        who = {names.get(ref.get("character", "")) for ref in refs} - {None}
        yield Event(number, description, frozenset(name for name in who if name))
        for ref in refs:
            ends = [names.get(ref.get(end, "")) for end in ("from", "to")]
            if all(ends):
                pair = frozenset(end for end in ends if end)
                yield Tie(pair, ref.get("relation", ""), number)


def _attributes(text: str) -> dict[str, str]:
    found = _ATTRIBUTE.findall(text)
    return {name: html.unescape(one or other).strip() for name, one, other in found}


def _child(body: str, tag: str) -> str:
    found = re.search(rf"<{tag}>(.*?)</{tag}>", body, re.S)
    return html.unescape(found.group(1)).strip() if found else ""
