from __future__ import annotations

from hypothesis import given
from strategies import fold, runs

from gswlab.core.diff import diff
from gswlab.core.nouns import Actor, Argument, Mention, Role, Span, VerbPhrase
from gswlab.core.step import Alignment, Step
from gswlab.core.workspace import Draft, Workspace


def book() -> tuple[Workspace, Workspace, tuple[Step, ...]]:
    draft = Draft(Workspace())
    draft.put("actor", Actor("a1", "person", "Ann Ray"))
    draft.put("actor", Actor("a2", "person", "the officer"))
    draft.put("actor", Actor("a3", "object", "lamp | <b>"))
    before = draft.workspace
    draft.drop("a2", "a1")
    draft.set("a1", "gender", "f")
    draft.extend("a1", "roles", [Role("the officer", (), "b:1:1")])
    draft.drop("a3")
    draft.put("actor", Actor("a4", "person", "山田"))
    why = Alignment("a1", "the officer", "merged", "a1", "same role + same place")
    new = Alignment("a2", "山田", "new", "a4", "no actor shares the name")
    return before, draft.workspace, (Step(0, None, decisions=(why, new)),)


def test_words_say_what_happened_and_why() -> None:
    assert diff(*book()).words() == (
        "new actor 山田 because no actor shares the name",
        'merged "the officer" into Ann Ray because same role + same place',
        "Ann Ray: roles +1 (the officer)",
        "Ann Ray: gender unknown -> f",
        "retired actor lamp | <b>",
    )


def test_without_steps_there_are_no_reasons() -> None:
    before, after, _ = book()
    assert 'merged "the officer" into Ann Ray' in diff(before, after).words()


def test_a_mention_recognised_as_a_known_actor_is_told_once() -> None:
    before, _, steps = book()
    merged = diff(before, before, steps).merged
    assert [(row.label, row.new) for row in merged] == [("the officer", "Ann Ray")]
    assert len(diff(*book()).merged) == 1


def test_a_diff_counts_in_one_line() -> None:
    assert repr(diff(*book())) == "Diff(1 added, 1 merged, 2 changed, 1 removed)"
    assert repr(diff(Workspace(), Workspace())) == "Diff(nothing)"


def test_tables_hold_every_difference_and_are_escaped() -> None:
    found = diff(*book())
    assert list(found.to_frame()["what"]) == [row.what for row in found.rows]
    assert "<b>" not in found._repr_html_()


@given(runs())
def test_a_workspace_does_not_differ_from_itself(found: list[Step]) -> None:
    workspace = fold(found)
    assert diff(workspace, workspace).rows == ()
    assert diff(workspace, workspace, by="text").rows == ()


@given(runs())
def test_every_noun_is_kept_added_merged_or_removed(found: list[Step]) -> None:
    before, after = fold(found[: len(found) // 2]), fold(found)
    rows = diff(before, after)
    assert {row.id for row in rows.added} == set(after.nouns) - set(before.nouns)
    gone = set(before.nouns) - set(after.nouns)
    assert len(rows.removed) + len(rows.merged) == len(gone)
    for row in rows.changed:
        old = getattr(before.nouns[row.id], row.field)
        assert (old, row.new) == (row.old, getattr(after.nouns[row.id], row.field))
    for text in rows.words():
        assert text


@given(runs())
def test_looking_back_swaps_what_was_added_and_removed(found: list[Step]) -> None:
    before, after = fold(found[: len(found) // 2]), fold(found)
    ids = {row.id for row in diff(after, before).removed}
    assert ids == set(after.nouns) - set(before.nouns)


def run(first: int) -> Workspace:
    """One text, read by a run that gives Ann Ray the number `first`."""
    draft = Draft(Workspace())
    span = Span("b", 0, 7)
    mention = Mention(span, "name", "b:1:0", "Ann Ray")
    for number in range(1, first):
        draft.put("actor", Actor(f"a{number}", "object", f"lamp {number}"))
    draft.put("actor", Actor(f"a{first}", "person", "Ann Ray", mentions=(mention,)))
    agent = (Argument("agent", "Ann Ray", (span,), f"a{first}"),)
    draft.put("verb_phrase", VerbPhrase("v1", "leave", agent, spans=(span,)))
    return draft.workspace


def test_two_runs_are_compared_by_what_the_text_says() -> None:
    found = diff(run(1), run(3), by="text")
    assert found.words() == ("new actor lamp 1", "new actor lamp 2")
    assert len(diff(run(1), run(3), by="id").changed) > 0


def test_a_merge_in_one_run_is_not_told_of_another_noun_in_the_other() -> None:
    one, other = Draft(run(1)), Draft(run(1))
    one.put("actor", Actor("a2", "person", "Bo Lind"))
    other.put("actor", Actor("a2", "object", "lamp"))
    other.drop("a2", "a1")
    found = diff(one.workspace, other.workspace, by="text")
    assert found.words() == ("retired actor Bo Lind",)


def test_two_runs_that_bind_an_argument_otherwise_differ() -> None:
    one, other = run(1), Draft(run(3))
    argument = Argument("agent", "Ann Ray", (Span("b", 0, 7),), "a1")
    other.set("v1", "arguments", (argument,))
    found = diff(one, other.workspace, by="text")
    assert [(row.id, row.field) for row in found.changed] == [("v1", "arguments")]
