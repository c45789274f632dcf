"""Our own books say what their events say, and the questions about them are sound."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections import Counter
from pathlib import Path

import pytest

DRAWN = ("kestrel", "marrow", "tessera")
BOOKS = Path(__file__).resolve().parents[2] / "experiments" / "texts" / "books"
FOLDERS = sorted(path.parent for path in BOOKS.glob("*/book.json"))
COLUMNS = {
    "q_idx", "bins_items_correct_answer", "debug_level_2", "question", "cue",
    "cue_completed", "retrieval_type", "get", "correct_answer",
    "correct_answer_chapters", "correct_answer_detailed", "n_items_correct_answer",
    "n_chapters_correct_answer", "debug_changed", "debug_existing_change",
}  # fmt: skip


def script():
    spec = importlib.util.spec_from_file_location("questions", BOOKS / "questions.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


q = script()


def chapters(folder):
    book = json.loads((folder / "book.json").read_text(encoding="utf-8"))
    events = json.loads((folder / "events.json").read_text(encoding="utf-8"))
    assert list(book) == [f"Chapter {event['chapter']}" for event in events]
    return [(book[f"Chapter {event['chapter']}"], event) for event in events]


def words(label):
    """The first letters of a label's words: enough to tell inflected forms."""
    return [word[:5] for word in re.findall(r"\w{3,}", label.casefold())]


def says(text, stem):
    return re.search(rf"\b{stem}" + (r"s?\b" if len(stem) < 4 else ""), text.casefold())


@pytest.fixture(params=FOLDERS, ids=lambda folder: folder.name)
def folder(request):
    return request.param


def test_there_is_a_book():
    assert "harbour" in [folder.name for folder in FOLDERS]


def test_date_place_and_protagonist_stand_once_in_their_chapter(folder):
    for text, event in chapters(folder):
        for field in ("date_text", "location", "entity"):
            found = text.casefold().count(event[field].casefold())
            assert found == text.count(event[field]) == 1, (event["chapter"], field)


def test_no_chapter_names_another_chapters_date_place_or_protagonist(folder):
    told = chapters(folder)
    for text, event in told:
        for field in ("date", "location", "entity"):
            others = {other[field] for _, other in told} - {event[field]}
            assert not [o for o in others if o in text], event["chapter"]


def test_a_printed_date_is_the_day_of_its_event(folder):
    for _, event in chapters(folder):
        day = q.BookEvent(event["date"], "", "", "").day
        assert str(day.year) in event["date_text"]
        assert re.search(rf"\b0?{day.day}(st|nd|rd|th)?\b", event["date_text"])
        assert f"{day:%B}" in event["date_text"]


def test_a_kind_of_event_is_named_only_where_it_is_said_to_be(folder):
    for text, event in chapters(folder):
        told = [bool(says(text, stem)) for stem in words(event["content"])]
        assert all(told) == event["named"], event["chapter"]


def test_others_are_named_in_full_and_share_no_name_with_a_protagonist(folder):
    told = chapters(folder)
    leads = {part for _, event in told for part in event["entity"].split()}
    for text, event in told:
        for name in event["post_entities"]:
            assert name in text
            assert not leads & set(name.split())


def test_nobody_is_twice_abroad_on_a_day_and_no_place_twice_in_use(folder):
    events = [event for _, event in chapters(folder)]
    drawn = folder.name in DRAWN  # at random, so that a hall may have two in a day
    for field in ("entity",) if drawn else ("entity", "location"):
        pairs = Counter((event["date"], event[field]) for event in events)
        assert max(pairs.values()) == 1


def test_chapters_have_one_to_nine_paragraphs_and_180_to_480_words(folder):
    for text, event in chapters(folder):
        assert 1 <= len(text.split("\n\n")) <= 9, event["chapter"]
        assert 180 <= len(text.split()) <= 480, event["chapter"]


def test_unused_names_occur_nowhere_in_the_book(folder):
    unused = json.loads((folder / "unused.json").read_text(encoding="utf-8"))
    whole = "\n".join(text for text, _ in chapters(folder))
    assert set(unused) == set(q.EVENT_FIELDS)
    assert not [name for names in unused.values() for name in names if name in whole]


@pytest.mark.parametrize("wording", ["plain", "ornate", "mixed"])
def test_every_kind_of_question_is_asked_with_and_without_an_answer(folder, wording):
    asked = q.questions(folder, seed=1, wording=wording)
    assert all(set(row) == COLUMNS for row in asked)
    for answered in (True, False):
        kinds = {
            row["q_idx"]
            for row in asked
            if bool(row["n_chapters_correct_answer"]) is answered
        }
        assert kinds == set(range(36))
    assert len({row["question"] for row in asked}) == len(asked)


def test_every_kind_has_at_least_four_wordings():
    assert all(len(set(texts)) >= 4 for texts in q.load_wordings("mixed").values())
    plain, ornate = q.load_wordings("plain"), q.load_wordings("ornate")
    assert all(plain[n] and ornate[n] for n in range(36))


def test_a_question_holds_its_cue_and_not_its_answer(folder):
    for row in q.questions(folder):
        text = row["question"].casefold()
        cue = re.findall(r"\{(.*?)\}", row["cue_completed"])
        names = [value for value in cue if not re.search(r"\d{4}$", value)]
        assert all(name.casefold() in text for name in names)
        assert not [item for item in row["correct_answer"] if item.casefold() in text]


def test_gold_answers_are_those_of_the_matching_events(folder):
    events = {event["chapter"]: event for _, event in chapters(folder)}
    field = {asked: name for name, asked in q.RETRIEVAL_TYPES.items()}
    for row in q.questions(folder):
        found = [events[chapter] for chapter in row["correct_answer_chapters"]]
        if row["retrieval_type"] in field:
            values = [event[field[row["retrieval_type"]]] for event in found]
            assert row["correct_answer"] == list(dict.fromkeys(values))
        for name, value in zip(
            q.EVENT_FIELDS, _values(row["cue_completed"]), strict=True
        ):
            assert value == "*" or all(event[name] == value for event in found)


def _values(completed):
    return [a or b for a, b in re.findall(r"\{(.*?)\}|(\*)", completed)]


def test_latest_is_the_last_day_and_chronological_runs_forward():
    for row in q.questions(BOOKS / "harbour", cap=99):
        days = [
            q.BookEvent(d, "", "", "").day
            for d in row["correct_answer"]
            if row["q_idx"] == 33
        ]
        assert days == sorted(days)
    (last,) = [
        row["correct_answer"]
        for row in q.questions(BOOKS / "harbour", cap=99)
        if row["q_idx"] == 30 and "Rose Achterberg" in row["cue_completed"]
    ]
    assert last == ["April 06, 2029"]


def test_the_same_seed_asks_the_same_questions_and_another_seed_others(folder):
    assert q.questions(folder, seed=4) == q.questions(folder, seed=4)
    assert q.questions(folder, seed=4) != q.questions(folder, seed=5)
