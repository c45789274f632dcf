"""An inventory of kinds of event, and the things that go with each.

A kind is composed: a *field* of activity ("pottery": clay, kiln, glaze) and a *form*
("workshop": participant, instructor, hands-on). A few go by a name of their own ("book
signing"). The inventory of a document is what the document itself names, plus what the
general resource beside this file can compose; nothing here knows any book.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from gswlab.language.language import rows
from gswlab.language.lexicon import first_name_gender, is_place_name, noun_class, words
from gswlab.language.stems import EVERYDAY, content_stems, numbers, stem

COMPOSED = 0.4  # how usual a field with one of its usual forms is
THINGS = 6  # of each word of a label, how many things tell its meaning
OWN_WORD = 0.5  # as a sign; that a label is mentioned is judged by itself


def label_of(words: Iterable[str]) -> str:
    """The canonical spelling of a label: lower case, single spaces."""
    return " ".join(" ".join(words).casefold().split())


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of event: its label, and stems of what shows it with their weights.

    `fields` and `forms` are the stems of the label itself, by what they are.
    """

    label: str
    field: Mapping[str, float]
    form: Mapping[str, float]
    things: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """The label and what shows it (labels alone embed poorly), in lower case."""
        return " ".join((self.label.casefold(), *self.things))

    @property
    def stems(self) -> tuple[str, ...]:
        """The stems of the label's content words, in order, each once."""
        return content_stems(self.label)


class Inventory:
    """The general resource: fields and forms by stem, and kinds with own names."""

    def __init__(self) -> None:
        fields, forms, self.named, usual = (
            {row[0]: tuple(row[1].split()) for row in rows(f"en/{name}.tsv")}
            for name in ("topics", "forms", "kinds", "usual")
        )
        self.words = {stem(word): word for word in (*fields, *forms)}
        self.fields = {stem(word): things for word, things in fields.items()}
        self.forms = {stem(word): things for word, things in forms.items()}
        pairs = (f"{field} {form}" for field, known in usual.items() for form in known)
        self._labels = {frozenset(content_stems(x)): x for x in (*pairs, *self.named)}
        # every kind of the resource: own names, and fields with their usual forms
        self.labels = tuple(sorted(self._labels.values()))
        # kinds with a name of their own, by the stems of all their words
        self.own_names = {tuple(map(stem, x.split())): x for x in self.named}

    @classmethod
    @cache
    def general(cls) -> Inventory:
        """The resource that ships with the package, read once."""
        return cls()

    @cached_property
    def usual(self) -> Mapping[frozenset[str], float]:
        """How usual each kind of the resource is, by its stems.

        log(1 + lists that have it), 0.7 to 2.1; of a field and form, a little.
        """
        kinds = rows("en/kinds.tsv")
        lists = {frozenset(content_stems(row[0])): int(row[2]) for row in kinds}
        told = {stems: math.log1p(count) for stems, count in lists.items()}
        return dict.fromkeys(self._labels, COMPOSED) | told

    def is_form(self, word: str) -> bool:
        """Whether a word, singular or plural, is a form: "open" is no "opening"."""
        known = stem(word) in self.forms
        return known and word.casefold() in numbers(self.words[stem(word)])

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Stems of all words of the resource: common words, whatever their capital."""
        tables = (self.fields, self.forms, self.named)
        things = {stem(w) for table in tables for row in table.values() for w in row}
        return frozenset(things | {*self.fields, *self.forms})

    def kind(self, label: str) -> Kind:
        """A label with the things its words bring along, however it was coined."""
        stems = content_stems(label)
        name = self.own_names.get(stems, label_of([label]))  # however it is spelt
        things = list(self.named.get(name, ()))
        field, form = {stem(thing): 1.0 for thing in things}, dict[str, float]()
        for part in stems:
            heads = part in self.forms and part == stems[-1]
            own, known = (form, self.forms) if heads else (field, self.fields)
            own[part] = OWN_WORD
            brought = known.get(part, ())
            things += brought[:THINGS]
            for thing in brought:
                own.setdefault(stem(thing), 1.0)
        return Kind(label, field, form, tuple(dict.fromkeys(things)))


def names_occasion(texts: Sequence[str]) -> bool:
    """Whether words, in lower case, name an event and nothing else."""
    return may_name_occasion(texts) and texts[-1] not in words("place_head")


def may_name_occasion(texts: Sequence[str]) -> bool:
    """Whether words are an event, act or time after common ones: "salt market" is."""
    if len(texts) < 2 or is_place_name(" ".join(texts)):
        return False
    *before, head = texts
    if is_doing(head) and not first_name_gender(before[0]):
        # what is done to what, "wine bottling", no "Rose Browning"; to people only if
        # it says of what: "herring queen crowning", no "King Browning"
        things = [noun_class(word) for word in before]
        if all(things) and not things[0].startswith("person"):
            return True
    if any(first_name_gender(word) and not is_common(word) for word in before):
        return False
    known = [is_common(word) for word in before]
    if not Inventory.general().is_form(head):  # "night school enrolment"
        what = noun_class(head)  # of the "bread oven lighting" it is "abstract"
        takes_place = what in ("act", "event", "time")
        takes_place |= what == "abstract" and head.endswith("ing")
        return takes_place and all(known) and head not in words("place_head")
    # "dry stone walling course", whatever a "course" may be else
    done = is_doing(before[-1]) or (any(known) and head not in EVERYDAY)
    return done or all(known)


def is_doing(word: str) -> bool:
    """Whether a word may say what is done: "bottling", not "building" (a thing)."""
    return word.endswith("ing") and noun_class(word) in ("", "act", "event")


def is_common(word: str) -> bool:
    """Whether a dictionary has the word, so that its capital proves no name."""
    return bool(noun_class(word)) or stem(word) in Inventory.general().fields
