from __future__ import annotations

import pytest
from hypothesis import given
from strategies import fold, names, runs

from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Actor, Mention, Question, Span, VerbPhrase
from gswlab.core.step import Put, Step
from gswlab.core.workspace import KIND, Draft, Workspace, name_tokens


def cast(*found: str) -> Draft:
    draft = Draft(Workspace())
    for name in found:
        draft.put("actor", Actor(draft.new_id("actor"), "person", name, chapter=1))
    return draft


@given(runs())
def test_a_step_leaves_the_workspace_before_it_as_it_was(found: list[Step]) -> None:
    before = fold(found[:-1])
    nouns, version = dict(before.nouns), before.version
    before.apply(found[-1])
    assert (dict(before.nouns), before.version) == (nouns, version)
    assert before == fold(found[:-1])


@given(runs())
def test_the_indexes_say_what_a_search_of_everything_says(found: list[Step]) -> None:
    workspace = fold(found)
    for name in ("Ann Ray", "the officer", "山田太郎", "nobody"):
        tokens = set(name_tokens(name))
        slow = [
            actor
            for actor in workspace.actors
            if tokens
            & {t for n in (actor.name, *actor.aliases) for t in name_tokens(n)}
        ]
        assert list(workspace.named(name)) == slow
    for chapter in (None, 1, 2, 3):
        slow = [a for a in workspace.actors if a.chapter == chapter]
        assert list(workspace.in_chapter("actor", chapter)) == slow


@given(runs())
def test_nouns_come_by_kind_in_the_order_of_their_ids(found: list[Step]) -> None:
    workspace = fold(found)
    listed = [noun.id for kind in KIND.values() for noun in workspace.of(kind)]
    assert len(listed) == len(workspace.nouns)
    assert set(listed) == set(workspace.nouns)


@given(names)
def test_every_name_of_any_script_can_be_found(name: str) -> None:
    assert name_tokens(name)
    (actor,) = cast(name).workspace.named(name)
    assert actor.name == name


def test_vowel_signs_do_not_split_a_name() -> None:
    assert name_tokens("नीता शर्मा") == ("नीता", "शर्मा")


def test_japanese_names_are_told_apart() -> None:
    workspace = cast("山田太郎", "佐藤花子").workspace
    assert [actor.id for actor in workspace.named("佐藤花子")] == ["a2"]


def test_a_merged_actor_keeps_its_old_id_as_a_way_to_the_new_one() -> None:
    draft = cast("Ann Ray", "the officer", "the woman")
    draft.drop("a3", "a2")
    draft.drop("a2", "a1")
    workspace = draft.workspace
    assert workspace.get("a3").name == "Ann Ray"
    assert workspace.resolve("a3") == "a1"
    assert "a3" not in workspace
    assert workspace.named("officer") == ()
    assert draft.new_id("actor") == "a4"


def test_a_change_of_a_merged_actor_reaches_the_one_it_became() -> None:
    draft = cast("Ann Ray", "the officer")
    draft.drop("a2", "a1")
    draft.set("a2", "gender", "f")
    assert draft.workspace.get("a1").gender == "f"


@pytest.mark.parametrize(
    "drop", [("a9", None), ("a1", "a1"), ("a1", "a2"), ("a1", "a9")]
)
def test_a_drop_that_would_lose_the_way_is_refused(
    drop: tuple[str, str | None],
) -> None:
    draft = cast("Ann Ray", "the officer")
    draft.drop("a2", "a1")
    with pytest.raises(GswlabError):
        draft.drop(*drop)


def test_an_unknown_id_names_itself_and_the_version() -> None:
    with pytest.raises(GswlabError, match=r"'a7'.*version 0"):
        Workspace().get("a7")


def test_steps_fold_in_order_and_each_once() -> None:
    after = Workspace().apply(Step(0, "b:1:0"))
    for step in (Step(0, "b:1:1"), Step(2, "b:1:1"), Step(1, "b:1:0")):
        with pytest.raises(GswlabError):
            after.apply(step)
    assert after.apply(Step(1, None)).chunks == after.chunks


def test_a_chunk_can_be_read_again_once_its_step_was_undone() -> None:
    after = Workspace().apply(Step(0, "b:1:0")).apply(Step(1, None, undoes=0))
    assert dict(after.apply(Step(2, "b:1:0")).chunks) == {"b:1:0": 2}


def test_a_draft_records_only_what_is_new() -> None:
    draft = cast("Ann Ray")
    mention = Mention(Span("b", 0, 7), "name", "b:1:0")
    draft.extend("a1", "mentions", [mention, mention])
    draft.extend("a1", "mentions", [mention])
    draft.set("a1", "name", "Ann Ray")
    assert len(draft.changes) == 2
    assert draft.workspace.get("a1").mentions == (mention,)


def test_a_draft_and_its_step_lead_to_the_same_nouns() -> None:
    draft = cast("Ann Ray", "Bob")
    draft.set("a2", "chapter", 2)
    draft.put("verb_phrase", VerbPhrase("v1", "arrest", chapter=1))
    draft.drop("a1")
    after = Workspace().apply(Step(0, None, tuple(draft.changes)))
    assert after.nouns == draft.workspace.nouns
    assert [a.id for a in after.in_chapter("actor", 2)] == ["a2"]
    assert after.in_chapter("actor", 1) == ()


def test_a_noun_that_comes_back_is_listed_once() -> None:
    draft = cast("Ann Ray")
    ann = draft.workspace.get("a1")
    draft.drop("a1")
    draft.put("actor", ann)
    assert draft.workspace.in_chapter("actor", 1) == (ann,)
    assert draft.workspace.named("Ann") == (ann,)


def test_a_workspace_of_many_nouns_without_chapters_stays_quick() -> None:
    # an index that copied its sets would make this minutes, not a second or two
    workspace = Workspace()
    for number in range(1, 20_001):
        noun = Question(f"q{number}", "When?", "time")
        workspace = workspace.change(Put("question", noun))
    assert len(workspace.in_chapter("question", None)) == 20_000


def test_a_workspace_says_itself_in_one_line() -> None:
    assert repr(cast("Ann", "Bob").workspace) == (
        "Workspace(version 0, 2 actors, 0 verb phrases, 0 episodes, 0 notes)"
    )
