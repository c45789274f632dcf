"""Who is who: merged, new or ambiguous, and why."""

from __future__ import annotations

from dataclasses import replace

import pytest
from maps import Story, Telling

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Argument, Mention, Span, VerbPhrase, Vote
from gswlab.core.step import Alignment, Step
from gswlab.core.workspace import Workspace
from gswlab.gsw.reconciler.rules import RulesReconciler

RULES = RulesReconciler(scope="chapter")
EVERYWHERE = RulesReconciler(scope="global")
BOTH = pytest.mark.parametrize("rules", [RULES, EVERYWHERE])


def names(workspace: Workspace) -> list[str]:
    return [actor.name for actor in workspace.actors]


def alignments(step: Step) -> dict[str, Alignment]:
    return {d.name: d for d in step.decisions if isinstance(d, Alignment)}


def ties(workspace: Workspace, kind: str) -> list[tuple[str, str]]:
    return [(r.source, r.target) for r in workspace.relations if r.kind == kind]


def test_a_merged_actor_keeps_its_old_id() -> None:
    story, workspace = Story(), Workspace()
    for text in ("Ann Ray came in.", "Everybody knew Ann Ray.", "Ann Ray left."):
        telling = story.tell(text)
        telling.actor("Ann Ray")
        workspace = telling.into(RULES, workspace)
    assert [(a.id, a.name, len(a.mentions)) for a in workspace.actors] == [
        ("a1", "Ann Ray", 3)
    ]


def test_a_decision_adds_up_and_says_its_threshold() -> None:
    story, workspace = Story(), Workspace()
    for text in ("Ann Ray came in.", "Ann left."):
        telling = story.tell(text)
        telling.actor("Ann Ray" if "Ray" in text else "Ann")
        step = RULES.reconcile(workspace, telling.local(), telling.chunk)
        workspace = workspace.apply(step)
    decision = alignments(step)["Ann"]
    best = decision.candidates[0]
    assert decision.status == "merged"
    assert sum(weight for _, weight in best.features) == pytest.approx(best.score)
    assert best.score >= decision.threshold == RULES.threshold
    assert "short +0.50" in decision.reason
    assert decision.reason.endswith(".")


def test_a_bias_is_a_feature_and_moves_merges_both_ways() -> None:
    for bias, status in ((-0.3, "ambiguous"), (0.0, "merged"), (0.2, "merged")):
        rules, story, workspace = replace(RULES, merge_bias=bias), Story(), Workspace()
        for text in ("Ann Ray came in.", "Ann left."):
            telling = story.tell(text)
            telling.actor("Ann Ray" if "Ray" in text else "Ann")
            step = rules.reconcile(workspace, telling.local(), telling.chunk)
            workspace = workspace.apply(step)
        decision = alignments(step)["Ann"]
        best = decision.candidates[0]
        assert decision.status == status
        assert dict(best.features).get("merge bias", 0.0) == bias
        assert sum(w for _, w in best.features) == pytest.approx(best.score)


@BOTH
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
    assert [len(actor.mentions) for actor in workspace.actors] == [2] * len(written)
    ascii_only = {"".join(c for c in n if c.isascii() and c.isalnum()) for n in written}
    assert len(ascii_only) < len(written)  # what an ASCII rule would have left


def test_a_name_without_its_accent_is_the_same_name_of_the_chapter() -> None:
    story, workspace = Story(), Workspace()
    for name in ("José", "Jose"):
        telling = story.tell(f"{name} came.")
        telling.actor(name)
        workspace = telling.into(RULES, workspace)
    assert names(workspace) == ["José"]
    assert workspace.get("a1").aliases == ("Jose",)


def test_a_slip_of_the_pen_is_ambiguous_not_merged() -> None:
    story, workspace = Story(), Workspace()
    for name in ("Ann Stewart", "Ann Stewert"):
        telling = story.tell(f"{name} came.")
        telling.actor(name)
        step = RULES.reconcile(workspace, telling.local(), telling.chunk)
        workspace = workspace.apply(step)
    assert alignments(step)["Ann Stewert"].status == "ambiguous"
    assert ties(workspace, "possibly_same_actor") == [("a2", "a1")]


def test_a_short_form_merges_only_while_it_is_unique() -> None:
    story, workspace = Story(), Workspace()
    first = story.tell("Carter Stewart and Carter Lee came.")
    first.actor("Carter Stewart")
    first.actor("Carter Lee")
    workspace = first.into(RULES, workspace)
    second = story.tell("Carter sat. Lee stood.")
    second.actor("Carter")
    second.actor("Lee")
    step = RULES.reconcile(workspace, second.local(), second.chunk)
    assert alignments(step)["Carter"].status == "ambiguous"
    assert alignments(step)["Lee"].actor == "a2"


def test_the_fuller_name_becomes_the_name_and_the_short_one_an_alias() -> None:
    story, workspace = Story(), Workspace()
    for name in ("Ann", "Ann Ray"):
        telling = story.tell(f"{name} came.")
        telling.actor(name)
        workspace = telling.into(RULES, workspace)
    (ann,) = workspace.actors
    assert (ann.id, ann.name, ann.aliases) == ("a1", "Ann Ray", ("Ann",))


def test_two_first_names_with_one_surname_are_two_people() -> None:
    story, workspace = Story(), Workspace()
    for name in ("Anna Petrova", "Hanna Petrova", "Petrova"):
        telling = story.tell(f"{name} came.")
        telling.actor(name)
        workspace = telling.into(RULES, workspace)
    assert names(workspace) == ["Anna Petrova", "Hanna Petrova", "Petrova"]


@pytest.mark.parametrize(
    "clash", [{"roles": ("a surgeon",)}, {"gender": "m"}, {"kind": "place"}]
)
def test_homonyms_of_two_chapters_are_not_merged_on_their_name_alone(
    clash: dict[str, object],
) -> None:
    votes = {"votes": (Vote("kind", "person", 1, "a"), Vote("kind", "person", 1, "b"))}
    if "kind" in clash:
        kinds = (Vote("kind", "place", 1, "c"), Vote("kind", "place", 1, "d"))
        clash = clash | {"votes": kinds}
    story, workspace = Story(), Workspace()
    first = story.tell("Sam Reed baked.", chapter=1)
    first.actor("Sam Reed", roles=("a baker",), gender="f", **votes)
    workspace = first.into(EVERYWHERE, workspace)
    second = story.tell("Sam Reed came.", chapter=2)
    second.actor("Sam Reed", **clash)  # type: ignore[arg-type]
    step = EVERYWHERE.reconcile(workspace, second.local(), second.chunk)
    workspace = workspace.apply(step)
    assert alignments(step)["Sam Reed"].status != "merged"
    assert ties(workspace, "possibly_same_actor") == [("a2", "a1")]


def test_of_two_homonyms_of_a_chapter_the_name_means_the_one_last_spoken_of() -> None:
    story, workspace = Story(), Workspace()
    for text, role in (("a baker", "a baker"), ("a surgeon", "a surgeon"), ("", "")):
        telling = story.tell(f"Sam Reed {text}")
        telling.actor("Sam Reed", roles=(role,) if role else ())
        workspace = telling.into(RULES, workspace)
    assert [len(actor.mentions) for actor in workspace.actors] == [1, 2]


def test_a_full_name_with_nothing_against_it_merges_across_chapters() -> None:
    story, workspace = Story(), Workspace()
    for chapter in (1, 2):
        telling = story.tell("Ann Ray and Lee came.", chapter)
        telling.actor("Ann Ray")
        telling.actor("Lee")
        workspace = telling.into(EVERYWHERE, workspace)
    assert names(workspace) == ["Ann Ray", "Lee", "Lee"]  # one word is not enough


def test_a_short_form_means_the_one_of_its_chapter_wherever_she_was_met() -> None:
    story, workspace = Story(), Workspace()
    texts = [("Ann Ray", 1), ("Ann Lee", 1), ("Ann Lee", 2), ("Ann", 2)]
    for name, chapter in texts:
        telling = story.tell(f"{name} came.", chapter)
        telling.does("arrive", telling.actor(name))
        workspace = telling.into(EVERYWHERE, workspace)
    assert [(a.name, len(a.mentions)) for a in workspace.actors] == [
        ("Ann Ray", 1),
        ("Ann Lee", 3),
    ]


def test_scope_chapter_begins_every_chapter_afresh() -> None:
    story, workspace = Story(), Workspace()
    for chapter in (1, 2):
        telling = story.tell("Ann Ray came.", chapter)
        telling.actor("Ann Ray")
        workspace = telling.into(RULES, workspace)
    assert [(a.name, a.chapter) for a in workspace.actors] == [
        ("Ann Ray", 1),
        ("Ann Ray", 2),
    ]


def test_two_documents_with_one_chapter_number_do_not_mix() -> None:
    workspace = Workspace()
    for document in ("one", "two"):
        telling = Story(document).tell("Ann came.")
        telling.actor("Ann")
        workspace = telling.into(RULES, workspace)
    assert len(workspace.actors) == 2


def test_grammar_keeps_two_of_one_name_apart() -> None:
    telling = Story().tell("Ann Ray met another Ann Ray.")
    one, other = telling.actor("Ann Ray"), telling.actor("Ann Ray")
    telling.apart(one, other)
    assert len(telling.into(RULES, Workspace()).actors) == 2


def test_an_alias_the_text_states_makes_two_names_one_actor() -> None:
    story, workspace = Story(), Workspace()
    first = story.tell("Ann Ray, known as the Fox, came.")
    first.relate(first.actor("Ann Ray"), "alias", first.actor("the Fox"))
    workspace = first.into(RULES, workspace)
    second = story.tell("the Fox left.")
    second.actor("the Fox")
    workspace = second.into(RULES, workspace)
    (ann,) = workspace.actors
    assert (ann.name, ann.aliases, len(ann.mentions)) == ("Ann Ray", ("the Fox",), 3)
    assert not workspace.relations


@pytest.mark.parametrize(
    ("between", "actors"),
    [
        (", known as ", 1),
        (", also known as the ", 1),
        (" alias ", 1),
        ("、通称", 1),
        (" and ", 2),
        (" is called by ", 2),
    ],
)
def test_an_alias_is_read_off_what_stands_between_two_names(
    between: str, actors: int
) -> None:
    telling = Story().tell(f"Robert Hale{between}Quill")
    telling.actor("Robert Hale")
    telling.actor("Quill", kind="place")
    workspace = telling.into(RULES, Workspace())
    assert len(workspace.actors) == actors
    assert workspace.get("a1").aliases == (("Quill",) if actors == 1 else ())


def test_a_place_is_no_short_form_of_what_stands_in_it() -> None:
    story, workspace = Story(), Workspace()
    for name in ("Leeds Town Hall", "Leeds", "the Town Hall"):
        telling = story.tell(f"At {name}.")
        telling.actor(name, kind="place")
        workspace = telling.into(RULES, workspace)
    assert names(workspace) == ["Leeds Town Hall", "Leeds"]


def test_a_doubtful_kind_keeps_no_name_of_a_chapter_apart() -> None:
    story, workspace = Story(), Workspace()
    for kind in ("person", "place"):
        telling = story.tell("Quill came.")
        telling.actor("Quill", kind=kind, votes=(Vote("kind", kind, 1, "a guess"),))
        workspace = telling.into(RULES, workspace)
    assert len(workspace.actors) == 1


def test_the_kind_is_what_all_votes_say() -> None:
    story, workspace = Story(), Workspace()
    for kind, weight in (("person", 1.0), ("place", 2.0)):
        telling = story.tell("Orchard House.")
        vote = Vote("kind", kind, weight, "looks like it")
        telling.actor("Orchard House", kind=kind, votes=(vote,))
        workspace = telling.into(RULES, workspace)
    (house,) = workspace.actors
    assert (house.kind, len(house.votes)) == ("place", 2)


@pytest.mark.parametrize(
    ("again", "actors"),
    [("the door", 1), ("a door", 2), ("the red door", 1), ("the window", 2)],
)
def test_a_nominal_is_known_by_its_noun_and_article(again: str, actors: int) -> None:
    story, workspace = Story(), Workspace()
    for name in ("a door", again):
        telling = story.tell(f"There was {name}.")
        telling.actor(name, "nominal", kind="object")
        workspace = telling.into(RULES, workspace)
    assert len(workspace.actors) == actors


def test_the_article_counts_where_the_mention_leaves_it_out() -> None:
    story, workspace = Story(), Workspace()
    for text in ("She saw a door.", "Then she saw a door."):
        telling = story.tell(text)
        telling.actor("door", "nominal", kind="object")
        workspace = telling.into(RULES, workspace)
    assert len(workspace.actors) == 2


def test_other_modifiers_are_another_thing() -> None:
    story, workspace = Story(), Workspace()
    for name in ("red door", "blue door"):
        telling = story.tell(f"the {name}")
        telling.actor(name, "nominal", kind="object")
        workspace = telling.into(RULES, workspace)
    assert len(workspace.actors) == 2


def test_of_two_doors_the_door_is_the_one_last_spoken_of() -> None:
    story, workspace = Story(), Workspace()
    for text in ("a door", "a door", "the door"):
        telling = story.tell(f"There was {text}.")
        telling.actor(text, "nominal", kind="object")
        workspace = telling.into(RULES, workspace)
    assert [len(actor.mentions) for actor in workspace.actors] == [1, 2]


def test_a_nominal_finds_the_actor_that_has_the_role() -> None:
    story, workspace = Story(), Workspace()
    first = story.tell("Ann Ray, a professor of law, came.")
    first.actor("Ann Ray", roles=("a professor of law",))
    workspace = first.into(RULES, workspace)
    second = story.tell("the professor sat.")
    second.actor("the professor", "nominal")
    workspace = second.into(RULES, workspace)
    (ann,) = workspace.actors
    assert (ann.name, ann.aliases) == ("Ann Ray", ())


def test_a_setting_that_is_none_says_which_there_are() -> None:
    with pytest.raises(GswlabError, match=r"'book'.*chapter or global"):
        RulesReconciler(scope="book")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Peter Fry spoke.", "Peter Fry junior left."),
        ("Peter Fry, Jr., spoke.", "Peter Fry, Sr., left."),
        ("Peter Fry spoke.", "The real Peter Fry left."),
        ("Peter Fry spoke.", "A second Peter Fry left."),
        ("Young Peter Fry spoke.", "Old Peter Fry left."),
        ("Peter Fry spoke.", "His uncle, who is also called Peter Fry, left."),
        ("Peter Fry spoke.", "Their son, Peter Fry, left."),
    ],
)
def test_a_word_beside_a_name_keeps_two_of_one_name_apart(
    first: str, second: str
) -> None:
    story, workspace = Story(), Workspace()
    for text in (first, second, second):
        telling = story.tell(text)
        telling.actor("Peter Fry")
        workspace = telling.into(RULES, workspace)
    assert [len(actor.mentions) for actor in workspace.actors] == [1, 2]


def test_ours_and_theirs_of_one_name_are_two() -> None:
    story, workspace = Story(), Workspace()
    for text in ("当社の矢野が来た。", "先方の矢野が来た。", "当社の矢野が帰った。"):
        telling = story.tell(text)
        telling.actor("矢野")
        workspace = telling.into(RULES, workspace)
    assert [len(actor.mentions) for actor in workspace.actors] == [2, 1]


def test_junior_in_the_name_itself_keeps_two_apart() -> None:
    story, workspace = Story(), Workspace()
    for name in ("Peter Fry", "Peter Fry junior"):
        telling = story.tell(f"{name} spoke.")
        telling.actor(name)
        workspace = telling.into(RULES, workspace)
    assert names(workspace) == ["Peter Fry", "Peter Fry junior"]


def called(story: Story, name: str, noun: str) -> Telling:
    """A telling of "Colin the diver", the noun read as his."""
    telling = story.tell(f"{name} the {noun} spoke.")
    telling.actor(name, roles=(noun,))
    (actor,) = telling.parts["actors"]
    mention = Mention(telling.span(noun), "nominal", telling.chunk.id, noun)
    mentions = (*actor.mentions, mention)
    telling.parts["actors"] = [replace(actor, mentions=mentions)]
    return telling


def test_a_noun_after_a_name_tells_two_of_that_name_apart() -> None:
    story, workspace = Story(), Workspace()
    for noun in ("dentist", "diver", "dentist"):
        workspace = called(story, "Colin Speight", noun).into(RULES, workspace)
    named = [a for a in workspace.actors if a.name == "Colin Speight"]
    assert [[r.text for r in a.roles] for a in named] == [
        ["dentist", "dentist"],
        ["diver"],
    ]


def test_a_noun_that_stands_with_another_of_that_name_is_the_other_s() -> None:
    story, workspace = Story(), Workspace()
    telling = story.tell("Colin Speight sank.")
    telling.actor("Colin Speight")
    workspace = telling.into(RULES, workspace)
    telling = story.tell("A diver, another Colin Speight, came. Mr Speight left.")
    telling.actor("Colin Speight")
    (actor,) = telling.parts["actors"]
    said = (
        ("diver", "nominal"),
        ("Colin Speight", "name"),
        ("Mr Speight", "name"),
    )
    mentions = (Mention(telling.span(t), f, telling.chunk.id, t) for t, f in said)
    telling.parts["actors"] = [replace(actor, mentions=tuple(mentions))]
    workspace = telling.into(RULES, workspace)
    assert [len(actor.mentions) for actor in workspace.actors] == [1, 3]


def test_bob_the_neighbour_is_bob() -> None:
    story, workspace = Story(), Workspace()
    telling = story.tell("Bob Ash came.")
    telling.actor("Bob Ash")
    workspace = telling.into(RULES, workspace)
    workspace = called(story, "Bob Ash", "neighbour").into(RULES, workspace)
    assert names(workspace) == ["Bob Ash"]


def test_young_ann_is_ann() -> None:
    story, workspace = Story(), Workspace()
    for text in ("Ann Ray spoke.", "Young Ann Ray left.", "Ann Ray came back."):
        telling = story.tell(text)
        telling.actor("Ann Ray")
        workspace = telling.into(RULES, workspace)
    assert names(workspace) == ["Ann Ray"]


def test_a_short_form_of_two_is_not_the_one_called_junior() -> None:
    story, workspace = Story(), Workspace()
    for text in ("Peter Fry spoke.", "Peter Fry junior left.", "Mr Fry paid."):
        telling = story.tell(text)
        telling.actor("Fry" if "Mr" in text else "Peter Fry")
        workspace = telling.into(RULES, workspace)
    assert [len(actor.mentions) for actor in workspace.actors] == [2, 1]


def test_a_title_of_a_post_is_of_the_one_who_holds_it() -> None:
    story, workspace = Story(), Workspace()
    for name in ("Owen Hartley", "Jane Hartley", "Cllr Hartley"):
        telling = story.tell(f"{name} spoke.")
        telling.actor(name, roles=("councillor",) if "Jane" in name else ())
        workspace = telling.into(RULES, workspace)
    assert [len(actor.mentions) for actor in workspace.actors] == [1, 2]


def test_one_local_actor_under_two_marks_is_parted_with_what_is_said_of_each() -> None:
    story, workspace = Story(), Workspace()
    text = "弥助は村にいた。もう一人の弥助は町へ行った。"
    telling = story.tell(text)
    hero = telling.actor("弥助", states=("村にいた",))
    (actor,) = telling.parts["actors"]
    start = telling.chunk.span.start + text.rindex("弥助")
    span = Span("story", start, start + 2)
    again = replace(actor.mentions[0], span=span)
    telling.parts["actors"] = [replace(actor, mentions=(*actor.mentions, again))]
    phrase = VerbPhrase("v1", "行く", (Argument("agent", "弥助", (span,), hero),))
    telling.parts["verb_phrases"] = [phrase]
    workspace = telling.into(RULES, workspace)
    one, two = workspace.actors
    assert [s.text for s in one.states] == ["村にいた"]
    assert not two.states
    assert workspace.verb_phrases[0].arguments[0].actor == two.id


def test_the_lad_is_the_boy() -> None:
    story, workspace = Story(), Workspace()
    telling = story.tell("Young Harry Tull was a boy.")
    telling.actor("Harry Tull", roles=("boy",))
    workspace = telling.into(RULES, workspace)
    telling = story.tell("Then the lad shouted.")
    telling.actor("lad", form="nominal")
    workspace = telling.into(RULES, workspace)
    assert [len(actor.mentions) for actor in workspace.actors] == [2]
