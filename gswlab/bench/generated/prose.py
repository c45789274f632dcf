"""What each chapter has to tell, and the chapter in words: three to eight paragraphs.

Where date, place, full name and the telling detail stand is drawn for each by itself,
as in EpBench; which sentence carries them, what stands between and who else acts is
drawn from the grammar. Side characters do, say and feel what a protagonist does.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from functools import cache, partial
from itertools import islice
from types import MappingProxyType
from typing import Literal, NamedTuple

import numpy as np

from gswlab.bench.generated.universe import (
    BookEvent,
    BookPerson,
    Dials,
    EventKind,
    Universe,
    data_lines,
    data_rows,
    sampled,
    side_characters,
)

Naming = Literal["named", "worded", "shown"]
# How often the kind of event is named, told in other words, or only shown.
NAMING: dict[Naming, float] = {"named": 0.45, "worded": 0.2, "shown": 0.35}
SHAPES = ("%B %d, %Y", "%d %B %Y", "%Y-%m-%d", "%d/%m/%Y")


@dataclass(frozen=True, slots=True)
class ChapterScene:
    """A chapter's event and all that is told beside it; empty texts are not told."""

    event: BookEvent
    person: BookPerson
    kind: EventKind
    company: tuple[BookPerson, ...]
    naming: Naming
    pronouns: bool = False
    alias: Literal["", "given", "used"] = ""
    role_then: str = ""
    opposite: str = ""
    elsewhere: str = ""
    other_dates: tuple[str, ...] = ()

    @property
    def named(self) -> str:
        """How the chapter names its protagonist in full."""
        return self.person.alias if self.alias == "used" else self.person.name

    @property
    def called(self) -> str:
        """How the chapter names its protagonist in short."""
        return self.person.short if self.alias else self.person.first


def scenes(
    universe: Universe, chapters: int, seed: int, dials: Dials
) -> list[ChapterScene]:
    """The scenes of a book, in the order of its chapters (not that of its days)."""
    told = []
    others = side_characters(seed)
    indexes = sampled(chapters, np.random.default_rng(seed)).tolist()
    for number, (date, place, who, what) in enumerate(indexes, 1):
        rng = random.Random(f"scene {seed} {number}")
        company = tuple(islice(others, rng.randint(2, 4)))
        naming = rng.choices(list(NAMING), list(NAMING.values()))[0]
        person, kind = universe.people[who], universe.kinds[what]
        where = universe.dates[date], universe.places[place]
        event = BookEvent(*where, person.name, kind.label, number)
        told.append(
            _accompanied(ChapterScene(event, person, kind, (), naming), company)
        )
    for name, change in CHANGES.items():
        for i, scene in enumerate(told):
            if dials.touches(name, seed, scene.event.chapter):
                rng = random.Random(f"{name} how {seed} {scene.event.chapter}")
                told[i] = change(scene, universe, rng)
    # Two roles a person, by turns: each change is told, each role comes back.
    days: defaultdict[str, list[int]] = defaultdict(list)
    for i in sorted(range(len(told)), key=lambda i: (told[i].event.day, i)):
        if told[i].role_then:
            days[told[i].person.name].append(i)
    for name, changed in days.items():
        pair = random.Random(f"roles {seed} {name}").sample(data_lines("roles.txt"), 2)
        for turn, i in enumerate(changed):
            event = replace(told[i].event, role=pair[turn % 2])
            told[i] = replace(told[i], event=event, role_then=pair[1 - turn % 2])
    # The first chapter that would use a nickname gives it, beside the full name.
    known: set[str] = set()
    for i, scene in enumerate(told):
        if scene.alias and scene.person.name not in known:
            told[i] = replace(scene, alias="given")
            known.add(scene.person.name)
    return told


def _accompanied(scene: ChapterScene, company: tuple[BookPerson, ...]) -> ChapterScene:
    event = replace(scene.event, post_entities=tuple(one.name for one in company))
    return replace(scene, company=company, event=event)


def _conflicts(scene: ChapterScene, _: Universe, rng: random.Random) -> ChapterScene:
    state, opposite = rng.choice(data_rows("states.tsv"))
    return replace(scene, event=replace(scene.event, state=state), opposite=opposite)


def _flashbacks(
    scene: ChapterScene, universe: Universe, rng: random.Random
) -> ChapterScene:
    """Elsewhere is no place of the universe: no question is about it."""
    foreign = sorted(set(data_lines("places.txt")) - set(universe.places))
    return replace(scene, elsewhere=rng.choice(foreign))


def _homonyms(scene: ChapterScene, _: Universe, rng: random.Random) -> ChapterScene:
    """One of the company has the protagonist's last name, another the first name."""
    same_last, same_first, *rest = scene.company
    company = (
        replace(same_last, last=scene.person.last),
        replace(same_first, first=scene.person.first, gender=scene.person.gender),
        *rest,
    )
    return _accompanied(scene, tuple(rng.sample(company, len(company))))


def _dates(scene: ChapterScene, _: Universe, rng: random.Random) -> ChapterScene:
    days = rng.sample(range(40, 4000), rng.randint(1, 3))
    others = (scene.event.day - timedelta(days=day) for day in days)
    shown = tuple(f"{day:{rng.choice(SHAPES)}}" for day in others)
    return replace(scene, other_dates=shown)


CHANGES: dict[str, Callable[[ChapterScene, Universe, random.Random], ChapterScene]] = {
    "roles": lambda scene, *_: replace(scene, role_then="some other"),
    "conflicts": _conflicts,
    "flashbacks": _flashbacks,
    "homonyms": _homonyms,
    "aliases": lambda scene, *_: replace(scene, alias="used"),
    "pronouns": lambda scene, *_: replace(scene, pronouns=True),
    "dates": _dates,
}


# A speech ends in a comma before the verb that says whose it is.
_SPEECH = re.compile(
    r'\."(?= (?:[a-z]|[\w-]+(?: [\w-]+)? (?:said|asked|called|told|whispered)\b))'
)
_SYMBOL = re.compile(r"\[(\w+)\]")
_SLOT = re.compile(r"\{(\w+)(?:\.(\w+))?\}")
_FORMS = {
    "f": {"he": "she", "him": "her", "his": "her", "self": "herself"},
    "m": {"he": "he", "him": "him", "his": "his", "self": "himself"},
}


@dataclass(frozen=True, slots=True)
class _Reference:
    """Somebody as a sentence speaks of them: by `name`, or by a pronoun if None."""

    name: str | None
    gender: str

    def form(self, case: str | None) -> str:
        """The subject, or `obj`ect, `own`er, or a pronoun: `he`, `him`, `his`, `self`.

        >>> print(_Reference("Ann", "f").form("own"), _Reference(None, "f").form("obj"))
        Ann's her
        """
        forms = _FORMS[self.gender]
        if case == "own":
            return f"{self.name}'s" if self.name else forms["his"]
        if case in (None, "obj"):
            return self.name or forms["he" if case is None else "him"]
        return forms[case]


_Slot = Callable[[], str | _Reference]


@cache
def productions() -> Mapping[str, tuple[str, ...]]:
    """The texts of each symbol."""
    rows = data_rows("prose.tsv")
    symbols = dict.fromkeys(symbol for symbol, _ in rows)
    return {s: tuple(text for own, text in rows if own == s) for s in symbols}


@dataclass
class Grammar:
    """Texts drawn from decks; `extra` has the symbols that one chapter adds.

    One that is used up draws from the symbol that `then` names for it.
    """

    rng: random.Random
    extra: Mapping[str, Sequence[str]] = field(default_factory=dict)
    then: Mapping[str, str] = field(default_factory=dict)
    _decks: dict[str, list[str]] = field(default_factory=dict)

    def draw(self, symbol: str) -> str:
        """The next text of a symbol, unexpanded."""
        if not self._decks.get(symbol):
            if symbol in self._decks and symbol in self.then:
                return self.draw(self.then[symbol])
            texts = self.extra.get(symbol) or productions()[symbol]
            self._decks[symbol] = self.rng.sample(texts, len(texts))
        return self._decks[symbol].pop()

    def expand(self, text: str, slots: Mapping[str, _Slot]) -> str:
        """`text` with its symbols and slots filled, from left to right."""
        while symbol := _SYMBOL.search(text):
            text = text.replace(symbol[0], self.draw(symbol[1]), 1)

        def filled(match: re.Match[str]) -> str:
            value = slots[match[1]]()
            return value.form(match[2]) if isinstance(value, _Reference) else value

        return _SLOT.sub(filled, text)


def as_sentence(text: str) -> str:
    """A text as a sentence: a capital first, a full stop last.

    >>> as_sentence('rain fell'), as_sentence('"so it is." said Ann')
    ('Rain fell.', '"So it is," said Ann.')
    """
    text = _SPEECH.sub(',"', text.strip())
    text = re.sub(r'((?:^|[.!?]\s)"?)(\w)', lambda m: m[1] + m[2].upper(), text)
    return text if re.search(r'[.!?]"?$', text) else f"{text}."


PROSE_STYLES = ("detective", "comedy", "tragedy", "romance", "thriller", "fantasy",
                "horror", "mystery")  # fmt: skip
_UNITS = {"act": 4, "gact": 3, "thingsay": 2, "rolesay": 1, "talk": 3, "thought": 3,
          "side": 2, "weather": 1}  # fmt: skip


class _Unit(NamedTuple):
    """A symbol to expand, with slots of its own; `n` is who it names in full."""

    symbol: str
    slots: Mapping[str, str] = MappingProxyType({})
    n: _Reference | None = None


def written_chapter(scene: ChapterScene, seed: int) -> str:
    """The text of a chapter, its paragraphs parted by blank lines."""
    rng = random.Random(f"chapter {seed} {scene.event.chapter}")
    writer = _Writer(scene, rng)
    return "\n\n".join(map(writer.paragraph, _spread(scene, rng)))


def _spread(scene: ChapterScene, rng: random.Random) -> list[list[_Unit]]:
    """What is told in each paragraph, in order."""
    count = rng.randint(3, 8)
    paragraphs: list[list[_Unit]] = [[] for _ in range(count)]
    for i, units in enumerate(paragraphs):
        body = rng.choices(list(_UNITS), list(_UNITS.values()), k=rng.randint(1, 4))
        units += [_Unit(symbol) for symbol in (body if i % 2 else ["act", *body])]
        rng.shuffle(units)

    def scatter(told: Iterable[_Unit]) -> None:
        for unit in told:
            units = rng.choice(paragraphs)
            units.insert(rng.randint(0, len(units)), unit)

    scatter(_designated(scene, rng))
    if rng.random() < 0.75:
        paragraphs[0].insert(0, _Unit(f"open_{rng.choice(PROSE_STYLES)}"))
    if rng.random() < 0.6:
        paragraphs[-1].append(_Unit("close"))
    scatter(_added(scene))
    if scene.elsewhere:
        past = [_Unit("flashback", {"otherplace": scene.elsewhere})]
        paragraphs.insert(rng.randint(0, count), past)
    return paragraphs


def _designated(scene: ChapterScene, rng: random.Random) -> Iterator[_Unit]:
    """What every chapter tells exactly once."""
    yield _Unit("date", {"date": scene.event.date})
    yield _Unit("place", {"place": scene.event.location})
    bound = scene.pronouns or rng.random() < 0.4
    if scene.alias == "given":
        yield _Unit("alias", {"full": scene.person.name, "alias": scene.person.alias})
    else:
        named = _Reference(scene.named, scene.person.gender)
        yield _Unit("bound" if bound else "introduce", n=named)
    for person in scene.company:
        symbol = "bound" if rng.random() < 0.15 else "introduce"
        yield _Unit(symbol, n=_Reference(person.name, person.gender))
    yield _Unit("detail")
    if scene.naming != "shown":
        yield _Unit(scene.naming)


def _added(scene: ChapterScene) -> Iterator[_Unit]:
    """What the dials add to a chapter, sentence by sentence."""
    if scene.event.role:
        now, then = scene.event.role, scene.role_then
        yield _Unit("role", {"role_now": f"the {now}", "role_then": f"the {then}"})
    if scene.event.state:
        yield _Unit("state_told", {"state": scene.event.state})
        yield _Unit("state_denied", {"opposite": scene.opposite})
    for other in scene.other_dates:
        yield _Unit("other_date", {"otherdate": other})


class _Writer:
    """Tells the units of a chapter in turn, and remembers who was spoken of last."""

    def __init__(self, scene: ChapterScene, rng: random.Random) -> None:
        kind = scene.kind
        deed = rng.choice([act for act in kind.acts if "{a}" in act])
        acts = tuple(act for act in kind.acts if act != deed)
        extra = {"act": acts, "deed": (deed,), "things": kind.things}
        extra |= {"roles": kind.people, "lines": kind.talk}
        self.grammar = Grammar(rng, extra, {"act": "gact", "lines": "chat"})
        self.scene, self.rng = scene, rng
        self.spoken: set[str] = set()

    def paragraph(self, units: list[_Unit]) -> str:
        """The units of a paragraph in words; it opens with nobody in mind."""
        self.spoken = set()
        return " ".join(map(self.told, units))

    def told(self, unit: _Unit) -> str:
        """One unit in words."""
        slots, before, self.spoken = self._slots(unit), self.spoken, set()
        text = self.grammar.expand(self.grammar.draw(unit.symbol), slots)
        self.spoken = self.spoken or before
        return as_sentence(text)

    def _slots(self, unit: _Unit) -> dict[str, _Slot]:
        scene, rng, draw = self.scene, self.rng, self.grammar.draw
        # the protagonist by name, or by a pronoun where it is clear who is meant
        clear = self.spoken == {"lead"}
        by_pronoun = scene.pronouns or (clear and rng.random() < 0.6)
        lead = _Reference(None if by_pronoun else scene.called, scene.person.gender)
        b, c = (_Reference(o.name, o.gender) for o in rng.sample(scene.company, 2))
        actor = lead if unit.symbol == "detail" or rng.random() < 0.55 else b

        def named(who: _Reference) -> _Slot:
            def spoken_of() -> _Reference:
                led = who is lead or who.name == scene.named
                self.spoken.add("lead" if led else "side")
                return who

            return spoken_of

        whom = {"p": lead, "a": actor, "b": b, "c": c, "n": unit.n}
        known = {slot: named(who) for slot, who in whom.items() if who is not None}
        known |= {deck: partial(draw, f"{deck}s") for deck in ("thing", "role", "line")}
        known |= {
            "words": lambda: scene.kind.words,
            "kind": lambda: self._kind(article=True),
            "kindname": lambda: self._kind(article=False),
        }
        return known | {name: partial(str, text) for name, text in unit.slots.items()}

    def _kind(self, article: bool) -> str:
        label = self.scene.kind.label
        label = label if self.rng.random() < 0.35 else label.lower()
        before = "an " if label[0] in "aeiouAEIOU" else "a "
        return f"{before if article else ''}{label}"
