"""What two readings of one text have in common, noun by noun and fact by fact.

Nouns of two runs are matched by the characters they rest on (an episode by its chapter
and place in it), so that neither their numbers nor the order of reading matters. A fact
is what a page says of a noun: its field and its words.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping
from functools import partial
from typing import NamedTuple, TypeAlias

from gswlab.core.codec import NOUNS
from gswlab.core.facts import Fact, facts, kind_of, name_of
from gswlab.core.nouns import Episode, Noun, Relation, Span
from gswlab.core.workspace import Workspace

Told: TypeAlias = tuple[str, str]
_UNTOLD = ("reason",)  # scores stand in reasons


class Held(NamedTuple):
    """A noun at the end of a reading: where it stands, and what is told of it."""

    id: str
    kind: str
    name: str
    ink: frozenset[Hashable]
    told: tuple[Told, ...]
    spans: Mapping[Told, tuple[Span, ...]]


def held(workspace: Workspace) -> tuple[Held, ...]:
    """Every noun of a workspace with its facts, each fact once."""
    called = partial(_called, workspace)
    nouns = (noun for kind in NOUNS for noun in workspace.of(kind))
    return tuple(_held(noun, list(facts(noun, called))) for noun in nouns)


def _held(noun: Noun, said: list[Fact]) -> Held:
    kept: dict[Told, tuple[Span, ...]] = {}
    for fact in said:
        if fact.field not in _UNTOLD:
            kept.setdefault((fact.field, _words(fact)), fact.spans)
    ink: Iterable[Hashable] = (span for fact in said for span in fact.spans)
    if isinstance(noun, Episode):
        ink = [(noun.document, noun.chapter, noun.order)]
    name = name_of(noun)
    if isinstance(noun, Relation):
        ends = said[0].text
        ink, name = [*ink, ends], f"{name}: {ends}"
    return Held(noun.id, kind_of(noun), name, frozenset(ink), tuple(kept), kept)


def _words(fact: Fact) -> str:
    """A fact's words; whom a mention means is another fact at each place."""
    if fact.field == "mention":
        return f"“{fact.text}” at {fact.spans[0].start}"
    return fact.text


def _called(workspace: Workspace, noun_id: str) -> str:
    noun = workspace.nouns.get(workspace.resolve(noun_id))
    return name_of(noun) if noun else noun_id


def survived(mine: Iterable[Held], theirs: Iterable[Held]) -> dict[str, set[Told]]:
    """By id of `mine`, the facts that its counterpart among `theirs` has as well.

    A noun without a counterpart has no entry.
    """
    known = list(theirs)
    at: dict[tuple[str, Hashable], list[int]] = defaultdict(list)
    for n, noun in enumerate(known):
        for mark in noun.ink:
            at[noun.id[:1], mark].append(n)
    found: dict[str, set[Told]] = {}
    for noun in mine:
        shared = Counter(n for mark in noun.ink for n in at[noun.id[:1], mark])
        if shared:
            best = min(shared, key=lambda n: (-_overlap(shared[n], noun, known[n]), n))
            found[noun.id] = set(noun.told) & set(known[best].told)
    return found


def _overlap(shared: int, one: Held, other: Held) -> float:
    return shared / len(one.ink | other.ink)
