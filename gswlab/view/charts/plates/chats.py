"""Figures of virtual contexts: look-ups, documents, chats, and their storage."""

from __future__ import annotations

from functools import partial

import pandas as pd

from gswlab.view.charts.chart import Chart, chart
from gswlab.view.charts.forest import forest
from gswlab.view.charts.plates.plate import Plate, dots
from gswlab.view.charts.settings import accuracy_by_setting
from gswlab.view.charts.styles import styled

_PLAIN = ("truncation_head", "truncation_tail", "plain_rag", "fixed_context",
          "recursive_summary")  # fmt: skip
_TIMES = ("median", "p95", "most", "p")


def _lines(
    runs: tuple[str, ...], title: str, label: str, measure: str, table: pd.DataFrame
) -> Chart:
    return accuracy_by_setting(table, runs, title, label, measure)


def _settings(title: str, table: pd.DataFrame) -> Chart:
    """Accuracy of every run, a dot a kind of question."""
    told = table[(table["measure"] == "accuracy") & ~table["setting"].isin(_TIMES)]
    rows = dots(told.rename(columns={"mean": "value"}), "run")
    rows = rows.assign(kind=told["setting"].astype(str))
    return forest(rows, title, "accuracy", "kind", (0, 1))


def _document(table: pd.DataFrame) -> Chart:
    told = table[table["run"].str.startswith("document_")]
    told = told[(told["measure"] == "accuracy") & (told["setting"] == "all")]
    rows = dots(told.rename(columns={"mean": "value"}), "run")
    title = "One document of 512,000 tokens, a window of 8,192"
    return forest(rows, title, "accuracy", limits=(0, 1))


def _storage(table: pd.DataFrame) -> Chart:
    """Milliseconds of a search by the number of messages."""
    drawn, axis = chart("Recall storage, milliseconds of a search")
    told = table[table["p95_ms"].notna()]
    groups = told.groupby("figure", sort=False)
    for style, (name, rows) in styled(groups):
        values = rows["messages"], rows["median_ms"].astype(float)
        axis.plot(*values, label=str(name), markersize=4, linewidth=1, **style)
    axis.set(xscale="log", yscale="log", xlabel="messages", ylabel="ms, median")
    return drawn.done(data=told)


def _line_plate(
    name: str, of: str, runs: tuple[str, ...], title: str, label: str, measure: str
) -> Plate:
    return Plate(name, (of,), partial(_lines, runs, title, label, measure))


_ASKED = "documents handed over, K"
_DOCUMENTS = ("memgpt", "plain_rag", "fixed_context", "truncation_shares",
              "truncation_head", "truncation_tail", "recursive_summary")  # fmt: skip
_LOCOMO = ("memgpt", "memgpt_no_vectors", "memgpt_words", "memgpt_meaning", "bm25",
           "dense", "hybrid")  # fmt: skip
_TURNS = "LoCoMo, conversations {}: evidence turns inside 1,500 tokens"
PLATES = (
    _line_plate("nested_kv", "nested_kv", ("memgpt", "memgpt_pages", *_PLAIN),
                "Nested key-value retrieval", "look-ups", "accuracy"),
    _line_plate("document_qa", "document_qa", _DOCUMENTS,
                "Document QA over pooled paragraphs", _ASKED, "accuracy"),
    _line_plate("document_qa_window", "document_qa", _DOCUMENTS,
                "Document QA: the answer is in the window", _ASKED, "answer_in_window"),
    Plate("document_qa_long", ("document_qa",), _document),
    _line_plate("locomo", "locomo", _LOCOMO, _TURNS.format("3 to 5"), "category",
                "evidence_recall"),
    _line_plate("locomo_all", "locomo_all", _LOCOMO, _TURNS.format("1 to 5"),
                "category", "evidence_recall"),
    Plate("sessions", ("sessions",), partial(_settings, "Chats of several sessions")),
    Plate("knowledge_update", ("knowledge_update",),
          partial(_settings, "Knowledge that is updated")),
    Plate("memgpt_scale", ("memgpt_scale",), _storage),
)  # fmt: skip
