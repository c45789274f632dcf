"""What an operator finds in a sentence, before any workspace: the paper's semantic map.

One row a noun: actors with their roles and states, verb phrases with their effects,
the time and the place they share, and the questions they raise, the predicted ones
(what an event makes likely next) last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gswlab.bench.audit import Audit
from gswlab.bench.gold.reading import GoldReading
from gswlab.core.nouns import Chunk, LocalMap, visible
from gswlab.core.protocols import Operator
from gswlab.core.workspace import Workspace
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of
from gswlab.view.kit.page import embedded, rendered
from gswlab.view.kit.spans import Mark, html_text, plain_text
from gswlab.view.kit.tables import Table

EPISODES_HEADS: Mapping[str, tuple[str, ...]] = {
    "en": ("chapter", "when", "where", "who", "what", "with"),
    "ja": ("章", "いつ", "どこで", "だれが", "何を", "いっしょに"),
}
NOT_SAID = "–"  # the text has not said it, or nobody could tell


@dataclass(frozen=True, slots=True)
class LocalView:
    """A sentence with its mentions lit, over the table of its nouns."""

    chunk: Chunk
    local: LocalMap

    @property
    def marks(self) -> list[Mark]:
        """Every mention of an actor."""
        return [
            Mark(m.span.start, m.span.end, actor.id, actor.kind, m.form)
            for actor in self.local.actors
            for m in actor.mentions
        ]

    def _repr_html_(self) -> str:
        return rendered("papers/local.html", views=[self], table=local_table)

    def __repr__(self) -> str:
        return f"{visible(self.chunk.text)}\n{local_table(self.local)!r}"


@dataclass(frozen=True, slots=True)
class LocalViews:
    """Several sentences, one below the other."""

    views: tuple[LocalView, ...]

    def _repr_html_(self) -> str:
        views = {"views": self.views, "table": local_table}
        return embedded(rendered("papers/local.html", **views))

    def __repr__(self) -> str:
        return "\n\n".join(map(repr, self.views))


def sentences_table(operator: Operator, *texts: str) -> LocalViews:
    """What `operator` finds in each of some short texts, each read on its own.

    >>> sentences_table(SpacyOperator(), "Ann Ray left Kobe.")  # doctest: +SKIP
    """
    read = (chunks(document_of(text), sentences=99)[0] for text in texts)
    return LocalViews(
        tuple(LocalView(chunk, operator.extract(chunk, Workspace())) for chunk in read)
    )


def local_table(local: LocalMap) -> Table:
    """The nouns of one chunk, one row each.

    >>> from gswlab.core.nouns import Actor
    >>> local_table(LocalMap("c", actors=(Actor("a1", "time", "May", value="05"),)))
    what | name | what it says
    time | May | value: 05
    """
    return Table(("what", "name", "what it says"), tuple(_rows(local)))


def _rows(local: LocalMap) -> Iterator[tuple[str, str, str]]:
    names = {actor.id: actor.name for actor in local.actors}
    for actor in local.actors:
        states = (s.text + " (effect)" * (s.source == "effect") for s in actor.states)
        told = {
            "role": ", ".join(role.text for role in actor.roles),
            "state": ", ".join(states),
            "value": actor.value or "",
        }
        said = "; ".join(f"{what}: {text}" for what, text in told.items() if text)
        yield actor.kind, actor.name, said
    for verb in local.verb_phrases:
        parts = [
            f"{a.slot}: {names.get(a.actor or '', a.text)}" for a in verb.arguments
        ]
        parts += [
            f"effect: {names.get(e.actor, e.actor)} {e.before or '?'} → {e.after}"
            for e in verb.effects
        ]
        parts += ["implied"] * verb.implied
        yield "verb phrase", verb.predicate, "; ".join(parts)
    for link in local.links:
        shared = ", ".join(names.get(i, i) for i in link.actors)
        yield f"one {link.kind}", link.value or "(unnamed)", f"shared by {shared}"
    for question in sorted(local.questions, key=lambda q: q.predicted):
        what = "forward question" if question.predicted else "question"
        answers = ", ".join(filler.text for filler in question.answers)
        yield what, question.text, answers or question.status


def episode_table(workspace: Workspace, language: str = "en") -> Table:
    """A row an episode, in the order of the text, under heads in `language`.

    >>> episode_table(Workspace())
    chapter | when | where | who | what | with
    """
    rows = []
    for episode in workspace.episodes:
        bound = (episode.date, episode.place, episode.protagonist, episode.kind)
        others = ", ".join(other.value for other in episode.participants)
        chapter = "" if episode.chapter is None else str(episode.chapter)
        said = (field.value if field else NOT_SAID for field in bound)
        rows.append((chapter, *said, others or NOT_SAID))
    return Table(EPISODES_HEADS[language], tuple(rows))


def audit_table(audit: Audit) -> Table:
    """Every chunk that speaks of the actor; in brackets what was named before it."""
    rows = []
    for row in audit.rows:
        expected, held = row.expected, row.held
        time = _carried(expected.time, expected.time_named), held.time
        place = _carried(expected.place, expected.place_named), held.place
        cells = (row.chunk, *time, *place, ", ".join(row.missed))
        rows.append(tuple(visible(cell or "-") for cell in cells))
    missed = f"{audit.missed} missed update{'' if audit.missed == 1 else 's'}"
    caption = visible(f"{audit.name} ({audit.actor}): {missed}; (...) named before")
    times, places = ("time expected", "time held"), ("place expected", "place held")
    return Table(("chunk", *times, *places, "missed"), tuple(rows), caption)


def transitions_table(audit: Audit) -> Table:
    """The transitions that no story allows; no row is the good case."""
    rows = ((t.kind, t.chunk or "-", visible(t.text)) for t in audit.transitions)
    caption = f"{len(audit.transitions)} inconsistent transition(s)"
    return Table(("kind", "chunk", "what the run held"), tuple(rows), caption)


def _carried(value: str | None, named: bool) -> str | None:
    return value if named or value is None else f"({value})"


@dataclass(frozen=True, slots=True)
class Columns:
    """Columns in a notebook, in the order given; one below the other elsewhere.

    >>> Columns({"rules": 1})
    rules:
    1
    """

    views: Mapping[str, Any]

    def _repr_html_(self) -> str:
        return embedded(rendered("papers/columns.html", views=self.views))

    def __repr__(self) -> str:
        return "\n\n".join(f"{name}:\n{view!r}" for name, view in self.views.items())


@dataclass(frozen=True, slots=True)
class Lit:
    """A text with its marks, and nothing else."""

    text: str
    marks: Sequence[Mark]

    def _repr_html_(self) -> str:
        begin = '<p class="text" dir="auto" style="font-size:1rem">'
        return f"{begin}{html_text(self.text, self.marks)}</p>"

    def __repr__(self) -> str:
        return plain_text(self.text, self.marks)


class Beside(Columns):
    """An excerpt twice: as it is annotated, and as the operator read it."""

    def __init__(self, reading: GoldReading) -> None:
        text = reading.excerpt.text
        gold, read = Lit(text, [*_gold(reading)]), Lit(text, [*_read(reading)])
        super().__init__({"annotated": gold, "read by the operator": read})


def _gold(reading: GoldReading) -> Iterator[Mark]:
    """What must be found; what may be read or not stays unlit."""
    actors = reading.excerpt.file.actors
    for mark in reading.excerpt.marks:
        timed = mark.key[0] == "@"
        if mark.key not in ("?", "@?"):
            kind = "time" if timed else actors[mark.key].kind
            name = mark.key[1:] if timed else mark.key
            form = "pronoun" if mark.pronoun else ""
            yield Mark(mark.start, mark.end, name, kind, form)


def _read(reading: GoldReading) -> Iterator[Mark]:
    """Every mention; an actor is called by its name, a time by its value."""
    for local in reading.maps:
        for actor in local.actors:
            for m in actor.mentions:
                name = actor.value or actor.name
                yield Mark(m.span.start, m.span.end, name, actor.kind, m.form)
