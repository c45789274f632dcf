"""`CLAIMS.md`: each headline number of the four papers, and what became of it here.

python experiments/recipes/papers.py > experiments/CLAIMS.md

*Repeated* or *refuted* is said only where the same quantity was measured on the same
data: a figure of another book, reader or budget stands beside it as *not comparable*.
What needs data or a model that cannot be had is *impossible here*. Every figure is read
from a CSV beside this file.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from gswlab.view.figures.series import published_cells
from gswlab.view.figures.tables import told_rows

RESULTS = Path(__file__).resolve().parents[1] / "results"
GSW, SERIAL = "GSW (arXiv 2511.07587)", "serial Hybrid-RAG (Kondo and Oda)"
GEDIG, MEMGPT = "geDIG (Miyauchi)", "MemGPT (arXiv 2310.08560)"
VERDICTS = ("repeated", "refuted", "not comparable", "impossible here")
NOT_YET = "not measured yet"
F1 = "f1, overall"
Row = tuple[str, str, str, str]  # claim, verdict and why, here, recipe


def cells(paper: str, table: str) -> dict[str, dict[str, float]]:
    """A published table."""
    return published_cells(RESULTS / "published.csv", paper, table)


def rows(table: str, /, **only: Any) -> pd.DataFrame:
    """The rows of a result table that have what `only` says; none without a file."""
    path = RESULTS / f"{table}.csv"
    if not path.is_file():
        return pd.DataFrame()
    found = pd.read_csv(path, keep_default_na=False, na_values=[""])
    for column, wanted in only.items():
        found = found[found[column].fillna("").astype(str) == str(wanted)]
    return found


def here(table: str, value: str = "value", /, **only: Any) -> str:
    """One figure of ours with its interval and n."""
    found = rows(table, **only)
    return str(told_rows(found, value).iloc[0]) if len(found) else NOT_YET


def book(memory: str, name: str = "EpBench-20", **only: Any) -> str:
    """A memory on a book: F1 over all its questions, and over those with an answer."""
    found = rows("curves", book=name, memory=memory, **only)
    if not len(found):
        return f"{memory} {NOT_YET}"
    row = found.iloc[0]
    all_, rest = (here_of(row, f) for f in ("strict_f1", "answerable_f1"))
    false = f"{row['false_answers']} of {row['empty']}"
    told = f"{all_} n={row['n']}, answerable {rest}, false answers {false}"
    return f"{told}, {row['tokens']:.0f} tokens"


def here_of(row: pd.Series[Any], figure: str) -> str:
    """A figure of a row with its interval."""
    low, high = row[f"{figure}_low"], row[f"{figure}_high"]
    return f"{row[figure]:.3f} [{low:.3f}, {high:.3f}]"


def gsw() -> Iterator[Row]:
    """The workspace, its baselines, its tokens, its parts."""
    no_book = "impossible here: its book and GPT-4o are not at hand"
    for size in ("200", "2000"):
        table = cells(GSW, f"EpBench-{size} strict")
        for name, row in table.items():
            claim = f"EpBench-{size}: strict F1 of {name} {row[F1]:.3f}"
            yield claim, no_book, "none", "none"
    table = cells(GSW, "EpBench-20 strict")
    why = "not comparable: no model reads here, and matching says who is right"
    ours, whole = book("gsw"), book("long_context", budget="all")
    yield f"EpBench-20: strict F1 {table['GSW'][F1]:.3f}", why, ours, "curves.py"
    vanilla = f"EpBench-20: strict F1 of the whole book {table['Vanilla LLM'][F1]:.3f}"
    yield vanilla, why, f"whole book, same reader: {whole}", "curves.py"
    spent = cells(GSW, "tokens and cost")
    column = "context tokens per query"
    why = "not comparable: their contexts are those of GPT-4o on another book"
    mine, lean = spent["GSW"][column], spent["GraphRAG"][column]
    claim = (
        f"{1 - mine / lean:.0%} fewer tokens than GraphRAG: {mine:,.0f}, {lean:,.0f}"
    )
    yield (
        claim,
        why,
        f"at a budget of 1,000: {ours}; curves.csv has others",
        "curves.py",
    )
    for name, row in spent.items():
        claim = f"{row['cost per query']:.4f} USD a question, {name}"
        yield claim, "impossible here: no such model is asked", "none", "none"
    yield from switched()


SWITCHES = {
    "without space/time linking": "without space/time propagation",
    "QA input = verb phrases instead of summaries": "evidence: verb phrases",
    "string match, no re-rank (about 2x tokens)": "tight budget, without re-rank",
    "embedding match, no re-rank": "matching: embedding",
}


def switched() -> Iterator[Row]:
    """What each mechanism is worth; ours without a model, on books of ours."""
    table = cells(GSW, "EpBench-200 ablations")
    why = "not comparable: rules in place of GPT-4o, and books of ours"
    for name, row in table.items():
        off = SWITCHES.get(name)
        if name == "full":
            continue
        claim = f"{name}: {row[F1] - table['full'][F1]:+.3f} strict F1"
        if off is None:
            yield (
                claim,
                "impossible here: its recogniser of names is a model",
                "",
                "none",
            )
            continue
        told = here("switches", "difference", book="together", mechanism=off)
        if "phrases" in off:
            summaries = here(
                "switches", "strict_f1", book="together",
                mechanism="evidence: actor summaries",
            )  # fmt: skip
            told += f" against episodes; its own evidence, actor summaries: {summaries}"
        yield claim, why, told, "switches.sh"


def serial() -> Iterator[Row]:
    """The tokens, seconds and accuracy of the serial Hybrid-RAG."""
    table = cells(SERIAL, "2 (input cost)")
    mine = table["serial Hybrid-RAG"]["mean tokens"]
    why = "not comparable: the plot and its five questions were not published"
    for name in ("Long-Context", "Hybrid-RAG"):
        run = {"Long-Context": "long_context", "Hybrid-RAG": "parallel"}[name]
        ratio = table[name]["mean tokens"] / mine
        told = f"a plot of its shape: ÷{fewer(run, 'lighthouse_ja'):.1f}, plots of 40 "
        told += f"nodes and more: ÷{fewer(run, 'large'):.1f}"
        yield f"tokens ÷{ratio:.1f} against {name}", why, told, "plots.sh"
    for name, row in cells(SERIAL, "1 (k = 1)").items():
        for model in ("gemma-2-9b-it", "llm-jp-3-13b-instruct"):
            claim = f"{name}: {row[f'accuracy, {model}']:.0f}% of five, {model}"
            yield claim, f"impossible here: {model} is not at hand", "none", "none"


def fewer(run: str, plots: str) -> float:
    """How many times the tokens of serial recall another run hands over."""
    found = rows("plots", kind="all", figure="evidence_tokens", plots=plots)
    found = found[found["k"].isin([1, "1"]) | found["k"].isna()].set_index("run")
    value = found[~found.index.duplicated()]["value"].astype(float)
    return float(value[run] / value["serial"])


def gedig() -> Iterator[Row]:
    """The gauge: its mazes, its tables over HotpotQA, its gates."""
    agents = rows("maze", generator="published", goal="hidden", place="corner", walks=1)
    for name, row in cells(GEDIG, "maze").items():
        size = int(name.split("x")[0])
        own = agents[(agents["size"] == size) & (agents["agent"] == "agent=published")]
        found = own[own["n"] == {15: 100, 25: 60, 51: 13}[size]].iloc[0]
        for figure, key, digits in (
            ("success", "success", 2),
            ("steps", "mean_steps", 1),
            ("edges", "mean_edges", 0),
        ):
            same = abs(found[key] - row[figure]) <= 0.6 * 10**-digits
            other = "not comparable: its graph was drawn under other flags"
            other = other if figure == "edges" else "refuted: another figure"
            told = f"{told_rows(own, key).iloc[0]}, seeds {found['seeds']}"
            told += f", at most {found['cap']} steps"
            verdict = "repeated" if same else other
            yield f"maze {name}: {figure} {row[figure]:g}", verdict, told, "maze.sh"
    yield from controls()
    for name, row in cells(GEDIG, "HotpotQA, as published").items():
        why = "impossible here: its reader, GPT-4o-mini, is not at hand"
        claim = f"HotpotQA: EM {row['EM']} and F1 {row['F1']}, {name}"
        yield claim, why, pooled(name), "published.csv"
    for name, row in cells(GEDIG, "gate statistics").items():
        told = ", ".join(f"{key} {value:g}" for key, value in row.items())
        why = "impossible here: a mean over runs of several settings that overlap"
        yield f"{name}: {told}", why, "none", "published.csv"
    table = cells(GEDIG, "HotpotQA dev")
    best = max(row["EM"] for name, row in table.items() if name.startswith("geDIG"))
    ungated = table["gate disabled: always 2 rounds (15 sentences)"]["EM"]
    static = table['BM25 + neighbours ("Static GraphRAG")']["EM"]
    told = f"its own runs, n=7405 each: gated {best:.3f} at best, never refusing "
    told += (
        f"{ungated:.3f}, hits with their neighbours {static:.3f}; no interval is had"
    )
    claim = "HotpotQA: its gates choose better than none"
    yield claim, "refuted: by its own table", told, "published.csv"


def pooled(name: str) -> str:
    """How many questions a published row is of."""
    n = rows("published", paper=GEDIG, table="HotpotQA, as published", row=name)
    first = n.iloc[0]
    return f"n={first['n']:.0f}: {first['note']}; the rows are of other questions each"


def controls() -> Iterator[Row]:
    """Whether the published agent is worth more than a search without a gauge."""
    found = rows("maze_controls")
    claim = "an explorer led by the gauge beats a search that knows none"
    if not len(found):
        yield claim, "impossible here: not run yet", NOT_YET, "maze_controls.py"
        return
    told = found[(found["world"] == "published") & (found["agent"] == "DFS")]
    gap = [f"{int(r['size'])}: {gap_of(r)}" for _, r in told.iterrows()]
    verdict = "refuted: on its own mazes it is level or behind"
    if (told["difference_low"] > 0).any():
        verdict = "not comparable: ahead in some sizes, behind in others"
    text = "steps of DFS less those of the published agent, same seeds and caps, "
    text += "; ".join(gap)
    yield claim, verdict, text, "maze_controls.py"
    claim = "a gate that refuses pays where looking costs"
    priced = found[(found["price"] > 0) & (found["agent"] == "rooms")]
    gap = [f"a look of {r['price']:g}: {gap_of(r)}" for _, r in priced.iterrows()]
    verdict = "refuted: who looks at no cue needs fewer steps"
    if not (priced["difference_high"] < 0).all():
        verdict = "not comparable: ahead at some prices, behind at others"
    text = f"cost of an explorer of rooms less that of the gates, {'; '.join(gap)}"
    yield claim, verdict, text, "maze_controls.py"


def gap_of(row: pd.Series[Any]) -> str:
    """A paired difference with its interval and n."""
    ends = ", ".join(f"{row[f'difference_{end}']:+.1f}" for end in ("low", "high"))
    return f"{row['difference']:+.1f} [{ends}] n={row['n']:.0f}"


def memgpt() -> Iterator[Row]:
    """Virtual context: memory of chats, nested look-ups, documents."""
    why = "impossible here: its dialogues and GPT-4 are not at hand"
    for name, row in cells(MEMGPT, "deep memory retrieval").items():
        claim = f"deep memory retrieval, {name}: {row['accuracy']}%"
        claim += f", ROUGE-L {row['ROUGE-L recall']:.3f}"
        yield claim, why, "none", "none"
    for name, row in cells(MEMGPT, "conversation opener").items():
        told = "/".join(f"{value:.3f}" for value in row.values())
        yield f"conversation opener, {name}: {told}", why, "none", "none"
    scripted = here(
        "nested_kv", "mean", run="memgpt", measure="accuracy", setting="all"
    )
    for name, row in cells(MEMGPT, "nested key-value retrieval").items():
        ((nesting, value),) = row.items()
        why = "not comparable: here a script looks up, and its variables hold the chain"
        claim = f"nested key-value, {name}: {value:.0f}% at {nesting}"
        own = f"scripted agent: {scripted}" if "MemGPT" in name else "no model is asked"
        yield claim, why, own, "nested_kv.sh"
    claim = "document QA: MemGPT's accuracy does not depend on K"
    yield claim, "impossible here: its figure has no numbers", "none", "document_qa.sh"


PAPERS = {GSW: gsw, SERIAL: serial, GEDIG: gedig, MEMGPT: memgpt}


def claims() -> str:
    """All claims as Markdown, a table a paper."""
    lines = ["# What became of the papers' claims", ""]
    lines.append(
        "Written by `recipes/papers.py` from the tables in `results/`; the papers' "
        "figures are `published.csv`. 95 % bootstrap intervals. *Repeated* and "
        "*refuted* are said of the same quantity on the same data alone."
    )
    for paper, of_it in PAPERS.items():
        lines += ["", f"## {paper}", ""]
        lines += ["| claim | here | evidence | recipe |", "|---|---|---|---|"]
        for row in of_it():
            if not row[1].startswith(VERDICTS):
                raise SystemExit(f"no such verdict: {row[1]}")
            lines.append("| " + " | ".join(cell or "none" for cell in row) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(claims(), end="")
