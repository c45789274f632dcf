"""What differs between any two workspaces, as rows, words or a table.

- Two versions of one run are compared by id (`by="id"`): ids keep their meaning.
- Two runs number their nouns each in its own way, so they are compared by what the
  text says (`by="text"`): an actor is its name where it was first met, an episode its
  place in the document. Ids inside fields are translated before they are compared.
- Reasons come from the decisions of the steps in between, where they are given.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, Literal, NamedTuple, get_args

from gswlab.core.display import DataFrame, Displayed, framed
from gswlab.core.facts import Namer, live, namer
from gswlab.core.nouns import (
    Actor,
    Bound,
    Effect,
    Episode,
    Noun,
    Place,
    Question,
    Relation,
    Time,
    VerbPhrase,
    label,
)
from gswlab.core.step import Alignment, Step
from gswlab.core.workspace import KIND, Workspace

# The fields of nouns and of what is inside them that hold ids
HOLD_IDS = {"actor", "actors", "verb_phrase", "time", "place", "since", "refines"}
HOLD_IDS |= {"inside", "source", "target", "id", "candidate"}
_ID = re.compile("[avqtper][1-9][0-9]*")


def same_in_text(before: Workspace, after: Workspace) -> dict[str, str]:
    """Ids of `after` to those of `before` that stand for the same thing."""
    waiting: dict[Hashable, list[str]] = defaultdict(list)
    for noun in before.all:
        waiting[_surface(noun, before)].append(noun.id)
    found = {}
    for noun in after.all:
        if ids := waiting.get(_surface(noun, after)):
            found[noun.id] = ids.pop(0)
    return found


def _surface(noun: Noun, workspace: Workspace) -> Hashable:
    match noun:
        case Actor():
            where = noun.mentions[0].span if noun.mentions else noun.chunk
            return "actor", noun.name, where
        case VerbPhrase(predicate=text, spans=spans) | Question(text=text, spans=spans):
            return type(noun).__name__, text, spans[:1] or noun.chunk
        case Time() | Place():
            return type(noun).__name__, label(noun), noun.chapter
        case Relation():
            ends = map(namer(workspace, label), (noun.source, noun.target))
            return "relation", noun.kind, *ends
        case Episode():
            return "episode", noun.document, noun.chapter, noun.order


def renamed(value: Any, name: str, ids: Mapping[str, str]) -> Any:
    """`value` of the field `name` with its ids translated, and those within it."""
    if isinstance(value, str):
        # an id without a partner must not pass for the other run's of that number
        alien = f"{value}'" if _ID.fullmatch(value) else value
        return ids.get(value, alien) if name in HOLD_IDS else value
    if isinstance(value, tuple):
        return tuple(renamed(item, name, ids) for item in value)
    if isinstance(value, Mapping):
        return {key: renamed(item, name, ids) for key, item in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        names = [f.name for f in fields(value)]
        return replace(value, **{n: renamed(getattr(value, n), n, ids) for n in names})
    return value


SHORT = 60  # characters of a value inside a sentence
# Fields that say how something came to be believed: what is believed is in the others.
_HOW = {"votes", "hypotheses", "mentions", "spans", "resolved"}


def changed(old: Any, new: Any, was: Namer, now: Namer) -> str:
    """How a value became another: what it grew by, else both.

    >>> changed(("a",), ("a", "b"), str, str)
    '+1 (b)'
    """
    # a tuple that only got longer is what a timeline or mentions mostly do
    both = isinstance(old, tuple) and isinstance(new, tuple)
    if both and len(new) > len(old) and new[: len(old)] == old:
        texts = [_shown(item, now) for item in new[len(old) :]]
        return f"+{len(texts)} ({_cut(', '.join(texts))})"
    return f"{_shown(old, was)} -> {_shown(new, now)}"


def _shown(value: Any, called: Namer, most: int = SHORT) -> str:
    """A value for a sentence: who an argument means is told beside its words."""
    if value is None or value == () or value == "":
        return "unknown"
    if isinstance(value, Bound):
        return value.value
    if isinstance(value, tuple):
        return _cut(", ".join(_shown(item, called, most) for item in value), most)
    if isinstance(value, Effect):
        told = f"{called(value.actor)}: {value.before or '?'} → {value.after}"
        return _cut(told, most)
    if isinstance(value, str) and _ID.fullmatch(value):
        return called(value)
    text = getattr(value, "text", None) or getattr(value, "candidate", None)
    actor = getattr(value, "actor", None)
    name = called(actor) if isinstance(actor, str) else text
    meant = f" ({name})" if text is not None and name != text else ""
    return _cut(str(value if text is None else text) + meant, most)


def _read(value: Any, called: Namer) -> set[str]:
    """What one would read of a value, how often it was said left out."""
    items = value if isinstance(value, tuple) else (value,)
    return {_shown(item, called, 10**6) for item in items}


def _cut(text: str, most: int = SHORT) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


_What = Literal["added", "merged", "changed", "removed"]


class Difference(NamedTuple):
    """One difference; `field`, `old`, `new` and `how` are those of a changed field.

    `id` is the noun's in the later workspace (of a removed noun, in the earlier); the
    `new` of a merged one is the noun that it became part of.
    """

    what: _What
    kind: str
    id: str
    label: str
    field: str = ""
    old: Any = None
    new: Any = None
    reason: str = ""
    how: str = ""
    alike: bool = False  # both read the same: they differ in ids, or in how it came

    def words(self) -> str:
        """The difference as a sentence."""
        if self.what == "changed":
            return f"{self.label}: {self.field.replace('_', ' ')} {self.how}"
        because = f" because {self.reason}" if self.reason else ""
        if self.what == "merged":
            return f'merged "{self.label}" into {self.new}{because}'
        verb = "new" if self.what == "added" else "retired"
        return f"{verb} {self.kind.replace('_', ' ')} {self.label}{because}"


@dataclass(frozen=True)
class Diff(Displayed):
    """The differences between two workspaces, in the order of ids.

    >>> diff(Workspace(), Workspace())
    Diff(nothing)
    """

    rows: tuple[Difference, ...]

    @property
    def added(self) -> tuple[Difference, ...]:
        """The rows of nouns that only the second workspace has."""
        return self._of("added")

    @property
    def changed(self) -> tuple[Difference, ...]:
        """The rows of nouns that both have, a row a field that differs."""
        return self._of("changed")

    @property
    def merged(self) -> tuple[Difference, ...]:
        """The rows of nouns and mentions that became part of another noun."""
        return self._of("merged")

    @property
    def removed(self) -> tuple[Difference, ...]:
        """The rows of nouns that only the first workspace has, none of them merged."""
        return self._of("removed")

    def _of(self, what: _What) -> tuple[Difference, ...]:
        return tuple(row for row in self.rows if row.what == what)

    def words(self) -> tuple[str, ...]:
        """A sentence for each difference."""
        return tuple(row.words() for row in self.rows)

    def to_frame(self) -> DataFrame:
        """One row a difference."""
        return framed(Difference._fields, self.rows)

    def __repr__(self) -> str:
        counts = ((what, len(self._of(what))) for what in get_args(_What))
        said = ", ".join(f"{count} {what}" for what, count in counts if count)
        return f"Diff({said or 'nothing'})"


def diff(
    before: Workspace,
    after: Workspace,
    steps: Iterable[Step] = (),
    by: Literal["id", "text"] = "id",
) -> Diff:
    """What is new, merged, changed and gone in `after`.

    Args:
        before: the earlier version, or one run.
        after: the later version, or the other run.
        steps: the steps from one to the other, whose decisions say why.
        by: `"id"` for versions of one run, `"text"` for two runs.
    """
    pairs = {noun.id: noun.id for noun in after.all if noun.id in before}
    if by == "text":
        pairs = same_in_text(before, after)
    kept, was, now = set(pairs.values()), namer(before, label), namer(after, label)
    # Alignments by surface name and the actor it became.
    decisions = (decision for step in steps for decision in step.decisions)
    why = {(d.name, d.actor): d for d in decisions if isinstance(d, Alignment)}
    rows: list[Difference] = []
    told_merges = set()

    # 1. What only the later one has.
    for noun in after.all:
        if noun.id not in pairs:
            told = why.get((label(noun), noun.id))
            reason = told.reason if told and told.status != "merged" else ""
            rows.append(_row("added", noun, now, reason=reason))
    # 2. Nouns that became part of another: an id of one run means nothing in another.
    for noun in before.all if by == "id" else ():
        into = live(after, noun.id)
        if into is not None and into != noun.id and noun.id not in kept:
            found = why.get((label(noun), into))
            reason = found.reason if found else ""
            rows.append(_merged(label(noun), after.nouns[into], reason))
            told_merges.add((label(noun), into))
    # 3. Mentions recognised as a known actor.
    for (name, actor), decision in why.items():
        into = live(after, actor)
        if decision.status == "merged" and into and (name, into) not in told_merges:
            rows.append(_merged(name, after.nouns[into], decision.reason))
            told_merges.add((name, into))
    # 4. Fields that differ, ids told apart by what they stand for.
    for new_id, old_id in pairs.items():
        old, new = before.nouns[old_id], after.nouns[new_id]
        if old is not new:
            rows += _changes(old, new, pairs if by == "text" else {}, (was, now))
    # 5. What only the earlier one has.
    for noun in before.all:
        if noun.id not in kept and (by == "text" or live(after, noun.id) is None):
            rows.append(_row("removed", noun, was))
    return Diff(tuple(rows))


def _row(what: _What, noun: Noun, called: Namer, reason: str = "") -> Difference:
    name = label(noun)
    if isinstance(noun, Relation):  # told with its ends
        ends = f"{called(noun.source)} – {called(noun.target)}"
        name = f"{noun.kind.replace('_', ' ')}: {ends}"
    return Difference(what, KIND[noun.id[:1]], noun.id, name, reason=reason)


def _merged(name: str, into: Noun, reason: str) -> Difference:
    kind = KIND[into.id[:1]]
    return Difference("merged", kind, into.id, name, new=label(into), reason=reason)


def _changes(
    old: Noun, new: Noun, pairs: Mapping[str, str], called: tuple[Namer, Namer]
) -> Iterator[Difference]:
    head: tuple[_What, str, str, str] = "changed", KIND[new.id[:1]], new.id, label(new)
    for name in (f.name for f in fields(new) if f.name != "id"):
        was, now = getattr(old, name), getattr(new, name)
        if was != (renamed(now, name, pairs) if pairs else now):
            one, other = map(_read, (was, now), called)
            how, alike = changed(was, now, *called), name in _HOW or one == other
            yield Difference(*head, name, was, now, how=how, alike=alike)
