"""Who is who: merged, new or ambiguous, and why."""

from __future__ import annotations

import pytest
from maps import Story

from gswlab.reconcile.rules import RulesReconciler
from gswlab.workspace.step import Alignment
from gswlab.workspace.workspace import Workspace

RULES = RulesReconciler()
EVERYWHERE = RulesReconciler(scope="global")


def names(workspace: Workspace) -> list[str]:
    return [actor.name for actor in workspace.actors]


def test_a_merged_actor_keeps_its_old_id() -> None:
    story, workspace = Story(), Workspace()
    for text in ("Ann Ray came in.", "Everybody knew Ann Ray.", "Ann Ray left."):
        telling = story.tell(text)
        telling.actor("Ann Ray")
        workspace = telling.into(RULES, workspace)
    assert [(a.id, a.name, len(a.mentions)) for a in workspace.actors] == [
        ("a1", "Ann Ray", 3)
    ]


@pytest.mark.parametrize("rules", [RULES, EVERYWHERE])
def test_names_of_every_script_stay_apart_and_come_back_as_written(
    rules: RulesReconciler,
) -> None:
    written = ["山田太郎", "山田花子", "José", "Zoë", "Иван Петров", "Мария Петрова"]
    story, workspace = Story(), Workspace()
    for _ in range(2):
        telling = story.tell("、".join(written))
        for name in written:
            telling.actor(name)
        workspace = telling.into(rules, workspace)
    assert names(workspace) == written
    ascii_only = {"".join(c for c in n if c.isascii() and c.isalnum()) for n in written}
    assert len(ascii_only) < len(written)  # what the ASCII rule would have left


def test_a_pronoun_means_the_most_salient_actor_that_fits() -> None:
    story, workspace = Story(), Workspace()
    first = story.tell("Ann Ray met Bob Lee.")
    ann, bob = first.actor("Ann Ray", gender="f"), first.actor("Bob Lee", gender="m")
    first.does("meet", ann, bob)
    first.apart(ann, bob)
    workspace = first.into(RULES, workspace)
    second = story.tell("She smiled.")
    second.does("smile", second.actor("She", "pronoun", gender="f"))
    step = RULES.reconcile(workspace, second.local(), second.chunk)
    (alignment,) = [d for d in step.decisions if isinstance(d, Alignment)]
    assert (alignment.status, alignment.actor) == ("merged", "a1")
    assert sum(w for _, w in alignment.candidates[0].features) == pytest.approx(
        alignment.candidates[0].score
    )
