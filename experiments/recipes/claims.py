"""The tables of `RESULTS.md`, written from the result tables beside this file.

python experiments/recipes/claims.py                         prints them
python experiments/recipes/claims.py experiments/RESULTS.md  puts each in its place
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from gswlab.view.figures.tables import figures, told_rows

RESULTS = Path(__file__).resolve().parents[1] / "results"
END = "<!-- end -->"
Row = tuple[str, str, str, str]


def cell(table: str, name: str, key: str = "figure", **only: str) -> str:
    """The one figure `name` of a table, among the rows that have what `only` says."""
    value = only.pop("value", "value")
    rows = figures(RESULTS / f"{table}.csv")
    for column, wanted in {key: name, **only}.items():
        rows = rows[rows[column].astype(str) == wanted]
    if len(rows) != 1:
        raise SystemExit(f"{table}.csv has {len(rows)} rows {name!r}, {only}: not one")
    return str(told_rows(rows, value).item())


LOOKED_AT = {
    "epbench20": "EpBench-20",
    "quarry": "quarry, ours, not tuned on, its labels looked at since",
    "lantern": "lantern, ours, labels looked at since, weights fitted on it",
}


def alone() -> str:
    """GSW on EpBench's short book and on our own, as Markdown: the tuned in one row."""
    tables = (RESULTS / f"{table}.csv" for table in ("epbench20", "own_books"))
    rows = pd.concat([figures(table) for table in tables])
    found = rows.set_index(["figure", "run"])["value"].astype(float)
    f1 = rows[rows["figure"] == "strict/overall/f1"].set_index("run")
    tuned = found["chapters"].index.difference([*LOOKED_AT])
    lines = [
        "| book | chapters | questions | strict F1 | Simple Recall | chronological "
        "| false answers on empty questions |",
        "|---" * 7 + "|",
    ]
    for run, book in LOOKED_AT.items():
        shares = ("simple_recall", "chronological_awareness")
        cells = (
            *(book, f"{found['chapters', run]:.0f}", f"{f1.at[run, 'n']:.0f}"),
            told_rows(f1.loc[[run]]).item().partition(" n=")[0],
            *(f"{found[share, run]:.3f}" for share in shares),
            f"{found['empty_answered', run]:.0f} of {found['empty', run]:.0f}",
        )
        lines.append(f"| {' | '.join(cells)} |")

    def span(figure: str, digits: int) -> str:
        values = found[figure][tuned]
        return f"{values.min():.{digits}f} to {values.max():.{digits}f}"

    false, empty = (found[of][tuned].sum() for of in ("empty_answered", "empty"))
    cells = (
        *("eleven of ours that rules were tuned on", span("chapters", 0)),
        *(f"{f1.loc[tuned, 'n'].sum():,.0f}", span("strict/overall/f1", 3)),
        *(span("simple_recall", 3), span("chronological_awareness", 3)),
        f"{false:.0f} of {empty:,.0f}",
    )
    return "\n".join([*lines, f"| {' | '.join(cells)} |"]) + "\n"


def gold() -> Iterator[Row]:
    """What the operator and the reconciler find in texts set aside."""

    def aside(path: str) -> str:
        return cell("gold", path, half="set_aside")

    for names, least in (
        (("actors", "times", "places"), "0.80"),
        (("roles", "states", "verb_phrases"), "0.60"),
    ):
        for name in names:
            what = f"operator F1, {name.replace('_', ' ')}, gold set aside"
            yield what, f"≥ {least}", aside(f"operator/{name}/f1"), "gold"
    merged = aside("reconciler/merge/bcubed_f1")
    yield "merge B-cubed F1, gold set aside", "≥ 0.85", merged, "gold"
    count, of = (aside(f"operator/invented/{name}") for name in ("count", "of"))
    yield "invented dates and places, gold set aside", "0", f"{count} of {of}", "gold"
    printed = cell("epbench20", "invented")
    yield "the same, printed for EpBench-20", "0", printed, "epbench20"


def chains() -> Iterator[Row]:
    """What a run holds of everybody's whereabouts."""
    for field in ("time", "place"):
        held = cell("chains", "held", chain="together", field=field)
        yield f"{field} held, chunk by chunk, in annotated chains", "", held, "chains"


def switches() -> Iterator[Row]:
    """What the mechanism that matters most is worth."""
    off = "without space/time propagation"
    lost = cell("switches", off, "mechanism", book="together", value="difference")
    yield f"strict F1 {off}, paired difference", "", lost, "switches"


def scale() -> Iterator[Row]:
    """What a longer book costs."""
    for name, size, wanted in (
        ("strict F1", "200", ""),
        ("strict F1", "2000", "within 0.03 of it"),
        ("reading, seconds", "200", "≤ 60"),
        ("reading against its parser, of CPU", "200", "≤ 3"),
        ("last chapters against first", "2000", "≤ 1.5"),
        ("peak memory, MB", "2000", "≤ 2,048"),
        ("question, p95, ms", "2000", "≤ 20"),
        ("step shown, slowest, ms", "2000", "≤ 50"),
    ):
        found = cell("scale", name, chapters=size)
        yield f"{name}, {int(size):,} chapters", wanted, found, "scale"


def right() -> str:
    """Is it right? Every line as Markdown."""
    lines = ["| what | wanted | measured | recipe |", "|---|---|---|---|"]
    for part in (gold, chains, switches, scale):
        lines += [
            f"| {what} | {wanted} | {found} | `{recipe}.sh` |"
            for what, wanted, found, recipe in part()
        ]
    return "\n".join(lines) + "\n"


def beside() -> str:
    """Memories side by side on HotpotQA, as Markdown: own paragraphs and the pool."""
    worlds = {w: figures(RESULTS / f"hotpotqa_{w}.csv") for w in ("own", "pool")}
    lines = [
        "| memory | recall@5, own 10 paragraphs | recall@5, one pool of all "
        "| EM, own | F1, own |",
        "|---|---|---|---|---|",
    ]
    for run in worlds["own"]["run"]:
        rows = {w: t[t["run"] == run] for w, t in worlds.items()}
        shown = [
            told_rows(rows[world], name).item() if len(rows[world]) else "not run"
            for world, name in (
                ("own", "recall@5"),
                ("pool", "recall@5"),
                ("own", "em"),
                ("own", "f1"),
            )
        ]
        lines.append(f"| {run.replace('_', ' ')} | {' | '.join(shown)} |")
    return "\n".join(lines) + "\n"


WALKS = {
    "ours": "agent=gedig",
    "DFS": "agent=dfs",
    "least visited": "agent=least_visited",
    "frontier": "agent=frontier",
    "gates off": "agent=gedig agent.gates.ag=1000 agent.gates.dg=-1000",
    "gauge shuffled": "agent=gedig agent.shuffled=true",
}
WORLDS = (
    ("loops, 15, goal hidden in any room", "correct", "0.1", 15, "hidden", "every"),
    ("loops, 25, goal hidden in any room", "correct", "0.1", 25, "hidden", "every"),
    ("loops, 51, goal hidden in any room", "correct", "0.1", 51, "hidden", "every"),
    (
        "trees, 15, goal hidden in the corner",
        "published",
        "nan",
        15,
        "hidden",
        "corner",
    ),
    ("trees, 15, goal known", "published", "nan", 15, "known", "corner"),
    ("trees, 25, goal known", "published", "nan", 25, "known", "corner"),
    ("trees, 51, goal known", "published", "nan", 51, "known", "corner"),
)


def maze() -> str:
    """Steps to the goal, by maze and explorer, as Markdown."""
    frame = figures(RESULTS / "maze.csv")
    frame["loops"] = frame["loops"].map(lambda share: f"{share:g}")
    lines = [f"| mean steps | {' | '.join(WALKS)} |", "|---" * (len(WALKS) + 1) + "|"]
    for name, *world in WORLDS:
        columns = ("generator", "loops", "size", "goal", "place")
        rows = frame
        for column, wanted in zip(columns, world, strict=True):
            rows = rows[rows[column] == wanted]
        cells = []
        for agent in WALKS.values():
            row = rows[rows["agent"] == agent]
            found = told_rows(row, "mean_steps").item() if len(row) else "not run"
            cells.append(found.partition(" n=")[0])
        lines.append(f"| {name}, n={rows['n'].max():.0f} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


ASKED = {"own": "own 10 paragraphs", "pool": "one pool of all"}
GATES = {
    "gedig (ours)": "gedig",
    "calibrated": "calibrated",
    "random, at the rate AG fires": "random_fires",
    "random, at the rate it follows": "random_follows",
    "1 round": "rounds_1",
    "2 rounds": "rounds_2",
    "3 rounds": "rounds_3",
    "always": "always",
    "never": "never",
    "paper (Fig. 1)": "paper",
    "released": "released",
    "similarity alone": "similarity",
    "structure alone": "structure",
    "linked, no gate": "linked",
}


def gates() -> str:
    """Area under recall against tokens on HotpotQA, by gate, and how far ours leads."""
    frame = figures(RESULTS / "gedig_hotpotqa.csv")
    heads = [
        f"{part}, {where}" for where in ASKED.values() for part in ("area", "lead")
    ]
    lines = [f"| gate | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for name, run in GATES.items():
        cells = []
        for world in ASKED:
            row = frame[(frame["world"] == world) & (frame["run"] == run)]
            for figure in ("area@300-1500", "difference"):
                found = told_rows(row, figure).item() if len(row) else "not run"
                cells.append(found.partition(" n=")[0])
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def plots() -> str:
    """What recall hands over of a plot, and how often the answer is right."""
    frame = figures(RESULTS / "plots.csv")
    frame = frame[(frame["kind"] == "all") & frame["plots"].isin(["all", "large"])]
    lines = [
        "| memory | accuracy | tokens a question | tokens, plots of 40 nodes or more |",
        "|---|---|---|---|",
    ]
    for run, k in (
        *(("serial", "1"), ("serial_published", "1"), ("parallel", "1")),
        *(("long_context", "nan"), ("graph", "1"), ("dense", "nan"), ("gsw", "nan")),
    ):
        rows = frame[(frame["run"] == run) & _is(frame["k"], k)]

        def one(plots: str, figure: str, rows: Any = rows) -> str:
            found = rows[(rows["plots"] == plots) & (rows["figure"] == figure)]
            return str(told_rows(found, "value").item())

        cells = (
            one("all", "accuracy"),
            one("all", "evidence_tokens"),
            one("large", "evidence_tokens"),
        )
        lines.append(f"| {run.replace('_', ' ')} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _is(column: Any, value: str) -> Any:
    return column.isna() if value == "nan" else column == float(value)


def recalled() -> str:
    """Evidence turns of LoCoMo inside 1,500 tokens beside answers, by memory."""
    frame = figures(RESULTS / "locomo.csv")
    frame = frame[frame["setting"] == "all"]
    answers = frame[frame["measure"] == "f1"].set_index("run")
    rows = frame[frame["measure"] == "evidence_recall"]
    lines = [
        "| memory | share of evidence turns | F1 of the answers |",
        "|---|---|---|",
    ]
    rows = rows.sort_values(["mean", "run"], ascending=[False, True])
    for run, value in zip(rows["run"], told_rows(rows, "mean"), strict=True):
        f1 = told_rows(answers.loc[[run]], "mean").item()
        lines.append(f"| {run.replace('_', ' ')} | {value} | {f1} |")
    return "\n".join(lines) + "\n"


def chats() -> str:
    """Turns of BEAM that an answer needs, by kind of question and budget."""
    frame = figures(RESULTS / "beam.csv")
    frame = frame[frame["measure"] == "evidence_recall"]
    runs = [*dict.fromkeys(frame["run"])]
    budgets = [*dict.fromkeys(frame["budget"])]
    heads = [f"{run}, {size:,} tokens" for run in runs for size in budgets]
    lines = [
        f"| kind of question | {' | '.join(heads)} |",
        "|---" * (len(heads) + 1) + "|",
    ]
    for kind in dict.fromkeys(frame["setting"]):
        own = frame[frame["setting"] == kind].set_index(["run", "budget"])
        cells = [told_rows(own.loc[[(run, b)]], "mean").item() for run in runs
                 for b in budgets]  # fmt: skip
        lines.append(f"| {kind.replace('_', ' ')} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def in_window() -> str:
    """What of what was told long ago a window still answers, by memory."""
    frame = figures(RESULTS / "keeping.csv").set_index(["measure", "setting"])
    asked = {"kept": ("accuracy", "kept"), "stale": ("stale", "overwritten")}
    asked["overwritten"] = "accuracy", "overwritten"
    by_run = {name: frame.loc[[at]].set_index("run") for name, at in asked.items()}
    lines = [
        "| memory | told once: right | overwritten: right | overwritten: stale |",
        "|---|---|---|---|",
    ]
    for run in by_run["kept"].index:
        names = ("kept", "overwritten", "stale")
        cells = [told_rows(by_run[name].loc[[run]], "mean").item() for name in names]
        lines.append(f"| {run.replace('_', ' ')} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def controls() -> str:
    """The gates of the maze beside their controls: costs, and how far behind."""
    frame = pd.read_csv(RESULTS / "maze_controls.csv")
    frame["where"] = frame["world"] + ", " + frame["size"].astype(str)
    frame["where"] += frame["price"].map(lambda p: f", a look {p:g} steps" if p else "")
    frame = frame[frame["world"] != "published"]
    agents, worlds = [*dict.fromkeys(frame["agent"])], [*dict.fromkeys(frame["where"])]
    heads = [
        f"{w} (bound {frame[frame['where'] == w]['bound'].iloc[0]:.0f})" for w in worlds
    ]
    lines = [f"| agent | {' | '.join(heads)} |", "|---" * (len(heads) + 1) + "|"]
    for agent in agents:
        cells = []
        for world in worlds:
            row = frame[(frame["where"] == world) & (frame["agent"] == agent)].iloc[0]
            gap = (row[f"difference{end}"] for end in ("", "_low", "_high"))
            told = "{:+.1f} [{:+.1f}, {:+.1f}]".format(*gap)
            cells.append(f"{row['cost']:.1f}; {told if agent != agents[0] else 'base'}")
        lines.append(f"| {agent} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def curve() -> str:
    """F1 of every row of the curves, the best of each book first."""
    frame = pd.read_csv(RESULTS / "curves.csv", keep_default_na=False)
    lines = [
        "| book | memory | unit | budget | strict F1 | of those with an answer "
        "| false answers | tokens read |",
        "|---" * 8 + "|",
    ]
    order = frame.assign(book=pd.Categorical(frame["book"], frame["book"].unique()))
    order = order.sort_values(["book", "strict_f1"], ascending=[True, False])
    for _, row in order.iterrows():
        ends = [
            f"{row[f]:.3f} [{row[f'{f}_low']:.3f}, {row[f'{f}_high']:.3f}]"
            for f in ("strict_f1", "answerable_f1")
        ]
        cells = (row["book"], row["memory"], row["unit"] or "–", row["budget"])
        false = f"{row['false_answers']} of {row['empty']}"
        told = f"{ends[0]} n={row['n']} | {ends[1]} | {false} | {row['tokens']:.0f}"
        lines.append(f"| {' | '.join(map(str, cells))} | {told} |")
    return "\n".join(lines) + "\n"


_NOVELS = {
    "mentions, F1": "mentions.f1", "those that are nouns, F1": "nominals.f1",
    "mentions with the right of six kinds, F1": "typed.f1",
    "names taken for one, precision": "names_pairwise.precision",
    "names taken for one, recall": "names_pairwise.recall",
    "what takes place, F1": "realis.f1", "quotations, F1": "quotations.f1",
    "who says them": "speakers.accuracy", "coreference, CoNLL F1": "conll.f1",
    "the same, attributes linked": "attributes_linked.conll.f1",
    "he and she, right": "pronouns.he_she", "we, right": "pronouns.we",
    "you, right": "pronouns.you", "you, wrong": "pronouns.you_wrong",
    "I in a quotation, right": "pronouns.quoted_i",
    "I in a quotation, wrong": "pronouns.quoted_i_wrong",
}  # fmt: skip


def novels() -> str:
    """Who is who in LitBank's novels: 70 that were not seen, and the ten set aside."""
    frame = pd.read_csv(RESULTS / "litbank.csv").set_index(["half", "figure"])
    lines = ["| figure | 70 books, five folds | the ten set aside |", "|---|---|---|"]
    for name, figure in _NOVELS.items():
        rows = (frame.loc[(h, figure)] for h in ("cross_validated", "set_aside"))
        told = (f"{r['value']:.3f} [{r['low']:.3f}, {r['high']:.3f}]" for r in rows)
        lines.append(f"| {name} | {' | '.join(told)} |")
    return "\n".join(lines) + "\n"


_SIX = ("chat", "diary", "entry", "minutes", "news", "report", "all")
_IN_GENRES = {
    "CoNLL F1": "conll.f1",
    "he and she right": "pronouns.he_she",
    "they right": "pronouns.they",
    "*you* right": "pronouns.you",
    "*you* wrong": "pronouns.you_wrong",
    "quoted *I* right": "pronouns.quoted_i",
    "quoted *I* wrong": "pronouns.quoted_i_wrong",
    "mentions with the right of six kinds, F1": "typed.f1",
    "who speaks, right": "speakers.accuracy",
}


def genres() -> str:
    """Who is who in six genres: by weights learned, and by those set by hand."""
    frame = pd.read_csv(RESULTS / "genres_who.csv").set_index("weights")
    lines = [f"| figure | {' | '.join(_SIX)} |", "|---" * (len(_SIX) + 1) + "|"]
    for name, figure in _IN_GENRES.items():
        cells = []
        for genre in _SIX:
            own = frame[(frame["figure"] == figure) & (frame["genre"] == genre)]
            told = own[own["half"] == "both"]["value"].to_dict()
            cells.append(f"{told['learned']:.3f} ({told['by hand']:.3f})")
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


TABLES: dict[str, Callable[[], str]] = {
    "alone": alone,
    "right": right,
    "beside": beside,
    "maze": maze,
    "gates": gates,
    "plots": plots,
    "recalled": recalled,
    "chats": chats,
    "in_window": in_window,
    "controls": controls,
    "curve": curve,
    "novels": novels,
    "genres": genres,
}


def main(target: str | None = None) -> None:
    """Print the tables, or put each into a file between its two marks."""
    if target is None:
        print("\n".join(table() for table in TABLES.values()), end="")
        return
    text = Path(target).read_text("utf-8")
    for name, table in TABLES.items():
        begin = f"<!-- experiments/recipes/claims.py: {name} -->\n"
        if begin not in text:
            continue  # the file does not show this one
        before, _, rest = text.partition(begin)
        _, end, after = rest.partition(END)
        if not end:
            raise SystemExit(f"{target} has no {begin.strip()} with {END} after it")
        text = before + begin + table() + END + after
    Path(target).write_text(text, "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:2])
