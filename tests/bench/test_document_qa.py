"""Document QA: K documents put into a window, form by form."""

import json
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from plates import accuracy_by_setting

from gswlab.bench.document_qa import DocumentQA
from gswlab.bench.task import TaskQuestion
from gswlab.core.budget import count_tokens, tokens_of
from gswlab.core.errors import GswlabError
from gswlab.core.nouns import Evidence, Item, Span
from gswlab.lab import config

FORMS = ("paged", "shares", "head", "tail", "summary")


def documents(texts: list[str]) -> Evidence:
    spans = (Span("d", n, n + 1) for n in range(len(texts)))
    pairs = zip(texts, spans, strict=True)
    items = tuple(Item(text, (s,), n, 1.0) for n, (text, s) in enumerate(pairs))
    return Evidence(items, 0)


def asked(k: int) -> TaskQuestion:
    return TaskQuestion("q", "Who?", ("Ann",), str(k))


@given(
    st.lists(st.text("ab c.日\n", min_size=1, max_size=60), max_size=12),
    st.integers(1, 15),
    st.integers(1, 80),
    st.sampled_from(FORMS),
)
def test_no_form_exceeds_the_window(
    texts: list[str], k: int, window: int, form: str
) -> None:
    dataset = DocumentQA(form=form)  # type: ignore[arg-type]
    handed = dataset.handed(asked(k), documents(texts), window)
    assert handed.tokens == tokens_of(handed.items) <= window


TEXTS = [
    f"Document {n} tells of harbour {n} and of the pilot Ann{n}." for n in range(9)
]


def test_only_the_first_k_documents_are_handed_over() -> None:
    for form in FORMS:
        text = DocumentQA(form=form).handed(asked(2), documents(TEXTS), 500).text  # type: ignore[arg-type]
        assert "Ann1" in text
        assert "Ann2" not in text


def test_shares_shrink_as_k_grows_until_nothing_is_left() -> None:
    dataset = DocumentQA(form="shares")
    few, many = (dataset.handed(asked(k), documents(TEXTS), 60) for k in (2, 9))
    assert count_tokens(few.items[0].text) > count_tokens(many.items[0].text)
    assert dataset.handed(asked(9), documents(TEXTS), 9).text == ""


def test_a_document_that_was_cut_counts_as_no_evidence() -> None:
    handed = DocumentQA(form="shares").handed(asked(9), documents(TEXTS), 60)
    assert all(not item.spans for item in handed.items)


def test_the_tail_keeps_the_last_documents_and_the_head_the_first() -> None:
    head = DocumentQA(form="head").handed(asked(9), documents(TEXTS), 40).text
    tail = DocumentQA(form="tail").handed(asked(9), documents(TEXTS), 40).text
    assert "Ann0" in head
    assert "Ann8" not in head
    assert "Ann8" in tail
    assert "Ann0" not in tail


@pytest.mark.parametrize(
    "typed",
    ["dataset.k=[]", "dataset.k=[0]", "dataset.questions=0", "dataset.form=all"],
)
def test_a_setting_out_of_range_is_one_sentence(typed: str, tmp_path: Path) -> None:
    with pytest.raises(GswlabError, match="dataset"):
        config.open("experiment=document_qa", "dataset.file=none", typed).run()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    rows = [
        {"question": f"Which pilot knows harbour {n}?", "answers": [f"Ann{n}"],
         "paragraphs": [{"title": f"Harbour {n}", "text": text}], "gold": [0]}
        for n, text in enumerate(TEXTS)
    ]  # fmt: skip
    path = tmp_path / "documents.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), "utf-8")
    return path


def test_a_figure_has_a_line_a_run_and_the_same_bytes_each_time(
    tmp_path: Path,
) -> None:
    heads = ("run", "measure", "setting", "mean", "low", "high")
    rows = [
        (run, "accuracy", k, mean, mean, 1.0)
        for run, mean in (("memgpt", 0.9), ("head", 0.5))
        for k in (1, 10)
    ]
    table = pd.DataFrame([*rows, ("head", "f1", 1, 0, 0, 0)], columns=heads)
    given = table, ("memgpt", "head"), "Documents", "K"
    files = [tmp_path / f"{name}.svg" for name in "ab"]
    for file in files:
        accuracy_by_setting(*given).save(file)
    assert files[0].read_bytes() == files[1].read_bytes()


@pytest.mark.parametrize("memory", ["memgpt", "bm25"])
def test_a_run_has_an_accuracy_for_each_k(
    file: Path, tmp_path: Path, memory: str
) -> None:
    typed = (f"dataset.file={file}", "dataset.k=[1,3]", f"memory={memory}")
    run = f"run.dir={tmp_path / 'run'}"
    line = config.open("experiment=document_qa", *typed, run).run()
    assert set(line["accuracy_by_setting"]) == {"1", "3"}
    assert line["answer_in_window"] == 1.0
    assert line["questions"] == 2 * len(TEXTS)
    assert line["evidence_recall"] == 1.0


def test_a_document_of_so_many_tokens_is_asked_of_what_it_has(file: Path) -> None:
    whole = DocumentQA(str(file))
    part = DocumentQA(str(file), tokens=60)
    assert 0 < len(part.worlds[0].chunks) < len(whole.worlds[0].chunks)
    ids = {chunk.id for chunk in part.worlds[0].chunks}
    assert part.worlds[0].questions
    assert all(question.gold <= ids for question in part.worlds[0].questions)
    with pytest.raises(GswlabError, match="holds none"):
        _ = DocumentQA(str(file), tokens=1).worlds
