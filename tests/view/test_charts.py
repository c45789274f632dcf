"""Charts of a comparison: what they draw, say, and write, the same bytes each time."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest

from gswlab.core.errors import GswlabError
from gswlab.view.figures.comparison import (
    accuracy_by_cues,
    accuracy_by_tokens,
    cost_by_question,
    error_anatomy,
    recall_at_k,
    scaling,
)
from gswlab.view.kit.chart import STYLES

PUBLISHED = (
    Path(__file__).resolve().parents[2] / "experiments" / "results" / "published.csv"
)
SCALE = PUBLISHED.with_name("scale.csv")


def row(memory, f1, tokens, **more):
    figures = {"strict_f1": f1, "strict_f1@0": 1.0, "strict_f1@1": f1 - 0.1}
    bounds = {
        f"{name}_{end}": value + step
        for name, value in figures.items()
        for end, step in (("low", -0.05), ("high", 0.05))
    }
    return {"memory": memory, "evidence_tokens": tokens, **figures, **bounds, **more}


BLAME = {"wrong": 6, "extraction": 3, "reconciliation": 2, "recall": 1, "reading": 0}
BOOK = pd.DataFrame(
    [row("gsw", 0.9, 30, **BLAME), row("bm25", 0.6, 900), row("closed", 0.4, 0)]
)
RECALL = {f"recall@{k}": k / 10 for k in (2, 5, 10)}
RECALL |= {f"recall@{k}_{end}": k / 10 for k in (2, 5, 10) for end in ("low", "high")}
HOPS = pd.DataFrame([{"memory": "bm25", **RECALL}, {"memory": "gsw", **RECALL}])
DRAWN = {
    "cues": lambda: accuracy_by_cues(BOOK, PUBLISHED),
    "tokens": lambda: accuracy_by_tokens(BOOK, PUBLISHED),
    "cost": lambda: cost_by_question(BOOK, PUBLISHED),
    "anatomy": lambda: error_anatomy(BOOK),
    "recall": lambda: recall_at_k(HOPS),
    "scaling": lambda: scaling(SCALE, ("strict F1", "peak memory, MB")),
}


@pytest.mark.parametrize("name", DRAWN)
@pytest.mark.parametrize("suffix", ["pdf", "svg"])
def test_a_chart_drawn_again_has_the_same_bytes(name, suffix, tmp_path):
    chart = DRAWN[name]()
    first = chart.save(tmp_path / f"a.{suffix}").read_bytes()
    assert chart.save(tmp_path / f"b.{suffix}").read_bytes() == first
    assert DRAWN[name]().save(tmp_path / f"c.{suffix}").read_bytes() == first


def test_a_pdf_carries_its_letters_and_what_it_says(tmp_path):
    written = DRAWN["cues"]().save(tmp_path / "a.pdf").read_bytes()
    assert re.search(rb"/FontFile2", written)
    assert b"/Type3" not in written
    assert b"gsw: 1, 0.8" in written


def test_what_is_drawn_is_said_in_words():
    said = accuracy_by_cues(BOOK, PUBLISHED).alt
    assert "gsw: 1, 0.8" in said
    assert "GSW (published): 0.939, 0.745" in said
    assert "recall: 1, 0, 0" not in error_anatomy(BOOK).alt
    assert "extraction: 3; reconciliation: 2; recall: 1" in repr(DRAWN["anatomy"]())


def test_a_chart_in_a_notebook_is_labelled_for_who_cannot_see_it():
    html = DRAWN["recall"]()._repr_html_()
    assert html.startswith('<div role="img" aria-label="Paragraph recall. bm25: 0.2')
    assert "<svg" in html


def test_a_price_is_read_off_the_published_cells_not_retyped():
    said = cost_by_question(BOOK, PUBLISHED).alt
    assert "gsw 0.075" in said  # 30 tokens, a thousand times, at 2.50 a million
    assert "GSW (published) 9" in said


def test_no_two_series_look_alike_in_either_channel():
    looks = [(s["color"], s["linestyle"]) for s in STYLES]
    assert len(set(looks)) == len(STYLES) >= 14
    assert len({s["marker"] for s in STYLES}) == len(STYLES)


def test_a_comparison_of_more_memories_than_there_are_looks_leaves_none_out():
    names = [f"memory {n:02}" for n in range(len(STYLES) + 2)]
    columns = {f"recall@{k}": 0.5 + k / 100 for k in (2, 5, 10)}
    rows = pd.DataFrame([{"run": n, "memory": n, **columns} for n in names])
    drawn = recall_at_k(rows)
    assert [name for name in names if f"{name}: " not in drawn.alt] == []


def test_a_table_of_something_else_is_one_sentence():
    with pytest.raises(GswlabError, match=r"no column recall@5.*collect"):
        recall_at_k(BOOK)
