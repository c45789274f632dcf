"""What differs between any two workspaces, as rows, words, a table or Markdown.

- Two versions of one run are compared by id (`by="id"`): ids keep their meaning.
- Two runs number their nouns each in its own way, so they are compared by what the
  text says (`by="text"`): an actor is its name where it was first met, an episode its
  place in the document. Ids inside fields are translated before they are compared.
- Reasons come from the decisions of the steps in between, where they are given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from gswlab.workspace.frames import html_table
from gswlab.workspace.links import label, live
from gswlab.workspace.match import renamed, same_in_text
from gswlab.workspace.nouns import Noun
from gswlab.workspace.step import Alignment, Step
from gswlab.workspace.wire import NOUNS
from gswlab.workspace.wording import Namer, changed, namer, titled
from gswlab.workspace.workspace import KIND, Workspace

if TYPE_CHECKING:
    import pandas as pd

What = Literal["added", "merged", "changed", "removed"]


class Row(NamedTuple):
    """One difference. `field`, `old` and `new` are those of a changed field.

    `how` is the change of a field in words.

    `id` is the noun's in the later workspace (of a removed noun, in the earlier); the
    `new` of a merged one is the noun that it became part of.
    """

    what: What
    kind: str
    id: str
    label: str
    field: str = ""
    old: Any = None
    new: Any = None
    reason: str = ""
    how: str = ""

    def words(self) -> str:
        """The difference as a sentence."""
        because = f" because {self.reason}" if self.reason else ""
        match self.what:
            case "added":
                return f"new {_words(self.kind)} {self.label}{because}"
            case "removed":
                return f"retired {_words(self.kind)} {self.label}{because}"
            case "merged":
                return f'merged "{self.label}" into {self.new}{because}'
        return f"{self.label}: {_words(self.field)} {self.how}"


@dataclass(frozen=True)
class Diff:
    """The differences between two workspaces, in the order of ids.

    >>> diff(Workspace(), Workspace())
    Diff(nothing)
    """

    rows: tuple[Row, ...]

    @property
    def added(self) -> tuple[Row, ...]:
        """The rows of nouns that only the second workspace has."""
        return self._of("added")

    @property
    def changed(self) -> tuple[Row, ...]:
        """The rows of nouns that both have, a row a field that differs."""
        return self._of("changed")

    @property
    def merged(self) -> tuple[Row, ...]:
        """The rows of nouns and mentions that became part of another noun."""
        return self._of("merged")

    @property
    def removed(self) -> tuple[Row, ...]:
        """The rows of nouns that only the first workspace has, none of them merged."""
        return self._of("removed")

    def _of(self, what: What) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.what == what)

    def words(self) -> tuple[str, ...]:
        """A sentence for each difference."""
        return tuple(row.words() for row in self.rows)

    def to_frame(self) -> pd.DataFrame:
        """One row a difference."""
        import pandas as pd

        return pd.DataFrame(self.rows, columns=list(Row._fields))

    def to_markdown(self) -> str:
        """A Markdown table to paste."""
        lines = ["| what | noun | difference |", "|---|---|---|"]
        for row in self.rows:
            cells = (row.what, row.id, row.words())
            lines.append("| " + " | ".join(_markdown(cell) for cell in cells) + " |")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        rows = [(row.what, row.id, row.words()) for row in self.rows]
        return html_table(repr(self), ("what", "noun", "difference"), rows)

    def __repr__(self) -> str:
        counts = ((what, len(self._of(what))) for what in _ORDER)
        said = ", ".join(f"{count} {what}" for what, count in counts if count)
        return f"Diff({said or 'nothing'})"


_ORDER: tuple[What, ...] = ("added", "merged", "changed", "removed")


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
    reasons = _reasons(steps)
    pairs = _pairs(before, after) if by == "id" else same_in_text(before, after)
    was, now = namer(before), namer(after)
    rows = [
        row for kind in NOUNS for row in _arrivals(after.of(kind), pairs, reasons, now)
    ]
    # An id of one run means nothing in another.
    rows += _merges(before if by == "id" else Workspace(), after, pairs, reasons)
    for new_id, old_id in pairs.items():
        old, new = before.nouns[old_id], after.nouns[new_id]
        if old is not new:
            rows += _changes(old, new, pairs if by == "text" else {}, (was, now))
    rows += _departures(before, after, pairs, by)
    return Diff(tuple(rows))


def _pairs(before: Workspace, after: Workspace) -> dict[str, str]:
    return {n.id: n.id for k in NOUNS for n in after.of(k) if n.id in before}


def _reasons(steps: Iterable[Step]) -> dict[tuple[str, str], Alignment]:
    """Alignments by surface name and the actor it became."""
    found: dict[tuple[str, str], Alignment] = {}
    for step in steps:
        for decision in step.decisions:
            if isinstance(decision, Alignment):
                found[decision.name, decision.actor] = decision
    return found


def _arrivals(
    nouns: Iterator[Noun],
    pairs: Mapping[str, str],
    reasons: Mapping[tuple[str, str], Alignment],
    called: Namer,
) -> Iterator[Row]:
    for noun in nouns:
        if noun.id not in pairs:
            why = reasons.get((label(noun), noun.id))
            reason = why.reason if why is not None and why.status != "merged" else ""
            name = titled(noun, called)
            yield Row("added", KIND[noun.id[:1]], noun.id, name, reason=reason)


def _merges(
    before: Workspace,
    after: Workspace,
    pairs: Mapping[str, str],
    reasons: Mapping[tuple[str, str], Alignment],
) -> Iterator[Row]:
    """Nouns that became part of another, then mentions recognised as a known actor."""
    told = set()
    for kind in NOUNS:
        for noun in before.of(kind):
            into = live(after, noun.id)
            if into is None or into == noun.id or noun.id in pairs.values():
                continue
            told.add((label(noun), into))
            why = reasons.get((label(noun), into))
            yield _merged(label(noun), into, after, why.reason if why else "")
    for (name, actor), decision in reasons.items():
        into = live(after, actor)
        if decision.status == "merged" and into and (name, into) not in told:
            told.add((name, into))
            yield _merged(name, into, after, decision.reason)


def _merged(name: str, into: str, after: Workspace, reason: str) -> Row:
    target = label(after.nouns[into])
    return Row("merged", KIND[into[:1]], into, name, new=target, reason=reason)


def _changes(
    old: Noun, new: Noun, pairs: Mapping[str, str], called: tuple[Namer, Namer]
) -> Iterator[Row]:
    for f in fields(new):
        was, now = getattr(old, f.name), getattr(new, f.name)
        same = was == (renamed(now, f.name, pairs) if pairs else now)
        if not same and f.name != "id":
            kind = KIND[new.id[:1]]
            how = changed(was, now, *called)
            yield Row("changed", kind, new.id, label(new), f.name, was, now, how=how)


def _departures(
    before: Workspace, after: Workspace, pairs: Mapping[str, str], by: str
) -> Iterator[Row]:
    kept = set(pairs.values())
    for kind in NOUNS:
        for noun in before.of(kind):
            merged = by == "id" and live(after, noun.id) is not None
            if noun.id not in kept and not merged:
                name = titled(noun, namer(before))
                yield Row("removed", kind, noun.id, name)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _markdown(text: str) -> str:
    flat = " ".join(text.split())
    for mark in "\\|`*_<>[]":
        flat = flat.replace(mark, "\\" + mark)
    return flat
