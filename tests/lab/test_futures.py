"""Two futures of a run: what a fork shares, where it parts, and decisions by hand."""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from standin import StandIn, serving

import gswlab
from gswlab.__main__ import main
from gswlab.core.errors import GswlabError
from gswlab.core.step import Alignment
from gswlab.gsw.reconciler.decide import APART
from gswlab.gsw.reconciler.rules import RulesReconciler
from gswlab.lab.futures.edit import SIGNED, edit
from gswlab.lab.futures.fork import fork
from gswlab.models.vectors.embedder import Embedder
from gswlab.view.run.futures import write_futures

TEXT = """Chapter 1

On May 7, 2024, Clara Novak opened the winter fair at Quay House. Inspector Ruth
Adeyemi came late. She arrested Edgar Voss. Clara Novak wept.

Chapter 2

On June 2, 2024, Edgar Voss held a chess tournament at the Old Mill. The inspector
watched him. He lost every game.

Chapter 3

On July 9, 2024, Clara Novak joined a swimming race at Old Pier. She won it.
"""
ASKED = "Where was Clara Novak on May 7, 2024?"


@pytest.fixture(scope="module")
def story(tmp_path_factory):
    path = tmp_path_factory.mktemp("story") / "story.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def opened(story, *overrides, **own):
    fixed = f"dataset.file={story}", f"run.parent={story.parent / 'runs'}"
    return gswlab.open(*fixed, "chunk.sentences=1", "embedder=none", *overrides, **own)


@pytest.fixture(scope="module")
def lab(story):
    lab = opened(story)
    lab.run()
    return lab


def nouns(workspace):
    return dict(workspace.nouns.items())


def aligned(lab, *, status, since=1):
    """The decisions of a run with a status, each with its step."""
    for step in lab.journal.steps(since):
        for decision in step.decisions:
            if isinstance(decision, Alignment) and decision.status == status:
                yield step, decision


@settings(max_examples=6)
@given(k=st.integers(0, 10))
def test_a_fork_that_changes_nothing_is_the_original_byte_for_byte(lab, k):
    two = fork(lab, k)
    ours, theirs = (list(each.journal.export())[1:] for each in (lab, two.right))
    assert ours == theirs
    assert two.first is None
    assert repr(two.diff) == "Diff(nothing)"
    assert two.ask(ASKED).equal


def test_what_is_shared_is_said_in_words_and_counts(lab):
    two = fork(lab, 3, "reconciler.threshold=0.9")
    told = "3 steps replayed from the journal, 0 calls; 6 chunks read again, 0 calls"
    assert two.shared.words() == told
    assert told in two.words()[0]


def test_a_fork_parts_at_the_decision_that_its_setting_changes(lab):
    two = fork(lab, 2, "reconciler.threshold=0.9")
    assert two.first.number > 2
    step, other = two.first.left, two.first.right
    assert step.chunk == other.chunk == two.first.chunk.id
    assert two.first.told[0].startswith("“")
    assert " was merged with " in two.first.told[0]
    assert lab.at(step.index) == two.right.at(other.index)
    assert len(two.diff.rows) == len(two.to_frame())


def test_a_fork_of_an_unfinished_run_reads_no_further_than_it(story):
    lab = opened(story, "chunk.sentences=2")
    for _ in range(4):
        lab.step()
    two = fork(lab, 1, "reconciler.scope=chapter")
    assert len(two.right.workspace.chunks) == len(lab.workspace.chunks) == 4
    assert not two.right.finished


def test_a_memory_without_a_workspace_is_compared_by_what_it_did_and_recalls(story):
    lab = opened(story, "memory=bm25", "reader=extractive")
    lab.run()
    two = fork(lab, 4, "budget=40")
    assert "(their 4 chunks read once more: no workspace" in two.shared.words()
    assert two.first is None
    replies = two.ask(ASKED)
    assert 0 < replies.replies[0].shared < replies.replies[0].spans
    other = fork(lab, 4, "memory=memgpt")
    assert other.first is not None
    assert other.first.told


def test_a_workspace_cannot_be_taken_up_from_steps_that_hold_none(story):
    lab = opened(story, "memory=bm25")
    lab.run()
    with pytest.raises(GswlabError, match=r"memory=gsw finds no workspace.*fork\(0\)"):
        fork(lab, 2, "memory=gsw")
    assert fork(lab, 0, "memory=gsw").right.workspace.actors


@pytest.mark.parametrize("override", ["chunk.sentences=3", "dataset.time=2020-01-01"])
def test_a_fork_reads_the_same_text_in_the_same_chunks(lab, override):
    with pytest.raises(GswlabError, match="would be another in the fork"):
        fork(lab, 2, override)


def test_a_fork_at_a_step_that_is_none_says_which_there_are(lab):
    with pytest.raises(GswlabError, match="version 99 is out of range"):
        fork(lab, 99)


@dataclass(frozen=True)
class Wary(RulesReconciler):
    """A reconciler from a notebook cell that merges nobody by a short name."""

    embedder: Embedder | None = field(default=None, repr=False)
    threshold: float = 0.95


def test_an_object_of_ones_own_is_forked_to(lab):
    two = fork(lab, 2, reconciler=Wary(threshold=0.97))
    assert two.right.config.settings["reconciler"]["threshold"] == 0.97
    assert two.first is not None


def test_model_calls_are_counted_from_the_ledger_and_none_is_made_again(story):
    with serving(StandIn()) as server:
        server.script = obliging
        asked = f"llm.base_url={server.url}", "llm.model=stand-in"
        kept = f"llm.cassette={story.parent / 'replies.sqlite'}"
        lab = opened(story, "operator=llm", "llm=openai", *asked, kept)
        while lab.step():
            pass
        made = len(server.requests)
        two = fork(lab, 4, "reconciler.threshold=0.9")
        assert len(server.requests) == made
    assert two.shared.steps == 4
    assert two.shared.asked.calls == two.shared.spent.calls == 0
    assert two.shared.spent.cached > 0
    assert "more from the cassette" in two.shared.words()


def obliging(body, number):
    people = [
        {"id": i, "kind": "person", "name": name, "mentions": [], "roles": []}
        for i, name in (("a1", "Clara Novak"), ("a2", "Edgar Voss"))
    ]
    replies = {
        "ContextReply": {"context": "", "situation": ""},
        "OperatorReply": {"actors": people, "verb_phrases": []},
        "CouplingReply": {"groups": []},
    }
    return json.dumps(replies[body["response_format"]["json_schema"]["name"]])


@pytest.mark.slow
def test_scores_of_both_are_those_of_the_dataset_s_own_scorer(tmp_path):
    fixed = "experiment=generated", "dataset.chapters=3", "dataset.cap=1"
    lab = gswlab.open(*fixed, "embedder=none", f"run.parent={tmp_path}")
    headline = lab.run()
    scores = fork(lab, 3, "reconciler.threshold=0.99").scores()
    strict = scores.set_index("figure").loc["strict_f1"]
    assert round(strict["recorded"], 4) == headline["strict_f1"]
    assert strict["low"] <= strict["difference"] <= strict["high"]


def test_the_command_forks_asks_and_says_what_differs(lab, tmp_path, capsys):
    folder, page = str(lab.folder.path), tmp_path / "two.html"
    given = ("fork", folder, "3", "reconciler.threshold=0.9", "--ask", ASKED)
    assert main([*given, "--out", str(page)]) == 0
    told = capsys.readouterr().out
    assert f"{ASKED}\n  recorded: Quay House\n  fork: Quay House (the same)" in told
    assert "3 steps replayed from the journal, 0 calls" in told
    assert "They part at chunk" in told
    again = gswlab.reopen(json.loads(told.splitlines()[-1])["run"])
    assert again.config.forked == {"of": lab.config.hash, "at": 3}
    assert page.exists()
    assert main(["fork", folder, "99"]) == 2
    assert "out of range" in capsys.readouterr().err


def test_answers_that_change_stand_first_with_the_merges_that_changed_them(tmp_path):
    story = Path(gswlab.__file__).parent / "data" / "story.txt"
    lab = gswlab.open(f"dataset.file={story}", f"run.parent={tmp_path}")
    lab.run()
    two = fork(lab, 3, "reconciler.scope=chapter")
    two.ask("Where is Ruth Adeyemi?", "Who was arrested?")
    page = write_futures(two, tmp_path / "two.html").read_text("utf-8")
    first, _, rest = page.partition("Merges that came out otherwise")
    assert "1 of 2 answers change." in first
    assert "“Ruth Adeyemi” was merged with Ruth Adeyemi and is new" in first
    read, _, folded = rest.partition("more in ids or votes alone")
    assert "votes" not in read
    assert "votes" in folded
    assert 0 < sum(not row.alike for row in two.diff.rows) < len(two.diff.rows) / 3


def test_without_a_question_a_pair_is_asked_what_the_text_asks(tmp_path):
    story = tmp_path / "asks.txt"
    story.write_text("Ann Ray came to Kobe. Who had sent her? She wept.")
    lab = opened(story, f"run.parent={tmp_path}")
    lab.run()
    replies = fork(lab, 1, "reconciler.threshold=0.9").ask().replies
    assert [reply.question for reply in replies] == ["Who had sent her?"]


def test_a_page_of_two_futures_is_text_and_runs_no_script(story, tmp_path):
    hostile = tmp_path / "hostile.txt"
    said = "Clara Novak came. <script>alert(1)</script> Bo </iframe> left. She wept."
    hostile.write_text(said, encoding="utf-8")
    lab = opened(hostile, f"run.parent={tmp_path}")
    lab.run()
    two = fork(lab, 1, "reconciler.threshold=0.99")
    two.ask("Who is <b>she</b>?")
    page = write_futures(two, tmp_path / "two.html").read_text("utf-8")
    for text in (page, two._repr_html_()):
        assert "<script" not in text
        assert "</iframe>" not in text
        assert "<b>she</b>" not in text
    assert "script-src ;" in page
    assert "http" not in page.replace("http-equiv", "")


def test_a_wrong_merge_is_split_and_every_mention_keeps_its_span(lab):
    step, decision = next(aligned(lab, status="merged"))
    two = edit(lab, step.index + 1, decision, becomes="new", because="another woman")
    edited = two.right.journal[step.index]
    new = next(d for d in edited.decisions if getattr(d, "new", "") == decision.new)
    assert new.status == "new"
    assert new.reason.startswith(f"{SIGNED}another woman (By rules merged: ")
    before, after = lab.at(step.index + 1), two.right.at(step.index + 1)
    kept, made = after.get(decision.actor), after.get(new.actor)
    mentions = {m.span for m in kept.mentions} | {m.span for m in made.mentions}
    assert mentions == {m.span for m in before.get(decision.actor).mentions}
    assert {m.chunk for m in made.mentions} == {step.chunk}
    assert any(r.kind == APART and r.source == new.actor for r in after.relations)
    assert two.first.number == step.index + 1


def test_a_wrong_split_is_merged_and_every_mention_keeps_its_span(lab):
    people = [a.id for a in lab.at(5).actors if a.kind == "person"]
    step, decision = next(
        (s, d)
        for s, d in aligned(lab, status="new", since=5)
        if lab.at(s.index + 1).get(d.actor).kind == "person"
    )
    two = edit(lab, step.index + 1, decision.name, becomes=people[0])
    after = two.right.at(step.index + 1)
    assert [m.span for m in lab.at(step.index + 1).get(decision.actor).mentions] == [
        m.span for m in after.get(people[0]).mentions if m.chunk == step.chunk
    ]
    assert two.right.finished
    assert any(SIGNED in row.reason for row in two.diff.rows)


def test_two_actors_of_one_chunk_are_merged_in_either_order(lab):
    step = lab.journal[0]
    new = [d for d in step.decisions if isinstance(d, Alignment) and d.status == "new"]
    one, other = new[0], new[-1]
    for who, becomes in ((one, other), (other, one)):
        two = edit(lab, 1, who, becomes=becomes.actor)
        assert len(two.right.at(1).actors) == len(lab.at(1).actors) - 1


def test_undoing_an_edit_brings_the_nouns_back(lab):
    step, decision = next(aligned(lab, status="merged"))
    fork = edit(lab, step.index + 1, decision, because="to be undone").right
    assert nouns(fork.workspace) != nouns(lab.at(step.index))
    while fork.journal[-1].undoes != step.index:
        fork.journal.undo()
    assert nouns(fork.workspace) == nouns(lab.at(step.index))
    assert fork.unread[0].id == step.chunk


def test_an_edit_is_resumed_and_edited_again_like_any_run(lab):
    step, decision = next(aligned(lab, status="merged"))
    fork = edit(lab, step.index + 1, decision).right
    again = gswlab.reopen(fork.folder.path)
    assert nouns(again.workspace) == nouns(fork.workspace)
    assert again.ask(ASKED) == fork.ask(ASKED)
    assert edit(lab, step.index + 1, decision).right.folder.path == fork.folder.path
    later, other = list(aligned(fork, status="merged", since=step.index + 1))[-1]
    both = edit(fork, later.index + 1, other).right
    signed = [d for s in both.journal for d in s.decisions if SIGNED in d.reason]
    assert len(signed) == 2


def test_an_edit_that_names_no_decision_says_which_there_are(lab):
    step, decision = next(aligned(lab, status="merged"))
    k = step.index + 1
    with pytest.raises(GswlabError, match=rf"step {k} has no decision on 'nobody'.*“"):
        edit(lab, k, "nobody")
    with pytest.raises(GswlabError, match="no actor is called 'a999'"):
        edit(lab, k, decision, becomes="a999")
    with pytest.raises(GswlabError, match="already"):
        edit(lab, k, decision, becomes=decision.actor)
    with pytest.raises(GswlabError, match="out of range"):
        edit(lab, 99, "x")
    end = next(s.index for s in lab.journal if s.note == "finish")
    with pytest.raises(GswlabError, match="it aligns nobody"):
        edit(lab, end + 1, "x")


def test_a_memory_that_decides_nothing_has_nothing_to_edit(story):
    lab = opened(story, "memory=bm25")
    lab.step()
    with pytest.raises(GswlabError, match="memory=bm25 decides nothing"):
        edit(lab, 1, "Clara Novak")


def test_a_gauge_before_the_workspace_hears_the_hand_too(story):
    lab = opened(story, "reconciler=gauged")
    lab.run()
    step, decision = next(aligned(lab, status="merged"))
    reasons = [
        d.reason
        for s in edit(lab, step.index + 1, decision).right.journal
        for d in s.decisions
    ]
    assert any(reason.startswith(SIGNED) for reason in reasons)


@dataclass(frozen=True)
class Deaf(RulesReconciler):
    """A reconciler that hears no person."""

    embedder: Embedder | None = field(default=None, repr=False)

    def reconcile(self, workspace, local, chunk):
        return super().reconcile(workspace, replace(local, by_hand=()), chunk)


def test_a_reconciler_that_hears_no_person_says_so(story):
    lab = opened(story, reconciler=Deaf())
    lab.run()
    step, decision = next(aligned(lab, status="merged"))
    with pytest.raises(GswlabError, match="Deaf did not take the edit"):
        edit(lab, step.index + 1, decision)


def test_reasons_of_a_decision_are_kept_whatever_was_typed(lab):
    step, decision = next(aligned(lab, status="merged"))
    because = "“<b>” \u202e 彼女は別人"
    fork = edit(lab, step.index + 1, decision, because=because).right
    assert any(because in d.reason for d in fork.journal[step.index].decisions)
    assert replace(fork.journal[step.index]) == fork.journal[step.index]
