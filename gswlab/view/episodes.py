"""The episodes of a workspace as a table: when, where, who, what, and who else."""

from __future__ import annotations

from collections.abc import Mapping

from gswlab.core.nouns import Bound, Episode
from gswlab.core.workspace import Workspace
from gswlab.view.tables import Table

HEADS: Mapping[str, tuple[str, ...]] = {
    "en": ("chapter", "when", "where", "who", "what", "with"),
    "ja": ("章", "いつ", "どこで", "だれが", "何を", "いっしょに"),
}
NOTHING = "–"  # the text has not said it, or nobody could tell


def episode_table(workspace: Workspace, language: str = "en") -> Table:
    """A row an episode, in the order of the text, under heads in `language`.

    >>> episode_table(Workspace())
    chapter | when | where | who | what | with
    """
    return Table(HEADS[language], tuple(map(_row, workspace.episodes)))


def _row(episode: Episode) -> tuple[str, ...]:
    bound = (episode.date, episode.place, episode.protagonist, episode.kind)
    others = ", ".join(other.value for other in episode.participants)
    chapter = "" if episode.chapter is None else str(episode.chapter)
    return chapter, *map(_said, bound), others or NOTHING


def _said(field: Bound | None) -> str:
    return field.value if field else NOTHING
