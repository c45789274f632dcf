"""What evidence tells of a plot: its people, its events by number, their ties.

Three forms are read, whatever memory handed them over: an item under a name and a role
or under the number of an event; a line that sums up a pair or a character; the XML of
a plot, whole or cut.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from gswlab.core.nouns import Evidence, Item
from gswlab.question.relations import same, told
from gswlab.reader.plot.forms import Event, Person, Summary, Tie, forms

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
