"""Passages of six genres: every offset, every id and every answering sentence holds."""

from __future__ import annotations

import csv
import importlib.util
import re
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
GENRES = ROOT / "experiments" / "texts" / "genres"
RECIPES = ROOT / "experiments" / "recipes"
SIX = ("chat", "diary", "entry", "minutes", "news", "report")


@pytest.fixture(scope="module")
def genres() -> ModuleType:
    spec = importlib.util.spec_from_file_location("passages", RECIPES / "passages.py")
    assert spec
    assert spec.loader
    module = sys.modules["passages"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def loaded(genres):
    return {one.name: one for one in genres.load()}


def test_every_mark_id_and_answering_sentence_holds(genres):
    assert list(genres.problems()) == []


def test_there_are_ten_passages_of_each_genre_one_of_them_japanese(loaded):
    assert Counter(one.genre for one in loaded.values()) == dict.fromkeys(SIX, 10)
    japanese = [one.genre for one in loaded.values() if one.language == "ja"]
    assert sorted(japanese) == list(SIX)


def test_a_passage_is_of_120_to_300_words(loaded):
    english = [one for one in loaded.values() if one.language == "en"]
    assert all(120 <= len(one.text.split()) <= 300 for one in english)


def test_each_kind_is_asked_twenty_times_with_an_answer_and_sixty_have_none(genres):
    asked = genres.questions()
    told = Counter(one.kind for one in asked if one.answers)
    assert told == dict.fromkeys(genres.QUESTIONS, 20)
    assert sum(not one.answers for one in asked) == 60
    assert set(Counter(one.passage for one in asked).values()) == {3}


def test_the_readme_names_the_part_of_every_passage(loaded):
    page = (GENRES / "README.md").read_text("utf-8")
    for part in ("tune", "report"):
        named = re.search(rf"^{part}:\n(.+?)\n\n", page, re.M | re.S)
        assert named
        listed = re.split(r",\s+", named[1])
        assert listed == [one.name for one in loaded.values() if one.part == part]


def test_who_says_i_is_who_speaks(loaded):
    for one in loaded.values():
        quotes = one.layer("QUOTE")
        for mark in one.layer("MENTION"):
            around = [q for q in quotes if q.start <= mark.start and mark.end <= q.end]
            if (
                one.text[mark.start : mark.end] in ("I", "me", "my", "私", "僕")
                and around
            ):
                inner = min(around, key=lambda q: q.end - q.start)
                assert mark.values[2] == inner.values[0], (one.name, mark)


def test_what_is_written_in_braces_is_read_again(genres, loaded, tmp_path):
    source = tmp_path / "one.braced"
    source.write_text(genres.braced(loaded["diary_siege"]), "utf-8")
    genres.write([source], tmp_path)
    again = genres.passage(tmp_path / "diary_siege.ann")
    assert again.text == loaded["diary_siege"].text
    assert Counter(again.found) == Counter(loaded["diary_siege"].found)


def test_a_mark_that_is_not_what_stands_there_is_refused(genres, tmp_path):
    text = (GENRES / "chat_irc.txt").read_text("utf-8")
    (tmp_path / "chat_irc.txt").write_text("x" + text, "utf-8")
    marks = (GENRES / "chat_irc.ann").read_text("utf-8")
    (tmp_path / "chat_irc.ann").write_text(marks, "utf-8")
    with pytest.raises(ValueError, match="is not what stands there"):
        genres.load(tmp_path)


def test_a_second_marking_agrees_wholly_with_itself(genres, loaded, tmp_path):
    source = tmp_path / "same.braced"
    source.write_text(genres.braced(loaded["chat_irc"]), "utf-8")
    figures = list(genres.agreement(source))
    assert figures[0].startswith("MENTION F1 1.000")
    assert "B-cubed F1 1.000" in figures


def test_a_second_marking_that_parts_a_chain_is_told_so(genres, loaded, tmp_path):
    parted = genres.braced(loaded["chat_irc"]).replace("{t0by=you}", "{ferrous=you}")
    source = tmp_path / "parted.braced"
    source.write_text(parted, "utf-8")
    assert "B-cubed F1 1.000" not in list(genres.agreement(source))


def test_a_question_in_other_words_is_answered_where_its_table_says() -> None:
    here = GENRES.parent / "asked"
    lines = (here / "questions.tsv").read_text("utf-8").splitlines()
    rows = [*csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]
    for row in rows:
        text = (here / f"{row['passage']}.txt").read_text("utf-8")
        assert text[int(row["start"]) : int(row["end"])] == row["sentence"]
    assert Counter(bool(row["answers"]) for row in rows) == {True: 224, False: 84}
