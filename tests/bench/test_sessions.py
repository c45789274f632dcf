"""Generated chats: their histories, what is asked of them, the reader of sayings."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gswlab.bench.sessions import Sessions, attributes
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Answer, Evidence, Item
from gswlab.lab import config
from gswlab.language.dates.format import format_date
from gswlab.qa.readers.sayings import SayingReader

SMALL = ("dataset.chats=1", "dataset.sessions=6", "dataset.talk=3")


def small(about: str, seed: int = 0) -> Sessions:
    return Sessions(about, chats=2, sessions=6, talk=3, seed=seed)  # type: ignore[arg-type]


def test_every_attribute_has_values_that_no_other_has() -> None:
    values = [value for attribute in attributes() for value in attribute.values]
    assert len(values) == len(set(values))
    assert {attribute.kind for attribute in attributes()} == {"fact", "preference"}


@given(st.integers(0, 50), st.sampled_from(["sessions", "update", "keeping"]))
def test_gold_turns_tell_their_answer(seed: int, about: str) -> None:
    for world in small(about, seed).worlds:
        chunks = {chunk.id: chunk for chunk in world.chunks}
        for question in world.questions:
            (gold,) = question.gold
            told = chunks[gold].text, format_date((chunks[gold].time or "")[:10])
            assert any(question.answers[0] in part for part in told)


@given(st.integers(0, 20))
def test_a_chat_is_told_in_the_order_of_time(seed: int) -> None:
    for world in small("update", seed).worlds:
        times = [chunk.time or "" for chunk in world.chunks]
        assert times == sorted(times)


def test_the_latest_value_is_the_last_that_was_told() -> None:
    for world in small("update").worlds:
        for question in world.questions:
            if question.setting == "latest":
                (gold,) = question.gold
                (own,) = [c for c in world.chunks if c.id == gold]
                value = question.answers[0]
                told = [
                    c
                    for c in world.chunks
                    if value in c.text and c.speaker == own.speaker
                ]
                assert told[-1] == own


def test_each_set_has_its_settings() -> None:
    asked = {q.setting for w in small("sessions").worlds for q in w.questions}
    assert asked == {"facts", "preferences", "consistency"}
    asked = {q.setting for w in small("update").worlds for q in w.questions}
    assert asked == {"latest", "former", "dated"}
    asked = {q.setting for w in small("keeping").worlds for q in w.questions}
    assert asked == {"kept", "overwritten"}


def test_what_is_to_be_kept_is_told_in_the_first_half() -> None:
    for world in small("keeping").worlds:
        half = world.chunks[len(world.chunks) // 2 :][-1].time or ""
        gold = {id_ for question in world.questions for id_ in question.gold}
        assert all((c.time or "") < half for c in world.chunks if c.id in gold)


def test_a_value_that_held_before_is_stale_and_not_right() -> None:
    dataset = small("keeping")
    (question, *_) = (
        q for q in dataset.worlds[0].questions if q.setting == "overwritten"
    )
    for said, worth in (
        (question.answers[0], {"accuracy": 1.0, "stale": 0.0}),
        (dataset._former[question.id][0], {"accuracy": 0.0, "stale": 1.0}),
    ):
        assert dataset.worth(question, Answer((said,), False, (), (), "")) == worth


def test_a_memory_that_searches_outside_its_window_is_refused(tmp_path: Path) -> None:
    typed = ("experiment=keeping", *SMALL, f"run.dir={tmp_path / 'run'}")
    with pytest.raises(GswlabError, match="outside the window"):
        config.open(*typed, "memory=memgpt").run()


@pytest.mark.parametrize("memory", ["fixed_context", "recursive_summary"])
def test_a_window_alone_is_asked_what_was_told_long_ago(
    tmp_path: Path, memory: str
) -> None:
    typed = ("experiment=keeping", f"memory={memory}", "dataset.chats=1")
    line = config.open(*typed, f"run.dir={tmp_path / 'run'}").run()
    assert set(line["accuracy_by_setting"]) == {"kept", "overwritten"}
    assert 0 <= line["stale"] <= 1


def test_too_few_sessions_for_the_changes_is_one_sentence() -> None:
    with pytest.raises(GswlabError, match=r"dataset\.sessions"):
        Sessions(sessions=3, changes=2)


def day(date: str, *lines: str) -> Item:
    return Item("\n".join([format_date(date), *lines]), (), None, 1.0)


TOLD = Evidence(
    (
        day("2023-03-20", "Ann: I have moved, I live in Leeds now."),
        day("2023-01-09", "Ann: I live in Porto.", "Bo: I live in Graz."),
    ),
    0,
)


def test_of_what_was_told_about_the_person_the_latest_holds() -> None:
    answer = SayingReader().answer("Which city does Ann live in?", TOLD)
    assert "Leeds" in answer.items[0]


def test_on_a_day_the_last_thing_said_by_then_holds() -> None:
    answer = SayingReader().answer("Where does Ann live on February 1, 2023?", TOLD)
    assert answer.items == ("January 9, 2023: I live in Porto.",)


def test_asked_when_the_answer_is_the_day_that_its_words_come_to() -> None:
    told = day("2023-05-08", "Ann: I ran a race yesterday.", "Bo: I can weld.")
    ask = SayingReader().answer
    assert ask("When did Ann run a race?", Evidence((told,), 0)).items == (
        "May 7, 2023",
    )
    assert ask("When did Bo weld?", Evidence((told,), 0)).items == ("May 8, 2023",)


def test_what_somebody_else_said_is_no_answer() -> None:
    told = day("2023-05-08", "Ann: I ran a race in Porto.", "Bo: I can weld well.")
    assert (
        SayingReader().answer("Which race did Bo run?", Evidence((told,), 0)).abstained
    )


def test_what_nobody_spoke_of_has_no_answer() -> None:
    assert SayingReader().answer("Which dish is best?", TOLD).abstained


@pytest.mark.parametrize("experiment", ["sessions", "knowledge_update"])
@pytest.mark.parametrize("memory", ["memgpt", "bm25", "recursive_summary"])
def test_a_run_has_an_accuracy_for_each_setting(
    tmp_path: Path, experiment: str, memory: str
) -> None:
    run = f"run.dir={tmp_path / 'run'}"
    typed = (f"experiment={experiment}", f"memory={memory}", *SMALL, run)
    line = config.open(*typed).run()
    settings = line["accuracy_by_setting"]
    assert len(settings) == 3
    assert all(0 <= value <= 1 for value in settings.values())
    if memory == "memgpt" and experiment == "knowledge_update":
        assert settings["latest"] == 1.0
