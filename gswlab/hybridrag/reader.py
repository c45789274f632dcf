"""Answers about what two are to each other, when it changed, and who was ever what."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from gswlab.core.nouns import Answer, Evidence, Item
from gswlab.hybridrag.question import Form, Wanted, wanted
from gswlab.hybridrag.story import Story, best, named_in, ranked
from gswlab.hybridrag.ties import same, told
from gswlab.language.language import language_of

# A question about a plot beside what is told of the plot.


@dataclass(frozen=True)
class Asked:
    """A question, what it wants, whom it names, and what is told."""

    question: str
    wanted: Wanted
    names: Sequence[str]
    story: Story

    @property
    def language(self) -> str:
        """The language of the question, whatever the plot's is."""
        return language_of(self.question)

    @property
    def pair(self) -> frozenset[str]:
        """The first two named, in no order; fewer where fewer are named."""
        return frozenset(self.names[:2])

    def event(self, words: str) -> int | None:
        """The event that words speak of."""
        return best(words, {n: event.text for n, event in self.story.events.items()})

    def said(self, items: Iterable[str], keys: Iterable[object], why: str) -> Answer:
        """An answer that rests on the items that tell of `keys`."""
        cited = dict.fromkeys(self.story.items(keys))
        spans = tuple(dict.fromkeys(span for item in cited for span in item.spans))
        return Answer(tuple(items), False, _chapters(cited), spans, why)


def _chapters(items: Iterable[Item]) -> tuple[int, ...]:
    found = (item.chapter for item in items if item.chapter is not None)
    return tuple(dict.fromkeys(found))


# Answers about the order of events.

_OR = re.compile(r"(\S+)[,、]?\s+or\s+(\S.*?)\s*\?|([^、\s]+?)と([^、\s]+?)のどちら")
_YES = {"en": ("yes", "no"), "ja": ("はい", "いいえ")}


def first_tie(asked: Asked) -> Answer | None:
    """Which of two became that of somebody first."""
    found = _OR.search(asked.question)
    parts = " / ".join(part for part in found.groups() if part) if found else ""
    options = named_in(parts, asked.story.names)
    others = [name for name in asked.names if name not in options]
    if len(options) != 2 or not others:
        return None
    relation = asked.wanted.relations[0]
    pairs = {one: frozenset({one, others[0]}) for one in options}
    began = {one: asked.story.stated(pair, relation) for one, pair in pairs.items()}
    known = [one for one in options if began[one]]
    if not known:
        return None
    pick = max if asked.wanted.last else min
    one = pick(known, key=lambda name: began[name][0])
    why = ", ".join(f"{name}: event {began[name][0]}" for name in known)
    return asked.said([one], [pairs[name] for name in known], why)


def next_event(asked: Asked) -> Answer | None:
    """What happens in the event after."""
    number = asked.event(" ".join(asked.wanted.parts))
    after = asked.story.events.get(number + 1) if number is not None else None
    if number is None or after is None:
        return None
    return asked.said([after.text], [number, after.number], f"event {after.number}")


def _places(asked: Asked) -> list[int] | None:
    """The events that the two parts of a question speak of, in its order."""
    found = [asked.event(part) for part in asked.wanted.parts]
    known = [number for number in found if number is not None]
    return known if len(known) == 2 and known[0] != known[1] else None


def before(asked: Asked) -> Answer | None:
    """Whether one event comes before another."""
    places = _places(asked)
    if places is None:
        return None
    yes, no = _YES[asked.language]
    holds = (places[0] < places[1]) != asked.wanted.last
    why = f"events {places[0]} and {places[1]}"
    return asked.said([yes if holds else no], places, why)


def choice(asked: Asked) -> Answer | None:
    """Which of two events comes first, or last."""
    places = _places(asked)
    if places is None:
        return None
    pick = max if asked.wanted.last else min
    part = asked.wanted.parts[places.index(pick(places))]
    return asked.said([part], places, f"events {places[0]} and {places[1]}")


def changes(asked: Asked) -> Answer | None:
    """How often the relation of two changed."""
    runs = asked.story.runs(asked.pair)
    why = "the relation is told at these events"
    return asked.said([str(len(runs) - 1)], [asked.pair], why) if runs else None


def events(asked: Asked) -> Answer | None:
    """In how many events somebody appears, or two are to each other what is said."""
    if asked.wanted.relations:
        found = asked.story.stated(asked.pair, asked.wanted.relations[0])
        return asked.said([str(len(found))], [asked.pair], f"events {found}")
    name = asked.names[0]
    count = asked.story.appearances(name)
    return asked.said([str(count)], [name], "the events in which they appear")


def ever(asked: Asked) -> Answer | None:
    """Who was ever that to somebody, or how many."""
    name, relation = asked.names[0], asked.wanted.relations[0]
    who = asked.story.ever(name, relation)
    keys = [name, *(frozenset({name, one}) for one in who)]
    if asked.wanted.count:
        return asked.said([str(len(who))], keys, f"they are {', '.join(who)}")
    return asked.said(who, keys, f"{relation} of {name}") if who else None


def change(asked: Asked) -> Answer | None:
    """The event at which a relation begins, or where it ends, the one before it."""
    runs, want = asked.story.runs(asked.pair), asked.wanted
    into = want.relations[-1]
    found = [
        event
        for n, (event, relation) in enumerate(runs)
        if (n and same(runs[n - 1][1], into) if want.off else same(relation, into))
    ]
    # What held from the beginning did not change, unless nothing else fits.
    changed = [event for event in found if event != runs[0][0]] or found
    if not changed:
        return None
    number = changed[-1 if want.last else 0]
    return asked.said([str(number)], [asked.pair, number], _history(runs))


def relation(asked: Asked) -> Answer | None:
    """What two were to each other: at an event, before something, or at last."""
    runs, want = asked.story.runs(asked.pair), asked.wanted
    if not runs:
        return None
    held = runs[-1]
    if want.events:
        held = [runs[0], *(run for run in runs if run[0] <= want.events[-1])][-1]
    elif want.relations:
        into = want.relations[0]
        before = [runs[n - 1] for n, (_, r) in enumerate(runs) if n and same(r, into)]
        held = before[0] if before else runs[0]
    return asked.said(
        [told(held[1], asked.language)], [asked.pair, held[0]], _history(runs)
    )


def _history(runs: Sequence[tuple[int, str]]) -> str:
    return ", ".join(f"{relation} from event {event}" for event, relation in runs)


# Answers to questions about a plot, worked out from what the evidence tells.


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
    asked = Asked(question, wanted(question, len(names)), names, story)
    answer = _FORMS[asked.wanted.form](asked)
    return answer or Answer((), True, (), (), f"not told: {asked.wanted.form}")


def _role(asked: Asked) -> Answer | None:
    person = asked.story.people.get(asked.names[0])
    return asked.said([person.role], [person.name], "role") if person else None


def _who(asked: Asked) -> Answer | None:
    """Whoever is described most like the question; at a tie the first handed over."""
    texts = {
        name: f"{person.role} {person.description}"
        for name, person in asked.story.people.items()
        if name not in asked.names
    }
    found = ranked(asked.question, texts)
    if not found:
        return None
    name = found[0][1]
    return asked.said([name], [name], texts[name])


def _what(asked: Asked) -> Answer | None:
    """What is said of whom the question names, else what is most like it."""
    for name in asked.names:
        if person := asked.story.people.get(name):
            return asked.said([person.description], [name], f"of {name}")
    texts: dict[object, str] = {n: p.description for n, p in asked.story.people.items()}
    texts |= {n: event.text for n, event in asked.story.events.items()}
    found = best(asked.question, texts)
    if found is None:
        return None
    return asked.said([texts[found]], [found], "the nearest sentence")


_FORMS: dict[Form, Callable[[Asked], Answer | None]] = {
    "changes": changes,
    "events": events,
    "ever": ever,
    "first_tie": first_tie,
    "next": next_event,
    "before": before,
    "choice": choice,
    "change": change,
    "relation": relation,
    "role": _role,
    "who": _who,
    "what": _what,
}
