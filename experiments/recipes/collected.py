"""Runs of a folder held against one of them, as CSV with the commit that made them.

python experiments/recipes/collected.py DIR RUN > experiments/results/NAME.csv

A run of `EXPERIMENT/MEMORY/` is called as its memory, and by its own name (`whole`) too
where that is no configuration's.
"""

from __future__ import annotations

import re
import sys

from table import commit

from gswlab.bench.collect import against, collect, render_table


def called(run: str) -> str:
    """What a row is called.

    >>> called("epbench20/gsw/ba35d82fcd1c"), called("epbench20/long_context/whole")
    ('gsw', 'long_context_whole')
    """
    *_, memory, own = run.split("/")
    return memory if re.fullmatch("[0-9a-f]{12}", own) else f"{memory}_{own}"


if __name__ == "__main__":
    folder, run = sys.argv[1:]
    table = against(collect(folder), folder, run).assign(commit=commit())
    if table["run"].str.contains("/").all():
        table["run"] = table["run"].map(called)
    print(render_table(table, "csv"), end="")
