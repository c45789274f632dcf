"""A second pass: what one reading left open is settled by the rest of the text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from maps import Story, Telling
from opening import opened

import gswlab
from gswlab import futures
from gswlab.errors import GswlabError
from gswlab.reconcile.conflicts import HYPOTHESIS
from gswlab.reconcile.rules import RulesReconciler
from gswlab.reconcile.second_pass import Direction, SecondPass
from gswlab.workspace.nouns import Chunk
from gswlab.workspace.step import Alignment, Conflict, Resolution, Step
from gswlab.workspace.workspace import Workspace

RULES = RulesReconciler()
RAGNA = """Chapter 1

Ragna Horvath opened the fair at Quay House.

Chapter 2

Ragna sold coins at the Old Mill. It rained. Ragna Horvath laughed. Ragna went home.
"""
HE = (
    "He lost his hat. Tom Reed met Bob Lee. He laughed. Later Tom Reed wept. She said"
    " that Bob Lee was her husband and that he was kind."
)


def people(workspace: Workspace) -> list[str]:
    return [actor.name for actor in workspace.actors if actor.kind == "person"]


def nouns(workspace: Workspace) -> dict[str, Any]:
    return dict(workspace.nouns.items())


class Book:
    """Chunks told by hand, read by the rules, then read a second time."""

    def __init__(self) -> None:
        self.story, self.workspace = Story(), Workspace()
        self.chunks: list[Chunk] = []

    def tell(self, text: str) -> Telling:
        return self.story.tell(text)

    def read(self, telling: Telling) -> None:
        self.workspace = telling.into(RULES, self.workspace)
        self.chunks.append(telling.chunk)

    def again(self, direction: Direction) -> list[Step]:
        steps = list(SecondPass(RULES, self.chunks, direction).steps(self.workspace))
        for step in steps:
            self.workspace = self.workspace.apply(step)
        return steps


def day(telling: Telling, iso: str, *coupled: str) -> str:
    date = telling.actor(iso, "date", value=iso)
    actors = (date, *coupled)
    telling.link("time", actors, iso, anchor=date, iso=iso, granularity="day")
    return date


def arrest(book: Book, iso: str) -> None:
    telling = book.tell(f"Ann Ray was arrested on {iso}.")
    ann = telling.actor("Ann Ray")
    date = day(telling, iso, ann)
    telling.does("arrest", None, ann, ("free", "arrested"), time=date)
    book.read(telling)


def mention(book: Book, iso: str) -> None:
    telling = book.tell(f"The papers were full of {iso}.")
    day(telling, iso)
    book.read(telling)


def test_a_name_left_ambiguous_is_settled_by_what_came_later(tmp_path: Path) -> None:
    lab = opened(tmp_path, RAGNA)
    assert people(lab.workspace).count("Ragna") == 1
    found = lab.replay("forward")
    assert people(lab.workspace) == ["Ragna Horvath"]
    (ragna,) = (a for a in lab.workspace.actors if a.name == "Ragna Horvath")
    text = lab.document.text
    said = sorted(text[m.span.start : m.span.end] for m in ragna.mentions)
    assert said == ["Ragna", "Ragna", "Ragna Horvath", "Ragna Horvath"]
    assert all(each.spans and "what came later" in each.words for each in found.settled)
    assert "2 alignments, 0 conflicts, 0 questions" in found.words()[0]
    assert list(found.to_frame()["kind"]) == ["alignment", "alignment"]


def test_forward_names_a_pronoun_that_backward_leaves_open(tmp_path: Path) -> None:
    lab = opened(tmp_path, HE)
    assert "he" in people(lab.workspace)
    assert not lab.replay("backward").settled
    assert lab.replay("forward").settled
    assert "he" not in people(lab.workspace)


@pytest.mark.parametrize("text", [RAGNA, HE])
@pytest.mark.parametrize("direction", ["forward", "backward"])
def test_a_second_second_pass_settles_nothing_more(
    tmp_path: Path, text: str, direction: Direction
) -> None:
    lab = opened(tmp_path, text)
    lab.replay(direction)
    before = list(lab.journal.export())
    again = lab.replay(direction)
    assert again.settled == again.steps == ()
    assert list(lab.journal.export()) == before


def test_undoing_a_second_pass_brings_the_nouns_back(tmp_path: Path) -> None:
    lab = opened(tmp_path, RAGNA)
    before, answer = lab.workspace, lab.ask("Who opened the fair?")
    found = lab.replay("forward")
    found.undo()
    assert nouns(lab.workspace) == nouns(before)
    assert lab.finished
    assert lab.ask("Who opened the fair?") == answer
    with pytest.raises(GswlabError, match="came after this second pass"):
        found.undo()


def test_steps_of_a_second_pass_are_read_back_like_any_others(tmp_path: Path) -> None:
    lab = opened(tmp_path, RAGNA)
    found = lab.replay("backward")
    again = gswlab.reopen(lab.folder.path)
    assert nouns(again.workspace) == nouns(lab.workspace)
    notes = [again.journal[step.index].note for step in found.steps]
    assert all(note.startswith("replay backward: ") for note in notes)
    assert all(again.journal[step.index].chunk is None for step in found.steps)


def test_a_run_on_a_second_pass_scores_what_it_now_believes(tmp_path: Path) -> None:
    fixed = "experiment=generated", "dataset.chapters=3", "dataset.cap=1"
    lab = gswlab.open(*fixed, "embedder=none", f"run.parent={tmp_path}")
    headline = lab.run()
    found = lab.replay("forward")
    assert found.before is not None
    assert round(found.before.figures["strict_f1"], 4) == headline["strict_f1"]
    assert lab.run()["strict_f1"] == round(found.after.figures["strict_f1"], 4)
    if found.steps:
        written = lab.folder.read_json("scores.json")["workspace"]["steps"]
        assert written == lab.workspace.version
    assert "Strict F1" in found.words()[1]


def test_of_two_days_with_as_much_evidence_the_later_mentions_decide() -> None:
    book = Book()
    arrest(book, "2024-05-07")
    arrest(book, "2024-05-08")
    mention(book, "2024-05-08")
    (was,) = (v for v in book.workspace.verb_phrases if v.predicate == "arrest")
    assert book.workspace.get(was.time).value == "2024-05-07"
    (step,) = book.again("forward")
    (told,) = (d for d in step.decisions if isinstance(d, Conflict))
    assert "what came later: 2024-05-08 has" in told.reason
    assert book.workspace.get(book.workspace.get(was.id).time).value == "2024-05-08"
    (kept,) = (r for r in book.workspace.relations if r.kind == HYPOTHESIS)
    assert book.workspace.get(kept.target).value == "2024-05-07"
    assert book.again("forward") == []


def test_backward_the_earlier_mentions_decide_and_confirm_the_first_day() -> None:
    book = Book()
    mention(book, "2024-05-07")
    arrest(book, "2024-05-07")
    arrest(book, "2024-05-08")
    mention(book, "2024-05-08")
    (step,) = book.again("backward")
    (told,) = (d for d in step.decisions if isinstance(d, Conflict))
    (phrase,) = (v for v in book.workspace.verb_phrases if v.predicate == "arrest")
    assert book.workspace.get(phrase.time).value == "2024-05-07"
    assert told.kept == book.workspace.get(phrase.time).id
    assert book.again("backward") == []


def test_of_two_states_the_one_told_again_is_kept_and_both_stay() -> None:
    book = Book()
    telling = book.tell("Ann Ray was free and arrested.")
    telling.actor("Ann Ray", states=("free", "arrested"))
    book.read(telling)
    telling = book.tell("Later Ann Ray was arrested still.")
    telling.actor("Ann Ray", states=("arrested",))
    book.read(telling)
    assert book.again("backward") == []
    (step,) = book.again("forward")
    (told,) = step.decisions
    assert (told.kind, told.kept, told.other) == ("state_conflict", "arrested", "free")
    (ann,) = book.workspace.actors
    assert [state.text for state in ann.states] == ["free", "arrested", "arrested"]
    assert ann.notes[0].text.startswith("settled state_conflict: free / arrested")
    assert book.again("forward") == []


def test_a_prediction_is_answered_backward_by_what_was_told_before_it() -> None:
    book = Book()
    telling = book.tell("Ann Ray had been charged with theft.")
    ann, theft = telling.actor("Ann Ray"), telling.actor("theft", kind="abstract")
    telling.does("charge", None, ann, recipient=theft)
    book.read(telling)
    telling = book.tell("Ann Ray was arrested.")
    ann = telling.actor("Ann Ray")
    taken = telling.does("arrest", None, ann)
    text = "With what will she be charged?"
    telling.asks(text, "recipient", taken, predicted=True)
    book.read(telling)
    assert [q.status for q in book.workspace.questions] == ["open"]
    assert book.again("forward") == []
    (step,) = book.again("backward")
    (told,) = (d for d in step.decisions if isinstance(d, Resolution))
    (question,) = book.workspace.questions
    assert (told.status, question.status) == ("answered", "answered")
    assert question.answers[0].text == "theft"
    assert question.resolved == book.chunks[0].id
    assert told.spans == (book.chunks[0].span,)


def test_who_grammar_keeps_apart_is_never_merged_by_a_second_pass() -> None:
    book = Book()
    telling = book.tell("She met Ann Ray.")
    she, ann = telling.actor("She", "pronoun", gender="f"), telling.actor("Ann Ray")
    telling.does("meet", she, ann)
    telling.apart(she, ann)
    book.read(telling)
    telling = book.tell("Ann Ray laughed.")
    telling.does("laugh", telling.actor("Ann Ray", gender="f"))
    book.read(telling)
    assert book.again("forward") == []
    assert len(people(book.workspace)) == 2


def test_who_was_split_by_hand_stays_split(tmp_path: Path) -> None:
    lab = opened(tmp_path, RAGNA)
    lab.replay("forward")
    by_hand = futures.fork(lab, len(lab.journal)).right
    assert by_hand.replay("forward").settled == ()
    plain = futures.fork(lab, 0).right
    last = next(s.index for s in plain.journal if (s.chunk or "").endswith(":4"))
    edited = plain.edit(last, "Ragna", because="her niece").right
    edited.replay("forward")
    assert len([name for name in people(edited.workspace) if "Ragna" in name]) > 1


WORDS = ("Ann Ray", "Ann", "Bo Lind", "She", "He", "Lind", "The officer", "Ann Lind")


@settings(max_examples=25)
@given(
    st.lists(st.sampled_from(WORDS), min_size=2, max_size=9),
    st.sampled_from(["forward", "backward"]),
)
def test_whatever_was_read_a_second_pass_ends_loses_no_mention_and_is_idempotent(
    who: list[str], direction: Direction
) -> None:
    book = Book()
    for n, name in enumerate(who):
        telling = book.tell(f"{name} came home {n}.")
        gender = {"She": "f", "He": "m"}.get(name)
        form = "pronoun" if gender else "nominal" if name == "The officer" else "name"
        telling.does("come", telling.actor(name, form, gender=gender))
        book.read(telling)
    spans = sorted(m.span for a in book.workspace.actors for m in a.mentions)
    steps = book.again(direction)
    assert all(step.chunk is None and step.decisions for step in steps)
    assert all(isinstance(d, Alignment) for step in steps for d in step.decisions)
    assert sorted(m.span for a in book.workspace.actors for m in a.mentions) == spans
    assert book.again(direction) == []


def test_what_cannot_be_settled_is_said_in_a_sentence(tmp_path: Path) -> None:
    lab = opened(tmp_path, RAGNA)
    with pytest.raises(GswlabError, match="'sideways' is no direction"):
        lab.replay("sideways")  # type: ignore[arg-type]
    again = gswlab.reopen(lab.folder.path)
    with pytest.raises(GswlabError, match=r"open for reading.*lab\.fork\(\d+\)"):
        again.replay("forward")
    other = opened(tmp_path, RAGNA, "memory=bm25")
    with pytest.raises(GswlabError, match="memory=bm25 leaves nothing open"):
        other.replay("forward")
