"""LoCoMo: what is read, how it is scored, and what a conversation's recall finds."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gswlab.bench.locomo import Locomo, load_locomo, repaired
from gswlab.bench.measures import contained, found_in, parted_f1, stem_f1
from gswlab.bench.task import TaskQuestion
from gswlab.core.budget import tokens_of
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Answer, Evidence, Item
from gswlab.lab import config
from gswlab.memgpt.memory import MemGPT, excerpts
from gswlab.memgpt.nouns import Hit, Message
from gswlab.memgpt.ranking import MESSAGE_FEATURES, Ranker, topic_of


def turn(number: int, speaker: str, text: str, **more: str) -> dict[str, str]:
    return {"dia_id": f"D1:{number}", "speaker": speaker, "text": text, **more}


TALK = {
    "sample_id": "own",
    "conversation": {
        "speaker_a": "Ann",
        "speaker_b": "Bo",
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            turn(1, "Ann", "I adopted a grey cat yesterday."),
            turn(2, "Bo", "How lovely! What is its name?"),
            turn(3, "Ann", "Soot.", blip_caption="a photo of a cat"),
            turn(4, "Bo", "I am learning to weld."),
        ],
    },
    "qa": [
        {"question": "When did Ann adopt a cat?", "answer": "7 May 2023",
         "evidence": ["D1:1"], "category": 2},
        {"question": "What is Bo learning?", "answer": "welding",
         "evidence": ["D1:4; D:1:2", "D"], "category": 4},
        {"question": "How many cats?", "answer": 1, "evidence": [], "category": 3},
        {"question": "What is Ann learning?", "adversarial_answer": "welding",
         "evidence": ["D1:4"], "category": 5},
    ],
}  # fmt: skip


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "talks.json"
    path.write_text(json.dumps([TALK]), "utf-8")
    return path


def test_a_turn_is_a_chunk_with_its_speaker_time_and_caption(file: Path) -> None:
    document, (world,) = load_locomo(file)
    chunk = world.chunks[2]
    assert chunk.text == "Soot. [shares a photo of a cat]"
    assert (chunk.speaker, chunk.time) == ("Ann", "2023-05-08T13:56")
    for one in world.chunks:
        assert document.text[one.span.start : one.span.end] == one.text


def test_evidence_ids_are_repaired_where_it_is_plain_which_is_meant(file: Path) -> None:
    _, (world,) = load_locomo(file)
    ids = [chunk.id for chunk in world.chunks]
    assert world.questions[1].gold == {ids[3], ids[1]}
    assert world.questions[2].gold == frozenset()
    assert world.questions[2].answers == ("1",)
    assert world.questions[3].absent


@given(st.lists(st.text(max_size=20), max_size=5))
def test_repaired_ids_have_the_form_of_ids_whatever_the_file_says(
    evidence: list[str],
) -> None:
    assert all(id_.startswith("D") and ":" in id_ for id_ in repaired(evidence))


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("{", "is not JSON"),
        ("[]", "holds conversations"),
        ('[{"conversation": {}, "qa": []}]', "has no turn"),
        ('[{"qa": []}]', "conversation"),
    ],
)
def test_a_file_of_another_layout_is_one_sentence(
    tmp_path: Path, fault: str, said: str
) -> None:
    path = tmp_path / "bad.json"
    path.write_text(fault, "utf-8")
    with pytest.raises(GswlabError, match=said):
        load_locomo(path)


def test_a_session_without_a_readable_time_is_named(tmp_path: Path) -> None:
    talk = json.loads(json.dumps(TALK))
    talk["conversation"]["session_1_date_time"] = "one day"
    path = tmp_path / "bad.json"
    path.write_text(json.dumps([talk]), "utf-8")
    with pytest.raises(GswlabError, match="session 1 of conversation 1"):
        load_locomo(path)


def test_an_audited_label_is_doubted(file: Path, tmp_path: Path) -> None:
    errors = tmp_path / "errors.json"
    errors.write_text('[{"question_id": "locomo_0_qa1"}]', "utf-8")
    _, (world,) = load_locomo(file, errors)
    assert [question.doubted for question in world.questions] == [0, 1, 0, 0]


def test_several_things_asked_for_have_their_best_match_each() -> None:
    assert parted_f1("cats, dogs", "dog") == 1.0
    assert parted_f1("dogs", "dog, cat") == 0.5
    assert stem_f1("and the dogs", "dog") == 1.0


@given(st.text(max_size=30), st.text(max_size=30))
def test_f1_is_a_share_and_the_same_both_ways(one: str, other: str) -> None:
    assert 0.0 <= stem_f1(one, other) <= 1.0
    assert stem_f1(one, other) == stem_f1(other, one)


def test_an_answer_inside_another_word_is_not_contained() -> None:
    assert contained("in Oslo, I think", ["Oslo"]) == 1.0
    assert contained("Oslofjord", ["Oslo"]) == 0.0
    assert contained("anything", ["!"]) == 0.0


def test_adversarial_questions_are_right_when_abstained(file: Path) -> None:
    dataset = Locomo(str(file))
    question = dataset.worlds[0].questions[3]
    silent, loud = (Answer((), True, (), (), ""), Answer(("weld",), False, (), (), ""))
    assert dataset.worth(question, silent) == {"accuracy": 1.0, "f1": 1.0}
    assert dataset.worth(question, loud) == {"accuracy": 0.0, "f1": 0.0}


def test_open_domain_gold_is_what_stands_before_a_semicolon() -> None:
    question = TaskQuestion("q", "Who?", ("Ann; she said so",), "open_domain")
    said = Answer(("Ann",), False, (), (), "")
    assert Locomo().worth(question, said)["f1"] == 1.0


def test_evidence_holds_a_gold_turn_only_whole(file: Path) -> None:
    _, (world,) = load_locomo(file)
    whole, part = world.chunks[0].span, replace(world.chunks[3].span)
    part = replace(part, end=part.end - 1)
    evidence = Evidence((Item("", (whole, part), None, 1.0),), 0)
    gold = {world.chunks[0].id, world.chunks[3].id}
    assert found_in(evidence, world.chunks, gold) == (1, 2)


def said(number: int, text: str, time: str = "2023-05-08", who: str = "Ann") -> Hit:
    return Hit(Message(number, "user", "message", text, 9, number, who, time))


def test_excerpts_tell_a_day_once_in_the_order_it_was_said() -> None:
    hits = [said(3, "Third."), said(9, "Late.", "2023-05-09"), said(1, "First.")]
    items = excerpts(hits, 100)
    assert [item.text for item in items] == [
        "May 08, 2023\nAnn: First.\nAnn: Third.",
        "May 09, 2023\nAnn: Late.",
    ]


@given(
    st.lists(st.text("ab c日.", min_size=1, max_size=40), max_size=12),
    st.integers(0, 120),
)
def test_excerpts_never_exceed_their_budget(texts: list[str], budget: int) -> None:
    hits = [said(n, text, f"2023-05-{1 + n % 3:02}") for n, text in enumerate(texts)]
    assert tokens_of(excerpts(hits, budget)) <= budget


def test_a_message_too_long_for_what_is_left_is_passed_over() -> None:
    hits = [said(1, "word " * 200), said(2, "Short.")]
    assert "Short." in excerpts(hits, 40)[0].text


def test_a_topic_is_what_is_left_without_the_frame_and_the_person() -> None:
    assert topic_of("What did Ann's brother paint?", ("Ann",)) == "brother paint"
    assert topic_of("Ann?", ("Ann",)) == "Ann?"


TOLD = (
    Message(1, "user", "message", "I adopted a grey cat.", 9, 1, "Ann", "2023-05-08"),
    Message(2, "user", "message", "What is its name?", 9, 2, "Bo", "2023-05-08"),
    Message(3, "user", "message", "Soot!", 9, 3, "Ann", "2023-05-08"),
    Message(4, "user", "message", "It rained all day.", 9, 4, "Bo", "2023-06-01"),
)


def test_features_are_finite_and_one_row_a_message() -> None:
    rows = Ranker(TOLD).features("When did Ann adopt a cat in May 2023?")
    assert rows.shape == (len(TOLD), len(MESSAGE_FEATURES))
    assert np.isfinite(rows).all()


def test_a_neighbour_counts_in_its_own_session_alone() -> None:
    rows = Ranker(TOLD).features("What name does the rain have?")
    before = rows[:, MESSAGE_FEATURES.index("words_before")]
    assert before[2] > 0  # "Soot!" follows the question about a name
    assert before[3] == 0  # another day


def test_the_person_asked_about_and_the_time_asked_for_count() -> None:
    rows = Ranker(TOLD).features("What did Bo say on June 1, 2023?")
    assert rows[:, MESSAGE_FEATURES.index("asked_person")].tolist() == [0, 1, 0, 1]
    assert (rows[:, MESSAGE_FEATURES.index("asked_time")] > 0).tolist() == [0, 0, 0, 1]


def test_an_empty_conversation_ranks_nothing() -> None:
    assert Ranker(()).scores("Who?").shape == (0,)


def test_ranked_recall_finds_the_answer_to_a_question_a_turn_later(file: Path) -> None:
    _, (world,) = load_locomo(file)
    memory = MemGPT(recall_by="ranked")
    for chunk in world.chunks:
        memory.partial_fit(chunk)
    memory.finish()
    evidence = memory.recall("What is the name of Ann's cat?", 45)
    assert "Soot" in evidence.text
    assert evidence.tokens <= 45
    assert world.chunks[2].span in {s for i in evidence.items for s in i.spans}


def test_asking_leaves_no_trace_in_the_next_answer(file: Path) -> None:
    _, (world,) = load_locomo(file)
    memory = MemGPT(recall_by="ranked")
    for chunk in world.chunks:
        memory.partial_fit(chunk)
    first = memory.recall("What is Bo learning?", 60)
    memory.recall("When did Ann adopt a cat?", 60)
    assert memory.recall("What is Bo learning?", 60) == first


def test_what_was_handed_over_can_be_recounted_from_the_rows(
    file: Path, tmp_path: Path
) -> None:
    typed = (f"dataset.file={file}", "memory=bm25", f"run.dir={tmp_path / 'run'}")
    lab = config.open("experiment=locomo", *typed)
    lab.run()
    spans = {chunk.id: chunk.span for chunk in lab.dataset.worlds[0].chunks}
    rows = lab.folder.read_lines("answers.jsonl")
    assert rows
    for row in rows:
        held = {(start, end) for _, start, end in row["evidence_spans"]}
        gold = [spans[one] for one in row["gold"]]
        assert sum((s.start, s.end) in held for s in gold) == row["held"]


def test_a_run_is_resumed_at_the_next_question(file: Path, tmp_path: Path) -> None:
    typed = (f"dataset.file={file}", "memory=memgpt", "embedder=none")
    run = tmp_path / "run"
    lab = config.open("experiment=locomo", *typed, f"run.dir={run}")
    line = lab.run()
    assert line["questions"] == 4
    assert line["policy"] == "scripted"
    rows = (run / "answers.jsonl").read_text("utf-8")
    (run / "answers.jsonl").write_text("".join(rows.splitlines(True)[:2]), "utf-8")
    scores = (run / "scores.json").read_bytes()
    (run / "scores.json").unlink()
    config.open("experiment=locomo", *typed, f"run.dir={run}").run()
    assert (run / "answers.jsonl").read_text("utf-8") == rows
    assert (run / "scores.json").read_bytes() == scores
    told = json.loads(scores)
    assert set(told["accuracy"]) >= {"all", "temporal", "adversarial"}
    assert told["evidence_recall"]["all"]["n"] == 2  # of four, two have evidence


@pytest.mark.data
def test_all_turns_and_questions_of_locomo_are_read(data: Path) -> None:
    _, worlds = load_locomo(data / "locomo" / "locomo_first5.json")
    assert [len(world.chunks) for world in worlds] == [419, 369, 663, 629, 680]
    assert [len(world.questions) for world in worlds] == [199, 105, 193, 260, 242]
    asked = [q for world in worlds for q in world.questions if not q.absent]
    assert sum(not question.gold for question in asked) == 2
