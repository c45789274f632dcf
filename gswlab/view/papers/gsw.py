"""What an operator finds in a sentence, before any workspace: the paper's semantic map.

One row a noun: actors with their roles and states, verb phrases with their effects,
the time and the place they share, and the questions they raise, the predicted ones
(what an event makes likely next) last.
"""

from __future__ import annotations

from dataclasses import dataclass

from gswlab.bench.audit import Audit
from gswlab.core.nouns import Chunk, LocalMap, visible
from gswlab.core.protocols import Operator
from gswlab.core.workspace import Workspace
from gswlab.text.chunks import chunks
from gswlab.text.document import document_of
from gswlab.view.kit.page import embedded, rendered
from gswlab.view.kit.spans import Mark
from gswlab.view.kit.tables import Table, column_of, told_table


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
        nouns = local_table(self.local)
        return rendered("papers/local.html", chunk=self.chunk, marks=marks, nouns=nouns)

    def __repr__(self) -> str:
        return f"{visible(self.chunk.text)}\n{local_table(self.local)!r}"


@dataclass(frozen=True, slots=True)
class LocalViews:
    """Several sentences, one below the other."""

    views: tuple[LocalView, ...]

    def _repr_html_(self) -> str:
        return embedded("\n".join(view._repr_html_() for view in self.views))

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
    names = {actor.id: actor.name for actor in local.actors}
    return told_table("papers/local.txt", local=local, names=names)


def episode_table(workspace: Workspace, language: str = "en") -> Table:
    """A row an episode, in the order of the text, under heads in `language`.

    >>> episode_table(Workspace())
    chapter | when | where | who | what | with
    """
    heads = [*column_of("papers/episodes.tsv", language).values()]
    return told_table("papers/episodes.txt", heads=heads, episodes=workspace.episodes)


def audit_table(audit: Audit) -> Table:
    """Every chunk that speaks of the actor; in brackets what was named before it."""
    return told_table("papers/audit.txt", audit=audit)
