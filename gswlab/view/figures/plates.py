"""Figures of memories over books: EpBench, generated and annotated texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import pandas as pd

from gswlab.gedig.thresholds import Reliability
from gswlab.view.figures import series as curves
from gswlab.view.figures.comparison import (
    accuracy_by_cues,
    accuracy_by_tokens,
    cost_by_question,
    error_anatomy,
    recall_at_k,
    scaling,
)
from gswlab.view.figures.plate import Plate, dots, filled
from gswlab.view.figures.series import accuracy_by_setting, forest
from gswlab.view.kit import fonts
from gswlab.view.kit.chart import RULES, Chart, chart, dials_figure, styled

_SIZES = {200: "EpBench-200", 2000: "EpBench-2000"}
_SCALE = ("strict F1", "reading, seconds", "question, median, ms", "peak memory, MB")
_AGAINST = "strict F1, memory less GSW"


def _differences(runs: pd.DataFrame) -> Chart:
    rows = dots(runs, "memory", "difference_mean")
    return forest(rows, "What GSW is ahead by", _AGAINST)


def _sized(chapters: int, runs: pd.DataFrame) -> pd.DataFrame:
    return filled(runs[runs["chapters"] == chapters], f"{chapters} chapters")


def _cues(chapters: int, runs: pd.DataFrame, published: pd.DataFrame) -> Chart:
    told = _sized(chapters, runs)
    drawn = accuracy_by_cues(told, published, _SIZES[chapters])
    drawn.title += f", a generated book of {chapters:,} chapters"
    return drawn


def _tokens(chapters: int, runs: pd.DataFrame) -> Chart:
    return accuracy_by_tokens(_sized(chapters, runs))


def _anatomy(runs: pd.DataFrame) -> Chart:
    filled(runs.dropna(subset=["wrong"]), "whose fault an answer is")
    return error_anatomy(runs)


def _own_books(table: pd.DataFrame) -> Chart:
    rows = dots(table[table["figure"] == "strict/overall/f1"], "run")
    return forest(rows, "Strict F1 on books of our own", "strict F1", limits=(0, 1))


def _switches(table: pd.DataFrame) -> Chart:
    own = table[(table["book"] == "together") & (table["mechanism"] != "default")]
    rows = dots(own, "mechanism", "difference")
    return forest(
        rows, "What each mechanism is worth", "strict F1, against the default"
    )


def _gold(table: pd.DataFrame) -> Chart:
    ends = ("/f1", "/accuracy", "/bcubed_f1", "/adjusted_rand")
    alone = table["figure"].str.contains("propagation")
    told = table[table["figure"].str.endswith(ends) | alone]
    told = told.assign(what=told["figure"].str.replace("/", " ").str.replace("_", " "))
    rows = dots(told, "what").assign(half=told["half"].str.replace("_", " "))
    return forest(rows, "Annotated excerpts", "share", "half", (0, 1))


def _chains(table: pd.DataFrame) -> Chart:
    told = table.assign(what=table["field"] + " " + table["figure"])
    rows = dots(told, "what").assign(chain=told["chain"])
    return forest(rows, "Audits of annotated chains", "share", "chain", (0, 1.02))


def _gauged(table: pd.DataFrame) -> Chart:
    rows = dots(table.rename(columns={"strict_f1": "value"}), "mechanism")
    return forest(rows, "The gauge on the workspace", "strict F1", limits=(0, 1))


def _dials(table: pd.DataFrame) -> Chart:
    from matplotlib import rc_context

    panels: dict[str, list[dict[str, str]]] = {}
    for row in table.astype(str).to_dict("records"):
        panels.setdefault(row["dial"], []).append({str(k): v for k, v in row.items()})
    title = "Error against each dial of the generator"
    ends = [f"{d} at 1: {rows[-1]['error']}" for d, rows in panels.items()]
    with rc_context({**RULES, "figure.labelsize": "medium"}):
        fonts.use()
        figure = dials_figure(panels)
    figure.legends[0].set_loc("outside lower right")
    return Chart(figure, title, f"{title}. {'; '.join(ends)}.", table)


def _scaling(table: pd.DataFrame) -> Chart:
    return scaling(table, _SCALE)


_EPBENCH = ("epbench_comparison", "published")
PLATES = (
    Plate("epbench20_cues", _EPBENCH, accuracy_by_cues),
    Plate("epbench20_tokens", _EPBENCH, accuracy_by_tokens),
    Plate("epbench20_cost", _EPBENCH, cost_by_question),
    Plate("epbench20_differences", _EPBENCH[:1], _differences),
    Plate("epbench20_anatomy", _EPBENCH[:1], _anatomy),
    *(
        Plate(f"generated_{n}_cues", ("generated_comparison", "published"),
              partial(_cues, n)) for n in _SIZES
    ),
    *(
        Plate(f"generated_{n}_tokens", ("generated_comparison",), partial(_tokens, n))
        for n in _SIZES
    ),
    Plate("own_books", ("own_books",), _own_books),
    Plate("switches", ("switches",), _switches),
    Plate("gold", ("gold",), _gold),
    Plate("chains", ("chains",), _chains),
    Plate("gauged", ("gauged",), _gauged),
    Plate("gauged_recall", ("gauged_recall",), _gauged),
    Plate("dials", ("dials",), _dials, 6.75),
    Plate("scale", ("scale",), _scaling, 6.75),
)  # fmt: skip


# Figures of HotpotQA: recall, answers, gates and how far calibrations are believed.

_WORLDS = {"own": "own paragraphs", "pool": "pooled paragraphs"}
_LINES = ("gedig", "never", "always", "rounds_1", "random_fires", "random_follows")
_GEDIG = "geDIG (Miyauchi)"


def _recall(world: str, runs: pd.DataFrame) -> Chart:
    drawn = recall_at_k(runs)
    drawn.title += f", HotpotQA, {_WORLDS[world]}"
    return drawn


def _answers(world: str, runs: pd.DataFrame, published: pd.DataFrame) -> Chart:
    """Exact match and F1, the papers' figures below, grey."""
    parts = [
        dots(runs, "run", figure).assign(figure=name)
        for figure, name in (("em", "exact match"), ("f1", "F1"))
    ]
    names = {"EM": "exact match", "F1": "F1"}
    theirs = published[
        (published["paper"] == _GEDIG) & (published["table"] == "HotpotQA dev")
    ]
    theirs = theirs[theirs["column"].isin(names)]
    theirs = theirs.assign(row=theirs["row"] + " (published)")
    parts.append(dots(theirs, "row").assign(figure=theirs["column"].map(names)))
    rows = pd.concat(parts, ignore_index=True)
    title = f"HotpotQA, {_WORLDS[world]}: answers"
    return forest(rows, title, "share of the questions", "figure", (0, 1))


def _hops_differences(world: str, runs: pd.DataFrame) -> Chart:
    rows = dots(runs, "run", "difference_mean")
    title = f"HotpotQA, {_WORLDS[world]}: against the tuned BM25"
    return forest(rows, title, "recall@5, memory less BM25")


def _index(table: pd.DataFrame) -> Chart:
    count = ", ".join(f"{n:,}" for n in sorted(table["paragraphs"].unique()))
    parts = [
        dots(table, "memory", figure).assign(what=name)
        for figure, name in (("index_seconds", "indexing, s"), ("peak_mb", "peak, MB"))
    ]
    drawn = forest(
        pd.concat(parts), f"Indexing {count} paragraphs", "s or MB, log", "what"
    )
    drawn.figure.axes[0].set_xscale("symlog", linthresh=1)
    return drawn


def _gates(world: str, runs: pd.DataFrame) -> Chart:
    kept = runs[(runs["world"] == world) & runs["run"].isin(_LINES)]
    told = filled(kept, f"the world {world}").assign(memory=kept["run"])
    drawn = curves.recall_by_tokens(told)
    drawn.title += f", {_WORLDS[world]}"
    return drawn


def _gate_differences(world: str, runs: pd.DataFrame) -> Chart:
    rows = dots(runs[runs["world"] == world], "run", "difference")
    title = f"What the gauge is ahead of each gate by, {_WORLDS[world]}"
    return forest(rows, title, "area under recall against tokens, gauge less gate")


def _reliability(table: pd.DataFrame) -> Chart:
    known = {
        str(method): Reliability(
            n=int(rows["prices"].iloc[0]),
            said=tuple(rows["said"]),
            so=tuple(rows["so"]),
        )
        for method, rows in table.groupby("method", sort=False)
    }
    drawn = curves.reliability(known)
    drawn.data = table.rename(columns={"prices": "n"})
    return drawn


def _rewiring(table: pd.DataFrame) -> Chart:
    told = table.assign(what=table["rewiring"] + ", " + table["questions"].astype(str))
    rows = dots(told, "what", "difference")
    return forest(rows, "Links rewired between two halves", "area, against none")


def _each(
    name: str, table: str, draw: Callable[..., Chart], *more: str
) -> Iterator[Plate]:
    """A plate a world; the table may be one a world."""
    for world in _WORLDS:
        needs = (table.format(world), *more)
        yield Plate(name.format(world), needs, partial(draw, world))


HOPS_PLATES = (
    *_each("hotpotqa_{}_recall", "hotpotqa_{}", _recall),
    *_each("hotpotqa_{}_answers", "hotpotqa_{}", _answers, "published"),
    *_each("hotpotqa_{}_differences", "hotpotqa_{}", _hops_differences),
    Plate("hotpotqa_own_tokens", ("hotpotqa_own",), accuracy_by_tokens),
    Plate("hotpotqa_pool_tokens", ("hotpotqa_pool",), accuracy_by_tokens),
    Plate("index_5000", ("index_5000",), _index),
    *_each("gedig_{}", "gedig_hotpotqa", _gates),
    *_each("gedig_{}_differences", "gedig_hotpotqa", _gate_differences),
    Plate("gedig_reliability", ("gedig_reliability",), _reliability),
    Plate("gedig_rewiring", ("gedig_rewiring",), _rewiring),
)


# Figures of mazes and of what a price takes.

_PAPER = "geDIG (Miyauchi)"
_KINDS = {"published": "perfect mazes", "correct": "mazes with loops"}


def _told(table: pd.DataFrame, generator: str, place: str) -> pd.DataFrame:
    """Rows of one kind of maze, goal hidden, the agent without its word."""
    kept = table[(table["generator"] == generator) & (table["goal"] == "hidden")]
    kept = filled(kept[kept["place"] == place], f"goal {place}")
    agent = kept["agent"].str.removeprefix("agent=").str.replace(" agent.", ", ")
    kept = kept.assign(agent=agent.str.replace("gates.", "").str.replace("gauge.", ""))
    loops = kept["loops"].map(lambda share: "" if share != share else f", {share:.0%}")
    return kept.assign(world=kept["size"].astype(str) + " cells" + loops)


def _success(table: pd.DataFrame, published: pd.DataFrame) -> Chart:
    """Mazes solved within the cap, the paper's own figures beside."""
    told = _told(table, "published", "corner")
    told = told[~told["agent"].str.contains(",")].drop_duplicates(["agent", "world"])
    rows = dots(told, "agent", "success").assign(world=told["world"])
    cells = published[(published["paper"] == _PAPER) & (published["table"] == "maze")]
    cells = cells[cells["column"] == "success"].assign(label="published")
    theirs = dots(cells, "label").assign(
        world=cells["row"].str.split("x").str[0] + " cells (published)"
    )
    both = pd.concat([rows, theirs], ignore_index=True)
    title = "Mazes solved within the cap, goal hidden in the corner"
    return forest(both, title, "share of the mazes", "world", (0, 1.02))


def _steps(table: pd.DataFrame) -> Chart:
    told = _told(table, "correct", "every")
    rows = dots(told, "agent", "mean_steps").assign(world=told["world"])
    title = "Steps to a goal hidden anywhere, mazes with loops, in expectation"
    drawn = forest(rows, title, "steps, log", "world")
    drawn.figure.axes[0].set_xscale("log")
    return drawn


def _mazes_differences(table: pd.DataFrame) -> Chart:
    told = _told(table, "correct", "every")
    rows = dots(told, "agent", "difference").assign(world=told["world"])
    title = "Steps beside those of the gauge, mazes with loops"
    drawn = forest(rows, title, "steps, agent less gauge, log both ways", "world")
    drawn.figure.axes[0].set_xscale("symlog", linthresh=10)
    return drawn


def _rewired(table: pd.DataFrame) -> Chart:
    loops = table["loops"].map(lambda share: "" if share != share else f", {share:.0%}")
    told = table.assign(
        what=table["generator"].map(_KINDS) + loops + ", " + table["graph"]
    )
    told = filled(told[told["gates"].isna()], "mazes rewired")
    size = told["size"].astype(str) + " cells"
    rows = dots(told, "what", "edges").assign(size=size)
    title = "Edges held of a maze before and after rewiring"
    return forest(rows, title, "edges", "size")


def _speed(table: pd.DataFrame) -> Chart:
    """Milliseconds of a price by the size of the graph."""
    drawn, axis = chart("Milliseconds of a price")
    whole = table[~table["what"].str.contains("maze of")]
    names = whole["code"] + ", " + whole["what"]
    for style, (name, rows) in styled(whole.groupby(names)):
        ordered = rows.sort_values("nodes")
        values = ordered["nodes"], ordered["median_ms"]
        axis.plot(*values, label=str(name), markersize=4, linewidth=1, **style)
    axis.set(xscale="log", yscale="log", xlabel="nodes", ylabel="ms, median")
    return drawn.done(data=whole)


MAZES_PLATES = (
    Plate("maze_success", ("maze", "published"), _success),
    Plate("maze_steps", ("maze",), _steps),
    Plate("maze_differences", ("maze",), _mazes_differences),
    Plate("maze_rewiring", ("maze_rewiring",), _rewired),
    Plate("gauge_speed", ("gauge_speed",), _speed),
)


# Figures of questions about plots: graph first, vectors second.

_SYSTEMS = ("serial", "serial_published", "parallel", "graph", "dense", "bm25",
            "gsw", "long_context", "closed_book")  # fmt: skip
_PLOTS_PAPER = "serial Hybrid-RAG (Kondo and Oda)"
_THEIRS = {"long_context": "Long-Context", "parallel": "Hybrid-RAG",
           "serial": "serial Hybrid-RAG"}  # fmt: skip
_OF_ITS_SHAPE = "lighthouse_ja"  # a plot as large as the paper's


def _figure(table: pd.DataFrame, figure: str, plots: str = "all") -> pd.DataFrame:
    """Rows of one figure, all kinds of question, k = 1 where there is a k."""
    told = table[(table["figure"] == figure) & (table["plots"] == plots)]
    told = told[(told["kind"] == "all") & told["k"].isin([1, float("nan")])]
    return filled(told, figure)


def _plots_tokens(table: pd.DataFrame) -> Chart:
    """Accuracy against tokens, a point a system, k = 1."""
    parts = []
    for figure in ("evidence_tokens", "accuracy"):
        told = _figure(table, figure).set_index("run").reindex(list(_SYSTEMS))
        names = {"value": figure, "low": f"{figure}_low", "high": f"{figure}_high"}
        parts.append(told[list(names)].rename(columns=names))
    whose = _figure(table, "accuracy").set_index("run").reindex(list(_SYSTEMS))
    runs = pd.concat([*parts, whose[["n", "reader", "commit"]]], axis=1)
    return accuracy_by_tokens(runs.rename_axis("memory").reset_index())


def _published(table: pd.DataFrame, published: pd.DataFrame) -> Chart:
    """Tokens of a prompt, a plot of the paper's size and the paper's own."""
    ours = _figure(table, "evidence_tokens", _OF_ITS_SHAPE)
    ours = ours[ours["run"].isin(_THEIRS)]
    told = published[(published["paper"] == _PLOTS_PAPER) & published["column"].eq(
        "mean tokens")]  # fmt: skip
    names = {theirs: run for run, theirs in _THEIRS.items()}
    told = told.assign(run=told["row"].map(names))
    rows = [dots(ours, "run").assign(of="plot of ours"),
            dots(told, "run").assign(of="the paper's (published)")]  # fmt: skip
    both = pd.concat(rows, ignore_index=True)
    return forest(both, "Tokens handed over, k = 1", "tokens a question", "of")


def _by_k(table: pd.DataFrame) -> Chart:
    told = table[(table["plots"] == "all") & (table["kind"] == "all")]
    told = told.dropna(subset=["k"]).rename(columns={"figure": "measure"})
    told = told.assign(setting=told["k"].astype(int), mean=told["value"])
    names = ("serial", "serial_published", "parallel", "graph")
    return accuracy_by_setting(told, names, "Accuracy by k", "hops, k")


def _kinds(table: pd.DataFrame) -> Chart:
    told = table[(table["figure"] == "accuracy") & (table["plots"] == "all")]
    told = told[told["k"].isin([1, float("nan")]) & told["run"].isin(_SYSTEMS)]
    rows = dots(told, "run").assign(kind=told["kind"])
    rows = rows[rows["kind"] != "all"]
    return forest(rows, "Accuracy by kind of question, k = 1", "share", "kind", (0, 1))


def _ablations(table: pd.DataFrame) -> Chart:
    told = _figure(table, "accuracy")
    rows = dots(told[~told["run"].isin(_SYSTEMS[1:])], "run")
    return forest(rows, "What each part of serial recall is worth", "share", "", (0, 1))


PLOTS_PLATES = (
    Plate("plots_tokens", ("plots",), _plots_tokens),
    Plate("plots_published", ("plots", "published"), _published),
    Plate("plots_k", ("plots",), _by_k),
    Plate("plots_kinds", ("plots",), _kinds),
    Plate("plots_ablations", ("plots",), _ablations),
)


# Figures of virtual contexts: look-ups, documents, chats, and their storage.

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
CHATS_PLATES = (
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
