"""Every table of the paper by name: run tables in cells a person reads, with intervals.

A cell is a figure with its 95 % interval; the CSV beside a table has the numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pandas as pd

from gswlab.bench.collect import shown
from gswlab.bench.statistics import Interval
from gswlab.core.errors import GswlabError
from gswlab.view.figures.plate import filled

if TYPE_CHECKING:
    from gswlab.bench.task import Running


# Result tables as a person reads them: a figure, its interval and n in one cell.

NOTHING = "–"  # nothing was there to be scored
Scores = Mapping[str, Interval | Mapping[str, float] | float | None]


def figures(source: str | Path | Scores, *levels: str) -> pd.DataFrame:
    """A result table (CSV), or figures by name, one row each.

    Args:
        source: the file, or figures by name: an `Interval`, what `scores.json` has of
            one, a count, or None where it is undefined.
        levels: columns for the parts of a figure's name between slashes.
    """
    import pandas as pd

    if isinstance(source, Mapping):
        rows = [{"figure": name, **_fields(found)} for name, found in source.items()]
        frame = pd.DataFrame(rows, columns=["figure", "value", "low", "high", "n"])
    else:
        frame = pd.read_csv(_there(Path(source)))
    if levels:
        frame[list(levels)] = frame.figure.str.split("/", expand=True)
    return frame


def _there(table: Path) -> Path:
    if table.is_file():
        return table
    rule = "a recipe of experiments/README.md makes it"
    raise GswlabError(f"there is no table {table}", rule, f"{table.with_suffix('.sh')}")


def _fields(found: Interval | Mapping[str, float] | float | None) -> dict[str, Any]:
    if isinstance(found, Interval):
        found = found.to_dict()
    if not isinstance(found, Mapping):
        return {"value": found}
    return {"value": found["mean"], **{k: found[k] for k in ("low", "high", "n")}}


def told(frame: pd.DataFrame, value: str = "value") -> pd.Series[str]:
    """Each row's `value` with its interval and n; as it is where it has none.

    The interval stands in `low` and `high`, or in columns named after `value`.
    """
    own = f"{value}_" if f"{value}_low" in frame else ""
    names = (value, f"{own}low", f"{own}high", "n")
    rows = frame.reindex(columns=list(names)).astype(float)
    return rows.apply(lambda row: _cell(*(row[name] for name in names)), axis=1)


def _cell(value: float, low: float, high: float, n: float) -> str:
    if value != value:
        return NOTHING
    if low != low:
        return f"{value:,.6g}"
    digits = 3 if abs(value) <= 1 else 1
    bounds = ", ".join(f"{bound:.{digits}f}" for bound in (low, high))
    return f"{value:.{digits}f} [{bounds}] n={n:.0f}"


def spread(
    frame: pd.DataFrame, rows: str | Sequence[str], columns: str, value: str = "value"
) -> pd.DataFrame:
    """`told` of every figure by row and column, both in the order of the table."""
    index = [rows] if isinstance(rows, str) else list(rows)
    cells = frame.assign(told=told(frame, value))
    wide = cells.pivot(index=index, columns=columns, values="told")
    lines = cells[index].drop_duplicates()
    ordered = lines.merge(wide, left_on=index, right_index=True).set_index(index)
    return ordered[list(cells[columns].unique())].fillna("")


def signatures(scores: Mapping[str, Any]) -> pd.DataFrame:
    """The three failure signatures of a run, from its `scores.json`."""
    named = {
        f"recall, {n} of 4 cues given": one
        for n, one in scores["recall_by_cues"].items()
    }
    named["invented places and dates"] = _invented(scores)
    named["tokens with chapters, rho"] = scores["tokens_and_chapters"]
    return spread(figures(named).assign(run="this run"), "figure", "run")


def compared(labs: Mapping[str, Running]) -> pd.DataFrame:
    """Runs that have answered their questions, a line each: what they are worth."""
    lines = []
    for name, lab in labs.items():
        scores = lab.folder.read_json("scores.json")
        named = {
            "strict F1": scores["strict"]["overall"]["f1"],
            "evidence tokens": scores["evidence_tokens"],
            "invented": _invented(scores),
        }
        lines.append(figures(named).assign(run=name))
    import pandas as pd

    return spread(pd.concat(lines), "run", "figure")


def _invented(scores: Mapping[str, Any]) -> int:
    return int(scores["invented"]["invented"])


_BINS = "@"  # a bin of a figure: in figures, not in tables
_GSW = "GSW (arXiv 2511.07587)"
_WHOLE = ("memory", "run", "n")


class Sheet(NamedTuple):
    """A table by its name; `made` takes the tables of `needs`, in that order."""

    name: str
    title: str
    needs: tuple[str, ...]
    made: Callable[..., pd.DataFrame]


def latex(table: pd.DataFrame) -> str:
    """A table for LaTeX, rules of booktabs."""
    return shown(table, "latex")


def markdown(table: pd.DataFrame) -> str:
    """A table for Markdown."""
    return shown(table, "markdown")


def _runs(columns: Sequence[str], table: pd.DataFrame) -> pd.DataFrame:
    """A row a run: what it is, then these figures with their intervals."""
    keys = [k for k in ("chapters", "world", *_WHOLE) if k in table]
    keys = [k for k in keys if table[k].notna().any()]
    if "memory" in keys and "run" in keys:
        keys.remove("run" if table["memory"].is_unique else "memory")
    ends = ("", "_low", "_high")
    found = [f"{c.removesuffix('_mean') if e else c}{e}" for c in columns for e in ends]
    kept = [name for name in (*keys, *found, "config") if name in table]
    return table[kept].dropna(axis="columns", how="all")


def _wide(
    rows: str | Sequence[str], columns: str, value: str, table: pd.DataFrame
) -> pd.DataFrame:
    """Long rows as a table of cells; what tells rows apart stands before them."""
    named = [rows] if isinstance(rows, str) else list(rows)
    known = table.assign(
        **{name: table[name].astype(str) for name in (*named, columns)}
    )
    return spread(known, named, columns, value).reset_index()


def _of(
    measure: Sequence[str], rows: Sequence[str], table: pd.DataFrame
) -> pd.DataFrame:
    """Settings of some measures of `experiments/recipes/worlds.py`, a row a run."""
    kept = filled(table[table["measure"].isin(measure)], measure)
    kept = kept[~kept["setting"].isin(("median", "p95", "most", "p"))]
    return _wide(rows, "setting", "value", kept.rename(columns={"mean": "value"}))


def _epbench(table: pd.DataFrame) -> pd.DataFrame:
    parts = table["figure"].str.rsplit("/", n=1, expand=True)
    told = table.assign(figure=parts[0].str.replace("/", " "), measure=parts[1])
    return _wide("figure", "measure", "value", told.dropna(subset=["measure"]))


def _books(table: pd.DataFrame) -> pd.DataFrame:
    return _wide("run", "figure", "value",
                 table[table["figure"].str.startswith("strict/overall/")])  # fmt: skip


def _plots(table: pd.DataFrame) -> pd.DataFrame:
    told = table[(table["kind"] == "all") & (table["plots"] == "all")]
    told = told[told["figure"].isin(("evidence_tokens", "accuracy", "recall ms"))]
    k = told["k"].map(lambda hops: "" if hops != hops else f"{hops:.0f}")
    return _wide(("run", "k"), "figure", "value", told.assign(k=k))


def _published(paper: str, name: str, table: pd.DataFrame) -> pd.DataFrame:
    told = table[(table["paper"] == paper) & (table["table"] == name)]
    wide = told.pivot_table(index="row", columns="column", values="value", sort=False)
    return wide.reset_index()


def _beside(runs: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Systems of ours and of the paper, whatever both have."""
    ours = runs[["memory", "reader", "n", "strict_f1", "strict_f1_low",
                 "strict_f1_high", "evidence_tokens"]]  # fmt: skip
    cells = {
        name: _published(_GSW, name, published).set_index("row")
        for name in ("EpBench-20 strict", "EpBench-200 strict", "tokens and cost")
    }
    rows = [
        {"memory": f"{row} (published, {name.removesuffix(' strict')})",
         "reader": "GPT-4o", "strict_f1": table.loc[row, "f1, overall"],
         "evidence_tokens": cells["tokens and cost"]["context tokens per query"].get(
             row if "200" in name else "")}
        for name, table in cells.items() if name.endswith("strict")
        for row in table.index
    ]  # fmt: skip
    return pd.concat([ours, pd.DataFrame(rows)], ignore_index=True)


def _plain(columns: Sequence[str], table: pd.DataFrame) -> pd.DataFrame:
    return table[[name for name in columns if name in table]]


_SCORES = ("strict_f1", "lenient_f1", "simple_recall", "evidence_tokens",
           "difference_mean", "difference_p_holm")  # fmt: skip
_HOPS = ("recall@2", "recall@5", "recall@10", "em", "f1", "evidence_tokens",
         "difference_mean", "difference_p_holm")  # fmt: skip
_GATES = ("recall@300t", "recall@670t", "recall@1500t", "area@300-1500", "em", "f1",
          "evidence_tokens", "difference", "p")  # fmt: skip
_MAZE = ("generator", "loops", "size", "goal", "place", "agent", "n", "cap", "success",
         "success_low", "success_high", "mean_steps", "mean_steps_low",
         "mean_steps_high", "second", "second_low", "second_high", "difference",
         "difference_low", "difference_high", "p")  # fmt: skip
_SPEED = {
    "gauge_speed": ("code", "what", "nodes", "n", "median_ms", "p95_ms"),
    "graph_store": ("graph", "nodes", "edges", "k", "limit", "ms_median", "ms_p95",
                    "nodes_max", "n"),
    "plot_speed": ("store", "nodes", "k", "figure", "median", "p95", "max", "n"),
    "memgpt_scale": ("messages", "figure", "hits", "median_ms", "p95_ms", "target"),
    "page_speed": ("steps", "nouns", "shown_steps", "shown_nouns", "figure", "value",
                   "target"),
    "local_chapter": ("model", "stage", "figure", "value"),
    "index_5000": ("memory", "paragraphs", "questions", "shared", "index_seconds",
                   "query_seconds", "peak_mb"),
}  # fmt: skip
_PAPERS = {
    _GSW: ("EpBench-200 strict", "EpBench-2000 strict", "EpBench-20 strict",
           "tokens and cost", "EpBench-200 ablations"),
    "serial Hybrid-RAG (Kondo and Oda)": ("1 (k = 1)", "2 (input cost)"),
    "geDIG (Miyauchi)": ("maze", "HotpotQA dev"),
}  # fmt: skip
_CHATS = {
    "nested_kv": "Nested key-value retrieval: accuracy by look-ups",
    "document_qa": "Document QA: accuracy by documents handed over",
    "sessions": "Chats of several sessions: accuracy by kind",
    "knowledge_update": "Knowledge that is updated: accuracy by kind",
    "locomo": "LoCoMo, conversations 3 to 5: F1 by category",
    "locomo_all": "LoCoMo, conversations 1 to 5: F1 by category",
}


def _slug(text: str) -> str:
    words = "".join(c if c.isalnum() else " " for c in text.partition("(arXiv")[0])
    return "_".join(words.lower().split())


SHEETS: tuple[Sheet, ...] = (
    Sheet("epbench20", "EpBench's short book, GSW memory, cue reader",
          ("epbench20",), _epbench),
    Sheet("epbench_comparison", "EpBench's short book, every memory, one reader",
          ("epbench_comparison",), partial(_runs, _SCORES)),
    Sheet("epbench_published", "Strict F1 and tokens, ours and published",
          ("epbench_comparison", "published"), _beside),
    Sheet("generated_comparison", "Generated books, every memory, one reader",
          ("generated_comparison",), partial(_runs, _SCORES)),
    Sheet("own_books", "Books of our own, strict", ("own_books",), _books),
    Sheet("gold", "Annotated excerpts", ("gold",),
          partial(_wide, "figure", "half", "value")),
    Sheet("chains", "Audits of annotated chains", ("chains",),
          partial(_wide, ("field", "figure"), "chain", "value")),
    Sheet("switches", "What each mechanism is worth", ("switches",),
          partial(_wide, ("mechanism", "evidence", "reader"), "book", "difference")),
    Sheet("dials", "Error against each dial", ("dials",),
          partial(_wide, ("dial", "questions"), "strength", "error")),
    Sheet("scale", "What a longer book costs", ("scale",),
          partial(_wide, "figure", "chapters", "value")),
    *(
        Sheet(name, f"HotpotQA, {name.rpartition('_')[2]} paragraphs", (name,),
              partial(_runs, _HOPS)) for name in ("hotpotqa_own", "hotpotqa_pool")
    ),
    Sheet("gedig_hotpotqa", "Gates on HotpotQA", ("gedig_hotpotqa",),
          partial(_runs, _GATES)),
    Sheet("gedig_rewiring", "Links rewired between two halves", ("gedig_rewiring",),
          partial(_plain, ("rewiring", "questions", "n", "edges", "pruned", "shortcuts",
                           "area", "difference", "difference_low", "difference_high"))),
    *(
        Sheet(name, "The gauge on the workspace", (name,),
              partial(_plain, ("mechanism", "n", "strict_f1", "low", "high",
                               "difference", "difference_low", "difference_high",
                               "evidence_tokens")))
        for name in ("gauged", "gauged_recall")
    ),
    Sheet("maze", "Mazes", ("maze",), partial(_plain, _MAZE)),
    Sheet("maze_rewiring", "Mazes rewired", ("maze_rewiring",),
          partial(_plain, ("generator", "loops", "size", "gates", "graph", "n", "nodes",
                           "edges", "way", "second", "third"))),
    Sheet("plots", "Plots, all kinds of question", ("plots",), _plots),
    *(
        Sheet(name, title, (name,),
              partial(_of, ("f1",) if "locomo" in name else ("accuracy",), ("run",)))
        for name, title in _CHATS.items()
    ),
    *(
        Sheet(name, "What it takes", (name,), partial(_plain, columns))
        for name, columns in _SPEED.items()
    ),
    *(
        Sheet(f"published_{_slug(paper.split(' (')[0])}_{_slug(name)}",
              f"{paper}, table {name}: published", ("published",),
              partial(_published, paper, name))
        for paper, names in _PAPERS.items() for name in names
    ),
)  # fmt: skip
