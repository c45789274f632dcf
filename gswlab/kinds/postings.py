"""Kinds by the stems that show them: few of a resource's words are in an episode."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from gswlab.language.event_types import Kind


@dataclass(frozen=True)
class Postings:
    """For each stem the places of the kinds whose field or form, or label, has it."""

    kinds: Sequence[Kind]
    shows: Mapping[str, Sequence[int]]
    names: Mapping[str, Sequence[int]]

    @classmethod
    def of(cls, kinds: Sequence[Kind]) -> Postings:
        """Index kinds by their stems; places count from 0, in the order given."""
        shows: defaultdict[str, list[int]] = defaultdict(list)
        names: defaultdict[str, list[int]] = defaultdict(list)
        for place, kind in enumerate(kinds):
            for stem in dict.fromkeys((*kind.field, *kind.form)):
                shows[stem].append(place)
            for stem in dict.fromkeys(kind.stems):
                names[stem].append(place)
        return cls(kinds, dict(shows), dict(names))

    def shown_by(self, stems: Collection[str]) -> list[int]:
        """The places of the kinds that any of these stems shows."""
        return sorted({place for stem in stems for place in self.shows.get(stem, ())})

    def named_by(self, stems: Collection[str]) -> list[int]:
        """The places of the kinds whose label has any of these stems."""
        return sorted({place for stem in stems for place in self.names.get(stem, ())})
