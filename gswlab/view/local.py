"""What an operator finds in a sentence, before any workspace: the paper's semantic map.

One row a noun: actors with their roles and states, verb phrases with their effects,
the time and the place they share, and the questions they raise, the predicted ones
(what an event makes likely next) last.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gswlab.core.nouns import Actor, Chunk, LocalMap, Question, VerbPhrase, visible
from gswlab.core.protocols import Operator
from gswlab.core.workspace import Workspace
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of
from gswlab.view.run.page import stylesheet
from gswlab.view.spans import Mark, html_text
from gswlab.view.tables import Table

Row = tuple[str, str, str]
HEADS = ("what", "name", "what it says")


@dataclass(frozen=True, slots=True)
class LocalView:
    """A sentence with its mentions lit, over the table of its nouns."""

    chunk: Chunk
    local: LocalMap

    def _repr_html_(self) -> str:
        marks = [
            Mark(m.span.start, m.span.end, actor.id, actor.kind, m.form)
            for actor in self.local.actors
            for m in actor.mentions
        ]
        lit = html_text(self.chunk.text, marks, self.chunk.span.start)
        return (
            f'<p class="text" dir="auto">{lit}</p>'
            f"{local_table(self.local)._repr_html_()}"
        )

    def __repr__(self) -> str:
        return f"{visible(self.chunk.text)}\n{local_table(self.local)!r}"


@dataclass(frozen=True, slots=True)
class LocalViews:
    """Several sentences, one below the other."""

    views: tuple[LocalView, ...]

    def _repr_html_(self) -> str:
        inner = "".join(view._repr_html_() for view in self.views)
        return f'<div class="gswlab"><style>{stylesheet()}</style>{inner}</div>'

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

    >>> local_table(LocalMap("c", actors=(Actor("a1", "time", "May", value="05"),)))
    what | name | what it says
    time | May | value: 05
    """
    return Table(HEADS, tuple(_rows(local)))


def _rows(local: LocalMap) -> Iterator[Row]:
    names = {actor.id: actor.name for actor in local.actors}
    for actor in local.actors:
        yield actor.kind, actor.name, _actor(actor)
    for verb in local.verb_phrases:
        yield "verb phrase", verb.predicate, _verb(verb, names)
    for link in local.links:
        shared = ", ".join(names.get(i, i) for i in link.actors)
        yield f"one {link.kind}", link.value or "(unnamed)", f"shared by {shared}"
    for question in sorted(local.questions, key=lambda q: q.predicted):
        yield _question(question)


def _question(question: Question) -> Row:
    what = "forward question" if question.predicted else "question"
    answers = ", ".join(filler.text for filler in question.answers)
    return what, question.text, answers or question.status


def _actor(actor: Actor) -> str:
    states = (s.text + " (effect)" * (s.source == "effect") for s in actor.states)
    told = {
        "role": ", ".join(role.text for role in actor.roles),
        "state": ", ".join(states),
        "value": actor.value or "",
    }
    return "; ".join(f"{what}: {text}" for what, text in told.items() if text)


def _verb(verb: VerbPhrase, names: Mapping[str, str]) -> str:
    parts = [f"{a.slot}: {names.get(a.actor or '', a.text)}" for a in verb.arguments]
    parts += [
        f"effect: {names.get(e.actor, e.actor)} {e.before or '?'} → {e.after}"
        for e in verb.effects
    ]
    return "; ".join([*parts, *(["implied"] if verb.implied else [])])
