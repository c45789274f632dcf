"""Guess the merge: cases, what is revealed, rows out and in, agreement, the page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from elements import Elements
from hypothesis import given
from hypothesis import strategies as st
from test_browser import CHROMIUM, browser, shoot, tab  # noqa: F401 - fixtures
from told import HOSTILE, told

import gswlab
from gswlab.bench.gold.reading import load_excerpts, read_excerpt
from gswlab.core.errors import GswlabError
from gswlab.core.journal import Journal
from gswlab.view.teach.guess import (
    DECISIONS,
    Annotation,
    Guess,
    agreement,
    guess,
    rows_of,
    text_of,
)

ROOT = Path(__file__).resolve().parents[2]
GOLD = ROOT / "experiments" / "texts" / "gold" / "dev"


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with told(tmp_path / "journal.sqlite") as journal:
        yield journal


@pytest.fixture(scope="module")
def diary() -> Guess:
    memory = gswlab.GSW(gswlab.SpacyOperator(), gswlab.RulesReconciler())
    (excerpt,) = (one for one in load_excerpts(GOLD) if one.name == "diary")
    return guess(read_excerpt(excerpt, memory))


@pytest.fixture
def fresh(diary: Guess) -> Guess:
    return Guess(diary.title, diary.cases)


def test_a_case_shows_the_name_lit_and_what_was_known_before(journal: Journal) -> None:
    first, second = guess(journal).cases
    assert "[𠮷野]さん said nothing." in repr(first)
    assert "is '𠮷野' the same as 'old man'?" in repr(first)
    assert "earlier: [An old man] waited there." in repr(first)
    assert "free" not in "".join(first.told)
    # what the step itself, or a later one, found out is not given away
    assert second.called == "old man"
    assert "Tomas Reed" not in second.called + "".join(second.told)


def test_an_ambiguous_alignment_counts_as_not_sure(journal: Journal) -> None:
    assert [case.decided for case in guess(journal).cases] == ["unsure", "same"]


def test_a_decision_reveals_the_why_card_and_no_earlier(journal: Journal) -> None:
    told = guess(journal)
    assert "0.91 against 0.75" not in told[1]._repr_html_()
    revealed = told.answer(1, "different", annotator="Ann")
    assert repr(revealed) == "You: different, the reconciler: same."
    assert "0.91 against 0.75" in revealed._repr_html_()
    assert HOSTILE not in revealed._repr_html_()


def test_gold_says_what_the_annotated_text_says(diary: Guess) -> None:
    told = {(c.name, c.called): (c.decided, c.gold) for c in diary.cases}
    assert told["Harry", "Harry Tull"] == ("different", "different")  # father and son
    assert told["boy", "Harry Tull"] == ("same", "same")
    assert told["Agnes", "Agnes"] == ("same", "same")


def test_annotators_are_held_against_each_other_the_reconciler_and_gold(
    fresh: Guess,
) -> None:
    for n, case in enumerate(fresh.cases):
        fresh.answer(n, case.gold or "unsure", "Ann")
        fresh.answer(n, "same", "Bea")
    table = fresh.agreement()
    assert table.loc[("Ann", "gold"), "share"].item() == 1.0
    assert table.loc[("Ann", "gold"), "kappa"].item() == 1.0
    known = [case.gold for case in fresh.cases if case.gold]
    share = known.count("same") / len(known)
    assert table.loc[("Bea", "gold"), "share"].item() == pytest.approx(share)
    assert table.loc[("Ann", "Bea"), "unsure"].item() == len(fresh) - len(known)


def test_kappa_is_cohens_and_an_interval_needs_ten_pairs() -> None:
    one = dict(zip("abcdefghij", "ssssdddddd", strict=True))
    other = dict(zip("abcdefghij", "sssdsddddd", strict=True))
    words = {"s": "same", "d": "different"}
    told = [{k: words[v] for k, v in said.items()} for said in (one, other)]
    found = agreement(*told)
    assert (found["n"], found["agreed"]) == (10, 8)
    # 0.8 observed, 0.4 * 0.4 + 0.6 * 0.6 by chance
    assert found["kappa"] == pytest.approx((0.8 - 0.52) / (1 - 0.52))
    assert found["kappa_low"] < found["kappa"] < found["kappa_high"]
    few = agreement(*({k: d[k] for k in "abcde"} for d in told))
    assert few["share_low"] != few["share_low"]


def test_nobody_decided_together_is_no_error() -> None:
    found = agreement({"a": "same"}, {"b": "same"})
    assert (found["n"], found["agreed"]) == (0, 0)


@pytest.mark.parametrize("suffix", [".jsonl", ".csv"])
def test_annotations_go_out_and_come_in(
    fresh: Guess, diary: Guess, tmp_path: Path, suffix: str
) -> None:
    for n in range(len(fresh)):
        fresh.answer(n, DECISIONS[n % 3], 'Ann, the "first"\u2028one')
    file = fresh.write(tmp_path / f"ann{suffix}")
    again = Guess(diary.title, diary.cases).read(file)
    assert again.rows == fresh.rows
    assert again.write(tmp_path / f"again{suffix}").read_bytes() == file.read_bytes()
    assert rows_of(file) == tuple(fresh._ordered())


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00\r"))
ROWS = st.builds(
    Annotation,
    alignment=TEXT.filter(bool),
    document=TEXT,
    spans=st.lists(
        st.tuples(st.integers(0, 9**9), st.integers(0, 9**9)), max_size=3
    ).map(tuple),
    name=TEXT,
    candidate=TEXT,
    called=TEXT,
    decision=st.sampled_from(DECISIONS),
    annotator=TEXT.filter(bool),
)


@given(st.lists(ROWS, max_size=4), st.sampled_from([".jsonl", ".csv"]))
def test_any_annotation_survives_a_file(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Annotation], suffix: str
) -> None:
    file = tmp_path_factory.mktemp("rows") / f"rows{suffix}"
    file.write_text(text_of(rows, suffix), encoding="utf-8", newline="")
    assert rows_of(file) == tuple(rows)


def test_a_file_that_is_none_names_each_row(tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text('{"alignment": "1:a1"}\n{"spans": 3}\n', encoding="utf-8")
    with pytest.raises(GswlabError, match=r"required @ \$\[0\].document;.*\$\[1\]"):
        rows_of(file)
    file.write_text("no json\n", encoding="utf-8")
    with pytest.raises(GswlabError, match="Invalid JSON"):
        rows_of(file)
    with pytest.raises(GswlabError, match="has another layout"):
        rows_of(tmp_path / "rows.xlsx")
    with pytest.raises(GswlabError, match="cannot be read"):
        rows_of(tmp_path / "none.csv")


def test_rows_of_another_run_are_refused(
    journal: Journal, fresh: Guess, tmp_path: Path
) -> None:
    fresh.answer(0, "same", "Ann")
    file = fresh.write(tmp_path / "ann.jsonl")
    with pytest.raises(GswlabError, match="not here"):
        guess(journal).read(file)


def test_a_wrong_case_decision_or_name_is_one_sentence(fresh: Guess) -> None:
    with pytest.raises(GswlabError, match="there is no case 99"):
        fresh.answer(99, "same")
    with pytest.raises(GswlabError, match="'maybe' is no decision"):
        fresh.answer(0, "maybe")
    with pytest.raises(GswlabError, match="no annotator"):
        fresh.answer(0, "same", annotator="reconciler")


def test_a_run_without_alignments_says_so(tmp_path: Path) -> None:
    with (
        Journal(tmp_path / "empty.sqlite") as journal,
        pytest.raises(GswlabError, match="no alignment that weighed a candidate"),
    ):
        guess(journal)


def test_the_page_fetches_nothing_and_document_text_stays_text(
    journal: Journal,
) -> None:
    page = guess(journal).page()
    elements = Elements(page.html)
    assert not elements.loading
    assert not elements.named("img")
    assert not elements.named("iframe")
    assert elements.policy.startswith("default-src 'none'")
    assert page.html == guess(journal).page().html


def test_the_page_hands_out_what_python_reads(diary: Guess) -> None:
    text = diary.page().html.split('id="run">')[1].split("</script>")[0]
    data: list[dict[str, Any]] = json.loads(text)
    rows = [
        Annotation(**one["row"], decision="same", annotator="me").alignment
        for one in data
    ]
    assert rows == [case.id for case in diary.cases]


@pytest.mark.browser
@pytest.mark.skipif(not CHROMIUM.exists(), reason="no chromium")
def test_the_exercise_is_done_by_the_keyboard_and_its_rows_come_back(
    tab: Any,  # noqa: F811
    diary: Guess,
    tmp_path: Path,
) -> None:
    page = diary.page().write(tmp_path / "guess.html")
    tab.goto(page.as_uri())
    reveal = ".case[data-now] .reveal"
    assert tab.locator(reveal).evaluate("e => getComputedStyle(e).visibility") == (
        "hidden"
    )
    tab.keyboard.press("s")
    assert tab.inner_text("#line").startswith("case 1: you said same, the reconciler")
    assert tab.locator(reveal).evaluate("e => e.open")
    for case in diary.cases[1:]:
        tab.keyboard.press("ArrowRight")
        tab.keyboard.press("d" if case.decided == "different" else "s")
    shoot(tab, "guess")
    with tab.expect_download() as download:
        tab.click("#download")
    file = tmp_path / "rows.jsonl"
    download.value.save_as(file)
    again = Guess(diary.title, diary.cases).read(file)
    assert len(again.rows) == len(diary)
    score = again.agreement().loc[("me", "gold")]
    shown = tab.locator("#score tr", has_text="gold").inner_text().split()
    assert shown[2:4] == [str(int(score["n"])), str(int(score["agreed"]))]
    assert float(shown[4]) == pytest.approx(score["kappa"], abs=0.005)
    tab.fill("#annotator", "Bea")
    tab.keyboard.press("Tab")
    assert tab.locator(reveal).evaluate("e => e.open") is False
    tab.set_input_files("#file", file)
    tab.wait_for_function("() => document.getElementById('done').textContent")
    assert f"{len(diary)} rows read" in tab.inner_text("#done")
    assert [url for url in tab.asked if not url.startswith(("file:", "blob:"))] == []
    assert tab.wrong == []
