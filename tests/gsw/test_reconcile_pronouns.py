"""Whom she, he, they and I mean, chunk after chunk."""

from __future__ import annotations

from maps import Story

from gswlab.core.nouns import Vote
from gswlab.core.step import Alignment
from gswlab.core.workspace import Workspace
from gswlab.gsw.operator.coreference import SIGNS
from gswlab.gsw.reconciler.align import candidates
from gswlab.gsw.reconciler.rules import RulesReconciler

RULES = RulesReconciler()


def met(story: Story) -> Workspace:
    telling = story.tell("Ann Ray met Bob Lee.")
    ann, bob = (
        telling.actor("Ann Ray", gender="f"),
        telling.actor("Bob Lee", gender="m"),
    )
    telling.does("meet", ann, bob)
    telling.apart(ann, bob)
    return telling.into(RULES, Workspace())


def test_a_pronoun_means_the_most_salient_actor_that_fits() -> None:
    story = Story()
    workspace = met(story)
    telling = story.tell("he waved.")
    telling.does("wave", telling.actor("he", "pronoun", gender="m"))
    step = RULES.reconcile(workspace, telling.local(), telling.chunk)
    (decision,) = [d for d in step.decisions if isinstance(d, Alignment)]
    assert (decision.status, decision.actor) == ("merged", "a2")


def test_a_pronoun_is_not_whom_grammar_excludes() -> None:
    story = Story()
    workspace = met(story)
    telling = story.tell("she hugged Ann Ray.")
    she, ann = telling.actor("she", "pronoun", gender="f"), telling.actor("Ann Ray")
    telling.does("hug", she, ann)
    telling.apart(she, ann)
    workspace = telling.into(RULES, workspace)
    assert [actor.name for actor in workspace.actors] == ["Ann Ray", "Bob Lee", "she"]


def test_a_pronoun_does_not_reach_into_another_chapter() -> None:
    story = Story()
    workspace = met(story)
    telling = story.tell("she woke.", chapter=2)
    telling.actor("she", "pronoun", gender="f")
    workspace = telling.into(RULES, workspace)
    assert len(workspace.actors) == 3


def test_of_two_that_fit_as_well_neither_is_taken() -> None:
    story = Story()
    first = story.tell("Ann Ray and Eve Lee ran.")
    ann, eve = first.actor("Ann Ray", gender="f"), first.actor("Eve Lee", gender="f")
    first.does("run", ann)
    first.does("run", eve)
    workspace = first.into(RULES, Workspace())
    second = story.tell("she fell.")
    second.actor("she", "pronoun", gender="f")
    step = RULES.reconcile(workspace, second.local(), second.chunk)
    (decision,) = [d for d in step.decisions if isinstance(d, Alignment)]
    assert decision.status == "ambiguous"
    assert "fits as well" in decision.reason
    kinds = [(r.kind, r.target) for r in workspace.apply(step).relations]
    assert {("possibly_same_actor", "a1"), ("possibly_same_actor", "a2")} == set(kinds)


def test_an_i_is_the_narrator_of_its_chapter() -> None:
    story, workspace = Story(), Workspace()
    for chapter in (1, 1, 2):
        telling = story.tell("I ran.", chapter)
        telling.actor("I", "narrator")
        workspace = telling.into(RULES, workspace)
    assert [(a.chapter, len(a.mentions)) for a in workspace.actors] == [(1, 2), (2, 1)]


def test_two_who_sign_in_a_chapter_are_two() -> None:
    story, workspace = Story(), Workspace()
    for name in ("Ann Ray", "Tom Fell"):
        telling = story.tell(f"I ran. {name}")
        telling.actor("I", "narrator")
        telling.actor(name, votes=(Vote("kind", "person", 2.0, SIGNS, ()),))
        workspace = telling.into(RULES, workspace)
    assert [a.name for a in workspace.actors] == ["Ann Ray", "Tom Fell"]


def test_one_guess_at_a_pronoun_does_not_fix_a_gender() -> None:
    story, workspace = Story(), Workspace()
    first = story.tell("Robin Lee ran.")
    first.does("run", first.actor("Robin Lee"))
    workspace = first.into(RULES, workspace)
    genders = []
    for _ in range(2):
        telling = story.tell("she fell.")
        telling.does("fall", telling.actor("she", "pronoun", gender="f"))
        workspace = telling.into(RULES, workspace)
        genders.append([actor.gender for actor in workspace.actors])
    assert genders == [[None], ["f"]]


def test_he_is_not_several_people() -> None:
    story, workspace = Story(), Workspace()
    first = story.tell("two sailors sang.")
    first.does("sing", first.actor("two sailors", "nominal"))
    workspace = first.into(RULES, workspace)
    second = story.tell("he fell.")
    second.actor("he", "pronoun", gender="m")
    assert len(second.into(RULES, workspace).actors) == 2


def test_of_an_earlier_we_it_counts_whether_others_were_told_of_with_it() -> None:
    story = Story()
    first = story.tell("Ann Ray came. we laughed.")
    first.actor("Ann Ray", gender="f")
    first.actor("we", "pronoun", gender="we")
    workspace, told = first.into(RULES, Workspace()), []
    for text in ("we slept.", "we ate."):
        telling = story.tell(text)
        telling.actor("we", "pronoun", gender="we")
        scene = RULES.scene(workspace, telling.local(), telling.chunk)
        column, scored = candidates(scene, telling.local().actors[-1])
        told += [f for f in scored[-1][1] if f.startswith("people")]
        workspace = telling.into(RULES, workspace)
    assert column == "we"
    assert told == [
        "people now False, then True, shared False",
        "people now False, then False, shared False",
    ]
