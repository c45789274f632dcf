"""The forms in which evidence tells of a plot, and the story that they make."""

from __future__ import annotations

import html
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TypeAlias, TypeVar

from gswlab.core.nouns import Evidence, Item
from gswlab.hybridrag.ties import TIE_KINDS, relation_in, same_relation
from gswlab.language.keys import kind_stems
from gswlab.language.language import KANA_KANJI, language_of, of

_PLURALS = "|".join(kind.plural for kind in TIE_KINDS)
_JAPANESE = "|".join(kind.japanese for kind in TIE_KINDS)
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
class ToldPerson:
    """Somebody, and what is said of them."""

    name: str
    role: str
    description: str


@dataclass(frozen=True, slots=True)
class ToldEvent:
    """What happens, by its place in the plot; `who` is listed there without a tie."""

    number: int
    text: str
    who: frozenset[str] = frozenset()

    def has(self, name: str) -> bool:
        """Whether somebody is listed or named."""
        return name in self.who or re.search(_word(name), self.text) is not None


@dataclass(frozen=True, slots=True)
class ToldTie:
    """What two are to each other at an event."""

    pair: frozenset[str]
    relation: str
    event: int


@dataclass(frozen=True, slots=True)
class ToldCast:
    """In how many events somebody appears, and who was ever what to them."""

    name: str
    events: int
    ever: tuple[tuple[str, tuple[str, ...]], ...]


_Form: TypeAlias = ToldPerson | ToldEvent | ToldTie | ToldCast


def forms(text: str) -> Iterator[_Form]:
    """Everything a text tells of a plot.

    >>> list(forms("Ann and Bo: enemy (event 3)."))[0].relation
    'enemy'
    """
    if "<Character" in text or "<Event" in text:
        yield from _xml(text)
        return
    head, _, body = text.strip().partition("\n")
    if body and (found := _HEADING.fullmatch(head)):
        told = [hit for pattern in (_TIE, _TIE_JA) for hit in pattern.finditer(body)]
        number, ends = int(found.group(1)), [hit.start() for hit in told]
        yield ToldEvent(number, body[: min(ends, default=len(body))].strip())
        for one, other, known, free in (hit.groups() for hit in told):
            yield ToldTie(frozenset({one, other}), known or free, number)
    elif body and (titled := _TITLE.fullmatch(head)):
        yield ToldPerson(titled.group(1), titled.group(2), body)
    else:
        for line in text.splitlines():  # one that sums up: of somebody, else of two
            if found := _CAST.fullmatch(line.strip()):
                name, many, count, _, ever = found.groups()
                ties = []
                for en, ja, who in _EVER.findall(ever):
                    parts = map(str.strip, re.split(r"[,、]", who))
                    ties.append((en or ja, tuple(filter(None, parts))))
                yield ToldCast(name, int(many or count), tuple(ties))
            elif found := _PAIR.fullmatch(line.strip()):
                one, other, stated = found.groups()
                pair = frozenset({one, other})
                for relation, events in _RUN.findall(stated):
                    for place in re.findall(r"\d+", events):
                        yield ToldTie(pair, relation.strip(), int(place))


def _xml(text: str) -> Iterator[_Form]:
    """The elements that are whole; an event is known by its place among them."""
    names: dict[str, str] = {}
    number = 0
    for tag, attributes, body in _ELEMENT.findall(text):
        said, description = _attributes(attributes), _child(body, "Description")
        if tag == "Character":
            name = names[said.get("id", "")] = _child(body, "Name")
            yield ToldPerson(name, said.get("role", ""), description)
            continue
        number += 1
        refs = [_attributes(found) for found in _REFERENCE.findall(body)]
        who = (names.get(ref.get("character", "")) for ref in refs)
        yield ToldEvent(number, description, frozenset(name for name in who if name))
        for ref in refs:
            ends = [names.get(ref.get(end, "")) for end in ("from", "to")]
            if all(ends):
                pair = frozenset(end for end in ends if end)
                yield ToldTie(pair, ref.get("relation", ""), number)


def _attributes(text: str) -> dict[str, str]:
    found = _ATTRIBUTE.findall(text)
    return {name: html.unescape(one or other).strip() for name, one, other in found}


def _child(body: str, tag: str) -> str:
    found = re.search(rf"<{tag}>(.*?)</{tag}>", body, re.S)
    return html.unescape(found.group(1)).strip() if found else ""


def _word(name: str) -> str:
    return rf"\b{re.escape(name)}\b" if name.isascii() else re.escape(name)


# What evidence tells of a plot: its people, its events by number, their ties.


@dataclass(frozen=True)
class Story:
    """A plot as far as it is told. `source` says which items tell of what.

    A tie is the place of an event and the relation that it states. Sources go by a
    person's name, an event's number, the two of a tie. `foreign` is how many items have
    no form of a plot.
    """

    people: Mapping[str, ToldPerson]
    events: Mapping[int, ToldEvent]
    ties: Mapping[frozenset[str], list[tuple[int, str]]]
    casts: Mapping[str, ToldCast]
    source: Mapping[object, tuple[Item, ...]] = field(repr=False)
    foreign: int = 0

    @property
    def told(self) -> bool:
        """Whether the evidence is of a plot: "Kes (film)" over a text is none alone."""
        known = self.events or self.ties or self.casts
        return bool(known or (self.people and not self.foreign))

    @classmethod
    def of(cls, evidence: Evidence) -> Story:
        """Read off the items; what is told twice is told once."""
        people: dict[str, ToldPerson] = {}
        events: dict[int, ToldEvent] = {}
        ties: defaultdict[frozenset[str], set[tuple[int, str]]] = defaultdict(set)
        casts: dict[str, ToldCast] = {}
        source: defaultdict[object, dict[Item, None]] = defaultdict(dict)
        foreign = 0
        for item in evidence.items:
            found = list(forms(item.text))
            foreign += not found
            for form in found:
                if isinstance(form, ToldTie):
                    # "enemies" of one item and "enemy" of another are one tie.
                    stated = relation_in(form.relation, "en")
                    ties[form.pair].add((form.event, stated))
                    source[form.pair][item] = None
                elif isinstance(form, ToldEvent):
                    events.setdefault(form.number, form)
                    source[form.number][item] = None
                else:
                    if isinstance(form, ToldPerson):
                        people.setdefault(form.name, form)
                    else:
                        casts.setdefault(form.name, form)
                    source[form.name][item] = None
        in_order = {pair: sorted(found) for pair, found in ties.items()}
        cited = {key: tuple(items) for key, items in source.items()}
        return cls(people, events, in_order, casts, cited, foreign)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Everybody told of, long names first: "Ann Ray" is not "Ann"."""
        tied = (name for pair in self.ties for name in pair)
        every = dict.fromkeys([*self.people, *self.casts, *sorted(tied)])
        return tuple(sorted(every, key=lambda name: (-len(name), name)))

    def runs(self, pair: frozenset[str]) -> list[tuple[int, str]]:
        """What two were to each other: where each relation begins."""
        found: list[tuple[int, str]] = []
        for event, relation in self.ties.get(pair, ()):
            if not found or not same_relation(found[-1][1], relation):
                found.append((event, relation))
        return found

    def stated(self, pair: frozenset[str], relation: str) -> list[int]:
        """The events at which a relation of two is stated."""
        told = self.ties.get(pair, ())
        return [event for event, named in told if same_relation(named, relation)]

    def ever(self, name: str, relation: str) -> list[str]:
        """Who was ever that to somebody, in the order they became so."""
        if cast := self.casts.get(name):
            named = (who for word, who in cast.ever if same_relation(word, relation))
            return [one for who in named for one in who]
        found = sorted(
            (event, one)
            for pair in self.ties
            if name in pair
            for event in self.stated(pair, relation)
            for one in pair - {name}
        )
        return list(dict.fromkeys(one for _, one in found))

    def appearances(self, name: str) -> int:
        """In how many events somebody appears, as far as is told."""
        if cast := self.casts.get(name):
            return cast.events
        tied = {e for pair in self.ties if name in pair for e, _ in self.ties[pair]}
        told = (n for n, event in self.events.items() if event.has(name))
        return len(tied | set(told))


# Which event or person words speak of, by the rare words or letters in common.

_Key = TypeVar("_Key")
_LETTERS = re.compile(f"[{KANA_KANJI}]+")


@lru_cache(maxsize=4096)
def _features(text: str) -> frozenset[str]:
    """Stems of content words; of Japanese, pairs of letters."""
    if of(language_of(text)).space:
        return kind_stems(text)
    found = _LETTERS.findall(text)
    pairs = {run[at : at + 2] for run in found for at in range(len(run) - 1)}
    # A kanji means something alone; a kana hardly does.
    alone = {letter for run in found for letter in run if letter >= "㐀"}
    return frozenset(pairs | alone)


def most_alike_first(words: str, texts: Mapping[_Key, str]) -> list[tuple[float, _Key]]:
    """Keys by what their texts share with `words`, most first; ties keep the order.

    A shared feature is worth more the fewer texts have it.

    >>> most_alike_first("the sunken boat", {1: "A boat sank.", 2: "A cat sat."})[0][1]
    1
    """
    held = {key: _features(text) for key, text in texts.items()}
    counts = Counter(feature for found in held.values() for feature in found)
    asked, total = _features(words), len(held)
    scored: list[tuple[float, _Key]] = []
    for key, found in held.items():
        common = (math.log(1 + total / counts[f]) for f in sorted(found & asked))
        scored.append((sum(common), key))
    return sorted(scored, key=lambda pair: -pair[0])


def most_alike(words: str, texts: Mapping[_Key, str]) -> _Key | None:
    """The key whose text shares most; None where nothing is shared."""
    found = most_alike_first(words, texts)
    return found[0][1] if found and found[0][0] > 0 else None


def named_in(text: str, names: Sequence[str]) -> list[str]:
    """Names that a text says, in its order; a longer name hides those inside it."""
    found: list[tuple[int, str]] = []
    for name in names:
        word = _word(name)
        hits = list(re.finditer(word, text))
        if hits:
            found.append((hits[0].start(), name))
            text = re.sub(word, lambda hit: "\0" * len(hit.group()), text)
    return [name for _, name in sorted(found)]
