"""All runs below a folder as one table: a row a run, a figure with its interval.

Runs of the same questions can be held against one of them, question by question: the
difference, its interval, and the p of a permutation test, adjusted by Holm.
"""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import pandas as pd
import yaml

from gswlab.bench.anatomy import STAGES
from gswlab.bench.epbench import BINS
from gswlab.bench.folder import ANSWERS, RunFolder
from gswlab.bench.mazes import WALK_FIGURES
from gswlab.bench.scoring import worth_of
from gswlab.bench.statistics import clusters, holm, paired, permutation
from gswlab.core.display import inert
from gswlab.core.errors import GswlabError, shell_word
from gswlab.core.files import content
from gswlab.core.nouns import visible

TableLayout = Literal["csv", "markdown", "latex"]
_COMMAND = "python -m gswlab collect DIR"
_PLAIN = (
    *("simple_recall", "chronological_awareness", "recall@2", "recall@5", "recall@10"),
    *("em", "f1", "fact_f1", "accuracy", "evidence_tokens", *WALK_FIGURES),
)
# The figures of `scores.json` that a table shows, in this order, by their names in it.
_FIGURES = {
    "strict_f1": ("strict", "overall", "f1"),
    "answerable_f1": ("strict", "answerable", "f1"),
    **{f"strict_f1@{name}": ("strict", "bins", name, "f1") for name in BINS},
    "lenient_f1": ("lenient", "overall", "f1"),
    **{name: (name,) for name in _PLAIN},
}
_TOLD = ("experiment", "world", "memory", "read_by", "reader", "agent", "settings")
_NAMED = (
    *("experiment=", "memory=", "agent=", "reader="),
    *("run.", "dataset.world=", "dataset.file="),
)


def collect(
    folder: str | Path, runs: Iterable[str | Path] | None = None
) -> pd.DataFrame:
    """The finished runs below `folder`, sorted by experiment, world and memory.

    With `runs` only these of its run folders. A figure `f` has its interval in `f_low`
    and `f_high`; `index_seconds` and the like come from the ledger.
    """
    scored = sorted(Path(folder).rglob("scores.json"))
    if runs is not None:
        among = {Path(run).resolve() for run in runs}
        scored = [path for path in scored if path.parent.resolve() in among]
    if not scored:
        rule = "a finished run's folder holds scores.json"
        raise GswlabError(f"there is no finished run below {folder}", rule, _COMMAND)
    rows = [dict(_row(path.parent, Path(folder))) for path in scored]
    order = ["experiment", "world", "memory", "reader", "settings", "run"]
    table = pd.DataFrame(rows).sort_values(order)
    return table.dropna(axis="columns", how="all").reset_index(drop=True)


def against(table: pd.DataFrame, folder: str | Path, run: str) -> pd.DataFrame:
    """`table` with recall@5, strict F1 or accuracy held against `run`, paired.

    Only runs of the same questions in the same world are held against it.
    """
    rows = {name: RunFolder(Path(folder, name)) for name in table["run"]}
    if run not in rows:
        rule = f"the runs are {', '.join(rows)}"
        raise GswlabError(f"there is no run {run}", rule, f"{_COMMAND} --against RUN")
    world = dict(zip(table["run"], table["world"], strict=True))
    near = [name for name in rows if world[name] == world[run]]
    told = {name: _told(rows[name]) for name in near}
    base, key = told[run], _asked(told[run])
    others = [n for n in near if n != run and key and _asked(told[n]) == key]
    found = []
    homes = clusters(base) if base and "gold" in base[0] else None
    for name in others:
        mine, theirs = ([row["worth"] for row in each] for each in (told[name], base))
        found.append(paired(mine, theirs, homes).to_dict())
        found[-1]["p"] = permutation(mine, theirs, homes)
        del found[-1]["n"]
    for row, p in zip(found, holm([row["p"] for row in found]), strict=True):
        row["p_holm"] = p
    compared = pd.DataFrame(found, index=pd.Index(others, name="run"))
    return table.join(compared.add_prefix("difference_"), on="run")


def brief_table(table: pd.DataFrame) -> pd.DataFrame:
    """What tells the runs of a table apart, and their figures, for a page."""
    shown = [name for name in _FIGURES if "@" not in name]
    figures = [f"{name}{end}" for name in shown for end in ("", "_low", "_high")]
    figures += ["empty_answered", "empty"]
    paired = [f"difference_{end}" for end in ("mean", "low", "high", "p_holm")]
    known = [*apart(table), "n", "partial", *figures, *paired]
    return table[[name for name in known if name in table]]


def render_table(table: pd.DataFrame, layout: TableLayout) -> str:
    """A table as text: CSV has every column, the others no bins and a cell a figure."""
    table = table.rename(columns=visible)
    table = table.map(lambda cell: visible(cell) if isinstance(cell, str) else cell)
    if layout == "csv":
        plain = table.rename(columns=inert).map(inert)
        return str(plain.to_csv(index=False, lineterminator="\n"))
    cells = figure_cells(table.drop(columns=table.filter(like="strict_f1@").columns))
    rows = [list(cells.columns), *cells.to_numpy().tolist()]
    if layout == "latex":
        lines = [" & ".join(c.translate(_LATEX) for c in row) + r" \\" for row in rows]
        rules = [r"\toprule", lines[0], r"\midrule", *lines[1:], r"\bottomrule"]
        begin = rf"\begin{{tabular}}{{{'l' * len(rows[0])}}}"
        return "\n".join([begin, *rules, r"\end{tabular}", ""])
    safe = ([_LINK.sub(r"]\\(", c.translate(_MARKDOWN)) for c in row] for row in rows)
    head, *body = [f"| {' | '.join(row)} |" for row in safe]
    return "\n".join([head, "|" + " --- |" * len(cells.columns), *body, ""])


# What a name must not do: end a cell or a line, or be a command, a tag or a link.
_BREAKS: dict[str, str] = dict.fromkeys("\n\r\v\f\x85\u2028\u2029", " ")
_TEXT = {"\\": "backslash", "~": "asciitilde", "^": "asciicircum", "<": "less"}
_TEXT |= {">": "greater", "|": "bar", '"': "quotedbl"}
_LATEX = str.maketrans({c: f"\\{c}" for c in "&%$#_{}"} | _BREAKS) | str.maketrans(
    {letter: rf"\text{name}{{}}" for letter, name in _TEXT.items()}
)
_LINK = re.compile(r"\]\(")
_MARKDOWN = str.maketrans({c: f"\\{c}" for c in "|`\\"} | _BREAKS) | str.maketrans(
    {"<": "&lt;", ">": "&gt;"}
)


def _row(folder: Path, top: Path) -> Iterator[tuple[str, Any]]:
    scores = RunFolder(folder).read_json("scores.json")
    settings = _yaml(folder / "config.yaml")
    yield "run", str(folder.relative_to(top))
    name = _at(settings, "experiment", "name")
    yield "experiment", name if isinstance(name, str) else ""
    for name in ("world", "memory", "reader", "config"):
        yield name, _word(scores, name, "")
    for name in ("agent", "read_by"):
        yield name, _word(scores, name)
    typed = _yaml(folder / "overrides.yaml")
    told = [str(text) for text in typed] if isinstance(typed, list) else []
    yield "settings", " ".join(text for text in told if not text.startswith(_NAMED))
    yield "n", _number(scores, "questions" if "questions" in scores else "mazes")
    yield "partial", _number(scores, "partial")
    for name, path in _FIGURES.items():
        for end, of in (("", "mean"), ("_low", "low"), ("_high", "high")):
            yield f"{name}{end}", _number(scores, *path, of)
    for name in ("empty_answered", "empty"):
        yield name, _number(scores, "abstention", name)
    for stage in ("wrong", *STAGES):
        yield stage, _number(scores, "anatomy", stage)
    ledger = RunFolder(folder).read_json("ledger.json")
    spent = ledger.get("seconds")
    for what in spent if isinstance(spent, dict) else ():
        yield f"{what}_seconds", _number(ledger, "seconds", what)
    yield "calls", _number(ledger, "calls")


def _yaml(path: Path) -> Any:
    """What a file of settings says; a table needs none of it to be code."""
    try:
        return yaml.safe_load(content(path)) or {}
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        rule = "a run writes it, and reads it nowhere"
        command = shlex.join(["rm", str(path)])
        raise GswlabError(f"{path} is no YAML", rule, command) from None


def _at(data: Any, *path: str) -> Any:
    for key in path:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _word(data: Any, name: str, default: str | None = None) -> str | None:
    found = _at(data, name)
    return found if isinstance(found, str) else default


def _number(data: Any, *path: str) -> Any:
    found = _at(data, *path)
    return found if isinstance(found, int | float) else None


def _worth(folder: RunFolder) -> Iterator[dict[str, Any]]:
    """Each question, its gold, and the worth of its answer: one figure of the three."""
    verdicts = folder.read_lines("verdicts.jsonl", mend=False)
    for number, row in enumerate(folder.read_lines(ANSWERS, mend=False)):
        asked = {"question": row["question"]}
        if verdicts:
            said = verdicts[number]
            yield {**asked, "told": said["gold"], "worth": worth_of(said)}
        elif "recall@5" in row:
            yield {**asked, "gold": row["gold"], "worth": row["recall@5"]}
        elif "accuracy" in row:
            yield {**asked, "gold": [row["id"]], "worth": row["accuracy"]}


def _told(folder: RunFolder) -> list[dict[str, Any]]:
    """Its questions and what each is worth, as a run writes them."""
    try:
        found = list(_worth(folder))
        if all(isinstance(row["worth"], int | float) for row in found):
            return found
    except (LookupError, TypeError):
        pass
    problem = f"{folder.path} has a row of answers or verdicts that no run wrote"
    command = f"python -m gswlab check {shell_word(folder.path)}"
    raise GswlabError(problem, "a run is compared by its rows", command)


def _asked(rows: Sequence[Mapping[str, Any]]) -> str:
    """What was asked in which world, for rows that are worth something."""
    told = [[v for k, v in row.items() if k != "worth"] for row in rows]
    return json.dumps(told) if told else ""


def apart(table: pd.DataFrame) -> list[str]:
    """The columns that tell the runs of a table apart: choices, else settings, runs."""
    told = [c for c in (*_TOLD, "run") if c in table and table[c].nunique() > 1]
    return [c for c in told if c != "run"] or told


def figure_cells(table: pd.DataFrame) -> pd.DataFrame:
    """A column a figure as text, its interval in the same cell."""

    def cell(value: Any, low: Any = None, high: Any = None) -> str:
        if value is None or value != value:
            return ""
        if isinstance(value, str):
            return value
        known = low is not None and low == low
        return f"{value:.4g}" + (f" [{low:.4g}, {high:.4g}]" if known else "")

    cells = pd.DataFrame(index=table.index)
    for name in table.columns:
        if name.endswith(("_low", "_high")):
            continue
        bounds = [f"{name.removesuffix('_mean')}_{end}" for end in ("low", "high")]
        whole = [name, *bounds] if set(bounds) <= set(table.columns) else [name]
        rows = table[whole].itertuples(index=False, name=None)
        cells[name] = [cell(*row) for row in rows]
    return cells
