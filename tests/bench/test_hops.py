"""Multi-hop questions: layouts, worlds, measures, runs and what they resume."""

from __future__ import annotations

import json

import pytest

import gswlab
from gswlab.baselines.passages import Passages
from gswlab.bench.hotpotqa import HopParagraph, Hops, Pool, fact_f1, load_hops
from gswlab.bench.measures import exact, f1, recall
from gswlab.bench.statistics import clusters
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Evidence, Item
from gswlab.lab.lab import Lab

MILL = ["Tall Mill is a mill.", " It was built by Ann Ray."]
RAY = ["Ann Ray (born 1831) was a mason.", "She came from Old Pier."]
PIER = ["Old Pier is a port.", " Boats land there."]
SONG = ["The Grey Song is a song.", " Bo Lind wrote it in 1902."]
BODIES = {"Tall Mill": MILL, "Ann Ray": RAY, "Old Pier": PIER, "The Grey Song": SONG}
ASKED = "Where did the mason who built Tall Mill come from?"


def official(question, answer, titles, facts, name):
    return {
        "_id": name,
        "question": question,
        "answer": answer,
        "type": "bridge",
        "level": "hard",
        "context": [[title, BODIES[title]] for title in titles],
        "supporting_facts": facts,
    }


FACTS = [["Tall Mill", 1], ["Ann Ray", 1]]
ROWS = [
    official(ASKED, "Old Pier", ["Old Pier", "Tall Mill", "Ann Ray"], FACTS, "q1"),
    official(
        "Who wrote The Grey Song?",
        "Bo Lind",
        ["The Grey Song", "Old Pier"],
        [["The Grey Song", 1]],
        "q2",
    ),
]


def saved(folder, rows, name="q.json"):
    path = folder / name
    path.write_text(json.dumps(rows), encoding="utf-8")
    return path


@pytest.fixture
def questions(tmp_path):
    return load_hops(saved(tmp_path, ROWS))


def layouts():
    context = ROWS[0]["context"]
    texts = [[title, "".join(body)] for title, body in context]
    common = {"question": ASKED, "answer": "Old Pier"}
    table = {
        "title": [title for title, _ in context],
        "sentences": [body for _, body in context],
    }
    facts = {"title": ["Tall Mill", "Ann Ray"], "sent_id": [1, 1]}
    musique = [
        {"idx": n, "title": t, "paragraph_text": x, "is_supporting": n > 0}
        for n, (t, x) in enumerate(texts)
    ]
    ours = [{"title": title, "text": text} for title, text in texts]
    return {
        "official": ROWS[0],
        "table": {**common, "context": table, "supporting_facts": facts},
        "titled": {**common, "context": texts, "gold_titles": ["Ann Ray", "Tall Mill"]},
        "musique": {**common, "id": "2hop__1_2", "paragraphs": musique},
        "ours": {
            "question": ASKED,
            "answers": ["Old Pier"],
            "paragraphs": ours,
            "gold": [1, 2],
        },
    }


@pytest.mark.parametrize("name", layouts())
def test_every_layout_gives_the_same_question(tmp_path, name):
    (found,) = load_hops(saved(tmp_path, [layouts()[name]]))
    assert found.question == ASKED
    assert found.answers == ("Old Pier",)
    assert found.gold == {1, 2}
    assert [p.title for p in found.paragraphs] == ["Old Pier", "Tall Mill", "Ann Ray"]
    assert found.paragraphs[1].text == "Tall Mill is a mill. It was built by Ann Ray."


def test_a_file_of_lines_is_read_as_a_list_is(tmp_path):
    path = tmp_path / "q.jsonl"
    path.write_text("\n".join(map(json.dumps, ROWS)) + "\n", encoding="utf-8")
    assert load_hops(path) == load_hops(saved(tmp_path, ROWS))


def test_sentences_without_a_space_between_them_are_parted(questions):
    assert questions[0].paragraphs[2].text.endswith("a mason. She came from Old Pier.")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"answer": 5}, "answer"),
        ({"context": [["A", "text"]]}, "context"),
        ({"supporting_facts": [["Nowhere", 0]]}, "'Nowhere' is none of its paragraphs"),
        ({"question": ""}, "question"),
    ],
)
def test_a_bad_row_is_named_with_its_problem(tmp_path, change, words):
    path = saved(tmp_path, [ROWS[1], ROWS[0] | change])
    with pytest.raises(GswlabError, match=words) as caught:
        load_hops(path)
    assert "question 1 of" in caught.value.problem


def test_gold_beyond_the_paragraphs_of_our_own_layout_is_refused(tmp_path):
    with pytest.raises(GswlabError, match="paragraph 7"):
        load_hops(saved(tmp_path, [layouts()["ours"] | {"gold": [7]}]))


def test_a_paragraph_of_two_questions_is_in_the_pool_once(questions):
    world = Pool.of(questions)
    titles = [paragraph.title for paragraph in world.paragraphs]
    assert titles == ["Old Pier", "Tall Mill", "Ann Ray", "The Grey Song"]
    assert world.rows(questions[1]) == (3, 0)


def test_chunks_are_the_documents_own_characters(questions):
    world = Pool.of(questions)
    for row, chunk in enumerate(world.chunks):
        assert world.document.text[chunk.span.start : chunk.span.end] == chunk.text
        assert world.row(chunk.span) == row
        assert chunk.title == world.paragraphs[row].title


def test_answers_are_compared_as_published():
    assert exact("The Old Pier!", ["old pier"]) == 1.0
    assert f1("pier of old stone", ["Old Pier"]) == pytest.approx(2 / 3)
    assert f1("yes it is", ["yes"]) == 0.0
    assert f1("", ["yes"]) == 0.0
    assert f1("boats", ["ships", "boats"]) == 1.0


def test_recall_counts_gold_among_the_first_paragraphs():
    assert recall([4, 1, 2], {1, 2}, 2) == 0.5
    assert recall([4, 1, 2], {1, 2}, 5) == 1.0


def test_supporting_facts_are_the_sentences_an_answer_cites(questions):
    world, question = Pool.of(questions), questions[0]
    text = world.document.text

    def cited(*texts):
        starts = [text.index(said) for said in texts]
        span = type(world.chunks[0].span)
        name = world.document.id
        return [span(name, s, s + len(x)) for s, x in zip(starts, texts, strict=True)]

    both = cited("It was built by Ann Ray.", "She came from Old Pier.")
    for own in (False, True):
        assert fact_f1(question, world, both, own_split=own) == 1.0
        assert fact_f1(question, world, both[:1], own_split=own) == pytest.approx(2 / 3)
        assert fact_f1(question, world, [], own_split=own) == 0.0


def test_a_reader_gets_no_more_than_so_many_paragraphs(questions, tmp_path):
    dataset = Hops(str(saved(tmp_path, ROWS)), paragraphs=2)
    world = dataset.searched
    items = [Item(c.text, (c.span,), c.chapter, 1.0) for c in world.chunks]
    handed = dataset.handed(questions[0], Evidence((*items[:1], *items), 999), 999)
    assert [item.chapter for item in handed.items] == [1, 1, 2]
    assert handed.tokens < 60


def test_questions_that_share_gold_are_one_cluster():
    assert clusters([{"gold": [1]}, {"gold": [2]}, {"gold": [2, 1]}]) == [0, 0, 0]


def overrides(path, folder, *more):
    return (
        "experiment=hotpotqa",
        f"dataset.file={path}",
        "memory=bm25",
        f"run.dir={folder}",
        *more,
    )


@pytest.mark.parametrize("world", ["own", "pool"])
def test_a_run_scores_recall_and_answers_in_either_world(tmp_path, world):
    path = saved(tmp_path, ROWS)
    given = overrides(path, tmp_path / "run", f"dataset.world={world}")
    headline = gswlab.open(*given).run()
    scores = json.loads((tmp_path / "run" / "scores.json").read_text())
    assert headline["recall@5"] == scores["recall@5"]["mean"] == 1.0
    assert scores["evidence_tokens"]["n"] == 2
    assert {"em", "f1", "fact_f1", "recall@2", "recall@10"} <= scores.keys()
    rows = [json.loads(line) for line in (tmp_path / "run" / "answers.jsonl").open()]
    assert [row["id"] for row in rows] == ["q1", "q2"]
    timed = (tmp_path / "run" / "timings.csv").read_text()
    assert "indexing" in timed
    assert "querying" in timed


def test_the_first_questions_alone_are_asked_of_their_own_paragraphs(tmp_path):
    path = saved(tmp_path, ROWS)
    lab = gswlab.open(*overrides(path, tmp_path / "run", "dataset.first=1"))
    assert lab.run()["questions"] == 1
    assert "The Grey Song" not in lab.document.text
    with pytest.raises(GswlabError, match=r"dataset\.first cannot be 0"):
        gswlab.open(*overrides(path, tmp_path / "other", "dataset.first=0"))


@pytest.mark.parametrize("memory", ["gsw", "gsw_chain"])
def test_a_workspace_memory_answers_in_a_world_of_a_questions_own(tmp_path, memory):
    given = f"memory={memory}", "memory.fallback=summaries", "memory.evidence=chunks"
    path = saved(tmp_path, ROWS[:1])
    lab = gswlab.open(*overrides(path, tmp_path / "run", *given))
    assert lab.run()["recall@5"] > 0


def test_a_memory_is_given_paragraphs_and_never_gold(tmp_path, monkeypatch):
    read = []
    fit = Passages.partial_fit
    monkeypatch.setattr(
        Passages, "partial_fit", lambda m, chunk: read.append(chunk) or fit(m, chunk)
    )
    path = saved(tmp_path, ROWS)
    gswlab.open(*overrides(path, tmp_path / "run")).run()
    assert [chunk.title for chunk in read] == [
        "Old Pier", "Tall Mill", "Ann Ray", "The Grey Song", "Old Pier",
    ]  # fmt: skip
    shown = json.dumps([str(chunk) for chunk in read])
    assert "hard" not in shown
    assert "bridge" not in shown


def test_a_killed_run_goes_on_at_the_next_question(tmp_path, monkeypatch):
    path = saved(tmp_path, ROWS)
    gswlab.open(*overrides(path, tmp_path / "whole")).run()
    gswlab.open(*overrides(path, tmp_path / "run")).run()
    folder, whole = tmp_path / "run", tmp_path / "whole"
    lines = (folder / "answers.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "answers.jsonl").write_bytes(lines[0] + lines[1][:20])
    (folder / "scores.json").unlink()
    asked = []
    blank = Lab.blank
    monkeypatch.setattr(Lab, "blank", lambda lab: asked.append(1) or blank(lab))
    gswlab.open(*overrides(path, folder)).run()
    assert len(asked) == 1
    for name in ("answers.jsonl", "scores.json"):
        assert (folder / name).read_bytes() == (whole / name).read_bytes()


def test_a_finished_run_repeats_its_headline(tmp_path, monkeypatch):
    path = saved(tmp_path, ROWS)
    headline = gswlab.open(*overrides(path, tmp_path / "run")).run()
    monkeypatch.setattr(Lab, "blank", lambda _: pytest.fail("asked again"))
    assert gswlab.open(*overrides(path, tmp_path / "run")).run() == headline


@pytest.mark.data
def test_the_reference_point_of_the_harness_is_met_on_a_question_file(data):
    questions = load_hops(data / "hotpotqa" / "dev_first500.json")
    world = Pool.of(questions)
    assert len(questions) == 500
    assert len(world.paragraphs) == 4937
    from gswlab.baselines.bm25 import BM25

    total = 0.0
    for question in questions:
        memory = BM25()
        for row in world.rows(question):
            memory.partial_fit(world.chunks[row])
        ranked = world.ranked(memory.recall(question.question, 4000))
        total += recall(ranked, world.gold(question), 5)
    assert total / 500 == pytest.approx(0.846, abs=0.01)


def test_a_paragraph_joins_its_sentences_without_loss():
    parted = HopParagraph.of("T", ["One.", " Two.", "Three.", ""])
    assert parted.text == "One. Two. Three."
    assert len(list(parted.bounds())) == 4
