"""The forms in which evidence tells of a plot, each as data."""

from __future__ import annotations

import html
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TypeAlias, TypeVar

from gswlab.core.nouns import Evidence, Item
from gswlab.hybridrag.ties import RELATIONS, same, told
from gswlab.language.keys import kind_stems
from gswlab.language.language import KANA_KANJI, language_of

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


# What evidence tells of a plot: its people, its events by number, their ties.

Stated = list[tuple[int, str]]  # places of events, and the relation each states


@dataclass(frozen=True)
class Story:
    """A plot as far as it is told. `source` says which items tell of what.

    `foreign` is how many items have no form of a plot.
    """

    people: Mapping[str, Person]
    events: Mapping[int, Event]
    ties: Mapping[frozenset[str], Stated]
    summaries: Mapping[str, Summary]
    source: Mapping[object, tuple[Item, ...]] = field(repr=False)
    foreign: int = 0

    @property
    def told(self) -> bool:
        """Whether the evidence is of a plot: "Kes (film)" over a text is none alone."""
        return bool(
            self.events
            or self.ties
            or self.summaries
            or (self.people and not self.foreign)
        )

    @classmethod
    def of(cls, evidence: Evidence) -> Story:
        """Read off the items; what is told twice is told once."""
        people: dict[str, Person] = {}
        events: dict[int, Event] = {}
        ties: defaultdict[frozenset[str], set[tuple[int, str]]] = defaultdict(set)
        sums: dict[str, Summary] = {}
        source: defaultdict[object, dict[Item, None]] = defaultdict(dict)
        foreign = 0
        for item in evidence.items:
            found = list(forms(item.text))
            foreign += not found
            for form in found:
                if isinstance(form, Tie):
                    # "enemies" of one item and "enemy" of another are one tie.
                    ties[form.pair].add((form.event, told(form.relation, "en")))
                elif isinstance(form, Person):
                    people.setdefault(form.name, form)
                elif isinstance(form, Event):
                    events.setdefault(form.number, form)
                else:
                    sums.setdefault(form.name, form)
                source[form.key][item] = None
        stated = {pair: sorted(found) for pair, found in ties.items()}
        cited = {key: tuple(items) for key, items in source.items()}
        return cls(people, events, stated, sums, cited, foreign)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Everybody told of, long names first: "Ann Ray" is not "Ann"."""
        tied = (name for pair in self.ties for name in pair)
        every = dict.fromkeys([*self.people, *self.summaries, *sorted(tied)])
        return tuple(sorted(every, key=lambda name: (-len(name), name)))

    def runs(self, pair: Iterable[str]) -> list[tuple[int, str]]:
        """What two were to each other: where each relation begins."""
        found: list[tuple[int, str]] = []
        for event, relation in self.ties.get(frozenset(pair), ()):
            if not found or not same(found[-1][1], relation):
                found.append((event, relation))
        return found

    def stated(self, pair: Iterable[str], relation: str) -> list[int]:
        """The events at which a relation of two is stated."""
        told = self.ties.get(frozenset(pair), ())
        return [event for event, named in told if same(named, relation)]

    def ever(self, name: str, relation: str) -> list[str]:
        """Who was ever that to somebody, in the order they became so."""
        if summary := self.summaries.get(name):
            named = (who for word, who in summary.ever if same(word, relation))
            return [one for who in named for one in who]
        found = sorted(
            (event, one)
            for pair, told in self.ties.items()
            if name in pair
            for event, word in told
            if same(word, relation)
            for one in pair - {name}
        )
        return list(dict.fromkeys(one for _, one in found))

    def appearances(self, name: str) -> int:
        """In how many events somebody appears, as far as is told."""
        if summary := self.summaries.get(name):
            return summary.events
        tied = {e for pair in self.ties if name in pair for e, _ in self.ties[pair]}
        told = (n for n, event in self.events.items() if event.has(name))
        return len(tied | set(told))

    def items(self, keys: Iterable[object]) -> Iterator[Item]:
        """The items that tell of these."""
        for key in keys:
            yield from self.source.get(key, ())


# Which event or person words speak of, by the rare words or letters in common.

Key = TypeVar("Key")
_MATCHING_RUN = re.compile(f"[{KANA_KANJI}]+")


@lru_cache(maxsize=4096)
def features(text: str) -> frozenset[str]:
    """Stems of content words; of Japanese, pairs of letters."""
    if language_of(text) != "ja":
        return kind_stems(text)
    found = _MATCHING_RUN.findall(text)
    pairs = {run[at : at + 2] for run in found for at in range(len(run) - 1)}
    # A kanji means something alone; a kana hardly does.
    alone = {letter for run in found for letter in run if letter >= "㐀"}
    return frozenset(pairs | alone)


def ranked(words: str, texts: Mapping[Key, str]) -> list[tuple[float, Key]]:
    """Keys by what their texts share with `words`, most first; ties keep the order.

    A shared feature is worth more the fewer texts have it.

    >>> ranked("the sunken boat", {1: "A boat sank.", 2: "A cat sat."})[0][1]
    1
    """
    held = {key: features(text) for key, text in texts.items()}
    counts = Counter(feature for found in held.values() for feature in found)
    asked, total = features(words), len(held)
    scored: list[tuple[float, Key]] = []
    for key, found in held.items():
        common = (math.log(1 + total / counts[f]) for f in sorted(found & asked))
        scored.append((sum(common), key))
    return sorted(scored, key=lambda pair: -pair[0])


def best(words: str, texts: Mapping[Key, str]) -> Key | None:
    """The key whose text shares most; None where nothing is shared."""
    found = ranked(words, texts)
    return found[0][1] if found and found[0][0] > 0 else None


def named_in(text: str, names: Sequence[str]) -> list[str]:
    """Names that a text says, in its order; a longer name hides those inside it."""
    found: list[tuple[int, str]] = []
    for name in names:
        word = rf"\b{re.escape(name)}\b" if name.isascii() else re.escape(name)
        hits = list(re.finditer(word, text))
        if hits:
            found.append((hits[0].start(), name))
            text = re.sub(word, lambda hit: "\0" * len(hit.group()), text)
    return [name for _, name in sorted(found)]
