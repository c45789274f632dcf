"""Answers about what two are to each other, when it changed, and who was ever what."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from gswlab.core.nouns import Answer, Evidence
from gswlab.hybridrag.question import PlotCue, PlotForm, plot_cue
from gswlab.hybridrag.story import Story, most_alike, most_alike_first, named_in
from gswlab.hybridrag.ties import relation_in, same_relation
from gswlab.language.language import language_of
from gswlab.qa.readers.extractive import ExtractiveReader

_OR = re.compile(r"(\S+)[,、]?\s+or\s+(\S.*?)\s*\?|([^、\s]+?)と([^、\s]+?)のどちら")
_YES = {"en": ("yes", "no"), "ja": ("はい", "いいえ")}


@dataclass
class PlotReader(ExtractiveReader):
    """What evidence tells of a plot is worked out; any other is read for a span."""

    def answer(self, question: str, evidence: Evidence) -> Answer:
        """The answer and the items it rests on, or why there is none."""
        told = plot_answer(question, evidence)
        return told or super().answer(question, evidence)


def plot_answer(question: str, evidence: Evidence) -> Answer | None:
    """The answer or why there is none; None where the evidence tells of no plot.

    >>> from gswlab.core.nouns import Item
    >>> items = (Item("Ann and Bo: enemy (event 3), friend (event 4).", (), None, 1.0),)
    >>> asked = "In which event do Ann and Bo become friends?"
    >>> plot_answer(asked, Evidence(items, 0)).items
    ('4',)
    """
    story = Story.of(evidence)
    if not story.told:
        return None
    names = named_in(question, story.names)
    asked = _Asked(question, plot_cue(question, len(names)), names, story)
    answer = _FORMS[asked.cue.form](asked)
    return answer or Answer((), True, (), (), f"not told: {asked.cue.form}")


@dataclass(frozen=True)
class _Asked:
    """A question, what it wants, whom it names, and what is told."""

    question: str
    cue: PlotCue
    names: Sequence[str]
    story: Story

    @property
    def pair(self) -> frozenset[str]:
        """The first two named, in no order; fewer where fewer are named."""
        return frozenset(self.names[:2])

    def event(self, words: str) -> int | None:
        """The event that words speak of."""
        texts = {n: event.text for n, event in self.story.events.items()}
        return most_alike(words, texts)

    def said(self, items: Iterable[str], keys: Iterable[object], why: str) -> Answer:
        """An answer that rests on the items that tell of `keys`."""
        told = (item for key in keys for item in self.story.source.get(key, ()))
        cited = dict.fromkeys(told)
        spans = dict.fromkeys(span for item in cited for span in item.spans)
        chapters = (item.chapter for item in cited if item.chapter is not None)
        found = tuple(dict.fromkeys(chapters))
        return Answer(tuple(items), False, found, tuple(spans), why)


# Relations of two: what they were, when that changed, who was ever that.


def _relation(asked: _Asked) -> Answer | None:
    """What two were to each other: at an event, before something, or at last."""
    runs, cue = asked.story.runs(asked.pair), asked.cue
    if not runs:
        return None
    held = runs[-1]
    if cue.events:
        held = [runs[0], *(run for run in runs if run[0] <= cue.events[-1])][-1]
    elif cue.relations:
        into = cue.relations[0]
        ends = (n for n, (_, r) in enumerate(runs) if n and same_relation(r, into))
        held = runs[next(ends, 1) - 1]
    # in the language of the question, whatever the plot's is
    word = relation_in(held[1], language_of(asked.question))
    return asked.said([word], [asked.pair, held[0]], _history(runs))


def _change(asked: _Asked) -> Answer | None:
    """The event at which a relation begins, or where it ends, the one before it."""
    runs, into = asked.story.runs(asked.pair), asked.cue.relations[-1]
    found = [
        event
        for n, (event, relation) in enumerate(runs)
        if (
            n and same_relation(runs[n - 1][1], into)
            if asked.cue.off
            else same_relation(relation, into)
        )
    ]
    # What held from the beginning did not change, unless nothing else fits.
    changed = [event for event in found if event != runs[0][0]] or found
    if not changed:
        return None
    number = changed[-1 if asked.cue.last else 0]
    return asked.said([str(number)], [asked.pair, number], _history(runs))


def _history(runs: Sequence[tuple[int, str]]) -> str:
    return ", ".join(f"{relation} from event {event}" for event, relation in runs)


def _changes(asked: _Asked) -> Answer | None:
    """How often the relation of two changed."""
    runs = asked.story.runs(asked.pair)
    why = "the relation is told at these events"
    return asked.said([str(len(runs) - 1)], [asked.pair], why) if runs else None


def _events(asked: _Asked) -> Answer | None:
    """In how many events somebody appears, or two are to each other what is said."""
    if asked.cue.relations:
        found = asked.story.stated(asked.pair, asked.cue.relations[0])
        return asked.said([str(len(found))], [asked.pair], f"events {found}")
    name = asked.names[0]
    count = asked.story.appearances(name)
    return asked.said([str(count)], [name], "the events in which they appear")


def _ever(asked: _Asked) -> Answer | None:
    """Who was ever that to somebody, or how many."""
    name, relation = asked.names[0], asked.cue.relations[0]
    who = asked.story.ever(name, relation)
    keys = [name, *(frozenset({name, one}) for one in who)]
    if asked.cue.count:
        return asked.said([str(len(who))], keys, f"they are {', '.join(who)}")
    return asked.said(who, keys, f"{relation} of {name}") if who else None


def _first_tie(asked: _Asked) -> Answer | None:
    """Which of two became that of somebody first."""
    found = _OR.search(asked.question)
    parts = " / ".join(part for part in found.groups() if part) if found else ""
    options = named_in(parts, asked.story.names)
    others = [name for name in asked.names if name not in options]
    if len(options) != 2 or not others:
        return None
    relation = asked.cue.relations[0]
    pairs = {one: frozenset({one, others[0]}) for one in options}
    stated = {one: asked.story.stated(pair, relation) for one, pair in pairs.items()}
    began = {one: events[0] for one, events in stated.items() if events}
    if not began:
        return None
    one = (max if asked.cue.last else min)(began, key=lambda name: began[name])
    why = ", ".join(f"{name}: event {event}" for name, event in began.items())
    return asked.said([one], [pairs[name] for name in began], why)


# The order of events.


def _next(asked: _Asked) -> Answer | None:
    """What happens in the event after."""
    number = asked.event(" ".join(asked.cue.parts))
    if number is None or (after := asked.story.events.get(number + 1)) is None:
        return None
    return asked.said([after.text], [number, after.number], f"event {after.number}")


def _sooner(asked: _Asked) -> Answer | None:
    """Which of two events comes first, or last; or whether one comes before another."""
    found = [asked.event(part) for part in asked.cue.parts]
    places = [number for number in found if number is not None]
    if len(places) != 2 or places[0] == places[1]:
        return None
    why = f"events {places[0]} and {places[1]}"
    if asked.cue.form == "before":
        yes, no = _YES[language_of(asked.question)]
        holds = (places[0] < places[1]) != asked.cue.last
        return asked.said([yes if holds else no], places, why)
    pick = max if asked.cue.last else min
    part = asked.cue.parts[places.index(pick(places))]
    return asked.said([part], places, why)


# What is said of somebody, and who it is said of.


def _role(asked: _Asked) -> Answer | None:
    person = asked.story.people.get(asked.names[0])
    return asked.said([person.role], [person.name], "role") if person else None


def _who(asked: _Asked) -> Answer | None:
    """Whoever is described most like the question; at a tie the first handed over."""
    texts = {
        name: f"{person.role} {person.description}"
        for name, person in asked.story.people.items()
        if name not in asked.names
    }
    for _, name in most_alike_first(asked.question, texts)[:1]:
        return asked.said([name], [name], texts[name])
    return None


def _object(asked: _Asked) -> Answer | None:
    """With whom, whom or what: the words before the particle of the verb asked of."""
    particle, verb = asked.cue.parts
    texts: dict[object, str] = {n: e.text for n, e in asked.story.events.items()}
    texts |= {n: one.description for n, one in asked.story.people.items()}
    told = re.compile(
        rf"(?:^|[、。はがをにでて])([^、。はがをにでて]+?){particle}([^。]*)"
    )
    # those that speak of whom the question names, the likest first
    for _, key in most_alike_first(asked.question, texts):
        named = (name == key or name in texts[key] for name in asked.names)
        if not all(named):
            continue
        for found in told.finditer(texts[key]):
            who = named_in(found[1], asked.story.names)
            wanted = who if "誰" in asked.question else [found[1].strip()]
            if wanted and verb in found[2] and wanted[0] not in asked.names:
                return asked.said(wanted[:1], [key], texts[key])
    return (_who if "誰" in asked.question else _what)(asked)


def _what(asked: _Asked) -> Answer | None:
    """What is said of whom the question names, else what is most like it."""
    for name in asked.names:
        if person := asked.story.people.get(name):
            return asked.said([person.description], [name], f"of {name}")
    texts: dict[object, str] = {n: p.description for n, p in asked.story.people.items()}
    texts |= {n: event.text for n, event in asked.story.events.items()}
    if (found := most_alike(asked.question, texts)) is None:
        return None
    return asked.said([texts[found]], [found], "the nearest sentence")


_FORMS: dict[PlotForm, Callable[[_Asked], Answer | None]] = {
    "changes": _changes, "events": _events, "ever": _ever, "first_tie": _first_tie,
    "next": _next, "before": _sooner, "choice": _sooner, "change": _change,
    "relation": _relation, "role": _role, "object": _object, "who": _who, "what": _what,
}  # fmt: skip
