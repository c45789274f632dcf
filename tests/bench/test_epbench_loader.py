"""Loading EpBench files: both book layouts, questions, and every way they are bad."""

from __future__ import annotations

import json

import pytest

from gswlab.bench import epbench
from gswlab.bench.anatomy import load_tuples
from gswlab.bench.epbench import load_book, load_questions
from gswlab.core.errors import GswlabError

ROW = {
    "q_idx": 0,
    "bins_items_correct_answer": "1",
    "debug_level_2": 0,
    "question": "Where was Ann Ray?",
    "cue": "(*, *, ent, *)",
    "cue_completed": "(*, *, {Ann Ray}, *)",
    "retrieval_type": "Spaces",
    "get": "all",
    "correct_answer": ["Tall Mill", "Old Pier"],
    "correct_answer_chapters": [1, 10],
    "correct_answer_detailed": {"1": "Tall Mill", "10": "Old Pier"},
    "n_items_correct_answer": 2,
    "n_chapters_correct_answer": 2,
    "debug_changed": [],
    "debug_existing_change": None,
}


def written(path, value):
    path.write_text(json.dumps(value), encoding="utf-8")
    return path


def test_a_question_keeps_what_scoring_needs(tmp_path):
    (question,) = load_questions(written(tmp_path / "q.json", [ROW]))
    assert question.gold == ("Tall Mill", "Old Pier")
    assert (question.chapters, question.bin, question.row) == ((1, 10), "2", 0)


def test_a_python_literal_string_of_details_is_read_as_its_value(tmp_path):
    row = ROW | {"correct_answer_detailed": str(ROW["correct_answer_detailed"])}
    assert load_questions(written(tmp_path / "q.json", [row]))[0].gold


@pytest.mark.parametrize(
    ("matching", "name"), [(0, "0"), (2, "2"), (3, "3-5"), (5, "3-5"), (6, "6+")]
)
def test_a_question_is_binned_by_its_matching_chapters(tmp_path, matching, name):
    row = ROW | {"n_chapters_correct_answer": matching}
    assert load_questions(written(tmp_path / "q.json", [row]))[0].bin == name


def test_every_problem_of_a_questions_file_is_named_with_its_path(tmp_path):
    bad = [
        ROW | {"get": "newest"},
        ROW | {"correct_answer": [1]},
        ROW | {"correct_answer_detailed": "{oops"},
        {},
    ]
    with pytest.raises(GswlabError) as caught:
        load_questions(written(tmp_path / "q.json", bad))
    text = str(caught.value)
    assert "@ $[0].get" in text
    assert "@ $[1].correct_answer[0]" in text
    assert "no Python literal @ $[2].correct_answer_detailed" in text
    assert "Field required @ $[3].question" in text


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"{", b"{}"])
def test_a_questions_file_of_another_kind_is_one_sentence(tmp_path, content):
    path = tmp_path / "q.json"
    path.write_bytes(content)
    with pytest.raises(GswlabError, match=r"q\.json"):
        load_questions(path)


def test_a_missing_questions_file_is_one_sentence(tmp_path):
    with pytest.raises(GswlabError, match="cannot be read"):
        load_questions(tmp_path / "none.json")


def test_both_book_layouts_give_the_same_chapters(tmp_path):
    chapters = {f"Chapter {n}": f"Ann slept.\n\nBo left {n}." for n in (1, 2, 10)}
    joined = "\n\n\n".join(f"{name}\n\n{text}" for name, text in chapters.items())
    first = load_book(written(tmp_path / "object.json", chapters))
    second = load_book(written(tmp_path / "string.json", joined))
    assert [c.number for c in first.chapters] == [1, 2, 10]
    assert [c.number for c in second.chapters] == [1, 2, 10]

    def texts(book):
        return [book.text[c.span.start : c.span.end].strip() for c in book.chapters]

    assert texts(first) == texts(second)


def test_chapters_are_in_numeric_order_whatever_order_the_keys_have(tmp_path):
    chapters = {f"Chapter {n}": f"Ann slept {n}." for n in (10, 2, 1)}
    book = load_book(written(tmp_path / "book.json", chapters))
    assert [c.number for c in book.chapters] == [1, 2, 10]


def test_tuples_may_be_written_as_a_string_or_a_list(tmp_path):
    chapter = {"date": "d", "location": ["l"], "entity": "e", "content": ["c"]}
    gold = load_tuples(written(tmp_path / "t.json", {"1": chapter}))
    assert (gold[1].date, gold[1].place) == (("d",), ("l",))


@pytest.mark.data
def test_the_published_questions_load_whole(data):
    questions = load_questions(data / "epbench20" / "questions_20.json")
    bins = [question.bin for question in questions]
    assert len(questions) == 456
    assert [bins.count(name) for name in ("0", "1", "2", "3-5")] == [180, 180, 72, 24]
    assert sum(question.get == "all" for question in questions) == 366


def test_the_published_parquet_is_read_as_its_json_exports_are(tmp_path):
    import pandas as pd

    row = ROW | {"correct_answer_detailed": str(ROW["correct_answer_detailed"])}
    pd.DataFrame([row, row]).to_parquet(tmp_path / "df_qa.parquet")
    own = load_questions(written(tmp_path / "q.json", [row, row]))
    assert load_questions(tmp_path / "df_qa.parquet") == own


def test_without_pyarrow_a_parquet_file_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(epbench, "find_spec", lambda name: None)
    with pytest.raises(GswlabError, match="without pyarrow"):
        load_questions(tmp_path / "df_qa.parquet")
