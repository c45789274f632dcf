"""When questions were asked and answered, and which ends stay loose."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from told import Told, told

import gswlab
from gswlab.core.journal import Journal
from gswlab.core.nouns import Filler, Question
from gswlab.core.step import Step
from gswlab.core.workspace import Draft, Workspace
from gswlab.view import timeline

HOSTILE = "Who is <img src=x onerror=alert(1)>\u202e?"


@pytest.fixture
def journal(tmp_path):
    with told(tmp_path / "journal.sqlite") as journal:
        yield journal


def test_a_question_lasts_from_the_step_that_asked_to_the_one_that_answered(journal):
    found = timeline(journal)
    rows = {row.id: row for row in found.rows}
    assert (rows["q1"].asked, rows["q1"].answered) == (0, 2)
    assert (rows["q1"].status, rows["q1"].answer) == ("answered", "Tomas Reed")
    assert (rows["q2"].asked, rows["q2"].answered) == (1, None)
    assert rows["q2"].kind == "prediction"
    assert [row.id for row in found.rows if row.answered is None] == ["q2"]
    assert repr(found) == (
        "Timeline(2 questions: 0 answered at once, 1 later, 1 loose ends)"
    )


def test_taking_an_answer_back_makes_its_end_loose_again(tmp_path):
    journal = told(tmp_path / "journal.sqlite")
    journal.undo()
    found = timeline(journal)
    assert {row.id: row.answered for row in found.rows} == {"q1": None, "q2": None}
    journal.undo()
    assert [row.id for row in timeline(journal).rows] == ["q1"]


def test_a_question_is_told_with_the_occurrence_it_is_of(tmp_path):
    story = Told(tmp_path / "journal.sqlite")

    def write(draft: Draft) -> None:
        from gswlab.core.nouns import Actor, Argument, VerbPhrase

        draft.put("actor", Actor("a1", "person", "Mara Voss"))
        arguments = (Argument("agent", "she", (), "a1"), Argument("patient", "him", ()))
        draft.put("verb_phrase", VerbPhrase("v1", "arrest", arguments))
        draft.put(
            "question", Question("q1", "Where does someone arrest?", "place", "v1")
        )

    story.step(write, 0)
    (row,) = timeline(story.journal).rows
    assert row.about == "Mara Voss arrest him"


def test_the_table_says_everything_in_words_and_no_markup(tmp_path):
    story = Told(tmp_path / "journal.sqlite")
    story.step(lambda d: d.put("question", Question("q1", HOSTILE, "agent")), 0)
    story.step(lambda d: None, 1)
    html = timeline(story.journal)._repr_html_()
    assert "<img" not in html
    assert "\u202e" not in html
    assert "&lt;img" in html
    assert "loose end" in html
    assert 'aria-label="from step 1 to step 2 of 2"' in html


def test_a_run_that_asks_nothing_has_an_empty_timeline(tmp_path):
    with Journal(tmp_path / "journal.sqlite") as empty:
        assert timeline(empty).rows == ()
        assert timeline(empty).to_frame().empty


plans = st.lists(
    st.tuples(st.integers(0, 6), st.one_of(st.none(), st.integers(0, 6))), max_size=8
)


@given(plans)
def test_as_many_are_open_as_were_asked_and_not_answered(plan):
    """Each question is asked at one step and answered at another, or never."""

    class Plan:
        def documents(self):
            return ()

        chunks = documents

        def steps(self):
            workspace = Workspace()
            for index in range(7):
                draft = Draft(workspace)
                for n, (asked, answered) in enumerate(plan, 1):
                    if asked == index:
                        draft.put("question", Question(ids[n], "Who?", "agent"))
                    if answered == index and answered >= asked:
                        draft.set(ids[n], "status", "answered")
                        draft.extend(ids[n], "answers", (Filler("Ann", ()),))
                step = Step(index, None, tuple(draft.changes))
                workspace = workspace.apply(step)
                yield step

    order = sorted(range(1, len(plan) + 1), key=lambda n: plan[n - 1][0])
    ids = {n: f"q{place}" for place, n in enumerate(order, 1)}
    found = timeline(Plan())
    for index in range(7):
        rows = (row for row in found.waited if row.asked <= index)
        many = sum(row.answered is None or row.answered > index for row in rows)
        waiting = [one for one in plan if _waits(one, index)]
        assert many == len(waiting)


def _waits(one, index):
    asked, answered = one
    done = answered is not None and asked <= answered <= index
    return asked <= index and not done


def test_what_the_text_asks_stands_first_and_templates_are_folded(tmp_path):
    story = tmp_path / "story.txt"
    story.write_text(
        "On May 7, 2024, Ann Ray opened a fair in Kobe. She unlocked the hall.\n\n"
        'The case was empty. Who had taken the compass? "Why?" she said.',
        encoding="utf-8",
    )
    lab = gswlab.open(f"dataset.file={story}", f"run.dir={tmp_path / 'run'}")
    lab.run()
    found = timeline(lab)
    assert found.telling[0].question == "Who had taken the compass?"
    assert found.telling[0].kind == "the text asks"
    assert [row.kind for row in found.telling].count("the text asks") == 1
    shown, _, folded = found._repr_html_().partition("<details>")
    assert "Where does someone" not in shown
    assert "Where does someone" in folded
